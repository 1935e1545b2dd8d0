"""What can go wrong with a file, said in one line."""

from __future__ import annotations

import os
import tarfile
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from lzma import LZMAError

#: What a damaged, encrypted or wrongly named file provokes in the libraries that unpack or decode it. (An
#: unknown compression is a RuntimeError, and so is a missing password.)
_DAMAGE = (
    EOFError,
    LZMAError,
    OSError,
    RuntimeError,
    UnicodeDecodeError,
    tarfile.TarError,
    zipfile.BadZipFile,
    zlib.error,
)


class DataFormatError(ValueError):
    """A file is not what its form promises.

    Parameters
    ----------
    path : path-like
        The file.
    message : str
        What is wrong, and what to do about it.
    line : int, optional
        Number of the line, from 1.

    Examples
    --------
    >>> print(DataFormatError("bibtex.arff", "expected 1995 values, got 3.", line=1203))
    bibtex.arff:1203: expected 1995 values, got 3.
    """

    def __init__(self, path: str | os.PathLike[str], message: str, line: int | None = None):
        super().__init__(path, message, line)
        self.path = os.fspath(path)
        self.message = " ".join(message.split())  # one line, also if it quotes the message of another library
        self.line = line

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


@contextmanager
def damage_told(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make a `DataFormatError` of what a file provokes that is not what its name promises."""
    try:
        yield
    except _DAMAGE as error:
        # What the system refuses is no damage, and names the file itself.
        if isinstance(error, FileNotFoundError) or getattr(error, "filename", None) is not None:
            raise
        raise DataFormatError(path, f"damaged, or not of the form that its name says ({error}).") from None


class FetchError(OSError):
    """A known data set could not be brought here."""


def needs_extra(package: str, task: str) -> ImportError:
    """Make the error for a missing optional `package`, which names the extra that brings it."""
    return ImportError(f"{task} needs {package}: pip install 'skfactor[data]'.")
