"""Tables with a column of tags, or with one column of 0 and 1 for each label: CSV, Parquet and data frames."""

from __future__ import annotations

import os
import warnings
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_choice, check_number
from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.errors import DataFormatError, needs_extra

if TYPE_CHECKING:
    import pandas as pd


def load_csv(
    path: str | os.PathLike[str],
    tags: str | Sequence[str] = "tags",
    separator: str = ";",
    *,
    delimiter: str = ",",
    drop: Iterable[str] = (),
    max_categories: int = 50,
    missing: str = "error",
) -> MultilabelData:
    r"""Load a table of text.

    Parameters
    ----------
    path : path-like
        The file, with a header.
    tags : str or sequence of str
        The column with the tags of each row. Or the columns that are labels themselves, with 0 and 1.
    separator : str
        What stands between two tags. Spaces around a tag do not count; an empty cell has no tags.
    delimiter : str
        What stands between two columns.
    drop : iterable of str
        Columns to leave out.
    max_categories : int
        Leave out, with a warning, columns of text that have more different values.
    missing : {"error", "nan"}
        What to do with empty cells of features: refuse them, or make them NaN.

    Returns
    -------
    data : MultilabelData
        Columns of numbers are features; a column of text becomes one 0/1 feature for each of its values,
        called `column=value`. The labels are the tags that occur, sorted.

    Raises
    ------
    DataFormatError
        If the table is malformed, with the row and the column.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tickets.csv"
    ...     _ = path.write_text("words,team,tags\n120,web,urgent;billing\n80,app,billing\n")
    ...     data = load_csv(path)
    >>> data.feature_names, data.label_names
    (['words', 'team=app', 'team=web'], ['billing', 'urgent'])
    """
    pandas = _pandas("load_csv")
    try:
        # Tags are split as they are written: pandas would make 3.0 of the tag 3, and nothing of the tag NA.
        split = {tags: lambda cell: tuple(_cell_tags(cell, separator))} if isinstance(tags, str) else {}
        frame = pandas.read_csv(path, sep=delimiter, converters=split, low_memory=False)
    except (pandas.errors.ParserError, pandas.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise DataFormatError(path, f"{' '.join(str(error).split()).rstrip('.')}.") from None
    return _from_frame(frame, Path(path), tags, separator, drop, max_categories, missing)


def load_parquet(
    path: str | os.PathLike[str],
    tags: str | Sequence[str] = "tags",
    separator: str = ";",
    *,
    drop: Iterable[str] = (),
    max_categories: int = 50,
    missing: str = "error",
) -> MultilabelData:
    """Load a Parquet file. The column of tags may hold lists.

    Parameters
    ----------
    path : path-like
        The file.
    tags, separator, drop, max_categories, missing
        As for `load_csv`.

    Returns
    -------
    data : MultilabelData
        As of `load_csv`.
    """
    pandas = _pandas("load_parquet")
    try:
        frame = pandas.read_parquet(path)
    except ImportError:
        raise needs_extra("pyarrow", "load_parquet") from None
    except FileNotFoundError:
        raise
    except (ValueError, OSError) as error:
        raise DataFormatError(path, f"{' '.join(str(error).split()).rstrip('.')}.") from None
    return _from_frame(frame, Path(path), tags, separator, drop, max_categories, missing)


def _pandas(task: str) -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise needs_extra("pandas", task) from None
    return pd


def _from_frame(
    frame: pd.DataFrame,
    path: Path,
    tags: str | Sequence[str],
    separator: str,
    drop: Iterable[str],
    max_categories: int,
    missing: str,
) -> MultilabelData:
    check_choice(missing, "missing", ("error", "nan"))
    check_number(max_categories, "max_categories", minimum=1, integer=True)
    drop = list(drop)
    targets = [tags] if isinstance(tags, str) else list(tags)
    for argument, names in (("tags", targets), ("drop", drop)):
        absent = [name for name in names if name not in frame.columns]
        if absent:
            columns = ", ".join(map(str, frame.columns[:8])) + (", ..." if len(frame.columns) > 8 else "")
            raise ValueError(f"{argument} names {absent[0]!r}, but the columns of {path} are {columns}.")
    Y, labels = _tags(frame[tags], separator) if isinstance(tags, str) else _indicators(frame, targets, path)
    inputs = [column for column in frame.columns if column not in {*targets, *drop}]
    X, features = _features(frame[inputs], path, max_categories, missing)
    return MultilabelData(X, Y, features, labels, path.stem)


def _tags(column: pd.Series[Any], separator: str) -> tuple[Matrix, list[str]]:
    from sklearn.preprocessing import MultiLabelBinarizer

    binarizer = MultiLabelBinarizer(sparse_output=True)
    Y = binarizer.fit_transform([_cell_tags(cell, separator) for cell in column])
    return Y, [str(label) for label in binarizer.classes_]


def _cell_tags(cell: Any, separator: str) -> set[str]:
    if isinstance(cell, str):
        cell = cell.split(separator)
    elif not isinstance(cell, Collection | np.ndarray):
        # An empty cell, or a single tag that is a number.
        cell = [] if _pandas("load_parquet").isna(cell) else [cell]
    return {str(tag).strip() for tag in cell} - {""}


def _indicators(frame: pd.DataFrame, names: list[str], path: Path) -> tuple[Matrix, list[str]]:
    columns = []
    for name in names:
        values = frame[name].to_numpy()
        wrong = np.flatnonzero(~np.isin(values, (0, 1)))
        if len(wrong):
            place = f"row {wrong[0]} (from 0, without the header), column {name!r}"
            raise DataFormatError(path, f"{place}: a label must be 0 or 1, got {values[wrong[0]]!r}.")
        columns.append(values.astype(np.float64))
    return sparse.csr_array(np.column_stack(columns)), names


def _features(frame: pd.DataFrame, path: Path, max_categories: int, missing: str) -> tuple[FloatArray, list[str]]:
    blocks: list[FloatArray] = [np.empty((len(frame), 0))]
    names: list[str] = []
    left_out: list[str] = []
    for name, column in frame.items():
        if missing == "error" and column.isna().any():
            row = int(np.flatnonzero(column.isna())[0])
            raise DataFormatError(
                path,
                f"row {row} (from 0, without the header), column {name!r}: the cell is empty. Pass missing='nan' "
                "and fill it in, for instance with sklearn.impute.SimpleImputer, or name the column in drop.",
            )
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


def _count(column: pd.Series[Any]) -> float:
    try:
        return column.nunique()
    except TypeError:  # lists and other things that have no hash
        return np.inf


def _one_hot(column: pd.Series[Any]) -> tuple[FloatArray, list[Any]]:
    codes, values = column.astype("string").factorize(sort=True)
    block = np.eye(len(values))[codes]
    block[column.isna().to_numpy()] = np.nan
    return block, list(values)
