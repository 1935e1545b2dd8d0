"""The kinds of values that NumPy and SciPy bring: arrays, scalars, types, sparse tables, random generators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.lib import format as npy
from scipy import sparse

from skfactor.persistence.kinds import Kind, Parts, exactly, items, plain


def is_array(value: Any) -> bool:
    """Tell arrays from other subclasses, which mean more than their numbers: a masked array, for instance."""
    return type(value) in (np.ndarray, np.memmap)


def _dtype_apart(dtype: np.dtype[Any]) -> Parts:
    if dtype.kind == "T" or dtype.subdtype is not None:
        raise TypeError(f"cannot store the dtype {dtype!r}, for which NumPy's file format has no name")
    return plain(npy.dtype_to_descr(dtype))


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
    return plain(type(value).__name__, value.shape, *arrays)


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
    return plain(legacy, state)


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


KINDS = {
    "dtype": Kind(lambda value: isinstance(value, np.dtype), _dtype_apart, npy.descr_to_dtype),
    "scalar": Kind(
        lambda value: isinstance(value, np.generic) and not value.dtype.hasobject,
        lambda value: [*_dtype_apart(value.dtype), ("", value.tobytes().hex())],
        _scalar_together,
    ),
    "objects": Kind(
        lambda value: is_array(value) and value.dtype == object,
        lambda value: [("", value.shape), *items(value.ravel())],
        _objects_together,
    ),
    "sparse": Kind(exactly(*_SPARSE.values()), _sparse_apart, _sparse_together),
    "random": Kind(exactly(np.random.RandomState, np.random.Generator), _random_apart, _random_together),
}
