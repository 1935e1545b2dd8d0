"""What a kind of values is: which values are of it, how one comes apart, and how it is put together."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

#: What a value is made of, each part with the step that leads to it from the value's own place.
Parts = Iterable[tuple[str, Any]]


class Kind(NamedTuple):
    """Functions of one kind of values; `together` is called with the values that `apart` has."""

    holds: Callable[[Any], bool]
    apart: Callable[[Any], Parts]
    together: Callable[..., Any]


def exactly(*types: type) -> Callable[[Any], bool]:
    """Tell values of these types from others, also from those of subclasses."""
    return lambda value: type(value) in types


def plain(*parts: Any) -> Parts:
    """Parts to which no step leads."""
    return [("", part) for part in parts]


def items(values: Iterable[Any]) -> Parts:
    """Parts that are numbered."""
    return [(f"[{index}]", value) for index, value in enumerate(values)]
