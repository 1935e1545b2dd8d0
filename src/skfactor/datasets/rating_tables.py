"""Tables of ratings with a header: users and items by whatever names."""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray
from skfactor.datasets.dataset import RatingsData
from skfactor.datasets.errors import DataFormatError

#: What the columns may be called, whatever the case; `_` does not count.
COLUMN_NAMES = {
    "user": ("user", "userid", "customer", "customerid", "reviewerid"),
    "item": ("item", "itemid", "movie", "movieid", "product", "productid", "asin", "book", "bookid", "isbn"),
    "rating": ("rating", "level", "stars", "score", "overall"),
    "timestamp": ("timestamp", "time", "unixreviewtime"),
}
_DELIMITERS = (",", "\t", ";")


def load_ratings(path: str | os.PathLike[str]) -> RatingsData:
    r"""Load a table of ratings whose header names its columns.

    Parameters
    ----------
    path : path-like
        A file with the columns user, item, rating and perhaps timestamp (or names like `user_id`, `movieId`,
        `stars`), in any order and among others, separated by commas, tabs or semicolons. Users and items are whole
        numbers or any text.

    Returns
    -------
    data : RatingsData

    Raises
    ------
    DataFormatError
        If the file is malformed, with the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "drinks.csv"
    ...     _ = path.write_text("user,item,stars\nann,tea,4.5\nbob,tea,3\n")
    ...     data = load_ratings(path)
    >>> data, data.pairs.tolist()
    (RatingsData('drinks': 2 ratings of 1 items by 2 users, levels 3 4.5), [['ann', 'tea'], ['bob', 'tea']])
    """
    path = Path(path)
    columns = _read(path, ("user", "item", "rating"))
    times = _numbers(path, columns, "timestamp") if "timestamp" in columns else None
    return RatingsData(_pairs(columns), _numbers(path, columns, "rating"), times, name=path.stem)


def load_pairs(path: str | os.PathLike[str]) -> npt.NDArray[Any]:
    """Load users and items only, of a table that `load_ratings` reads, or of one without ratings.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    pairs : ndarray of shape (n, 2)
    """
    return _pairs(_read(Path(path), ("user", "item")))


def is_rating_header(line: str) -> bool:
    """Whether the first line of a file names a user and an item."""
    return {"user", "item"} <= set(_places(_split(line)))


def _read(path: Path, needed: Sequence[str]) -> dict[str, list[str]]:
    """Read the cells of the columns that are known, as text."""
    with path.open(newline="", encoding="utf-8-sig", errors="replace") as file:
        first = file.readline()
        header, places = _split(first), _places(_split(first))
        lacking = [name for name in needed if name not in places]
        if lacking:
            message = f"there is no column for {' and '.join(lacking)}; the header has {', '.join(header)}."
            raise DataFormatError(path, message, 1)
        cells: dict[str, list[str]] = {name: [] for name in places}
        for number, row in enumerate(csv.reader(file, delimiter=_delimiter(first)), start=2):
            if not row:
                continue
            if len(row) != len(header):
                raise DataFormatError(path, f"expected {len(header)} cells, got {len(row)}.", number)
            for name, place in places.items():
                cells[name].append(row[place].strip())
            empty = next((name for name in needed if not cells[name][-1]), None)
            if empty is not None:
                raise DataFormatError(path, f"the {empty} is missing.", number)
    if not cells[needed[0]]:
        raise DataFormatError(path, "no ratings after the header.")
    return cells


def _split(line: str) -> list[str]:
    return [cell.strip().strip('"') for cell in line.strip().split(_delimiter(line))]


def _delimiter(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


def _places(header: Sequence[str]) -> dict[str, int]:
    """Where the columns are that are known."""
    known = {name: column for column, names in COLUMN_NAMES.items() for name in names}
    found = [(known.get(name.casefold().replace("_", "")), place) for place, name in enumerate(header)]
    return {column: place for column, place in reversed(found) if column is not None}


def _pairs(columns: dict[str, list[str]]) -> npt.NDArray[Any]:
    users, items = columns["user"], columns["item"]
    whole = all(cell.isdecimal() for column in (users, items) for cell in column)
    return np.column_stack([np.array(column, dtype=np.int64 if whole else np.str_) for column in (users, items)])


def _numbers(path: Path, columns: dict[str, list[str]], name: str) -> FloatArray:
    try:
        numbers = np.array(columns[name], dtype=np.float64)
    except ValueError as error:
        raise DataFormatError(path, f"the {name}s must be numbers: {error}.") from None
    if not np.isfinite(numbers).all():
        raise DataFormatError(path, f"the {name}s must be finite, got {numbers[~np.isfinite(numbers)][0]}.")
    return numbers
