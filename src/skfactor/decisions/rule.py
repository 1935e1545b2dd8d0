"""Decision rules: how scores become labels.

Every rule is a transformation of the scores, after which one threshold decides for all entries. So they share
the exact sweep that chooses the threshold, and `min_labels`: the highest scores of a row count as infinite.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from skfactor._validation import BoolArray, FloatArray, check_choice, check_number
from skfactor.decisions.sweep import best_threshold
from skfactor.factors import top_of
from skfactor.metrics.counts import COUNT_METRICS, CountMetric


class DecisionRule(BaseEstimator):
    """A transformation of scores and the threshold behind it.

    Parameters
    ----------
    metric : str
        What the threshold is chosen for: a name in `skfactor.metrics.counts.COUNT_METRICS`.
    min_labels : int or "auto"
        A row with fewer labels than that gets those of its highest scores. "auto" is 1 if every row that the
        rule was fitted on has a label, else 0.

    Attributes
    ----------
    threshold_ : float
        For transformed scores.
    min_labels_ : int
    value_ : float
        What the metric was on the scores that the rule was fitted on.
    """

    def __init__(self, metric: str = "micro_f1", min_labels: int | str = "auto"):
        self.metric = metric
        self.min_labels = min_labels

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Choose the threshold on held-out scores (n x L) and what was true of them.

        Entries that `known` (n x L) leaves out do not count; their truth has to be given as False.
        """
        metric = self._checked()
        covered = bool(truth.any(axis=1).all())
        self.min_labels_ = int(covered) if self.min_labels == "auto" else int(self.min_labels)
        self._learn(scores, truth, metric, sample_weight, known)
        comparable = np.where(self._forced(scores), np.inf, self._transformed(scores))
        self.threshold_, self.value_ = best_threshold(comparable, truth, metric, sample_weight, known)
        return self

    def preset(self, threshold: float, min_labels: int) -> Self:
        """Decide by given values, where there is nothing to fit on."""
        self._checked()
        self.threshold_, self.min_labels_ = threshold, min_labels
        return self

    def given(self) -> Self | None:
        """The rule ready for use if its parameters leave nothing to choose, else None."""
        return None

    def margin(self, scores: FloatArray) -> FloatArray:
        """How far each entry of `scores` (n x L) is above its threshold; labels are those above 0."""
        margin = self._transformed(scores) - self.threshold_
        forced = self._forced(scores) & (margin <= 0)
        return np.where(forced, np.finfo(np.float32).tiny, margin)

    def predict(self, scores: FloatArray) -> BoolArray:
        """Which entries of `scores` (n x L) are labels."""
        return np.asarray(self.margin(scores) > 0)

    def _checked(self) -> CountMetric:
        check_choice(self.metric, "metric", COUNT_METRICS)
        if self.min_labels != "auto":
            check_number(self.min_labels, "min_labels", minimum=0, integer=True)
        return COUNT_METRICS[self.metric]

    def _learn(
        self,
        scores: FloatArray,
        truth: BoolArray,
        metric: CountMetric,
        weight: FloatArray | None,
        known: BoolArray | None,
    ) -> None:
        """Learn what the transformation needs."""

    def _transformed(self, scores: FloatArray) -> FloatArray:
        return scores

    def _forced(self, scores: FloatArray) -> BoolArray:
        """The highest `min_labels_` scores of each row."""
        count = min(self.min_labels_, scores.shape[1])
        forced = np.zeros(scores.shape, dtype=bool)
        if count:
            np.put_along_axis(forced, top_of(scores, count)[0], True, axis=1)
        return forced
