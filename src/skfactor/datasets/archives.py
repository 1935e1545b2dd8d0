"""Folders out of .zip, .tar and .rar files, for as long as they are read."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from skfactor.datasets.errors import DataFormatError, damage_told

#: What unpacks .rar, which Python cannot, and its arguments before the names of the archive and the folder.
_RAR_TOOLS = {
    "bsdtar": ["-xf", "{archive}", "-C", "{folder}"],
    "unar": ["-quiet", "-no-directory", "-output-directory", "{folder}", "{archive}"],
    "7z": ["x", "-y", "-o{folder}", "{archive}"],
    "unrar": ["x", "-inul", "-y", "{archive}", "{folder}/"],
}
SUFFIXES = (".zip", ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".rar")


@contextmanager
def unpacked(archive: Path) -> Iterator[Path]:
    """Unpack `archive` into a folder that vanishes at the end.

    A `DataFormatError` in a file of it names the archive, too.
    """
    with tempfile.TemporaryDirectory(prefix="skfactor-") as name:
        folder = Path(name)
        if archive.suffix == ".rar":
            _unpack_rar(archive, folder)
        else:
            _unpack(archive, folder)
        try:
            yield folder
        except DataFormatError as error:
            inside = Path(error.path).relative_to(folder) if name in error.path else error.path
            raise DataFormatError(archive / inside, error.message, error.line) from None


def _unpack(archive: Path, folder: Path) -> None:
    options = {} if archive.suffix == ".zip" else {"filter": "data"}
    with damage_told(archive):
        shutil.unpack_archive(archive, folder, **options)  # type: ignore[arg-type]


def _unpack_rar(archive: Path, folder: Path) -> None:
    if not archive.is_file():
        raise FileNotFoundError(f"There is no file {archive}.")
    tool = next((tool for tool in _RAR_TOOLS if shutil.which(tool)), None)
    if tool is None:
        raise OSError(
            f"{archive} needs one of {', '.join(_RAR_TOOLS)} to be unpacked, and none is installed. Install "
            "one (libarchive-tools has bsdtar), or unpack the file and load the .arff in it."
        )
    arguments = [argument.format(archive=archive.resolve(), folder=folder) for argument in _RAR_TOOLS[tool]]
    done = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise DataFormatError(archive, f"cannot be unpacked by {tool}: {reason}")
