"""The ordered levels of a rating scale, mapped to 0, ..., R - 1 and back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray, IntArray, check_finite

LevelIndex = npt.NDArray[np.int8]
#: More different ratings than this are no levels, but measurements.
MOST_LEVELS = 100
#: Ratings this near to a level, relative to the least distance of two levels, are that level.
_TOLERANCE = 1e-6


@dataclass(frozen=True, eq=False)
class Levels:
    """The levels, ascending.

    Attributes
    ----------
    values : ndarray of shape (R,)
        In the type that ratings have: whole numbers stay whole.
    """

    values: npt.NDArray[Any]

    @classmethod
    def of(cls, ratings: npt.NDArray[Any], given: Any = None) -> Levels:
        """Take the levels that are `given`, else those that occur in `ratings`."""
        values = np.unique(ratings if given is None else np.asarray(given))
        if values.dtype.kind not in "iuf":
            raise TypeError(f"levels must be numbers, got {values.tolist()}.")
        check_finite(values[:, None], "levels")
        if given is None:
            values = _without_rounding_errors(values)
        if len(values) > MOST_LEVELS:
            raise ValueError(
                f"The ratings take {len(values)} different values, which are no levels of a scale. Round them, or "
                f"cut them into at most {MOST_LEVELS} levels."
            )
        if len(values) < 2:
            raise ValueError(f"There must be two levels or more, got {values.tolist()}. Pass all with `levels`.")
        return cls(values)

    def __len__(self) -> int:
        return len(self.values)

    def encode(self, ratings: npt.NDArray[Any]) -> LevelIndex:
        """Find the level of each rating, counted from 0. A rating that is no level is refused with its row."""
        index = self.nearest(ratings)
        least = np.diff(self.values.astype(np.float64)).min()
        wrong = np.flatnonzero(np.abs(self.values[index] - ratings) > _TOLERANCE * least)
        if len(wrong):
            shown = " ".join(f"{value:g}" for value in self.values)
            raise ValueError(
                f"Row {wrong[0]}: the rating {ratings[wrong[0]]:g} is not among the levels {shown}. "
                "Pass all levels of the scale with the parameter `levels`."
            )
        return index

    def nearest(self, ratings: npt.NDArray[Any]) -> LevelIndex:
        """Find the nearest level, the lower one of two."""
        return np.asarray(np.searchsorted(self.midpoints(), ratings, side="left"), dtype=np.int8)

    def midpoints(self) -> FloatArray:
        """Return the R - 1 means of neighbouring levels."""
        values = self.values.astype(np.float64)
        return np.asarray((values[1:] + values[:-1]) / 2)


def median_level(counts: IntArray) -> LevelIndex:
    """Find the (lower) median level of each row of `counts` (n x R); 0 where a row counts nothing."""
    reached = np.cumsum(counts, axis=1) * 2 >= counts.sum(axis=1, keepdims=True)
    return np.asarray(reached.argmax(axis=1), dtype=np.int8)


def _without_rounding_errors(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Keep one of those that differ by less than a millionth of the range."""
    apart = np.diff(values.astype(np.float64)) > _TOLERANCE * float(values[-1] - values[0])
    return np.asarray(values[np.concatenate([[True], apart])])
