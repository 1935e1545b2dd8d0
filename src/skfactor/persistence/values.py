"""The kinds of values that Python itself brings, beside those that JSON has."""

from __future__ import annotations

from typing import Any

from skfactor.persistence.kinds import Kind, Parts, exactly, items, plain


class Attributes(dict[str, Any]):
    """The state of an instance. Its entries are reached by a dot, unlike those of other dicts."""


def _entries(table: dict[Any, Any]) -> Parts:
    for key, value in table.items():
        step = f".{key}" if isinstance(table, Attributes) else f"[{key!r}]"
        yield from ((step, key), (step, value))


def _to_dict(*entries: Any) -> dict[Any, Any]:
    return dict(zip(entries[::2], entries[1::2], strict=True))


def _collection(cls: Any) -> Kind:
    return Kind(exactly(cls), items, lambda *items: cls(items))


KINDS = {
    "float": Kind(exactly(float), lambda value: plain(str(value)), float),  # inf and nan
    "bytes": Kind(exactly(bytes), lambda value: plain(value.hex()), bytes.fromhex),
    "list": _collection(list),
    "tuple": _collection(tuple),
    "set": _collection(set),
    "frozenset": _collection(frozenset),
    "dict": Kind(exactly(dict, Attributes), _entries, _to_dict),
    "slice": Kind(exactly(slice), lambda value: plain(value.start, value.stop, value.step), slice),
}
