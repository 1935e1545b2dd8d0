"""Files in the svmlight format with several labels per row, as LIBSVM's collection has them."""

from __future__ import annotations

import bz2
import gzip
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.errors import DataFormatError, damage_told

_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_ROW = re.compile(rf"(?:{_NUMBER}(?:,{_NUMBER})*)?(?:(?:^|\s+)(?:qid:\d+|\d+:{_NUMBER}))*\s*")
_COLUMN = re.compile(r"(?:^|\s)(\d+):")
_OPENERS: dict[str, Any] = {".gz": gzip.open, ".bz2": bz2.open}


def load_svmlight(
    path: str | os.PathLike[str],
    *,
    n_features: int | None = None,
    zero_based: bool | str = "auto",
    labels: Iterable[float | str] | None = None,
) -> MultilabelData:
    r"""Load a file of rows `label,label number:value number:value`.

    Parameters
    ----------
    path : path-like
        The file, perhaps compressed (.gz, .bz2).
    n_features : int, optional
        The number of columns, where the last ones may not occur in this file. Default: as many as occur.
    zero_based : bool or "auto"
        Whether features count from 0. "auto": if feature 0 occurs.
    labels : iterable of int or str, optional
        The numbers of all labels, in the order of the columns of Y. Default: those that occur, ascending. Pass
        the same for the training and the test file.

    Returns
    -------
    data : MultilabelData
        With X as a CSR array; `label_names` are the numbers of the labels.

    Raises
    ------
    DataFormatError
        If the file is malformed, with the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "train.svm"
    ...     _ = path.write_text("2,5 1:0.5 3:1\n5 2:2.5\n")
    ...     data = load_svmlight(path)
    >>> data.label_names, data.Y.toarray()
    (['2', '5'], array([[1., 1.],
           [0., 1.]]))
    """
    from sklearn.datasets import load_svmlight_file
    from sklearn.preprocessing import MultiLabelBinarizer

    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"There is no file {path}.")
    try:
        with damage_told(path):
            X, rows = load_svmlight_file(
                os.fspath(path), n_features=n_features, multilabel=True, zero_based=zero_based
            )
    except DataFormatError:
        raise
    except (ValueError, OverflowError, IndexError) as error:
        raise _located(path, error) from None
    occurring = sorted({label for row in rows for label in row})
    classes = occurring if labels is None else _numbers(labels)
    unknown = sorted(set(occurring) - set(classes))
    if unknown:
        raise ValueError(f"labels leaves out {_name(unknown[0])}, which occurs in {path}.")
    Y = MultiLabelBinarizer(classes=classes, sparse_output=True).fit_transform(rows)
    return MultilabelData(X, Y, label_names=[_name(label) for label in classes], name=path.stem)


def _numbers(labels: Iterable[float | str]) -> list[float]:
    try:
        return [float(label) for label in ([labels] if isinstance(labels, str) else labels)]
    except (TypeError, ValueError):
        raise ValueError(f"labels must list the numbers of the labels, as [1, 2], got {labels!r}.") from None


def _name(label: float) -> str:
    return f"{label:.15g}"  # all digits of a whole number


def _located(path: Path, error: Exception) -> DataFormatError:
    """Find the first line that is not of the form, since scikit-learn does not say which it was."""
    with _OPENERS.get(path.suffix, open)(path, "rt", encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, start=1):
            content = line.partition("#")[0].strip()
            if not _ROW.fullmatch(content):
                message = f"expected 'label,label number:value ...', got {content[:40]!r}."
                return DataFormatError(path, message, number)
            columns = [int(column) for column in _COLUMN.findall(content)]
            if columns != sorted(set(columns)):
                return DataFormatError(path, "the features must be in ascending order, each one once.", number)
    return DataFormatError(path, f"{str(error).rstrip('.')}.")
