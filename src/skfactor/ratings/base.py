"""The template of all rating models: what is read, numbered and kept, and what a method supplies."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted
from threadpoolctl import threadpool_limits

from skfactor._validation import IntArray, check_choice
from skfactor.ratings.batches import Census, added_counts
from skfactor.ratings.deciding import DECISIONS
from skfactor.ratings.identifiers import Identifiers
from skfactor.ratings.levels import Levels
from skfactor.ratings.predicting import RatingPredictor
from skfactor.ratings.reading import Column, read_ratings
from skfactor.ratings.triples import RatedPairs, Triples

#: So many factors are let pass whatever the size of the table.
USUAL_RANK = 100


class Before(NamedTuple):
    """A fitted state to continue from: for each user and item now, its number then, or -1."""

    embedding: Any
    users: IntArray
    items: IntArray


# A dataclass without equality or repr of its own: scikit-learn reads parameters from the signature of __init__,
# which methods inherit so that each writes down its own parameters only.
@dataclass(eq=False, repr=False, kw_only=True)
class RatingModel(RatingPredictor, RegressorMixin, BaseEstimator):
    """Base of the models of ordinal ratings.

    Parameters
    ----------
    levels : sequence of numbers, optional
        All levels of the scale, such as 1 to 5 or half stars. By default those that occur in `fit`.
    duplicates : {"error", "last", "mean"}
        What to make of a pair that is rated twice: refuse it, or take the last rating, or the level nearest to
        the mean.
    decision : {"thresholds", "median"}
        What level is predicted: that of the method, by its thresholds or stages, as published; or the median of
        the levels by what their losses would be, which has a lower absolute error where the margins are small.

    Attributes
    ----------
    embedding_ : Embedding
        The fitted factors.
    users_, items_, levels_ : ndarray
        Identifiers in the order of the factors' rows (that of first appearance), and the levels, ascending.
    n_unknown_ : int
        Pairs in the last call of a predicting method that had an unknown user or item.
    """

    levels: Sequence[float] | None = None
    duplicates: str = "error"
    decision: str = "thresholds"

    @abstractmethod
    def _learn(self, triples: Triples, before: Before | None) -> tuple[Any, bool]:
        """Fit factors; whether an interrupt ended it early."""

    @abstractmethod
    def _fold_users(self, embedding: Any, triples: Triples) -> Any:
        """Return an embedding of the users of `triples`, fitted to the known items."""

    @abstractmethod
    def _fold_items(self, embedding: Any, triples: Triples) -> Any:
        """Return an embedding of the items of `triples`, fitted to the known users."""

    def _check_parameters(self) -> None:
        """Refuse parameters that cannot be, before any work is done. Methods add their own."""
        check_choice(self.duplicates, "duplicates", ("error", "last", "mean"))
        check_choice(self.decision, "decision", DECISIONS)

    @property
    def _n_levels(self) -> int:
        return len(self._level_values)

    def _check_rank(self, n_users: int, n_items: int) -> None:
        """Refuse more factors than the table can have: of a smaller rank they only cost time and memory."""
        rank = getattr(self, "n_components", 1)
        limit = max(USUAL_RANK, min(n_users, n_items))
        if rank > limit:
            raise ValueError(
                f"n_components={rank} is more than is of use: {n_users} users and {n_items} items make a table of "
                f"rank {min(n_users, n_items)} at most. Lower it to {limit} or less."
            )

    def _check_levels(self, n_levels: int) -> None:
        """Refuse scales that a method cannot have."""

    def fit(self, pairs: Any, ratings: Any = None) -> Self:
        """Fit to ratings.

        Parameters
        ----------
        pairs : array-like of shape (n, 2), data frame, or sparse matrix
            Users and items; identifiers are whole numbers or strings. Of a frame, the columns named user and
            item, else the first two. Of a sparse matrix, users are rows, items are columns, and a rating is a
            stored entry, be it 0.
        ratings : array-like of shape (n,), optional
            Left out, they are the column named rating of the frame, else its third, or the stored entries.

        Returns
        -------
        self
        """
        self._check_parameters()
        users, items, values = read_ratings(pairs, ratings)
        levels = Levels.of(values, self.levels)
        self._check_levels(len(levels))
        numbered = Identifiers.of(users, "user"), Identifiers.of(items, "item")
        self._check_rank(len(numbered[0]), len(numbered[1]))
        before = self._before(*numbered) if getattr(self, "warm_start", False) else None
        triples = self._compressed(users, items, values, numbered, levels)
        return self._adopt(numbered, levels, triples, before)

    def partial_fit(self, pairs: Any, ratings: Any = None) -> Self:
        """Go on with more ratings: the model is fitted to all so far, from where it is.

        Parameters
        ----------
        pairs, ratings
            As in `fit`. New users and items are welcome, new levels are not. For a pair that was rated before,
            `duplicates` says what to do.

        Returns
        -------
        self
        """
        if not hasattr(self, "embedding_"):
            return self.fit(pairs, ratings)
        self._check_parameters()
        self._need_ratings("partial_fit goes on with all ratings so far. Call fit_batches again, or fold_in")
        users, items, values = read_ratings(pairs, ratings)
        numbered = self._users.extended(users), self._items.extended(items)
        before = self._before(*numbered)
        old = self._triples
        users = np.concatenate([self.users_[old.user_column()], users])
        items = np.concatenate([self.items_[old.items], items])
        values = np.concatenate([self.levels_[old.levels], values])
        triples = self._compressed(users, items, values, numbered, self._levels)
        return self._adopt(numbered, self._levels, triples, before)

    def fold_in(self, pairs: Any, ratings: Any = None) -> Self:
        """Add new users, with the items as they are, or new items, with the users as they are.

        Parameters
        ----------
        pairs, ratings
            As in `fit`. Either all users are new and all items known, or the other way round.

        Returns
        -------
        self
        """
        check_is_fitted(self, "embedding_")
        self._check_parameters()
        users, items, values = read_ratings(pairs, ratings)
        unknown = self._users.find(users) < 0, self._items.find(items) < 0
        numbered = self._folded(users, items, *unknown)
        triples = self._compressed(users, items, values, numbered, self._levels)
        with threadpool_limits(1):
            if unknown[0][0]:
                self.embedding_ = self.embedding_.with_users(self._fold_users(self.embedding_, triples))
            else:
                self.embedding_ = self.embedding_.with_items(self._fold_items(self.embedding_, triples))
        self._users, self._items = self._users.extended(users), self._items.extended(items)
        rows, columns = self._users.find(users), self._items.find(items)
        codes = RatedPairs(rows, columns, values).without_duplicates(self.duplicates, self._levels)
        shape = len(self._users), len(self._items)
        self._triples = self._triples.joined(*codes, shape)
        self._learn_fallbacks(added_counts(self._item_counts, codes[1], codes[2], shape[1]))
        return self

    def _folded(
        self, users: Column, items: Column, new_users: Any, new_items: Any
    ) -> tuple[Identifiers, Identifiers]:
        """Number the new ones from 0, the known ones as they are."""
        if new_users.all() and not new_items.any():
            return Identifiers.of(users, "user"), self._items
        if new_items.all() and not new_users.any():
            return self._users, Identifiers.of(items, "item")
        row = int(np.argmax(new_users == new_items)) if (new_users == new_items).any() else 0
        kinds = {True: "new", False: "known"}
        raise ValueError(
            "fold_in takes new users with known items, or known users with new items, one of both in a call. In "
            f"row {row} the user is {kinds[bool(new_users[row])]} and the item is {kinds[bool(new_items[row])]}. "
            "partial_fit takes any."
        )

    def _compressed(
        self,
        users: Column,
        items: Column,
        values: Any,
        numbered: tuple[Identifiers, Identifiers],
        levels: Levels,
    ) -> Triples:
        pairs = RatedPairs(numbered[0].find(users), numbered[1].find(items), values)
        shape = len(numbered[0]), len(numbered[1])
        return Triples.of(*pairs.without_duplicates(self.duplicates, levels), shape)

    def _before(self, users: Identifiers, items: Identifiers) -> Before | None:
        if not hasattr(self, "embedding_"):
            return None
        return Before(self.embedding_, self._users.find(users.names), self._items.find(items.names))

    def _adopt(
        self,
        numbered: tuple[Identifiers, Identifiers],
        levels: Levels,
        triples: Triples,
        before: Before | None,
    ) -> Self:
        self._level_values = levels.values.astype(np.float64)
        with threadpool_limits(1):
            embedding, interrupted = self._learn(triples, before)
        self.embedding_, self._levels, self._triples = embedding, levels, triples
        self._users, self._items = numbered
        self._keeps_ratings = True
        self._learn_fallbacks(triples.level_counts(len(levels), axis=1))
        if interrupted:  # The model of the last finished iteration is in place; whoever interrupted is told.
            raise KeyboardInterrupt
        return self

    def _adopt_census(self, census: Census, embedding: Any) -> Self:
        """Take up what was learned from batches, of which no rating is kept."""
        self.embedding_, self._levels, self._triples = embedding, census.levels, census.without_ratings()
        self._users, self._items = census.users, census.items
        self._keeps_ratings = False
        self._learn_fallbacks(census.of_items)
        return self
