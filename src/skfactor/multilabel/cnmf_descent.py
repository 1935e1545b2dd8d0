"""One run of CNMF's updates, and what it leaves to score new rows with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from skfactor._validation import BoolArray, FloatArray, IntArray, Matrix
from skfactor.multilabel.cnmf_start import Start, at_random, neighbours, ridge_regression
from skfactor.multilabel.cnmf_updates import Problem, Pull, label_similarity, moved, normalized
from skfactor.multilabel.similarity import Similarity, unit_rows


@dataclass(frozen=True)
class CNMFScorer:
    """Scores of new rows: they start and move as the rows of `fit` did, while those stay where they are.

    Attributes
    ----------
    start : Start
    pull : Pull
    n_iter : int
    seen : ndarray of int
        The labels that some labelled row has; others score 0.
    n_labels : int
    given : bool
        Whether rows hold similarities to the rows of `fit`, rather than features.
    """

    start: Start
    pull: Pull
    n_iter: int
    seen: IntArray
    n_labels: int
    given: bool

    def scores(self, X: Matrix) -> FloatArray:
        """Label shares (n x L) of the rows of X; the sum of a row is 1."""
        rows = X if self.given else unit_rows(X)
        T, V = self.start(rows), rows @ self.pull.toward
        for _ in range(self.n_iter):
            T = moved(T, T @ self.pull.spread, V, np.zeros((1, 1)), np.zeros((1, 1)))
        return _spread_out(normalized(T, self.start.frequency), self.seen, self.n_labels)


@dataclass
class Descent:
    """T on its way down.

    Labels that no labelled row has are left out, as nothing is known of them.

    Attributes
    ----------
    problem : Problem
    start : Start
    T : ndarray of shape (n, n_seen)
    seen : ndarray of int
    n_labels : int
    objectives : list of float
        Before each update.
    """

    problem: Problem
    start: Start
    T: FloatArray
    seen: IntArray
    n_labels: int
    objectives: list[float] = field(default_factory=list)

    @classmethod
    def begin(
        cls,
        similarity: Similarity,
        labels: FloatArray,
        labelled: BoolArray,
        *,
        gamma: float,
        C: float,
        start: str,
        ridge: float,
        rng: np.random.RandomState,
    ) -> Self:
        """The start, from the labels (n_labelled x L) of the rows that have some."""
        seen = np.flatnonzero(labels.any(axis=0))
        indicator = labels[:, seen]
        shares = indicator / np.maximum(indicator.sum(axis=1, keepdims=True), 1.0)
        starts: dict[str, Any] = {
            "ridge": lambda: ridge_regression(similarity, labelled, shares, ridge),
            "neighbours": lambda: neighbours(similarity, labelled, shares),
            "random": lambda: at_random(similarity, shares),
        }
        first: Start = starts[start]()
        T = rng.uniform(size=(len(labelled), len(seen))) if start == "random" else first(similarity.rows)
        T[labelled] = shares
        problem = Problem(similarity, label_similarity(indicator, gamma), shares, labelled, C)
        return cls(problem, first, T, seen, labels.shape[1])

    def updates(self, max_iter: int, tol: float) -> Iterator[None]:
        """Update, up to `max_iter` times or until the objective falls by less than `tol` times itself."""
        for _ in range(max_iter):
            self.T, objective = self.problem.update(self.T)
            self.objectives.append(objective)
            yield
            if len(self.objectives) > 1 and self.objectives[-2] - objective <= tol * abs(objective):
                return

    def run(self, max_iter: int, tol: float) -> Self:
        """All updates."""
        for _ in self.updates(max_iter, tol):
            pass
        return self

    def label_shares(self, rows: Any = slice(None)) -> FloatArray:
        """That (b x n_labels) of some rows."""
        return _spread_out(normalized(self.T[rows], self.start.frequency), self.seen, self.n_labels)

    def scorer(self) -> CNMFScorer:
        """What new rows are scored with."""
        similarity = self.problem.similarity
        return CNMFScorer(
            self.start, self.problem.pull(self.T), len(self.objectives), self.seen, self.n_labels, similarity.given
        )


def _spread_out(shares: FloatArray, seen: IntArray, n_labels: int) -> FloatArray:
    whole = np.zeros((len(shares), n_labels))
    whole[:, seen] = shares
    return whole
