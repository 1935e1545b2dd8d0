"""Rules that say how many labels a row has: the highest scores are taken."""

from __future__ import annotations

from typing import Self

import numpy as np

from skfactor._validation import BoolArray, FloatArray, check_number
from skfactor.decisions.rule import DecisionRule
from skfactor.factors import ranks
from skfactor.metrics.counts import CountMetric


class TopK(DecisionRule):
    """The k highest scores of each row.

    Parameters
    ----------
    metric, min_labels
        As in every rule.
    k : int, optional
        A number of your own, which is then not chosen.

    Attributes
    ----------
    threshold_, min_labels_, value_
        As in every rule.
    """

    def __init__(self, metric: str = "micro_f1", min_labels: int | str = "auto", k: int | None = None):
        super().__init__(metric, min_labels)
        self.k = k

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Choose k, unless it was given."""
        if self.k is not None:
            check_number(self.k, "k", minimum=1, integer=True)
        super().fit(scores, truth, sample_weight, known)
        if self.k is not None:
            self.threshold_ = 0.5 - self.k
        return self

    def given(self) -> Self | None:
        """Ready, with both `k` and `min_labels` given."""
        if self.k is None or self.min_labels == "auto":
            return None
        check_number(self.k, "k", minimum=1, integer=True)
        return self.preset(0.5 - self.k, int(self.min_labels))

    def _transformed(self, scores: FloatArray) -> FloatArray:
        return -ranks(scores, scores.shape[1]).astype(np.float64)


class PredictedCount(DecisionRule):
    """The highest scores of each row, as many as its predicted number of labels.

    The number is predicted, by a straight line, from how far the row's scores are above a floor in all; how far
    beyond it to go is what the threshold says. The floor leaves twice as many scores as there are labels. Those
    below do not count: being many, they would carry each small difference between the models that made the held-
    out scores and the one of all rows into the number.

    Parameters
    ----------
    metric, min_labels
        As in every rule.

    Attributes
    ----------
    floor_ : float
    line_ : ndarray of shape (2,)
        Slope and intercept of the number of labels over the sum of what scores are above the floor.
    """

    def _learn(
        self,
        scores: FloatArray,
        truth: BoolArray,
        metric: CountMetric,
        weight: FloatArray | None,
        known: BoolArray | None,
    ) -> None:
        known = np.ones_like(truth) if known is None else known
        self.floor_ = float(np.quantile(scores[known], max(0.0, 1 - 2 * truth[known].mean())))
        rows = known.any(axis=1)
        share = known[rows].mean(axis=1)  # what is known of a row is taken for its share of the whole
        total, count = (self._excess(scores) * known)[rows].sum(axis=1) / share, truth[rows].sum(axis=1) / share
        spread = total.var()
        slope = np.cov(total, count, bias=True)[0, 1] / spread if spread > 0 else 0.0
        self.line_ = np.array([slope, count.mean() - slope * total.mean()])

    def _transformed(self, scores: FloatArray) -> FloatArray:
        count = self.line_[0] * self._excess(scores).sum(axis=1, keepdims=True) + self.line_[1]
        return np.asarray(count - ranks(scores, scores.shape[1]))

    def _excess(self, scores: FloatArray) -> FloatArray:
        return np.maximum(scores - self.floor_, 0)
