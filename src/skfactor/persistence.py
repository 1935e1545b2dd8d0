"""Save what was fitted and load it again: a zip file of arrays and one JSON tree, in which no code can hide.

A value is plain JSON (None, bool, int, finite float, str), or an array, or a *node*: the name of a kind and
the values that make it up. `_KINDS` tells for every kind which values are of it, how one comes apart and how
it is put together. Nodes are listed parts first. So reading is one loop, a shared value is stored once and
comes back shared, and no file can describe a cycle.
"""

from __future__ import annotations

import json
import math
import os
import secrets
import warnings
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from enum import Enum, EnumType
from functools import reduce
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import FunctionType, MemberDescriptorType
from typing import Any, NamedTuple

import numpy as np
from numpy.lib import format as npy
from scipy import sparse

from skfactor import __version__

__all__ = ["load", "save"]

_FORMAT = 1
_TREE = "skfactor.json"
#: Packages whose classes a file may name. Of scikit-learn these are the estimators alone.
_PACKAGES = ("skfactor", "sklearn")
_POLICY = "only what modules of skfactor define, and estimators of scikit-learn, can be stored"


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
    writer = _Writer()
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
        writer = tree["skfactor"]
        if tree["format"] > _FORMAT:
            newer = f"skfactor {writer} saved it in a newer format than skfactor {__version__} reads"
            raise _RefusedError(f"{newer}; run `pip install --upgrade skfactor`")
        if writer.split(".")[:2] != __version__.split(".")[:2]:
            differ = f"{os.fspath(path)} was saved by skfactor {writer}, and this is skfactor {__version__}"
            remedy = "compare some predictions with earlier ones, or fit and save again"
            warnings.warn(f"{differ}: {remedy}.", UserWarning, stacklevel=2)
        return _build(tree, archive)


# Writing


class _Writer:
    """Collects the nodes and the arrays of a value."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        # Each value stands beside its reference: an id stays its own only while the value lives.
        self.seen: dict[int, tuple[Any, Any]] = {}

    def refer(self, value: Any, place: str) -> Any:
        """Return plain JSON that stands for `value`, which is found at `place` of the model."""
        if type(value) in (type(None), bool, int, str) or (type(value) is float and math.isfinite(value)):
            return value
        if id(value) not in self.seen:
            self.seen[id(value)] = (None, value)
            self.seen[id(value)] = (self._store(value, place), value)
        reference, _ = self.seen[id(value)]
        if reference is None:
            raise ValueError(f"{_named(place)}: cannot store a {type(value).__name__} that contains itself.")
        return reference

    def _store(self, value: Any, place: str) -> dict[str, int]:
        if _is_array(value) and not value.dtype.hasobject:
            self.arrays.append(value)
            return {"array": len(self.arrays) - 1}
        name, kind = next((name, kind) for name, kind in _KINDS.items() if kind.holds(value))
        try:
            parts = list(kind.apart(value))
        except TypeError as error:
            raise TypeError(f"{_named(place)}: {error}.") from error
        self.nodes.append([name, *(self.refer(part, place + step) for step, part in parts)])
        return {"node": len(self.nodes) - 1}


def _named(place: str) -> str:
    return place.removeprefix(".") or "the model itself"


def _origin(model: Any) -> dict[str, Any]:
    return {
        "format": _FORMAT,
        "skfactor": __version__,
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


def _member(index: int) -> str:
    return f"array_{index}.npy"


# Reading


class _RefusedError(ValueError):
    """The file is whole and yet not to be loaded; the message tells why."""


@contextmanager
def _explained(path: str | os.PathLike[str]) -> Iterator[None]:
    """Make one ValueError that names the file of whatever its content provokes."""
    try:
        yield
    except (MemoryError, Warning):  # these are not the file's fault
        raise
    except Exception as error:
        damage = f"it is damaged or was not written by skfactor.save ({type(error).__name__}: {error})"
        reason = str(error) if isinstance(error, _RefusedError) else damage
        raise ValueError(f"Cannot load {os.fspath(path)}: {' '.join(reason.split())}.") from error


def _build(tree: dict[str, Any], archive: zipfile.ZipFile) -> Any:
    values: dict[str, dict[int, Any]] = {"node": {}, "array": {}}

    def resolve(reference: Any) -> Any:
        if not isinstance(reference, dict):
            return reference
        ((sort, index),) = reference.items()
        if sort == "array" and index not in values["array"]:
            with archive.open(_member(index)) as stream:
                values["array"][index] = npy.read_array(stream, allow_pickle=False)
        return values[sort][index]

    for index, (name, *parts) in enumerate(tree["nodes"]):
        values["node"][index] = _KINDS[name].together(*map(resolve, parts))
    return resolve(tree["model"])


# Classes and functions, by name


def _find(address: str, sort: type) -> Any:
    """Import the class or function at an address "module:name", if it is one that a file may name."""
    module, _, name = address.partition(":")
    package, *inner = module.split(".")
    refused = _RefusedError(f"it names {address}, and {_POLICY}")
    if package not in _PACKAGES or any(part.startswith("__") for part in inner):
        raise refused
    try:
        found = reduce(getattr, name.split("."), import_module(module))
    except (ImportError, AttributeError) as error:
        raise _RefusedError(f"it names {address}, which skfactor {__version__} lacks ({error})") from error
    # That it calls itself by this address excludes what a module only imports, such as the whole of `os`.
    if not (isinstance(found, sort) and _address(found) == address and _is_allowed(found, package)):
        raise refused
    return found


def _address(thing: Any) -> str:
    return f"{thing.__module__}:{thing.__qualname__}"


def _is_allowed(thing: Any, package: str) -> bool:
    if package == "skfactor":
        return True
    from sklearn.base import BaseEstimator

    return isinstance(thing, type) and issubclass(thing, BaseEstimator)


def _checked_address(thing: Any, sort: type, what: str) -> str:
    """Return the address of a class or function, unless `load` would refuse it or find another."""
    try:
        if _find(_address(thing), sort) is thing:
            return _address(thing)
    except _RefusedError:
        pass
    raise TypeError(f"cannot store {what}: {_POLICY}")


# Instances: what pickle's protocol 2 makes of them, as far as it is data


#: What pickle makes an ordinary instance with: cls.__new__ and no more.
_PLAIN_NEW = object().__reduce_ex__(2)[0]


class _Attributes(dict[str, Any]):
    """The state of an instance. Its entries are reached by a dot, unlike those of other dicts."""


def _instance_apart(value: Any) -> Parts:
    cls = type(value)
    what = f"an instance of {cls.__module__}.{cls.__qualname__}"
    address = _checked_address(cls, type, what)
    reduced: Any = value.__reduce_ex__(2)
    maker, arguments, *rest = reduced
    # A subclass of list or dict has items too, and some classes are remade by a function of their own.
    if maker is not _PLAIN_NEW or any(part is not None for part in rest[1:]):
        raise TypeError(f"cannot store {what}: it is more than its attributes")
    return _plain(address, _saved_state(value, rest[0] if rest else None), *arguments[1:])


def _saved_state(value: Any, state: Any) -> Any:
    if not _restores_itself(type(value)):
        if isinstance(state, list):  # what dataclass(frozen=True, slots=True) makes, without names
            state = object.__getstate__(value)
        if isinstance(state, tuple):  # attributes, slots
            state = {name: entry for part in state if part for name, entry in part.items()}
    if not isinstance(state, dict):
        return state
    dropped = getattr(type(value), "_not_saved", ())
    return _Attributes({name: None if name in dropped else entry for name, entry in state.items()})


def _instance_together(address: str, state: Any, *arguments: Any) -> Any:
    cls = _find(address, type)
    instance = cls.__new__(cls, *arguments)
    if _restores_itself(cls) and state is not None:
        instance.__setstate__(state)
        return instance
    for name, value in (state or {}).items():
        if isinstance(getattr(cls, name, None), MemberDescriptorType):  # a slot
            object.__setattr__(instance, name, value)
        else:
            vars(instance)[name] = value
    return instance


def _restores_itself(cls: type) -> bool:
    method = getattr(cls, "__setstate__", None)
    return method is not None and method.__module__ != "dataclasses"


# What NumPy and SciPy bring


def _is_array(value: Any) -> bool:
    # Other subclasses mean more than their numbers, a masked array for instance.
    return type(value) in (np.ndarray, np.memmap)


def _dtype_apart(dtype: np.dtype[Any]) -> Parts:
    if dtype.kind == "T" or dtype.subdtype is not None:
        raise TypeError(f"cannot store the dtype {dtype!r}, for which NumPy's file format has no name")
    return _plain(npy.dtype_to_descr(dtype))


def _scalar_together(description: Any, content: str) -> Any:
    dtype = npy.descr_to_dtype(description)
    if dtype.hasobject:  # its bytes would be taken for addresses in memory
        raise TypeError(f"{dtype} is no type of numbers, text or dates")
    return np.ndarray((), dtype, bytes.fromhex(content))[()]


def _objects_together(shape: tuple[int, ...], *items: Any) -> Any:
    array = np.empty(len(items), dtype=object)
    for index, item in enumerate(items):  # array[:] = items would unpack items that are sequences
        array[index] = item
    return array.reshape(shape)


_SPARSE = {
    name: getattr(sparse, name)
    for form in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil")
    for name in (f"{form}_array", f"{form}_matrix")
}
_COMPRESSED = ("data", "indices", "indptr")
#: The arrays that make up a format. Those not listed go by way of coordinates.
_SPARSE_ARRAYS = {"bsr": _COMPRESSED, "csc": _COMPRESSED, "csr": _COMPRESSED, "dia": ("data", "offsets")}


def _sparse_apart(value: Any) -> Parts:
    if value.format in _SPARSE_ARRAYS:
        arrays = [getattr(value, name) for name in _SPARSE_ARRAYS[value.format]]
    else:
        entries = value.tocoo()
        arrays = [entries.data, *(getattr(entries, "coords", None) or (entries.row, entries.col))]
    return _plain(type(value).__name__, value.shape, *arrays)


def _sparse_together(name: str, shape: tuple[int, ...], data: Any, *places: Any) -> Any:
    form, container = name.split("_")
    if form not in _SPARSE_ARRAYS:
        return _SPARSE[f"coo_{container}"]((data, places), shape=shape).asformat(form)
    matrix = _SPARSE[name]((data, *places), shape=shape)
    _check_places(matrix)
    return matrix


def _check_places(matrix: Any) -> None:
    """Refuse places outside of the matrix, where SciPy's compiled code would go unasked."""
    if matrix.format == "dia":
        inside = (-max(matrix.shape) <= matrix.offsets) & (matrix.offsets <= max(matrix.shape))
    else:
        matrix.check_format(full_check=True)
        inside = matrix.indptr[:-1] <= matrix.indptr[1:]  # SciPy looks no further if the last is negative
    if not inside.all():
        raise ValueError(f"a {matrix.format} matrix has entries outside of its shape")


#: Sources of random bits that stay within their memory in any state, once the position in it is checked.
_BITS: dict[str, Any] = {
    source.__name__: source
    for source in (np.random.MT19937, np.random.PCG64, np.random.PCG64DXSM, np.random.SFC64)
}


def _random_apart(value: Any) -> Parts:
    legacy = isinstance(value, np.random.RandomState)
    state = value.get_state(legacy=False) if legacy else value.bit_generator.state
    if state["bit_generator"] not in _BITS:
        raise TypeError(f"cannot store a {state['bit_generator']} generator, only {', '.join(_BITS)}")
    return _plain(legacy, state)


def _random_together(legacy: bool, state: dict[str, Any]) -> Any:
    bits = _BITS[state["bit_generator"]](0)
    if not 0 <= state["state"].get("pos", 0) <= 624:
        raise ValueError("the position of the random generator is outside of its memory")
    bits.state = state
    if not legacy:
        return np.random.Generator(bits)
    random = np.random.RandomState(bits)
    random.set_state(state)
    return random


# The table of kinds

#: What a value is made of, each part with the step that leads to it from the value's own place.
Parts = Iterable[tuple[str, Any]]


class _Kind(NamedTuple):
    holds: Callable[[Any], bool]
    apart: Callable[[Any], Parts]
    together: Callable[..., Any]


def _exactly(*types: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in types


def _plain(*parts: Any) -> Parts:
    return [("", part) for part in parts]


def _items(values: Iterable[Any]) -> Parts:
    return [(f"[{index}]", value) for index, value in enumerate(values)]


def _entries(table: dict[Any, Any]) -> Parts:
    for key, value in table.items():
        step = f".{key}" if isinstance(table, _Attributes) else f"[{key!r}]"
        yield from ((step, key), (step, value))


def _to_dict(*entries: Any) -> dict[Any, Any]:
    return dict(zip(entries[::2], entries[1::2], strict=True))


def _collection(cls: Any) -> _Kind:
    return _Kind(_exactly(cls), _items, lambda *items: cls(items))


def _by_name(sort: type, noun: str) -> _Kind:
    return _Kind(
        lambda value: isinstance(value, sort),
        lambda value: _plain(_checked_address(value, sort, f"a {noun} {value.__name__}")),
        lambda address: _find(address, sort),
    )


#: The first kind that holds a value stores it. The last holds everything and refuses most.
_KINDS = {
    "float": _Kind(_exactly(float), lambda value: _plain(str(value)), float),  # inf and nan
    "bytes": _Kind(_exactly(bytes), lambda value: _plain(value.hex()), bytes.fromhex),
    "list": _collection(list),
    "tuple": _collection(tuple),
    "set": _collection(set),
    "frozenset": _collection(frozenset),
    "dict": _Kind(_exactly(dict, _Attributes), _entries, _to_dict),
    "slice": _Kind(_exactly(slice), lambda value: _plain(value.start, value.stop, value.step), slice),
    "dtype": _Kind(lambda value: isinstance(value, np.dtype), _dtype_apart, npy.descr_to_dtype),
    "scalar": _Kind(
        lambda value: isinstance(value, np.generic) and not value.dtype.hasobject,
        lambda value: [*_dtype_apart(value.dtype), ("", value.tobytes().hex())],
        _scalar_together,
    ),
    "objects": _Kind(
        lambda value: _is_array(value) and value.dtype == object,
        lambda value: [("", value.shape), *_items(value.ravel())],
        _objects_together,
    ),
    "sparse": _Kind(_exactly(*_SPARSE.values()), _sparse_apart, _sparse_together),
    "random": _Kind(_exactly(np.random.RandomState, np.random.Generator), _random_apart, _random_together),
    "enum": _Kind(
        lambda value: isinstance(value, Enum),
        lambda value: _plain(_checked_address(type(value), EnumType, f"the member {value}"), value.value),
        lambda address, value: _find(address, EnumType)(value),
    ),
    "class": _by_name(type, "class"),
    "function": _by_name(FunctionType, "function"),
    "instance": _Kind(lambda value: True, _instance_apart, _instance_together),
}
