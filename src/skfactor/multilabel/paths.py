"""What is shared when one method is solved with many settings, from the moments of the same folds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skfactor.factors import Factors
from skfactor.moments import Moments
from skfactor.moments.second import Centre
from skfactor.multilabel.held_out import HeldOutRows

#: Values of parameters.
Point = Mapping[str, Any]


class Solution(NamedTuple):
    """Factors that serve several points, which may differ in their rank."""

    places: list[int]
    factors: Factors
    centre: Centre

    def of(self, point: Point) -> Factors:
        """The factors of one of the points: as many components as it asks for."""
        rank = point.get("n_components")
        if rank is None or rank >= self.factors.n_components:
            return self.factors
        return self.factors.leading(rank, self.centre)


class FoldMoments(NamedTuple):
    """Moments of each calibration fold, of all rows together, and the rows that are to be scored."""

    parts: list[Moments]
    total: Moments
    held_out: HeldOutRows

    def without(self, k: int) -> Moments:
        """The training moments of fold k: total - fold."""
        return self.total - self.parts[k]


def shared(points: Sequence[Point], nested_ranks: bool) -> list[list[int]]:
    """Places of the points that one solution serves, the highest rank first.

    Points that differ in their rank alone follow one another, since what was found for the highest rank is of
    use for the others. With nested ranks, they are served by one solution.
    """
    groups: dict[str, list[int]] = {}
    for place, point in enumerate(points):
        others = sorted((name, repr(value)) for name, value in point.items() if name != "n_components")
        groups.setdefault(repr(others), []).append(place)
    falling = [sorted(places, key=lambda place: _rank(points[place])) for places in groups.values()]
    return falling if nested_ranks else [[place] for places in falling for place in places]


def _rank(point: Point) -> float:
    """A key by which ranks fall; None is the highest rank that there is."""
    rank = point.get("n_components")
    return -float("inf") if rank is None else -float(rank)
