"""Strong generalization: users that the model has never seen, who come with some ratings of theirs."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from sklearn.utils import _safe_indexing

from skfactor._validation import BoolArray, IntArray
from skfactor.metrics import rating_metric
from skfactor.model_selection.leave_out import leave_out
from skfactor.model_selection.pair_splitter import Masks, PairSplitter, generator, share_or_number, user_numbers
from skfactor.ratings.reading import read_ratings


class Newcomers(NamedTuple):
    """Rows of a strong generalization: learn from `train`, fold `given` in, test on `test`."""

    train: IntArray
    given: IntArray
    test: IntArray


@dataclass(kw_only=True)
class StrongGeneralization(PairSplitter):
    """Strong generalization: some users are held out whole, and folded in with all but `k` of their ratings.

    As a splitter it holds all ratings of those users out; a `FoldInScorer` then folds most of them in and tests on
    the others. So `cross_validate` and `GridSearchCV` measure strong generalization as they are. `newcomers` is
    for loops of one's own.

    Parameters
    ----------
    test_users : float or int
        Share or number of the users that are held out.
    k : int
        Ratings of each of them that `newcomers` tests on.
    n_splits : int
        How often this is done.
    random_state : int, Generator, RandomState or None
        Source of randomness.

    References
    ----------
    B. Marlin, "Collaborative filtering: a machine learning perspective", M.Sc. thesis, Toronto, 2004.

    Examples
    --------
    >>> from sklearn.model_selection import cross_validate
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import MMMF
    >>> data, _ = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> cv = StrongGeneralization(test_users=20, random_state=0)
    >>> model = MMMF(n_components=10, ridge=5)
    >>> found = cross_validate(model, data.pairs, data.ratings, cv=cv, scoring=FoldInScorer("mae"))
    >>> -1 < float(found["test_score"].mean()) < 0
    True
    """

    test_users: float = 0.1
    k: int = 1
    n_splits: int = 3
    random_state: Any = None

    def newcomers(self, pairs: Any) -> Iterator[Newcomers]:
        """Yield the rows to learn from, to fold in and to test on, of each split.

        Parameters
        ----------
        pairs : array-like of shape (n, 2) or data frame

        Yields
        ------
        Newcomers
        """
        users, random = user_numbers(pairs), generator(self.random_state)
        for theirs in self._held_whole(users, random):
            rows = np.flatnonzero(theirs)
            held = leave_out(users[rows], self.k, random)
            yield Newcomers(np.flatnonzero(~theirs), rows[~held], rows[held])

    def _parts(self, pairs: Any, groups: Any) -> Iterator[Masks]:
        for theirs in self._held_whole(user_numbers(pairs), generator(self.random_state)):
            yield ~theirs, theirs

    def _held_whole(self, users: IntArray, random: np.random.Generator) -> Iterator[BoolArray]:
        count = int(users.max()) + 1
        number = share_or_number(self.test_users, "test_users", count)
        for _ in range(self.n_splits):
            yield np.isin(users, random.choice(count, number, replace=False))


@dataclass
class FoldInScorer:
    """Score a model on users that it does not know: fold all but `k` ratings of each in, test on those.

    It is passed as `scoring` together with `StrongGeneralization` as `cv`. The model itself stays as it is. Items
    that it does not know cannot be folded in and are predicted by its fallback.

    Parameters
    ----------
    metric : str
        Name of a metric of ratings, such as "mae" or "nmae". Errors are negated, so that more is better.
    k : int
        Ratings of each user to test on. Users with `k` ratings or fewer are left out.
    random_state : int, Generator, RandomState or None
        Draws them; a seed draws the same ones for each model.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import BiasOnly
    >>> data, _ = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> known = data.pairs[:, 0] < 50
    >>> model = BiasOnly().fit(data.pairs[known], data.ratings[known])
    >>> -1 < FoldInScorer("mae")(model, data.pairs[~known], data.ratings[~known]) < 0
    True
    """

    metric: str = "mae"
    k: int = 1
    random_state: Any = 0

    def __call__(self, model: Any, pairs: Any, ratings: Any = None) -> float:
        """Return the score of a fitted `model` on all ratings of users that are new to it.

        Parameters
        ----------
        model : RatingModel
        pairs, ratings
            As in its `fit`.

        Returns
        -------
        float
        """
        _, items, values = read_ratings(pairs, ratings)
        held = leave_out(user_numbers(pairs), self.k, generator(self.random_state))
        if not held.any():
            raise ValueError(f"No user has more than k={self.k} ratings: nothing is left to fold in. Lower k.")
        given, test = np.flatnonzero(~held & np.isin(items, model.items_)), np.flatnonzero(held)
        folded = copy.copy(model).fold_in(_safe_indexing(pairs, given), values[given])
        metric = rating_metric(self.metric, model.levels_)
        found = metric.function(values[test], folded.predict(_safe_indexing(pairs, test)))
        return found if metric.greater_is_better else -found
