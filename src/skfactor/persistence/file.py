"""The file: a zip of arrays, as NumPy has them, and of one JSON tree with a header that tells its origin."""

from __future__ import annotations

import json
import os
import secrets
import warnings
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib import format as npy

from skfactor.persistence.addresses import RefusedError
from skfactor.persistence.tree import Writer, build

_FORMAT = 1
_TREE = "skfactor.json"
# Not skfactor.__version__: the package stands above this room, and is not imported from below.
_VERSION = version("skfactor")


def save(model: Any, path: str | os.PathLike[str], *, compressed: bool = False) -> None:
    """Write a model to one file, from which `load` makes an equal one.

    The file appears complete or not at all. One that was there before is replaced.

    Parameters
    ----------
    model : object
        An object of skfactor, an estimator of scikit-learn without compiled parts (trees have some), or
        Python containers, NumPy arrays and SciPy sparse containers of such. Attributes that a class names in
        `_not_saved` are None after loading.
    path : str or path-like
        The file, by its full name: no suffix is added. Its folder must exist.
    compressed : bool, default=False
        Whether to trade time for a smaller file.

    Raises
    ------
    TypeError
        If a part of the model cannot be stored. The message tells which.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from sklearn.preprocessing import MultiLabelBinarizer
    >>> from skfactor import load, save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "labels.skf"
    ...     save(MultiLabelBinarizer().fit([["sea", "sun"], ["snow"]]), file)
    ...     labels = load(file)
    >>> labels.classes_
    array(['sea', 'snow', 'sun'], dtype=object)
    """
    target = Path(path)
    if not target.parent.is_dir():
        raise FileNotFoundError(f"Cannot save {target}: there is no folder {target.parent}. Create it first.")
    writer = Writer()
    tree = {**_origin(model), "model": writer.refer(model, ""), "nodes": writer.nodes}
    method = zipfile.ZIP_DEFLATED if compressed else zipfile.ZIP_STORED
    _write(target, json.dumps(tree, allow_nan=False), writer.arrays, method)


def load(path: str | os.PathLike[str]) -> Any:
    """Read what `save` wrote. A stranger's file may hold wrong numbers, but no code.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    object
        An equal of what was saved.

    Raises
    ------
    ValueError
        If the file is none of `save`, is damaged, is newer than this skfactor can read, or names a class
        other than those of skfactor and the estimators of scikit-learn.

    Warns
    -----
    UserWarning
        If another minor version of skfactor wrote the file.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from skfactor import load, save
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     save({"n_components": 3, ("a", 1): {0.5}}, Path(folder) / "notes.skf")
    ...     load(Path(folder) / "notes.skf")
    {'n_components': 3, ('a', 1): {0.5}}
    """
    with open(path, "rb") as stream, _explained(path), zipfile.ZipFile(stream) as archive:
        tree = json.loads(archive.read(_TREE))
        _check_origin(tree, path)
        return build(tree, partial(_read_array, archive))


# Writing


def _origin(model: Any) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "skfactor": _VERSION,
        "class": f"{type(model).__module__}.{type(model).__qualname__}",
        "versions": {name: version(name) for name in ("numpy", "scipy", "scikit-learn")},
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
    }


def _write(target: Path, tree: str, arrays: list[np.ndarray[Any, Any]], method: int) -> None:
    # Not of tempfile, whose files only their owner may read, also after they are renamed.
    temporary = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        with zipfile.ZipFile(temporary, "x", method) as archive:
            archive.writestr(_TREE, tree)
            for index, array in enumerate(arrays):
                with archive.open(_member(index), "w", force_zip64=True) as stream:
                    npy.write_array(stream, array, allow_pickle=False)
        os.replace(temporary, target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


# Reading


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make one ValueError that names the file of whatever its content provokes."""
    try:
        yield
    except (MemoryError, Warning):  # these are not the file's fault
        raise
    except Exception as error:
        damage = f"it is damaged or was not written by skfactor.save ({type(error).__name__}: {error})"
        reason = str(error) if isinstance(error, RefusedError) else damage
        raise ValueError(f"Cannot load {os.fspath(path)}: {' '.join(reason.split())}.") from error


def _check_origin(tree: dict[str, Any], path: str | os.PathLike[str]) -> None:
    writer = tree["skfactor"]
    if tree["format"] > _FORMAT:
        newer = f"skfactor {writer} saved it in a newer format than skfactor {_VERSION} reads"
        raise RefusedError(f"{newer}; run `pip install --upgrade skfactor`")
    if writer.split(".")[:2] != _VERSION.split(".")[:2]:
        differ = f"{os.fspath(path)} was saved by skfactor {writer}, and this is skfactor {_VERSION}"
        remedy = "compare some predictions with earlier ones, or fit and save again"
        warnings.warn(f"{differ}: {remedy}.", UserWarning, stacklevel=3)


def _read_array(archive: zipfile.ZipFile, index: int) -> Any:
    with archive.open(_member(index)) as stream:
        return npy.read_array(stream, allow_pickle=False)


def _member(index: int) -> str:
    return f"array_{index}.npy"
