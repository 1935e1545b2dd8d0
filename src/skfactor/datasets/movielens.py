"""The ratings of MovieLens, in each of the forms that it has had."""

from __future__ import annotations

import io
import os
import re
from pathlib import Path

import numpy as np

from skfactor._validation import FloatArray
from skfactor.datasets.dataset import RatingsData
from skfactor.datasets.errors import DataFormatError

#: Names of the file with the ratings, in a folder of MovieLens.
RATING_FILES = ("u.data", "ratings.dat", "ratings.csv")
_SEPARATORS = ("::", "\t", ",")
_ROW = re.compile(r"\d+\s*,\s*\d+\s*,\s*[-+.\deE]+(?:\s*,\s*[-+.\deE]+)?")


def load_movielens(path: str | os.PathLike[str]) -> RatingsData:
    r"""Load ratings of MovieLens, or others in one of its forms.

    Parameters
    ----------
    path : path-like
        A file with user, item, rating and perhaps a timestamp in each line, separated by tabs (`u.data`),
        two colons (`ratings.dat`) or commas (`ratings.csv`, with a header). Or a folder, or a .zip file,
        with one of these three.

    Returns
    -------
    data : RatingsData
        A pair that occurs twice stays twice: the models decide what to make of it.

    Raises
    ------
    DataFormatError
        If the file is malformed, with the line.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "ratings.dat"
    ...     _ = path.write_text("1::1193::5::978300760\n1::661::3::978302109\n")
    ...     data = load_movielens(path)
    >>> data, data.pairs.tolist()
    (RatingsData('ratings': 2 ratings of 2 items by 1 users, levels 3 5), [[1, 1193], [1, 661]])
    """
    path = Path(path)
    if path.suffix == ".zip":
        from skfactor.datasets.archives import unpacked

        with unpacked(path) as folder:
            data = load_movielens(folder)
        data.name = path.stem
        return data
    if path.is_dir():
        data = load_movielens(rating_file(path))
        data.name = path.name
        return data
    table = _read_table(path)
    pairs = table[:, :2].astype(np.int64)
    times = table[:, 3].astype(np.int64) if table.shape[1] == 4 else None
    return RatingsData(pairs, table[:, 2], times, name=path.stem)


def rating_file(folder: Path) -> Path:
    """Find the file with the ratings in `folder` or in a folder of it."""
    for name in RATING_FILES:
        found = sorted(folder.rglob(name), key=lambda path: len(path.parts))
        if found:
            return found[0]
    raise FileNotFoundError(f"{folder} has none of {', '.join(RATING_FILES)}.")


def _read_table(path: Path) -> FloatArray:
    text = path.read_text(encoding="utf-8-sig", errors="replace")
    first, _, rest = text.partition("\n")
    separator = next((candidate for candidate in _SEPARATORS if candidate in first), None)
    if separator is None:
        message = "expected user, item and rating, separated by tabs, '::' or commas."
        raise DataFormatError(path, message, 1)
    text = text.replace(separator, ",")
    header = 0 if first[:1].isdigit() else 1
    if header and not rest.strip():
        raise DataFormatError(path, "no ratings after the header.")
    try:
        table = np.loadtxt(io.StringIO(text), delimiter=",", skiprows=header, ndmin=2, comments=None)
    except ValueError:
        raise _located(path, text, header) from None
    if table.shape[1] not in (3, 4) or not np.isfinite(table).all() or (table[:, :2] % 1).any():
        raise _located(path, text, header)
    return table


def _located(path: Path, text: str, header: int) -> DataFormatError:
    """Find the first line that is not of the form of the first one."""
    columns = None
    for number, line in enumerate(text.splitlines(), start=1):
        if number <= header or not line.strip():
            continue
        columns = columns or len(line.split(","))
        if not _ROW.fullmatch(line.strip()) or len(line.split(",")) != columns:
            wanted = "user, item, rating, timestamp" if columns == 4 else "user, item, rating"
            return DataFormatError(path, f"expected {wanted} as numbers, got {line[:40]!r}.", number)
    return DataFormatError(path, "expected user, item, rating and perhaps timestamp, as numbers.")
