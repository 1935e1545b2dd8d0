"""HMF and PHMF: a bi-level factorization for every boundary between two levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, check_number
from skfactor.ratings.base import Before
from skfactor.ratings.bmmmf import BMMMF
from skfactor.ratings.embedding import Embedding, Factor
from skfactor.ratings.levels import LevelIndex
from skfactor.ratings.several import Several, collect, fit_all, make_parts, parts_of
from skfactor.ratings.triples import Triples


@dataclass(eq=False, repr=False, kw_only=True)
class HMF(BMMMF):
    r"""Hierarchical matrix factorization: R - 1 likes-and-dislikes problems instead of one with thresholds.

    Stage q = 1, ..., R - 1 is a `BMMMF` of its own, with y = -1 where the rating is at most q, else +1. The
    predicted level is the first q whose stage says -1, else R. The stages do not depend on each other: `n_jobs`
    runs them in parallel (PHMF), with the same result to the last bit.

    Parameters
    ----------
    ridge : float or sequence of R - 1 floats
        Weight of the squared norms (lambda of the paper), of all stages or of each.
    n_jobs : int, optional
        Stages at a time, through joblib, whose backend can be chosen with `joblib.parallel_config`. The threads
        are shared among them. With one at a time, an interrupt keeps the last finished iteration, and stages that
        did not begin say what most ratings say; with more, it leaves the model as it was.
    time_limit : float, optional
        Seconds, divided among the stages.
    callback : callable, optional
        Called with a `Progress` after each iteration of each stage; if it returns True, the stage stops.
    threshold, n_components, ridge_power, biases, solver, max_iter, tol, early_stopping, validation_fraction, \
n_iter_no_change, warm_start, n_threads, dtype, verbose, random_state
        As in `BMMMF`.
    levels, duplicates, decision
        As in `RatingModel`.

    Attributes
    ----------
    U_, V_ : ndarray of shape (R - 1, N, d) and (R - 1, M, d)
        Factors of each stage.
    n_iter_, objectives_, validation_errors_ : list
        As in `DescendingModel`, of each stage.
    thresholds_ : ndarray of shape (1, R - 1)
        The `threshold` of each stage.
    embedding_, users_, items_, levels_, n_unknown_
        As in `RatingModel`.

    References
    ----------
    V. Kumar, A. K. Pujari, S. K. Sahu, V. R. Kagita and V. Padmanabhan, "Collaborative filtering using multiple
    binary maximum margin matrix factorizations", Information Sciences 380, 2017.

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import HMF
    >>> data, table = make_ratings(n_users=60, n_items=40, random_state=0)
    >>> model = HMF(n_components=10, ridge=3).fit(data.pairs, data.ratings)
    >>> model.U_.shape
    (4, 60, 10)
    """

    n_jobs: int | None = None

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Any, bool]:
        stages = self._stages()
        if before is not None and len(before.embedding.parts) != len(stages):
            raise ValueError(
                "Other levels make other stages. Call fit with warm_start=False after a change of them."
            )
        tasks = [at_boundary(triples, q) for q in range(len(stages))]
        fitted, interrupted = fit_all(stages, tasks, parts_of(before, len(stages)), self.n_jobs)
        collect(self, fitted)
        embeddings = [stage.embedding_ for stage in fitted]
        embeddings += [_not_begun(stages[q], tasks[q]) for q in range(len(fitted), len(stages))]
        return Stages(tuple(embeddings)), interrupted

    def _models(self) -> list[BMMMF]:
        return self._stages()

    def _seen_by(self, model: int, triples: Triples) -> Triples:
        return at_boundary(triples, model)

    def _assembled(self, embeddings: Sequence[Any]) -> Stages:
        return Stages(tuple(embeddings))

    def _fold_users(self, embedding: Stages, triples: Triples) -> Stages:
        return self._fold_stages("_fold_users", embedding, triples)

    def _fold_items(self, embedding: Stages, triples: Triples) -> Stages:
        return self._fold_stages("_fold_items", embedding, triples)

    def _fold_stages(self, fold: str, embedding: Stages, triples: Triples) -> Stages:
        parts = enumerate(zip(self._stages(), embedding.parts, strict=True))
        return Stages(tuple(getattr(stage, fold)(old, at_boundary(triples, q)) for q, (stage, old) in parts))

    def _stages(self) -> list[BMMMF]:
        """Make an estimator for each boundary, with its own ridge and seed."""
        count = self._n_levels - 1
        ridges = np.broadcast_to(self.ridge, count).tolist()
        seeds = check_random_state(self.random_state).randint(2**31 - 1, size=count).tolist()
        own = [{"ridge": ridge, "random_state": seed} for ridge, seed in zip(ridges, seeds, strict=True)]
        return make_parts(self, BMMMF, own)

    @property
    def _part_values(self) -> FloatArray:
        return np.array([0.0, 1.0])

    def _check_parameters(self) -> None:
        super()._check_parameters()
        if self.n_jobs is not None:
            check_number(self.n_jobs, "n_jobs", integer=True)

    def _check_levels(self, n_levels: int) -> None:
        if np.ndim(self.ridge) and len(self.ridge) != n_levels - 1:
            raise ValueError(
                f"ridge has {len(self.ridge)} values, and {n_levels} levels make {n_levels - 1} stages. Pass one "
                "value for each stage, or one for all."
            )


def at_boundary(triples: Triples, q: int) -> Triples:
    """Turn levels (from 0) into 0 up to `q` and 1 above."""
    return triples.with_levels((triples.levels > q).astype(np.int8))


def _not_begun(stage: BMMMF, triples: Triples) -> Embedding:
    """Make the embedding of a stage at its start, whose threshold lets all pass, or none, as most ratings do."""
    start = stage._start(triples.shape, None, check_random_state(stage.random_state))
    side = -np.inf if triples.levels.mean() > 0.5 else np.inf
    return Embedding(start.U, start.V, np.full((1, 1), side))


def first_below(above: Any) -> LevelIndex:
    """Combine the stages: the first that says "not above", else the last level.

    Parameters
    ----------
    above : ndarray of bool, shape (R - 1, ...)
        Whether each stage says +1.

    Returns
    -------
    ndarray of int8
        Levels from 0.
    """
    # A running product: as long as all stages so far say +1, the level goes up.
    return np.asarray(np.logical_and.accumulate(above, axis=0).sum(axis=0), dtype=np.int8)


class Stages(Several):
    """The embeddings of HMF, each with the threshold of its boundary."""

    @property
    def thresholds(self) -> Factor:
        """Thresholds of the stages."""
        return np.concatenate([stage.thresholds for stage in self.parts], axis=1)

    def index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of pairs."""
        return first_below(np.stack([stage.index(users, items) for stage in self.parts]) > 0)

    def grid_index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of all users with all items."""
        return first_below(np.stack([stage.grid_index(users, items) for stage in self.parts]) > 0)

    def margins(self, users: IntArray, items: IntArray) -> FloatArray:
        """Return how far each stage's score is above its threshold."""
        return np.hstack([stage.margins(users, items) for stage in self.parts])

    def utilities(self, user: int) -> FloatArray:
        """Return the sum of the stages' scores."""
        return np.asarray(sum(stage.utilities(user) for stage in self.parts))
