"""EMMMF: an ensemble of maximum-margin factorizations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, check_choice, check_number
from skfactor.ratings.base import Before
from skfactor.ratings.embedding import Factor
from skfactor.ratings.levels import LevelIndex
from skfactor.ratings.mmmf import MMMF
from skfactor.ratings.several import Several, collect, fit_all, make_parts, parts_of
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class EMMMF(MMMF):
    """Ensemble of `MMMF`: steadier and better than one, at the price of as many fits.

    The members start at different random points (random weight seeds) and, with `bagging`, are fitted to
    bootstrap samples of the ratings. The predicted level is the mean of theirs, rounded, or the median.

    Parameters
    ----------
    n_estimators : int
        The number of members.
    bagging : bool
        Whether each member has a bootstrap sample of its own; else (and in `fit_batches`) all have all ratings.
    combine : {"mean", "median"}
        How levels become one.
    n_jobs : int, optional
        Members at a time, through joblib. The threads are shared among them.
    threshold_loss, n_components, ridge, ridge_power, biases, solver, max_iter, tol, early_stopping, \
validation_fraction, n_iter_no_change, warm_start, n_threads, dtype, time_limit, callback, verbose, random_state
        As in `MMMF`. The time limit is divided among the members.
    levels, duplicates, decision
        As in `RatingModel`.

    Attributes
    ----------
    U_, V_, thresholds_ : ndarray
        As in `MMMF`, with the members as the first dimension.
    n_iter_, objectives_, validation_errors_ : list
        As in `DescendingModel`, of each member.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    D. DeCoste, "Collaborative prediction using ensembles of maximum margin matrix factorizations", ICML 2006.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import EMMMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> EMMMF(n_estimators=3, n_components=5, ridge=5).fit(data.pairs, data.ratings).U_.shape
    (3, 60, 5)
    """

    n_estimators: int = 10
    bagging: bool = True
    combine: str = "mean"
    n_jobs: int | None = None

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Any, bool]:
        seeds = self._seeds()
        members = self._members(seeds)
        tasks = (resampled(triples, seed) if self.bagging else triples for seed in seeds)
        fitted, interrupted = fit_all(members, tasks, parts_of(before, len(members)), self.n_jobs)
        collect(self, fitted)
        return self._assembled([member.embedding_ for member in fitted]), interrupted

    def _models(self) -> list[MMMF]:
        return self._members(self._seeds())

    def _assembled(self, embeddings: Sequence[Any]) -> Ensemble:
        return Ensemble(tuple(embeddings), self.combine)

    def _seeds(self) -> list[int]:
        drawn: list[int] = (
            check_random_state(self.random_state).randint(2**31 - 1, size=self.n_estimators).tolist()
        )
        return drawn

    def _fold_users(self, embedding: Ensemble, triples: Triples) -> Ensemble:
        return self._fold_members("_fold_users", embedding, triples)

    def _fold_items(self, embedding: Ensemble, triples: Triples) -> Ensemble:
        return self._fold_members("_fold_items", embedding, triples)

    def _fold_members(self, fold: str, embedding: Ensemble, triples: Triples) -> Ensemble:
        # An interrupted fit has fewer members.
        parts = zip(self._members([0] * len(embedding.parts)), embedding.parts, strict=True)
        return replace(embedding, parts=tuple(getattr(member, fold)(old, triples) for member, old in parts))

    def _members(self, seeds: list[int]) -> list[MMMF]:
        return make_parts(self, MMMF, [{"random_state": seed} for seed in seeds])

    @property
    def _part_values(self) -> FloatArray:
        return self._level_values

    def _check_parameters(self) -> None:
        super()._check_parameters()
        check_number(self.n_estimators, "n_estimators", minimum=1, integer=True)
        check_choice(self.combine, "combine", ("mean", "median"))
        if self.n_jobs is not None:
            check_number(self.n_jobs, "n_jobs", integer=True)


def resampled(triples: Triples, seed: int) -> Triples:
    """Draw as many ratings with replacement: one drawn twice counts twice."""
    rng = np.random.RandomState(seed)
    return triples.subset(np.sort(rng.randint(len(triples), size=len(triples))))


@dataclass(frozen=True, eq=False)
class Ensemble(Several):
    """Embeddings whose levels are combined.

    Attributes
    ----------
    combine : str
        How.
    """

    combine: str

    @property
    def thresholds(self) -> Factor:
        """Thresholds of each member."""
        return np.stack([member.thresholds for member in self.parts])

    def index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of pairs."""
        return self._combined([member.index(users, items) for member in self.parts])

    def grid_index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of all users with all items."""
        return self._combined([member.grid_index(users, items) for member in self.parts])

    def margins(self, users: IntArray, items: IntArray) -> FloatArray:
        """Return the mean margins of the members."""
        return np.asarray(np.mean([member.margins(users, items) for member in self.parts], axis=0))

    def utilities(self, user: int) -> FloatArray:
        """Return the mean of the members' scores."""
        return np.asarray(np.mean([member.utilities(user) for member in self.parts], axis=0))

    def _combined(self, levels: list[LevelIndex]) -> LevelIndex:
        combined = np.mean(levels, axis=0) if self.combine == "mean" else np.median(levels, axis=0)
        return np.asarray(np.rint(combined), dtype=np.int8)
