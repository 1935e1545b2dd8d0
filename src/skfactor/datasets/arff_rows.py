"""The rows of an ARFF file, dense or sparse, as a table of numbers.

A nominal value becomes its place in the declaration. So the rule of sparse files, that an entry which is
left out is 0 or the **first** nominal value, needs no code: both are the 0 of a sparse table.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Collection, Iterator
from itertools import chain
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import Matrix
from skfactor.datasets.arff_header import (
    Attribute,
    shorten,
    skippable,
    split_cells,
    split_values,
    unquote,
)
from skfactor.datasets.errors import DataFormatError

Decoder = Callable[[str], float]
#: Columns and values of one row.
Row = tuple[list[int], list[float]]


def read_rows(
    lines: Iterator[tuple[int, str]],
    attributes: list[Attribute],
    path: str | os.PathLike[str],
    *,
    ignored: Collection[str] = (),
    missing: str = "error",
) -> Matrix:
    """Read the numbered `lines` after `@data`: an ndarray, or a CSR array if the rows are sparse.

    The columns of attributes named in `ignored` are 0, whatever the file says there.
    """
    decoders = [_decoder(attribute, attribute.name in ignored, missing) for attribute in attributes]
    lines = ((number, line.strip()) for number, line in lines if not skippable(line))
    first = next(lines, None)
    if first is None:
        raise DataFormatError(path, "no rows after @data.")
    is_sparse = first[1].startswith("{")
    decode = _sparse_row if is_sparse else _dense_row
    columns, values, starts, numbers = array("q"), array("d"), array("q", [0]), array("q")
    for number, line in chain([first], lines):
        try:
            row = decode(line, decoders)
        except (ValueError, KeyError, IndexError):
            raise DataFormatError(path, _explain(line, is_sparse, attributes, decoders), number) from None
        columns.extend(row[0])
        values.extend(row[1])
        starts.append(len(values))
        numbers.append(number)
    data, indptr = np.frombuffer(values), np.frombuffer(starts, dtype=np.int64)
    indices = np.frombuffer(columns, dtype=np.int64) if columns else np.empty(0, dtype=np.int64)
    if not is_sparse:
        table = data.reshape(len(numbers), len(attributes))
        indices = np.broadcast_to(np.arange(len(attributes)), table.shape).ravel()
    _refuse_not_finite(data, indices, indptr, numbers, attributes, path, missing)
    if not is_sparse:
        return table
    return sparse.csr_array((data, indices, indptr), shape=(len(numbers), len(attributes)))


def _decoder(attribute: Attribute, ignored: bool, missing: str) -> Decoder:
    if ignored:
        return lambda _: 0.0
    if attribute.values is not None:
        places = {value: float(place) for place, value in enumerate(attribute.values)}
        if missing == "nan":
            places.setdefault("?", np.nan)
        return places.__getitem__
    return _number_or_nan if missing == "nan" else float


def _number_or_nan(text: str) -> float:
    return np.nan if text == "?" else float(text)


def _dense_row(line: str, decoders: list[Decoder]) -> Row:
    return [], [decode(cell) for decode, cell in zip(decoders, _cells(line), strict=True)]


def _sparse_row(line: str, decoders: list[Decoder]) -> Row:
    entries = _entries(line)
    columns = [int(column) for column, _ in entries]
    if len(set(columns)) < len(columns) or min(columns, default=0) < 0:
        raise ValueError("a column is repeated or negative")
    return columns, [decoders[column](value) for column, (_, value) in zip(columns, entries, strict=True)]


def _cells(line: str) -> list[str]:
    if "'" in line or '"' in line:
        return split_values(line)
    return [cell.strip() for cell in line.split(",")]


def _entries(line: str) -> list[Any]:
    """Split '{column value, column value}' into pairs of texts."""
    if line[0] != "{" or line[-1] != "}":
        raise ValueError("a sparse row stands in braces")
    body = line[1:-1].strip()
    if not body:
        return []
    if "'" in body or '"' in body:
        return [[unquote(part) for part in cell.split(None, 1)] for cell in split_cells(body)]
    return [entry.split() for entry in body.split(",")]


def _explain(line: str, is_sparse: bool, attributes: list[Attribute], decoders: list[Decoder]) -> str:
    """Say what is wrong with a row that could not be decoded."""
    if line.startswith("{") != is_sparse:
        return "dense and sparse rows are mixed. Write all of them in one way."
    if not is_sparse:
        cells = _cells(line)
        if len(cells) != len(attributes):
            return f"expected {len(attributes)} values, got {len(cells)}."
        return _explain_values(enumerate(cells), attributes, decoders)
    if not line.endswith("}"):
        return "the row does not end with '}': it is cut off, or carries a weight, which is not supported."
    entries: list[tuple[int, str]] = []
    for entry in _entries(line):
        if len(entry) != 2 or not entry[0].isdecimal():
            return f"expected 'column value', got {shorten(' '.join(entry))!r}."
        column = int(entry[0])
        if column >= len(attributes):
            return f"column {column} does not exist: the {len(attributes)} columns count from 0."
        if column in dict(entries):
            return f"column {column} ({attributes[column].name!r}) occurs twice."
        entries.append((column, entry[1]))
    return _explain_values(iter(entries), attributes, decoders)


def _explain_values(cells: Iterator[tuple[int, str]], attributes: list[Attribute], decoders: list[Decoder]) -> str:
    for column, cell in cells:
        try:
            decoders[column](cell)
        except (ValueError, KeyError):
            name, values = attributes[column].name, attributes[column].values
            if cell == "?":
                return _missing(name)
            wanted = "a number" if values is None else f"one of {{{shorten(', '.join(values))}}}"
            return f"attribute {name!r} (column {column}) must be {wanted}, got {shorten(cell)!r}."
    return "the row could not be read."


def _missing(name: str) -> str:
    return (
        f"the value of attribute {name!r} is missing. Pass missing='nan' and fill it in, for instance with "
        f"sklearn.impute.SimpleImputer, or leave the attribute out with drop=[{name!r}]."
    )


def _refuse_not_finite(
    data: Any,
    indices: Any,
    indptr: Any,
    numbers: array[int],
    attributes: list[Attribute],
    path: str | os.PathLike[str],
    missing: str,
) -> None:
    """Refuse the 'nan' and 'inf' that `float` reads."""
    bad = np.flatnonzero(np.isinf(data) if missing == "nan" else ~np.isfinite(data))
    if len(bad):
        row = int(np.searchsorted(indptr, bad[0], side="right")) - 1
        name = attributes[int(indices[bad[0]])].name
        message = f"attribute {name!r} is infinite." if np.isinf(data[bad[0]]) else _missing(name)
        raise DataFormatError(path, message, numbers[row])
