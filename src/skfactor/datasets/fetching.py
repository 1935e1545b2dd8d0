"""Bring a known data set here, once, whole and checked."""

from __future__ import annotations

import os
import re
import shutil
import textwrap
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

from skfactor.datasets.catalogue import DATA_VARIABLE, Entry, cached_file, entry, local_file
from skfactor.datasets.errors import FetchError, needs_extra


def fetch(name: str, cache: str | os.PathLike[str] | None = None, progress: bool = True) -> Path:
    """Bring a known data set here, unless it is here already: in `$SKFACTOR_DATA`, or in the cache.

    Parameters
    ----------
    name : str
        One of `available()`.
    cache : path-like, optional
        The folder to keep it in. Default: `$SKFACTOR_CACHE`, else the cache folder of the system.
    progress : bool
        Whether to show how far the transfer is.

    Returns
    -------
    path : Path
        The file that `load` reads: of `$SKFACTOR_DATA`, or else as it was published, often an archive. It
        appears there only when it is complete and, where the checksum is known, right.

    Raises
    ------
    FetchError
        If it cannot be had, or is not what it should be; with the remedy.
    """
    local = local_file(name) if cache is None else None
    if local is not None:
        return local
    known = entry(name)
    if not known.address:
        raise FetchError(_by_hand(known))
    try:
        import pooch
    except ImportError:
        raise needs_extra("pooch", "fetch") from None
    path = cached_file(known, cache)
    assert path is not None  # pooch is here
    try:
        fetched = pooch.retrieve(
            known.address,
            known.checksum,
            fname=path.name,
            path=path.parent,
            downloader=_Transfer(known, path, progress),
        )
    except FetchError:
        raise
    except (OSError, ValueError) as error:
        raise FetchError(
            f"{name} could not be fetched from {known.address}: {_reason(error)}. {_otherwise(known)}"
        ) from None
    return Path(fetched)


class _Transfer:
    """What pooch calls to bring an address into a temporary file, which it deletes after an error."""

    def __init__(self, known: Entry, path: Path, progress: bool):
        self.known, self.path, self.progress = known, path, progress

    def __call__(self, address: str, output_file: str, registry: Any) -> None:
        import pooch

        parts = urlsplit(address)
        if parts.scheme == "file":
            shutil.copyfile(url2pathname(parts.path), output_file)
        else:
            pooch.HTTPDownloader(progressbar=self.progress)(address, output_file, registry)
        self._check(output_file)

    def _check(self, output_file: str) -> None:
        """Compare the checksum here, since only here both are at hand for the message."""
        import pooch

        if self.known.checksum is None:
            return
        algorithm, _, expected = self.known.checksum.rpartition(":")
        got = pooch.file_hash(output_file, alg=algorithm or "sha256")
        if got != expected:
            raise FetchError(
                f"{self.path.name} from {self.known.address} is not the file that was expected: its "
                f"{algorithm or 'sha256'} is {got}, not {expected}. Nothing was kept. Try again in case the "
                "transfer was disturbed; if it stays so, the file was changed by its owner. "
                f"{_otherwise(self.known)}"
            )


def _reason(error: Exception) -> str:
    """What is at the bottom of an error of the network, without the names of those who passed it on."""
    text = " ".join(str(error).split())
    innermost = re.split(r"Caused by \w+\(", text)[-1]
    text = text if innermost == text else innermost.rstrip(")").strip('"')
    return textwrap.shorten(text, 200, placeholder=" ...").rstrip(".")


def _otherwise(known: Entry) -> str:
    where = f" from {known.page}" if known.page else ""
    return f"You can also get it{where} yourself, and pass the path to skfactor.datasets.load."


def _by_hand(known: Entry) -> str:
    if known.embedded:
        return f"{known.name} needs no fetching: skfactor.datasets.load({known.name!r}) has it."
    place = f"${DATA_VARIABLE}/{known.kind}/{known.name}.npz"
    note = f" ({known.note})" if known.note else ""
    return f"{known.name} has no address to fetch it from{note}. {_otherwise(known)} Or save it as {place}."
