"""Rules with a threshold for each label."""

from __future__ import annotations

from typing import Self

import numpy as np

from skfactor._validation import BoolArray, FloatArray, check_number
from skfactor.decisions.rule import DecisionRule
from skfactor.decisions.sweep import best_threshold, label_thresholds
from skfactor.metrics.counts import COUNT_METRICS, CountMetric


class LabelThresholds(DecisionRule):
    """A threshold per label, drawn towards the common one where a label has few positives.

    A label with p positives gets (p t_label + shrinkage t_common) / (p + shrinkage), where t_label is best for
    the label's own F1. Good for macro_f1; a rare label's own threshold is mostly chance, which is what the
    shrinkage is for.

    Parameters
    ----------
    metric, min_labels
        As in every rule; the metric that the common threshold is chosen for.
    shrinkage : float
        The number of positives at which own and common threshold weigh the same.

    Attributes
    ----------
    offsets_ : ndarray of shape (n_labels,)
        The thresholds.
    """

    def __init__(self, metric: str = "micro_f1", min_labels: int | str = "auto", shrinkage: float = 20.0):
        super().__init__(metric, min_labels)
        self.shrinkage = shrinkage

    def _learn(
        self,
        scores: FloatArray,
        truth: BoolArray,
        metric: CountMetric,
        weight: FloatArray | None,
        known: BoolArray | None,
    ) -> None:
        check_number(self.shrinkage, "shrinkage", minimum=0.0)
        common = best_threshold(scores, truth, metric, weight, known)[0]
        own = label_thresholds(scores, truth, COUNT_METRICS["micro_f1"], weight, known)
        positives = np.maximum(truth.sum(axis=0), np.finfo(float).tiny)
        trust = positives / (positives + self.shrinkage)
        self.offsets_ = trust * own + (1 - trust) * common

    def _transformed(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores - self.offsets_.astype(scores.dtype))


class Proportional(DecisionRule):
    """A threshold per label that predicts it as often as it occurs, whatever the metric says.

    Parameters
    ----------
    metric, min_labels
        As in every rule.

    Attributes
    ----------
    offsets_ : ndarray of shape (n_labels,)
        The thresholds.
    """

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Find the thresholds; none of their own is added for the metric."""
        super().fit(scores, truth, sample_weight, known)
        self.threshold_ = 0.0
        return self

    def _learn(
        self,
        scores: FloatArray,
        truth: BoolArray,
        metric: CountMetric,
        weight: FloatArray | None,
        known: BoolArray | None,
    ) -> None:
        spread = np.ptp(scores, axis=0) + 1.0
        if known is not None:  # what is unknown goes below all that is known
            lowest = np.min(scores, axis=0, where=known, initial=np.inf)
            scores = np.where(known, scores, lowest - spread)
        falling = -np.sort(-scores, axis=0)
        padded = np.vstack([falling[:1] + spread, falling, falling[-1:] - spread])
        positives, labels = truth.sum(axis=0), np.arange(scores.shape[1])
        self.offsets_ = (padded[positives, labels] + padded[positives + 1, labels]) / 2

    def _transformed(self, scores: FloatArray) -> FloatArray:
        return np.asarray(scores - self.offsets_.astype(scores.dtype))
