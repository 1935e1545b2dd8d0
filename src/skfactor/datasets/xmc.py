"""The text format of the extreme-classification repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.errors import DataFormatError, damage_told
from skfactor.datasets.growing import GrowingTable


def load_xmc(path: str | os.PathLike[str]) -> MultilabelData:
    r"""Load a file of the extreme-classification repository.

    Parameters
    ----------
    path : path-like
        First line: the numbers of rows, of features and of labels. Then, for each row, its labels separated
        by commas, a space, and its features as `number:value`. All count from 0. The line of a row without
        label starts with a space.

    Returns
    -------
    data : MultilabelData
        With X as a CSR array.

    Raises
    ------
    DataFormatError
        If the file is malformed, with the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "train.txt"
    ...     _ = path.write_text("2 3 4\n1,3 0:0.5 2:1\n 1:2.5\n")
    ...     data = load_xmc(path)
    >>> data.Y.toarray()
    array([[0., 1., 0., 1.],
           [0., 0., 0., 0.]])
    """
    path = Path(path)
    with damage_told(path), path.open(encoding="utf-8") as file:
        n_rows, n_features, n_labels = _sizes(file.readline(), path)
        features, labels = GrowingTable(n_features), GrowingTable(n_labels)
        for number, line in _rows(file, n_rows, path):
            try:
                _read_row(line, features, labels)
            except (ValueError, OverflowError):
                raise DataFormatError(path, _explain(line, n_features, n_labels), number) from None
    return MultilabelData(features.csr(), labels.csr(), name=path.stem)


def _sizes(line: str, path: Path) -> tuple[int, int, int]:
    try:
        rows, features, labels = (int(word) for word in line.split())
    except ValueError:
        message = f"expected the numbers of rows, features and labels, got {line.strip()[:40]!r}."
        raise DataFormatError(path, message, 1) from None
    return rows, features, labels


def _rows(file: Iterator[str], count: int, path: Path) -> Iterator[tuple[int, str]]:
    """Number the lines, and make sure that there are as many as announced."""
    number = 1
    for number, line in enumerate(file, start=2):
        if number > count + 1:
            if line.strip():
                raise DataFormatError(path, f"more rows than the {count} that line 1 announces.", number)
            return
        yield number, line
    if number < count + 1:
        message = f"the file ends after {number - 1} of the {count} rows that line 1 announces: it is cut off."
        raise DataFormatError(path, message, number)


def _read_row(line: str, features: GrowingTable, labels: GrowingTable) -> None:
    label_text, _, feature_text = line.rstrip("\r\n").partition(" ")
    row_labels = [int(label) for label in label_text.split(",")] if label_text else []
    labels.add([1.0] * len(row_labels), row_labels)
    pairs = [entry.split(":") for entry in feature_text.split()]
    values = [float(value) for _, value in pairs]
    if not np.isfinite(values).all():
        raise ValueError("a value is not finite")
    features.add(values, [int(column) for column, _ in pairs])


def _explain(line: str, n_features: int, n_labels: int) -> str:
    """Say what is wrong with a row that could not be read."""
    label_text, _, feature_text = line.rstrip("\r\n").partition(" ")
    if ":" in label_text:
        return "a row without label must start with a space."
    seen: set[tuple[str, int]] = set()
    entries = [("label", word, word, "0") for word in label_text.split(",") if label_text]
    entries += [("feature", word, *word.partition(":")[::2]) for word in feature_text.split()]
    for kind, word, column, value in entries:
        limit = n_labels if kind == "label" else n_features
        if not column.isdecimal() or not _is_number(value):
            form = "a whole number" if kind == "label" else "number:value"
            return f"expected a {kind} as {form}, got {word!r}."
        if int(column) >= limit:
            return f"{kind} {column} does not exist: line 1 announces {limit}, and they count from 0."
        if (kind, int(column)) in seen:
            return f"{kind} {column} occurs twice."
        seen.add((kind, int(column)))
    return "the row could not be read."


def _is_number(text: str) -> bool:
    try:
        return bool(np.isfinite(float(text)))
    except ValueError:
        return False
