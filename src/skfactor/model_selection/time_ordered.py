"""Learn from what was before, test on what came after."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import IntArray, check_number
from skfactor.model_selection.pair_splitter import Masks, PairSplitter, places, user_numbers


@dataclass(kw_only=True)
class TimeOrdered(PairSplitter):
    """Test on the last ratings, learn from those before: what a recommender meets when it is in use.

    The times are passed as `groups`, as in `cross_validate(..., groups=times)` and `GridSearchCV.fit(...,
    groups=times)`, or are the column `timestamp` of a frame. Ratings of one time are in the order of the rows.

    Parameters
    ----------
    test_size : float or int
        Share or number of the ratings in each test part; with `per_user`, of those of each user.
    per_user : bool
        Whether the last ratings of each user are the test part, rather than the last of all. Users with too few
        ratings are learned from only.
    n_splits : int
        Test parts, one before the other; each is predicted from all that was before it.

    Examples
    --------
    >>> pairs = [("ann", "tea"), ("bob", "tea"), ("ann", "beer"), ("bob", "milk"), ("ann", "milk")]
    >>> for train, test in TimeOrdered(test_size=1, n_splits=2).split(pairs, groups=[50, 40, 30, 20, 10]):
    ...     print(train, test)
    [2 3 4] [1]
    [1 2 3 4] [0]
    """

    test_size: float = 0.2
    per_user: bool = False
    n_splits: int = 1

    def _parts(self, pairs: Any, groups: Any) -> Iterator[Masks]:
        users = user_numbers(pairs)
        order = np.argsort(_times(pairs, groups, len(users)), kind="stable")
        place, count = places(order, users if self.per_user else np.zeros_like(users))
        size = self._sizes(count)
        # Test parts counted from the end; those with too few ratings are all before the first.
        part = np.where(count > self.n_splits * size, (count - 1 - place) // size, self.n_splits)
        for now in reversed(range(self.n_splits)):
            yield part > now, part == now

    def _sizes(self, counts: IntArray) -> IntArray:
        """Return the size of a test part, where there are so many ratings."""
        if isinstance(self.test_size, int | np.integer):
            check_number(self.test_size, "test_size", minimum=1, integer=True)
            return np.full_like(counts, self.test_size)
        check_number(self.test_size, "test_size", above=0, maximum=0.9)
        return np.asarray(np.maximum(np.rint(self.test_size * counts), 1), dtype=np.int64)


def _times(pairs: Any, groups: Any, count: int) -> npt.NDArray[Any]:
    if groups is None:
        if "timestamp" not in getattr(pairs, "columns", ()):
            raise ValueError("TimeOrdered needs the times: pass groups=times, or a frame with a column timestamp.")
        groups = pairs["timestamp"]
    times = np.asarray(groups)
    if times.shape != (count,):
        raise ValueError(f"There are {count} pairs, and times of shape {times.shape}. Pass one for each pair.")
    return times
