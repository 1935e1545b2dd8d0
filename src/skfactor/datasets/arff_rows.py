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
from skfactor.datasets.growing import GrowingTable

Decoder = Callable[[str], float]
#: The values of one row, and their columns if it is sparse.
Row = tuple[list[float], list[int] | None]


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
    rows, numbers = GrowingTable(len(attributes)), array("q")
    for number, line in chain([first], lines):
        try:
            rows.add(*decode(line, decoders))
        except (ValueError, KeyError, IndexError):
            raise DataFormatError(path, _explain(line, is_sparse, attributes, decoders), number) from None
        numbers.append(number)
    table = rows.csr() if is_sparse else rows.dense()
    _refuse_not_finite(table, numbers, attributes, path, missing)
    return table


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
    return [decode(cell) for decode, cell in zip(decoders, _cells(line), strict=True)], None


def _sparse_row(line: str, decoders: list[Decoder]) -> Row:
    entries = _entries(line)
    columns = [int(column) for column, _ in entries]
    # A negative column would be taken from the end here; `GrowingTable` refuses it.
    return [decoders[column](value) for column, (_, value) in zip(columns, entries, strict=True)], columns


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
    table: Matrix, numbers: array[int], attributes: list[Attribute], path: str | os.PathLike[str], missing: str
) -> None:
    """Refuse the 'nan' and 'inf' that `float` reads."""
    entries = table.data if hasattr(table, "indptr") else table
    if np.isfinite(entries).all():
        return
    for row, number in enumerate(numbers):
        line: Any = table[[row]]
        values = line.toarray()[0] if hasattr(line, "toarray") else line[0]
        bad = np.flatnonzero(np.isinf(values) if missing == "nan" else ~np.isfinite(values))
        if len(bad):
            name = attributes[bad[0]].name
            message = f"attribute {name!r} is infinite." if np.isinf(values[bad[0]]) else _missing(name)
            raise DataFormatError(path, message, number)
