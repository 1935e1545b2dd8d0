"""Whether the best point of a search lies on the edge of what was tried."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from numbers import Real
from typing import Any

#: Parameters with fewer values were not searched along.
FEW = 3


class GridEdgeWarning(UserWarning):
    """The best value of a parameter is the least or the largest that was tried."""


def edges(points: Sequence[Mapping[str, Any]], best: Mapping[str, Any]) -> dict[str, str]:
    """Parameters whose best value is the least or the largest of at least three numbers, and which it is.

    The largest rank is no edge: it was tried since there is none above that makes a difference.
    """
    found = {}
    for name, value in best.items():
        tried = {point[name] for point in points if name in point and _is_number(point[name])}
        if not _is_number(value) or len(tried) < FEW:
            continue
        if value == min(tried):
            found[name] = "least"
        elif value == max(tried) and not name.endswith("n_components"):
            found[name] = "largest"
    return found


def warn_of_edges(points: Sequence[Mapping[str, Any]], best: Mapping[str, Any]) -> None:
    """Warn if the best point lies on the edge."""
    found = edges(points, best)
    if found:
        where = " and ".join(f"{name}={best[name]:g} is the {which}" for name, which in found.items())
        warnings.warn(
            f"The best point lies on the edge of the grid: {where} value that was tried. Widen it there.",
            GridEdgeWarning,
            stacklevel=4,
        )


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)
