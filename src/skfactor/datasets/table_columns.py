"""Features and labels from the columns of a data frame."""

from __future__ import annotations

import warnings
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.datasets.errors import DataFormatError

if TYPE_CHECKING:
    import pandas as pd


def from_tags(column: pd.Series[Any], separator: str) -> tuple[Matrix, list[str]]:
    """Make a label of each tag that occurs in the cells of `column`."""
    from sklearn.preprocessing import MultiLabelBinarizer

    binarizer = MultiLabelBinarizer(sparse_output=True)
    Y = binarizer.fit_transform([cell_tags(cell, separator) for cell in column])
    return Y, [str(label) for label in binarizer.classes_]


def cell_tags(cell: Any, separator: str) -> set[str]:
    """Read the tags of one cell, which holds text, a list, a number or nothing."""
    import pandas as pd

    if isinstance(cell, str):
        cell = cell.split(separator)
    elif not isinstance(cell, Collection | np.ndarray):
        # An empty cell, or a single tag that is a number.
        cell = [] if pd.isna(cell) else [cell]
    return {str(tag).strip() for tag in cell} - {""}


def from_indicators(frame: pd.DataFrame, names: list[str], path: Path) -> tuple[Matrix, list[str]]:
    """Make a label of each of the columns `names`, which hold 0 and 1. There may be none."""
    columns = [np.empty((len(frame), 0))]
    for name in names:
        values = frame[name].to_numpy()
        wrong = np.flatnonzero(~np.isin(values, (0, 1)))
        if len(wrong):
            place = f"row {wrong[0]} (from 0, without the header), column {name!r}"
            raise DataFormatError(path, f"{place}: a label must be 0 or 1, got {values[wrong[0]]!r}.")
        columns.append(values.astype(np.float64)[:, np.newaxis])
    return sparse.csr_array(np.hstack(columns)), names


def from_features(
    frame: pd.DataFrame, path: Path, max_categories: int, missing: str
) -> tuple[FloatArray, list[str]]:
    """Make one feature of each column of numbers, and one of each value of a column of text."""
    blocks: list[FloatArray] = [np.empty((len(frame), 0))]
    names: list[str] = []
    left_out: list[str] = []
    for name, column in frame.items():
        if missing == "error":
            _refuse_empty(column, path)
        if column.dtype.kind in "biuf":
            blocks.append(column.to_numpy(dtype=np.float64, na_value=np.nan)[:, np.newaxis])
            names.append(str(name))
        elif column.dtype.kind in "mM" or _count(column) > max_categories:
            left_out.append(str(name))
        else:
            block, values = _one_hot(column)
            blocks.append(block)
            names += [f"{name}={value}" for value in values]
    if left_out:
        message = (
            f"{path}: left out, because text of more than {max_categories} different values, a date or a list: "
            f"{', '.join(left_out)}. To silence this, name them in drop."
        )
        warnings.warn(message, UserWarning, stacklevel=4)
    return np.hstack(blocks), names


def _refuse_empty(column: pd.Series[Any], path: Path) -> None:
    empty = np.flatnonzero(column.isna())
    if len(empty):
        raise DataFormatError(
            path,
            f"row {empty[0]} (from 0, without the header), column {column.name!r}: the cell is empty. Pass "
            "missing='nan' and fill it in, for instance with sklearn.impute.SimpleImputer, or name the column "
            "in drop.",
        )


def _count(column: pd.Series[Any]) -> float:
    try:
        return column.nunique()
    except TypeError:  # lists and other things that have no hash
        return np.inf


def _one_hot(column: pd.Series[Any]) -> tuple[FloatArray, list[Any]]:
    codes, values = column.astype("string").factorize(sort=True)
    block = (codes[:, np.newaxis] == np.arange(len(values))).astype(np.float64)
    block[column.isna().to_numpy()] = np.nan
    return block, list(values)
