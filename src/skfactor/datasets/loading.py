"""One door to all data sets: by name, or by path in any form."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from skfactor.datasets import archives
from skfactor.datasets.arff import load_arff
from skfactor.datasets.arff_labels import PART
from skfactor.datasets.catalogue import ENTRIES, local_file, unknown
from skfactor.datasets.dataset import MultilabelData, RatingsData
from skfactor.datasets.digits import load_digit_tags
from skfactor.datasets.fetching import fetch
from skfactor.datasets.movielens import load_movielens, rating_file
from skfactor.datasets.npz import load_npz
from skfactor.datasets.rating_tables import is_rating_header, load_ratings
from skfactor.datasets.splits import with_published_split
from skfactor.datasets.svmlight import load_svmlight
from skfactor.datasets.tables import load_csv, load_parquet
from skfactor.datasets.xmc import load_xmc

Loader = Callable[..., MultilabelData | RatingsData]
_XMC_SIZES = re.compile(r"\d+\s+\d+\s+\d+\s*")
_RATINGS_HEADER = re.compile(r"user_?id,|\d+,\d+,", re.IGNORECASE)


def load(source: str | os.PathLike[str], **options: Any) -> MultilabelData | RatingsData:
    """Load a data set by its name or by its path.

    Parameters
    ----------
    source : str or path-like
        A name of `available()`: it is looked for in `$SKFACTOR_DATA`, then in the cache, then fetched. Or a
        path; its ending says which loader reads it: .npz, .arff, .csv, .parquet, .xmc, .svm, .svmlight,
        .libsvm, .data and .dat (MovieLens), .txt (by its first line), an archive, or a folder with an .arff
        or with ratings. A name wins over a path: write `./bibtex` for a folder of that name.
    **options
        For that loader, as `labels` for `load_arff` or `tags` for `load_csv`.

    Returns
    -------
    data : MultilabelData or RatingsData
        What was found.

    Examples
    --------
    >>> load("digit-tags")
    MultilabelData('digit-tags': 1797 rows, 64 features (dense), 7 labels, ... per row)
    """
    if isinstance(source, str):
        local = local_file(source)
        if local is not None:
            return with_published_split(load_npz(local, **options))
        if source in ENTRIES:
            return _load_known(source, options)
    path = Path(source)
    if path.exists():
        return _load_path(path, options)
    if isinstance(source, str) and not path.suffix and path.name == source:
        raise unknown(source)
    raise FileNotFoundError(f"There is no file {path}.")


def _load_known(name: str, options: dict[str, Any]) -> MultilabelData | RatingsData:
    known = ENTRIES[name]
    if known.embedded:
        return load_digit_tags(**options)
    data = _load_path(fetch(name), known.options | options, known.member)
    data.name = name
    return data


def _load_path(path: Path, options: dict[str, Any], member: str | None = None) -> MultilabelData | RatingsData:
    if path.is_dir():
        return _load_folder(path, options, member)
    if path.name.endswith(archives.SUFFIXES):
        with archives.unpacked(path) as folder:
            data = _load_folder(folder, options, member)
        data.name = path.name.partition(".")[0]
        return data
    return _loader(path)(path, **options)


def _load_folder(folder: Path, options: dict[str, Any], member: str | None) -> MultilabelData | RatingsData:
    arff_files = sorted(folder.rglob("*.arff"))
    if member:
        arff_files = [path for path in arff_files if path.name.lower() == member.lower()]
    # Mulan gives the whole next to its two parts.
    whole = [path for path in arff_files if not PART.search(path.stem)] or arff_files
    if len(whole) == 1:
        return load_arff(whole[0], **options)
    if whole:
        names = ", ".join(path.name for path in whole)
        raise ValueError(
            f"{folder} has several data sets: {names}. Give the path of one of them, unpacked if need be."
        )
    try:
        return load_movielens(rating_file(folder), **options)
    except FileNotFoundError:
        raise FileNotFoundError(f"{folder} has neither an .arff file nor ratings of MovieLens.") from None


def _loader(path: Path) -> Loader:
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in (".gz", ".bz2")]
    suffix = suffixes[-1] if suffixes else ""
    first_line = _first_line(path) if suffix in (".txt", ".csv") else ""
    if suffix == ".txt":
        return load_xmc if _XMC_SIZES.fullmatch(first_line) else load_svmlight
    if suffix == ".csv":
        if _RATINGS_HEADER.match(first_line):
            return load_movielens
        return load_ratings if is_rating_header(first_line) and "tags" not in first_line else load_csv
    if suffix not in _LOADERS:
        raise ValueError(
            f"{path}: which form is it? Known endings are {', '.join(_LOADERS)}, .txt, .csv and "
            f"{', '.join(archives.SUFFIXES)}. Or call its loader, such as skfactor.datasets.load_svmlight."
        )
    return _LOADERS[suffix]


_LOADERS: dict[str, Loader] = {
    ".npz": load_npz,
    ".arff": load_arff,
    ".parquet": load_parquet,
    ".xmc": load_xmc,
    ".svm": load_svmlight,
    ".svmlight": load_svmlight,
    ".libsvm": load_svmlight,
    ".data": load_movielens,
    ".dat": load_movielens,
}


def _first_line(path: Path) -> str:
    with path.open(encoding="utf-8-sig", errors="replace") as file:
        return file.readline()
