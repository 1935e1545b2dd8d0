"""Many models on the same rows: folds and their moments are made once, and every model is solved from them."""

from __future__ import annotations

from typing import Any

from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid
from sklearn.utils import check_random_state

from skfactor import Moments, metrics
from skfactor.decisions import DecisionRule, LabelThresholds, PredictedCount, Threshold
from skfactor.factors import Factors
from skfactor.multilabel import MomentClassifier
from skfactor.multilabel.held_out import HeldOut

METRICS = ("micro_f1", "macro_f1", "example_f1", "accuracy", "hamming_loss")
#: Decision rules that serve a metric.
SERVING: dict[str, list[DecisionRule]] = {
    "accuracy": [Threshold("accuracy"), PredictedCount("accuracy")],
    "example_f1": [Threshold("example_f1"), PredictedCount("example_f1")],
    "macro_f1": [LabelThresholds("macro_f1")],
    "micro_f1": [Threshold("micro_f1")],
}
#: Held-out scores that rules are fitted on at most.
ENTRIES = 4_000_000


class SharedFolds:
    """Held-out scores and factors of models that differ in the parameters of `solve` only.

    What a model finds out about moments that does not depend on all its parameters (eigenvectors, label groups)
    stays with the moments, so the second model pays for what is different only. The figures are those of `fit`.
    """

    def __init__(self, model: MomentClassifier, X: Any, Y: Any):
        self.X, self.labels, self.weight = model._begin(X, Y, None, None, positives_needed=True)
        self.rng = check_random_state(model.random_state)
        self.folds = model._folds(self.X.shape[0], self.rng)
        self.state = self.rng.get_state()
        parts = [model._moments_of(self.X[k], self.labels[k], self.weight[k]) for k in self.folds]
        total = Moments.merge(parts)
        self.whole = total.centred(model.scale, units=model.units)
        self.training = [(total - part).centred(model.scale, units=model.units) for part in parts]
        self.model = model

    def held_out(self, model: MomentClassifier) -> HeldOut:
        """Scores of all rows, each by the model of the other folds."""
        self.rng.set_state(self.state)

        def without(k: int) -> Factors:
            moments = self.training[k]
            return model.solve(moments).uncentred(moments.centre)

        return self.model._score_folds(self.X, self.labels, self.weight, self.folds, self.rng, without)

    def factors(self, model: MomentClassifier) -> Factors:
        """The model of all rows."""
        return model.solve(self.whole).uncentred(self.whole.centre)


def served(grid: dict[str, list[Any]], method: type[MomentClassifier], data: Any, test: Any) -> dict[str, Any]:
    """For each metric the point and the rule of `SERVING` with the best held-out value, scored on the test rows.

    A rule is fitted on a random sample of the held-out scores where they are many.
    """
    points = [method(**point) for point in ParameterGrid(grid)]
    shared = SharedFolds(points[0], data.X[~test], data.Y[~test])
    best: dict[str, tuple[float, DecisionRule, MomentClassifier]] = {}
    for model in points:
        held_out = shared.held_out(model).bounded(ENTRIES)
        for metric, rules in SERVING.items():
            for rule in rules:
                fitted = clone(rule).fit(held_out.scores, held_out.truth, held_out.weight)
                if metric not in best or fitted.value_ > best[metric][0]:
                    best[metric] = fitted.value_, fitted, model
    return {
        metric: {
            "chosen": {name: model.get_params()[name] for name in grid},
            "rule": type(rule).__name__,
            "held_out": value,
            **figures(data.Y[test], decided(rule, shared.factors(model), data.X[test])),
        }
        for metric, (value, rule, model) in best.items()
    }


def figures(truth: Any, predicted: Any) -> dict[str, float]:
    """Every metric of the tables."""
    return {name: getattr(metrics, name)(truth, predicted) for name in METRICS}


def decided(rule: DecisionRule, factors: Factors, X: Any) -> sparse.csr_array:
    """What `rule` predicts (n x L) from the scores of `factors`."""
    return sparse.vstack([sparse.csr_array(rule.predict(s)) for _, s in factors.blocks(X)], format="csr")
