"""What candidates are measured by: the scoring argument of scikit-learn, with the metrics of skfactor by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import Any

from scipy import sparse
from sklearn.metrics import get_scorer, make_scorer

from skfactor._validation import FloatArray, Matrix
from skfactor.metrics import Metric, get_metric
from skfactor.multilabel.base import MomentClassifier

#: scikit-learn's: `scorer(estimator, X, y)`, higher is better.
Scorer = Callable[..., float]


@dataclass(frozen=True)
class Test:
    """Rows that candidates are scored on: as they came, and as they were read."""

    X: Any
    y: Any
    labels: sparse.csr_array
    weight: FloatArray | None = None


@dataclass(frozen=True)
class Measure:
    """One scoring function.

    Attributes
    ----------
    metric : Metric or None
        Of skfactor: it is taken of scores that are there already.
    scorer : callable
        The same for scikit-learn.
    """

    metric: Metric | None
    scorer: Scorer

    @classmethod
    def of(cls, scoring: Any) -> Measure:
        """From None (micro-averaged F1), a name, or a scorer."""
        if callable(scoring):
            return cls(None, scoring)
        if scoring is None:
            return cls(get_metric("micro_f1"), _own_score)
        try:
            metric = get_metric(scoring)
        except ValueError as unknown:
            return cls(None, _scikit_learn_scorer(scoring, unknown))
        response = "predict" if metric.needs == "labels" else "decision_function"
        return cls(
            metric,
            make_scorer(metric.function, response_method=response, greater_is_better=metric.greater_is_better),
        )

    def value(self, model: MomentClassifier, scores: FloatArray, margin: FloatArray, test: Test) -> float:
        """What a fitted model reaches on rows whose scores it made."""
        if self.metric is None:
            weighed = test.weight is not None and "sample_weight" in signature(self.scorer).parameters
            return float(self.scorer(model, test.X, test.y, **({"sample_weight": test.weight} if weighed else {})))
        predicted: Matrix = sparse.csr_array(margin > 0) if self.metric.needs == "labels" else margin
        sign = 1 if self.metric.greater_is_better else -1
        return sign * float(self.metric.function(test.labels, predicted, sample_weight=test.weight))


def measures_of(scoring: Any) -> dict[str, Measure]:
    """Every scoring function by its name; "score" if there is but one, as scikit-learn has it."""
    if isinstance(scoring, Mapping):
        return {name: Measure.of(one) for name, one in scoring.items()}
    if isinstance(scoring, list | tuple | set):
        if len(set(scoring)) != len(scoring) or not scoring:
            raise ValueError(f"scoring must name different metrics, got {scoring!r}.")
        return {name: Measure.of(name) for name in scoring}
    return {"score": Measure.of(scoring)}


def _own_score(estimator: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    return float(estimator.score(X, y, **({} if sample_weight is None else {"sample_weight": sample_weight})))


def _scikit_learn_scorer(name: str, unknown: ValueError) -> Scorer:
    try:
        scorer: Scorer = get_scorer(name)
    except (ValueError, TypeError):
        raise ValueError(f"{unknown} Names of scikit-learn's scorers will do, too.") from None
    return scorer
