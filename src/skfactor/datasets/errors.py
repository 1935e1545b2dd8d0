"""What can go wrong with a file, said in one line."""

from __future__ import annotations

import os


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
        self.message = message
        self.line = line

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.message}"


class FetchError(OSError):
    """A known data set could not be brought here."""


def needs_extra(package: str, task: str) -> ImportError:
    """Make the error for a missing optional `package`, which names the extra that brings it."""
    return ImportError(f"{task} needs {package}: pip install 'skfactor[data]'.")
