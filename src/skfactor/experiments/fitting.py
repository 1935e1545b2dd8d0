"""The candidates of a task, fitted; those of a moment method from the moments of the same folds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from skfactor.datasets import MultilabelData
from skfactor.decisions import RULES
from skfactor.experiments.estimators import estimator, resolved
from skfactor.experiments.serving import ServingRule
from skfactor.experiments.task import Task
from skfactor.model_selection.candidates import last_step
from skfactor.model_selection.fitted_points import fit_points


class Candidate(NamedTuple):
    """One point of the grid of a task, fitted: its place, its values, the model, and the seconds of such a fit."""

    place: int
    values: dict[str, Any]
    model: Any
    seconds: float


def fitted(task: Task, train: MultilabelData) -> Iterator[Candidate]:
    """Fit every candidate, in whatever order serves (see `fit_points`)."""
    points = task.candidates()
    models = [prepared(task, values, train) for values in points]
    _, prefix = last_step(models[0])
    settings = [
        {name: model.get_params()[name] for name in [*values, f"{prefix}decision"]}
        for model, values in zip(models, points, strict=True)
    ]
    for place, model, seconds in fit_points(models[0], settings, train.X, train.Y):
        yield Candidate(place, points[place], model, seconds)


def prepared(task: Task, values: dict[str, Any], data: MultilabelData) -> Any:
    """The estimator of a task with these values, unfitted; its decisions will be calibrated for `choose`."""
    sizes = {"features": data.X.shape[1], "labels": data.Y.shape[1]}
    model = estimator(task.method)
    model.set_params(**{name: resolved(value, sizes) for name, value in values.items()})
    last, _ = last_step(model)
    if task.choose_each and last.decision in RULES:
        last.set_params(decision=ServingRule(task.choose))
    elif isinstance(last.decision, str):
        last.set_params(decision=last.rules[last.decision](metric=task.metrics[0]))
    return model
