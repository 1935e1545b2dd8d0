"""Some ratings of every user are held out: leave-k-out, and weak generalization."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import BoolArray, IntArray, check_number
from skfactor.model_selection.pair_splitter import Masks, PairSplitter, generator, places, user_numbers


@dataclass(kw_only=True)
class LeaveKOut(PairSplitter):
    """Hold `k` ratings of every user out, drawn at random.

    Users with `k` ratings or fewer are learned from and not tested.

    Parameters
    ----------
    k : int
        Ratings of each user in the test part.
    n_splits : int
        How often this is done.
    random_state : int, Generator, RandomState or None
        Source of randomness.

    Examples
    --------
    >>> pairs = [("ann", "tea"), ("ann", "ale"), ("ann", "milk"), ("bob", "tea"), ("bob", "milk"), ("cid", "tea")]
    >>> ((train, test),) = LeaveKOut(k=2, n_splits=1, random_state=0).split(pairs)
    >>> [pairs[row] for row in test]
    [('ann', 'tea'), ('ann', 'milk')]
    """

    k: int = 5
    n_splits: int = 3
    random_state: Any = None

    def _parts(self, pairs: Any, groups: Any) -> Iterator[Masks]:
        users, random = user_numbers(pairs), generator(self.random_state)
        for _ in range(self.n_splits):
            held = leave_out(users, self.k, random)
            yield ~held, held


@dataclass(kw_only=True)
class WeakGeneralization(LeaveKOut):
    """Weak generalization: one rating of every user is held out, all users are known.

    Parameters
    ----------
    k, n_splits, random_state
        As in `LeaveKOut`.

    References
    ----------
    B. Marlin, "Collaborative filtering: a machine learning perspective", M.Sc. thesis, Toronto, 2004.

    Examples
    --------
    >>> from sklearn.model_selection import cross_validate
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import MMMF
    >>> data, _ = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> model = MMMF(n_components=10, ridge=5)
    >>> found = cross_validate(model, data.pairs, data.ratings, cv=WeakGeneralization(random_state=0))
    >>> found["test_score"].shape
    (3,)
    """

    k: int = 1


def leave_out(users: IntArray, k: int, random: np.random.Generator) -> BoolArray:
    """Draw `k` rows of each user who has more than that.

    Parameters
    ----------
    users : ndarray of int, shape (n,)
        Numbered from 0.
    k : int
    random : Generator

    Returns
    -------
    held : ndarray of bool, shape (n,)
    """
    check_number(k, "k", minimum=1, integer=True)
    place, count = places(random.permutation(len(users)), users)
    return np.asarray((place < k) & (count > k))
