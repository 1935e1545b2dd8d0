"""Run a task on rows with labels: choose on training rows, measure on test rows."""

from __future__ import annotations

import time
from typing import Any

import numpy as np

from skfactor._validation import FloatArray, Matrix
from skfactor.datasets import MultilabelData
from skfactor.experiments.choosing import choose
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

    What has the best held-out value is kept: the test rows have no part in it. Where every metric has a choice of
    its own, its figure is that of this choice; all else is of the choice for the first metric.
    """
    train, test = data.subset(part.train), data.subset(part.test)
    started = time.perf_counter()
    choices = choose(task, train)
    choosing = time.perf_counter() - started
    first = choices[task.metrics[0]]
    predicted, scores = first.predictions(test.X)
    figures = measure(test.Y, predicted, scores)
    for metric in task.metrics[1:]:
        figures[metric] = value(metric, test.Y, *choices[metric].predictions(test.X))
    return {
        "chosen": first.candidate.values,
        "held_out": first.served.value,
        **({"each": {name: choice.document() for name, choice in choices.items()}} if task.choose_each else {}),
        "figures": figures,
        "labels": counts(test.Y, predicted),
        "rows": {"train": len(train), "test": len(test)},
        "seconds": {"fit": first.candidate.seconds, "choose": choosing},
    }


def measure(true: Matrix, predicted: Matrix, scores: FloatArray) -> dict[str, float]:
    """Every metric that there is."""
    return {name: value(name, true, predicted, scores) for name in MEASURED if _fits(name, scores.shape[1])}


def value(name: str, true: Matrix, predicted: Matrix, scores: FloatArray) -> float:
    """One metric."""
    metric = get_metric(name)
    return float(metric.function(true, {"labels": predicted, "scores": scores}[metric.needs]))


def _fits(name: str, n_labels: int) -> bool:
    _, _, places = name.partition("@")
    return not places or int(places) <= n_labels


def counts(true: Matrix, predicted: Matrix) -> dict[str, list[int]]:
    """Of each label, how often it was hit, predicted and true."""
    tables = {"hits": true.multiply(predicted), "predicted": predicted, "true": true}
    return {name: np.asarray(table.sum(axis=0)).ravel().astype(int).tolist() for name, table in tables.items()}
