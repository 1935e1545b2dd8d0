"""ItemMedian: the median level of each item."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skfactor.ratings.base import Before
from skfactor.ratings.comparators.values import ValueModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.levels import median_level
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class ItemMedian(ValueModel):
    """The median of an item's ratings, for every user: what any model has to beat.

    It minimizes the absolute error among the predictions that do not depend on the user. Of two medians it is the
    lower.

    Parameters
    ----------
    rounded, levels, duplicates, decision
        As in `ValueModel`.

    Attributes
    ----------
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    Examples
    --------
    >>> from skfactor.ratings import ItemMedian
    >>> model = ItemMedian().fit([(1, "tea"), (2, "tea"), (3, "tea"), (3, "milk")], [5, 4, 1, 2])
    >>> model.predict([(1, "milk"), (2, "tea")])
    array([2, 4])
    """

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Embedding, bool]:
        return self._medians_of(triples), False

    def _fold_users(self, embedding: Embedding, triples: Triples) -> Embedding:
        return Embedding(np.ones((triples.shape[0], 1)), embedding.V, embedding.thresholds)

    def _fold_items(self, embedding: Embedding, triples: Triples) -> Embedding:
        return self._medians_of(triples)

    def _medians_of(self, triples: Triples) -> Embedding:
        medians = self._level_values[median_level(triples.level_counts(self._n_levels, axis=1))]
        return Embedding(np.ones((triples.shape[0], 1)), medians[:, None], self._rounding(0.0))
