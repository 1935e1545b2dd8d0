"""A model as a tree of plain JSON, with the arrays beside it.

A value is plain JSON (None, bool, int, finite float, str), or an array, or a *node*: the name of a kind and
the values that make it up. Nodes are listed parts first. So reading is one loop, a shared value is stored once
and comes back shared, and no file can describe a cycle.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from skfactor.persistence import arrays, instances, values

#: The first kind that holds a value stores it.
_KINDS = values.KINDS | arrays.KINDS | instances.KINDS


class Writer:
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
        if arrays.is_array(value) and not value.dtype.hasobject:
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


def build(tree: dict[str, Any], read_array: Callable[[int], Any]) -> Any:
    """Put together the model of a `tree`, whose arrays `read_array` has by their numbers."""
    found: dict[str, dict[int, Any]] = {"node": {}, "array": {}}

    def resolve(reference: Any) -> Any:
        if not isinstance(reference, dict):
            return reference
        ((sort, index),) = reference.items()
        if sort == "array" and index not in found["array"]:
            found["array"][index] = read_array(index)
        return found[sort][index]

    for index, (name, *parts) in enumerate(tree["nodes"]):
        found["node"][index] = _KINDS[name].together(*map(resolve, parts))
    return resolve(tree["model"])
