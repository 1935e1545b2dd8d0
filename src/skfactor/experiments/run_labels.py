"""Run a task on rows with labels: choose on training rows, measure on test rows."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.datasets import MultilabelData
from skfactor.experiments.estimators import estimator, resolved
from skfactor.experiments.protocols import Part
from skfactor.experiments.task import Task
from skfactor.metrics import METRICS, get_metric

#: Every metric that labels and scores allow is measured once and stored.
MEASURED = [
    *(name for name, metric in METRICS.items() if metric.needs in ("labels", "scores")),
    *(f"{stem}@{places}" for stem in ("precision", "ndcg") for places in (1, 3, 5)),
]


def run(task: Task, data: MultilabelData, part: Part) -> dict[str, Any]:
    """The record of a task.

    The candidate with the best held-out value of its own calibration is kept: the test rows have no part in it.
    """
    train = data.subset(part.train)
    started = time.perf_counter()
    model, chosen, seconds = fit_best(task, train)
    choosing = time.perf_counter() - started
    test = data.subset(part.test)
    predicted, scores = predictions(model, test.X)
    return {
        "chosen": chosen,
        "held_out": float(decision_of(model).value_),
        "figures": measure(test.Y, predicted, scores),
        "labels": counts(test.Y, predicted),
        "rows": {"train": len(train), "test": len(test)},
        "seconds": {"fit": seconds, "choose": choosing},
    }


def fit_best(task: Task, train: MultilabelData) -> tuple[Any, dict[str, Any], float]:
    """The best candidate fitted, its values of the grid, and the seconds that it took to fit."""
    best: tuple[Any, dict[str, Any], float] | None = None
    for values in task.candidates():
        started = time.perf_counter()
        model = prepared(task, values, train).fit(train.X, train.Y)
        seconds = time.perf_counter() - started
        if best is None or _better(decision_of(model), decision_of(best[0])):
            best = model, values, seconds
    assert best is not None
    return best


def prepared(task: Task, values: dict[str, Any], data: MultilabelData) -> Any:
    """The estimator of a task with these values, unfitted; its decisions will be calibrated for `choose`."""
    sizes = {"features": data.X.shape[1], "labels": data.Y.shape[1]}
    model = estimator(task.method)
    model.set_params(**{name: resolved(value, sizes) for name, value in values.items()})
    last = model[-1] if hasattr(model, "steps") else model
    if isinstance(last.decision, str):
        last.set_params(decision=last.rules[last.decision](metric=task.choose))
    return model


def decision_of(model: Any) -> Any:
    """The fitted decision rule of a classifier, or of the last step of a pipeline."""
    return (model[-1] if hasattr(model, "steps") else model).decision_


def _better(one: Any, other: Any) -> bool:
    sign = 1 if get_metric(one.metric).greater_is_better else -1
    return bool(sign * one.value_ > sign * other.value_)


def predictions(model: Any, X: Matrix) -> tuple[Matrix, FloatArray]:
    """Predicted labels (sparse, n x L) and scores (n x L)."""
    predicted = sparse.csr_array(model.predict(X))
    if hasattr(model, "steps"):
        return predicted, model[-1].label_scores(model[:-1].transform(X))
    return predicted, model.label_scores(X)


def measure(true: Matrix, predicted: Matrix, scores: FloatArray) -> dict[str, float]:
    """Every metric that there is."""
    given = {"labels": predicted, "scores": scores}
    metrics = {name: get_metric(name) for name in MEASURED if _fits(name, scores.shape[1])}
    return {name: float(metric.function(true, given[metric.needs])) for name, metric in metrics.items()}


def _fits(name: str, n_labels: int) -> bool:
    _, _, places = name.partition("@")
    return not places or int(places) <= n_labels


def counts(true: Matrix, predicted: Matrix) -> dict[str, list[int]]:
    """Of each label, how often it was hit, predicted and true."""
    tables = {"hits": true.multiply(predicted), "predicted": predicted, "true": true}
    return {name: np.asarray(table.sum(axis=0)).ravel().astype(int).tolist() for name, table in tables.items()}
