"""What a fitted rating model can be asked: levels of pairs, of the whole table, recommendations, the error."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray, IntArray, check_number
from skfactor.metrics import mae
from skfactor.ordinal import level_shares
from skfactor.ratings.deciding import DECISIONS
from skfactor.ratings.identifiers import Identifiers
from skfactor.ratings.levels import LevelIndex, Levels, median_level
from skfactor.ratings.reading import identifier_column, read_pairs, read_ratings
from skfactor.ratings.triples import Triples

#: Entries of the whole table that are computed at once.
BLOCK_ENTRIES = 4_000_000


class RatingPredictor:
    """The using half of `RatingModel`.

    A pair whose user or item is not known gets a fallback: the median level of the item, else that of all
    ratings. How many there were is told in one warning and in `n_unknown_`.
    """

    decision: str
    embedding_: Any
    n_unknown_: int
    _users: Identifiers
    _items: Identifiers
    _levels: Levels
    _triples: Triples
    _item_counts: IntArray
    _keeps_ratings: bool

    @property
    def users_(self) -> npt.NDArray[Any]:
        """Identifiers of the users, in the order of the rows of U."""
        return self._users.names

    @property
    def items_(self) -> npt.NDArray[Any]:
        """Identifiers of the items, in the order of the rows of V."""
        return self._items.names

    @property
    def levels_(self) -> npt.NDArray[Any]:
        """The levels, ascending."""
        return self._levels.values

    def predict(self, pairs: Any) -> npt.NDArray[Any]:
        """Levels of pairs.

        Parameters
        ----------
        pairs : array-like of shape (n, 2), data frame, or sparse matrix
            Users and items; see `fit`.

        Returns
        -------
        ndarray of shape (n,)
            Levels, in the type of `levels_`.
        """
        return self._answer(*self._find(pairs))

    def decision_function(self, pairs: Any) -> FloatArray:
        """How far pairs are above (or, negative, below) each boundary between two levels.

        Parameters
        ----------
        pairs : array-like of shape (n, 2), data frame, or sparse matrix
            As in `predict`. A fallback is 1 above the boundaries below its level and 1 below the others.

        Returns
        -------
        ndarray of shape (n, R - 1)
        """
        users, items = self._find(pairs)
        boundaries = np.arange(len(self._levels) - 1)
        margins = np.where(boundaries < self._fallback(items)[:, None], 1.0, -1.0)
        known = (users >= 0) & (items >= 0)
        margins[known] = self.embedding_.margins(users[known], items[known])
        return margins

    def predict_levels(self, pairs: Any) -> FloatArray:
        """Shares of the levels: proportional to exp(-loss) of each, were it the true one.

        They tell a sure prediction from an unsure one, and their mean level has a lower squared error than the
        predicted level. They are not calibrated probabilities.

        Parameters
        ----------
        pairs : array-like of shape (n, 2), data frame, or sparse matrix
            As in `predict`.

        Returns
        -------
        ndarray of shape (n, R)
            Rows add up to 1.
        """
        return level_shares(self.decision_function(pairs))

    def score(self, pairs: Any, ratings: Any = None, sample_weight: Any = None) -> float:
        """Negative mean absolute error of the predicted levels, so that more is better.

        Parameters
        ----------
        pairs, ratings
            As in `fit`.
        sample_weight : array of shape (n,), optional

        Returns
        -------
        float
        """
        true = read_ratings(pairs, ratings)[2]
        return -mae(true, self.predict(pairs), sample_weight=sample_weight)

    def complete(self, users: Any = None, items: Any = None, *, keep_observed: bool = False) -> npt.NDArray[Any]:
        """The whole table of levels.

        Parameters
        ----------
        users, items : array-like, optional
            Identifiers of rows and columns; `users_` and `items_` by default.
        keep_observed : bool
            Whether ratings that the model was fitted to stay as they are.

        Returns
        -------
        ndarray of shape (n_users, n_items)
        """
        blocks = [block for _, block in self.complete_blocks(users, items, keep_observed=keep_observed)]
        return np.concatenate(blocks)

    def complete_blocks(
        self, users: Any = None, items: Any = None, *, keep_observed: bool = False
    ) -> Iterator[tuple[npt.NDArray[Any], npt.NDArray[Any]]]:
        """The table of `complete` by blocks of rows, for tables that do not fit into memory.

        Parameters
        ----------
        users, items, keep_observed
            As in `complete`.

        Yields
        ------
        users : ndarray of shape (b,)
            Identifiers of the rows.
        block : ndarray of shape (b, n_items)
        """
        check_is_fitted(self, "embedding_")
        if keep_observed:
            self._need_ratings("Pass keep_observed=False")
        rows = self.users_ if users is None else identifier_column(users, "user")
        columns = self.items_ if items is None else identifier_column(items, "item")
        row_numbers, numbers = self._users.find(rows), self._items.find(columns)
        self._report((row_numbers < 0).sum() * len(numbers) + (row_numbers >= 0).sum() * (numbers < 0).sum())
        step = max(1, BLOCK_ENTRIES // max(1, len(columns)))
        for start in range(0, len(rows), step):
            block = self._block(row_numbers[start : start + step], numbers, keep_observed)
            yield rows[start : start + step], self.levels_[block]

    def recommend(self, user: Any, k: int = 10, *, exclude_seen: bool = True, return_scores: bool = False) -> Any:
        """The k best items for a user, best first.

        Parameters
        ----------
        user : identifier
            An unknown one gets the items of highest median level, those with more ratings first.
        k : int
        exclude_seen : bool
            Leave out what the user has rated.
        return_scores : bool

        Returns
        -------
        ndarray of shape (k,)
            Items (fewer if there are no more); with `return_scores`, a pair of them and their scores, which can
            be compared within a user only.
        """
        check_is_fitted(self, "embedding_")
        check_number(k, "k", minimum=1, integer=True)
        number = int(self._users.find(identifier_column([user], "user"))[0])
        known = number >= 0
        scores = np.array(self.embedding_.utilities(number) if known else self._popularity(), dtype=np.float64)
        if known and exclude_seen:
            self._need_ratings("Pass exclude_seen=False")
            scores[self._triples.of_user(number)] = -np.inf
        best = np.argsort(-scores, kind="stable")[:k]
        best = best[scores[best] > -np.inf]
        return (self.items_[best], scores[best]) if return_scores else self.items_[best]

    def _need_ratings(self, remedy: str) -> None:
        if not self._keeps_ratings:
            raise ValueError(f"The model was fitted to batches, and keeps no ratings. {remedy}.")

    def _answer(self, users: IntArray, items: IntArray) -> npt.NDArray[Any]:
        index = self._fallback(items)
        known = (users >= 0) & (items >= 0)
        index[known] = self._decided(self.embedding_).index(users[known], items[known])
        return self.levels_[index]

    def _decided(self, embedding: Any) -> Any:
        """Return what gives the levels of pairs."""
        return DECISIONS[self.decision](embedding)

    # ---------------------------------------------------------------- unknown users and items

    def _find(self, pairs: Any) -> tuple[IntArray, IntArray]:
        check_is_fitted(self, "embedding_")
        users, items = read_pairs(pairs)
        found = self._users.find(users), self._items.find(items)
        self._report(int(((found[0] < 0) | (found[1] < 0)).sum()))
        return found

    def _report(self, unknown: int) -> None:
        self.n_unknown_ = int(unknown)
        if unknown:
            message = (
                f"{unknown} pairs have a user or an item that was not in the ratings. They get the median level "
                "of the item, else of all ratings; `fold_in` or `partial_fit` makes them known."
            )
            warnings.warn(message, UserWarning, stacklevel=4)

    def _learn_fallbacks(self, counts: IntArray) -> None:
        """Learn from the ratings of each item at each level (M x R)."""
        self._item_counts = counts
        overall = median_level(counts.sum(axis=0, keepdims=True))
        self._medians = np.concatenate([median_level(counts), overall])

    def _fallback(self, items: IntArray) -> LevelIndex:
        # An unknown item has the number -1, and the last of the medians is that of all ratings.
        return np.array(self._medians[items])

    def _popularity(self) -> FloatArray:
        counts = self._item_counts.sum(axis=1)
        return np.asarray(self._medians[:-1] + counts / (counts.max() + 1.0))

    def _block(self, users: IntArray, items: IntArray, keep_observed: bool) -> LevelIndex:
        block = np.tile(self._fallback(items), (len(users), 1))
        rows, columns = np.flatnonzero(users >= 0), np.flatnonzero(items >= 0)
        block[np.ix_(rows, columns)] = self._decided(self.embedding_).grid_index(users[rows], items[columns])
        if keep_observed:
            self._put_observed(block, users, items)
        return block

    def _put_observed(self, block: LevelIndex, users: IntArray, items: IntArray) -> None:
        column = np.full(len(self._items), -1)
        column[items[items >= 0]] = np.flatnonzero(items >= 0)
        for row in np.flatnonzero(users >= 0):
            places = slice(*self._triples.user_starts[users[row] : users[row] + 2])
            columns = column[self._triples.items[places]]
            block[row, columns[columns >= 0]] = self._triples.levels[places][columns >= 0]
