"""The data sets that are known by name, and where they are."""

from __future__ import annotations

import difflib
import os
import tomllib
from dataclasses import dataclass, field
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import Any

#: The variable with a folder of data sets: multilabel/NAME.npz, ratings/NAME.npz, folds/5/NAME.npz.
DATA_VARIABLE = "SKFACTOR_DATA"
#: The variable with the folder that fetched files go to.
CACHE_VARIABLE = "SKFACTOR_CACHE"


@dataclass(frozen=True)
class Entry:
    """What is known of a data set; the fields are those of `catalogue.toml`."""

    name: str
    kind: str
    citation: str
    rows: int
    features: int | None = None
    labels: int | None = None
    users: int | None = None
    items: int | None = None
    embedded: bool = False
    address: str | None = None
    #: The file of an archive, where it has several.
    member: str | None = None
    #: SHA-256, or another algorithm as "md5:...".
    checksum: str | None = None
    #: Bytes.
    size: int | None = None
    page: str | None = None
    licence: str | None = None
    note: str = ""
    #: What the loader needs to know.
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def filename(self) -> str:
        """The name under which it is kept."""
        return "" if self.address is None else self.address.rpartition("/")[2]


def _read() -> dict[str, Entry]:
    text = resources.files("skfactor.datasets").joinpath("catalogue.toml").read_text(encoding="utf-8")
    return {name: Entry(name=name, **fields) for name, fields in tomllib.loads(text).items()}


ENTRIES = _read()


@dataclass(frozen=True)
class Available:
    """A data set that can be loaded by its name.

    Attributes
    ----------
    name : str
        For `load`.
    kind : {"multilabel", "ratings"}
        What it is.
    rows, features, labels : int or None
        Its size, where the catalogue knows it. Ratings have rows only.
    where : {"embedded", "SKFACTOR_DATA", "cache", "fetch", "by hand"}
        Where `load` finds it. "fetch": it will be brought first. "by hand": you have to get it.
    note : str
        What is worth knowing.
    """

    name: str
    kind: str
    rows: int | None
    features: int | None
    labels: int | None
    where: str
    note: str


def available() -> list[Available]:
    """List the data sets that can be loaded by name: the catalogue, and what is in `$SKFACTOR_DATA`.

    Returns
    -------
    data_sets : list of Available
        By kind and name.

    Examples
    --------
    >>> [data.rows for data in available() if data.where == "embedded"]
    [1797]
    """
    listed = [
        Available(entry.name, entry.kind, entry.rows, entry.features, entry.labels, _where(entry), _note(entry))
        for entry in ENTRIES.values()
    ]
    listed += [
        Available(name, path.parent.name, None, None, None, DATA_VARIABLE, "")
        for name, path in _local_files().items()
        if name not in ENTRIES
    ]
    return sorted(listed, key=lambda data: (data.kind, data.name))


def entry(name: str) -> Entry:
    """Look `name` up."""
    if name not in ENTRIES:
        raise unknown(name)
    return ENTRIES[name]


def unknown(name: str) -> ValueError:
    """Make the error for a name that nothing is known of."""
    close = difflib.get_close_matches(name.lower(), [*ENTRIES, *_local_files()], n=3)
    meant = f" Did you mean {' or '.join(map(repr, dict.fromkeys(close)))}?" if close else ""
    return ValueError(
        f"There is no data set and no file {name!r}.{meant} "
        "'skfactor data list' lists all, as does skfactor.datasets.available()."
    )


def local_file(name: str) -> Path | None:
    """Find the file of `name` in `$SKFACTOR_DATA`."""
    return _local_files().get(name)


def data_folder() -> Path | None:
    """Find the folder of `$SKFACTOR_DATA`."""
    folder = os.environ.get(DATA_VARIABLE)
    return Path(folder).expanduser() if folder else None


def cache_folder(cache: str | os.PathLike[str] | None = None) -> Path | None:
    """Find the folder for fetched files; None if only pooch, which is not installed, could tell."""
    given = cache or os.environ.get(CACHE_VARIABLE)
    if given:
        return Path(given).expanduser()
    if find_spec("pooch") is None:
        return None
    import pooch

    return Path(pooch.os_cache("skfactor"))


def cached_file(entry: Entry, cache: str | os.PathLike[str] | None = None) -> Path | None:
    """Say where the fetched file of `entry` is kept, whether it is there or not."""
    folder = cache_folder(cache)
    return None if folder is None or not entry.address else folder / entry.name / entry.filename


def _local_files() -> dict[str, Path]:
    folder = data_folder()
    if folder is None:
        return {}
    return {
        path.stem: path for kind in ("multilabel", "ratings") for path in sorted((folder / kind).glob("*.npz"))
    }


def _where(entry: Entry) -> str:
    if entry.embedded:
        return "embedded"
    if local_file(entry.name):
        return DATA_VARIABLE
    cached = cached_file(entry)
    if cached is not None and cached.exists():
        return "cache"
    return "fetch" if entry.address else "by hand"


def _note(entry: Entry) -> str:
    size = f"{entry.users} users, {entry.items} items" if entry.users else ""
    return "; ".join(part for part in (size, entry.note) if part)
