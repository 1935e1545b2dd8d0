"""Which decision serves a metric: several rules fitted on the same held-out scores, and the best of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Self

import numpy as np
from sklearn.base import clone

from skfactor._validation import BoolArray, FloatArray
from skfactor.decisions import DecisionRule, LabelThresholds, PredictedCount, Threshold, TopK
from skfactor.metrics import get_metric

#: Rules that serve a metric. A metric of scores needs none; any other has a threshold.
SERVING: dict[str, list[DecisionRule]] = {
    "accuracy": [Threshold("accuracy"), PredictedCount("accuracy")],
    "example_f1": [Threshold("example_f1"), PredictedCount("example_f1")],
    "hamming_loss": [Threshold("hamming_loss"), Threshold("hamming_loss", min_labels=0)],
    "macro_f1": [LabelThresholds("macro_f1")],
    "subset_accuracy": [Threshold("subset_accuracy"), PredictedCount("subset_accuracy"), TopK("subset_accuracy")],
}
#: Held-out scores that rules are fitted on at most. Beyond, rows are drawn.
ENTRIES = 4_000_000


@dataclass(frozen=True)
class Served:
    """How well a metric is served.

    Attributes
    ----------
    metric : str
    value : float
        Held-out.
    rule : DecisionRule or None
        Fitted; None where the model decides by a rule of its own, or the metric is one of scores.
    name : str
        Of the rule.
    """

    metric: str
    value: float
    rule: DecisionRule | None
    name: str

    def better_than(self, other: Served) -> bool:
        """Whether it serves better than another."""
        sign = 1 if get_metric(self.metric).greater_is_better else -1
        return sign * self.value > sign * other.value


class ServingRule(DecisionRule):
    """All rules of `SERVING` for some metrics at once, where a classifier takes one.

    Parameters
    ----------
    metrics : sequence of str

    Attributes
    ----------
    served_ : dict of str to Served
        By metric, the rule with the best value on the held-out scores.
    rule_ : DecisionRule
        What predicts labels: the rule of the first metric that has one, or a threshold for micro_f1.
    """

    def __init__(self, metrics: Sequence[str] = ("micro_f1",)):
        self.metrics = metrics

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Fit all of them, on a random sample of the rows where scores are many."""
        rows = np.sort(np.random.default_rng(0).permutation(len(scores))[: max(1, ENTRIES // scores.shape[1])])
        weight = None if sample_weight is None else sample_weight[rows]
        known = None if known is None else known[rows]
        self.served_ = {
            metric: best(of_scores(metric, scores[rows], truth[rows], weight, known)) for metric in self.metrics
        }
        rules = [served.rule for served in self.served_.values() if served.rule is not None]
        self.rule_ = rules[0] if rules else Threshold().fit(scores[rows], truth[rows], weight, known)
        return self

    def margin(self, scores: FloatArray) -> FloatArray:
        """How far each entry of `scores` (n x L) is above the threshold of `rule_`."""
        return self.rule_.margin(scores)


def of_scores(
    metric: str,
    scores: FloatArray,
    truth: BoolArray,
    weight: FloatArray | None = None,
    known: BoolArray | None = None,
) -> list[Served]:
    """How well each of its rules serves a metric on held-out scores (n x L)."""
    if get_metric(metric).needs == "scores":
        value = get_metric(metric).function(truth, scores, sample_weight=weight)
        return [Served(metric, float(value), None, "scores")]
    rules = SERVING.get(metric, [Threshold(metric)])
    fitted = [clone(rule).fit(scores, truth, weight, known) for rule in rules]
    return [Served(metric, float(rule.value_), rule, _name(rule)) for rule in fitted]


def best(served: Sequence[Served]) -> Served:
    """The first of the best."""
    found = served[0]
    for other in served[1:]:
        found = other if other.better_than(found) else found
    return found


def _name(rule: DecisionRule) -> str:
    return " ".join(repr(rule).split())
