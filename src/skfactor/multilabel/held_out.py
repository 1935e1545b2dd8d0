"""Scores of rows that the model which made them had not seen: what a decision rule is fitted on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol, Self

import numpy as np
from scipy import sparse

from skfactor._arrays import as_numpy
from skfactor._validation import BoolArray, FloatArray, IntArray, Matrix

#: Entries that serve one calibration, and entries that are kept for later ones. Beyond, rows are drawn.
FIT_ENTRIES = 20_000_000
KEPT_ENTRIES = 1_000_000


class Scorer(Protocol):
    """What a method learned: it scores rows."""

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L) of the rows of X (n x D); higher is likelier."""
        ...


@dataclass(frozen=True)
class HeldOut:
    """A random sample of held-out rows.

    Every row has a random key, and the rows with the highest keys are kept: so each row that ever came is
    kept with the same probability, whatever the batches were.

    Attributes
    ----------
    scores : ndarray of shape (n, L)
    truth : ndarray of bool, shape (n, L)
    weight, key : ndarray of shape (n,)
    known : ndarray of bool, shape (n, L)
        The entries that count; where it is False, nobody knows the truth.
    """

    scores: FloatArray
    truth: BoolArray
    weight: FloatArray
    key: FloatArray
    known: BoolArray

    @classmethod
    def of(
        cls,
        scores: FloatArray,
        labels: sparse.csr_array,
        weight: FloatArray,
        rng: np.random.RandomState,
        observed: sparse.csr_array | None = None,
    ) -> HeldOut:
        """All rows of `scores`, with their labels and the pattern of those that are known (None for all)."""
        known = np.ones(scores.shape, dtype=bool) if observed is None else observed.toarray() > 0
        return cls(scores, labels.toarray() > 0, weight, rng.uniform(size=len(scores)), known)

    def __len__(self) -> int:
        return len(self.scores)

    def plus(self, other: HeldOut) -> HeldOut:
        """Both samples."""
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return HeldOut(*(np.concatenate(pair) for pair in pairs))

    def bounded(self, entries: int) -> HeldOut:
        """The rows with the highest keys, as many as `entries` scores allow."""
        rows = max(1, entries // self.scores.shape[1])
        if len(self) <= rows:
            return self
        chosen = np.sort(np.argpartition(self.key, -rows)[-rows:])
        return HeldOut(*(values[chosen] for values in vars(self).values()))


@dataclass(frozen=True)
class HeldOutRows:
    """The rows that a calibration scores, drawn before there is a model: the same rows serve any number of them.

    Attributes
    ----------
    X : table of shape (n, D)
        All training rows.
    rows : dict of int to ndarray
        The rows (or a sample of them) of each fold that has any and leaves any.
    truth : ndarray of bool, shape (m, L)
        Of these rows, fold after fold; likewise `weight`, `key` and `known`, as in `HeldOut`.
    """

    X: Matrix
    rows: dict[int, IntArray]
    truth: BoolArray
    weight: FloatArray
    key: FloatArray
    known: BoolArray

    @classmethod
    def draw(
        cls,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        folds: list[IntArray],
        rng: np.random.RandomState,
        observed: sparse.csr_array | None = None,
    ) -> Self:
        """(A sample of) the rows of each fold."""
        share = FIT_ENTRIES // labels.shape[1] / X.shape[0]
        rows, keys = {}, [np.empty(0)]
        for k, fold in enumerate(folds):
            if weight[fold].any() and np.delete(weight, fold).any():
                count = max(1, int(share * len(fold)))
                rows[k] = fold if share >= 1 else rng.choice(fold, count, replace=False)
                keys.append(rng.uniform(size=len(rows[k])))
        chosen = np.concatenate([np.empty(0, dtype=np.int64), *rows.values()])
        truth = labels[chosen].toarray() > 0
        known = np.ones_like(truth) if observed is None else observed[chosen].toarray() > 0
        return cls(X, rows, truth, weight[chosen], np.concatenate(keys), known)

    def scored(self, without: Callable[[int], Scorer]) -> HeldOut:
        """The rows of each fold k with their scores by `without(k)`, a model of the others."""
        return self.with_scores([self.scored_by(without(k), k) for k in self.rows])

    def scored_by(self, scorer: Scorer, k: int) -> FloatArray:
        """Scores of the rows of fold k."""
        scores: FloatArray = as_numpy(scorer.scores(self.X[self.rows[k]]))
        return scores

    def with_scores(self, scores: list[FloatArray]) -> HeldOut:
        """The rows with the scores of each fold."""
        nothing = np.empty((0, self.truth.shape[1]))
        whole = np.concatenate([nothing, *scores], dtype=np.float64)
        return HeldOut(whole, self.truth, self.weight, self.key, self.known)
