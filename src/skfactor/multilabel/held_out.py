"""Scores of rows that the model which made them had not seen: what a decision rule is fitted on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse

from skfactor._validation import BoolArray, FloatArray

#: Entries that serve one calibration, and entries that are kept for later ones. Beyond, rows are drawn.
FIT_ENTRIES = 20_000_000
KEPT_ENTRIES = 1_000_000


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
