"""Decision rules: how scores become labels.

Every rule is a transformation of the scores, after which one threshold decides for all entries. So they share
the exact sweep that chooses the threshold, and `min_labels`: the highest scores of a row count as infinite.
"""

from __future__ import annotations

from typing import Self

import numpy as np
from sklearn.base import BaseEstimator

from skfactor._validation import BoolArray, FloatArray, check_choice, check_number
from skfactor.decisions.sweep import best_threshold, label_thresholds
from skfactor.factors import ranks, top_of
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


class Threshold(DecisionRule):
    """One threshold for all labels.

    Parameters
    ----------
    metric, min_labels
        As in every rule.
    value : float, optional
        A threshold of your own, which is then not chosen. With `min_labels` given as well, nothing is chosen, and
        no held-out scores are made for it.

    Attributes
    ----------
    threshold_, min_labels_, value_
        As in every rule.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.decisions import Threshold
    >>> scores = np.array([[0.9, 0.4, 0.1], [0.3, 0.6, 0.2]])
    >>> rule = Threshold().fit(scores, np.array([[1, 1, 0], [0, 1, 0]], dtype=bool))
    >>> rule.threshold_
    0.35
    >>> rule.predict(scores).astype(int)
    array([[1, 1, 0],
           [0, 1, 0]])
    """

    def __init__(self, metric: str = "micro_f1", min_labels: int | str = "auto", value: float | None = None):
        super().__init__(metric, min_labels)
        self.value = value

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Choose the threshold, unless one was given."""
        if self.value is not None:
            check_number(self.value, "value")
        super().fit(scores, truth, sample_weight, known)
        if self.value is not None:
            self.threshold_ = float(self.value)
        return self

    def given(self) -> Self | None:
        """Ready, with both `value` and `min_labels` given."""
        if self.value is None or self.min_labels == "auto":
            return None
        check_number(self.value, "value")
        return self.preset(float(self.value), int(self.min_labels))


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


RULES: dict[str, type[DecisionRule]] = {
    "threshold": Threshold,
    "label_thresholds": LabelThresholds,
    "proportional": Proportional,
    "top_k": TopK,
    "predicted_count": PredictedCount,
}
