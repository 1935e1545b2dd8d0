"""Nested cross-validation: what a tuned model reaches on rows that had no part in its tuning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import check_cv
from sklearn.utils import _safe_indexing

from skfactor._validation import FloatArray
from skfactor.model_selection.measures import measures_of


@dataclass(frozen=True)
class OuterFold:
    """One outer fold: the search that was fitted to the other rows, and its scores on this one.

    Attributes
    ----------
    search : estimator
        Fitted.
    scores : dict of float
        By the names in `scoring`; "score" if there is but one. Losses are negated.
    """

    search: Any
    scores: dict[str, float]


@dataclass(frozen=True)
class NestedScores:
    """Scores of a search on rows that it did not see, neither to fit nor to choose.

    Attributes
    ----------
    folds : list of OuterFold
    """

    folds: Sequence[OuterFold]

    def values(self, name: str = "score") -> FloatArray:
        """The score of each fold."""
        return np.array([fold.scores[name] for fold in self.folds])

    def mean(self, name: str = "score") -> float:
        """Mean over the folds: the honest estimate."""
        return float(self.values(name).mean())

    def sd(self, name: str = "score") -> float:
        """Standard deviation over the folds (of a sample)."""
        return float(self.values(name).std(ddof=1))

    @property
    def chosen(self) -> list[dict[str, Any]]:
        """The parameters that each fold chose: what varies much, the data does not decide."""
        return [dict(fold.search.best_params_) for fold in self.folds]


def nested_cross_validate(search: Any, X: Any, y: Any, *, cv: Any = 5, scoring: Any = None) -> NestedScores:
    """Estimate what a search with all that it chooses is worth.

    The score by which a search chose is the best of many, and so too good. Here the search itself is fitted to the
    training rows of each outer fold, where it makes folds of its own, and is scored on rows that it never saw.

    Parameters
    ----------
    search : estimator
        `FactorSearchCV`, `Tournament`, `GridSearchCV`, or any that chooses within `fit`.
    X, y
        As it takes them.
    cv : int, splitter or iterable
        The outer folds.
    scoring : str, callable, list or dict
        As in `FactorSearchCV`.

    Returns
    -------
    NestedScores

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import FactorSearchCV, nested_cross_validate
    >>> from skfactor.multilabel import RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> search = FactorSearchCV(RidgeBR(), {"ridge": [0.01, 0.1, 0.3, 1.0, 10.0]})
    >>> found = nested_cross_validate(search, data.X, data.Y, cv=3)
    >>> 0.5 < found.mean() < 1, len(found.chosen)
    (True, 3)
    """
    return NestedScores(list(outer_folds(search, X, y, cv=cv, scoring=scoring)))


def outer_folds(search: Any, X: Any, y: Any, *, cv: Any = 5, scoring: Any = None) -> Iterator[OuterFold]:
    """The outer folds of `nested_cross_validate`, one after another, as they come."""
    measures = measures_of(scoring)
    for train, test in check_cv(cv).split(X):
        fitted = clone(search).fit(_safe_indexing(X, train), _safe_indexing(y, train))
        rows = _safe_indexing(X, test), _safe_indexing(y, test)
        yield OuterFold(fitted, {name: float(one.scorer(fitted, *rows)) for name, one in measures.items()})
