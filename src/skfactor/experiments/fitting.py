"""The candidates of a task, fitted; those of a moment method from the moments of the same folds."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skfactor.datasets import MultilabelData
from skfactor.decisions import RULES
from skfactor.experiments.estimators import estimator, resolved
from skfactor.experiments.serving import ServingRule
from skfactor.experiments.task import Task
from skfactor.model_selection.candidates import groups, last_step, parted, variant
from skfactor.model_selection.fitted_paths import Rows, fit_along
from skfactor.multilabel.base import MomentClassifier


class Candidate(NamedTuple):
    """One point of the grid of a task, fitted: its place, its values, the model, and the seconds of such a fit."""

    place: int
    values: dict[str, Any]
    model: Any
    seconds: float


def fitted(task: Task, train: MultilabelData) -> Iterator[Candidate]:
    """Fit every candidate, in whatever order serves.

    A moment method is solved for all candidates from one set of fold moments, to the figures of `fit`.
    """
    points = task.candidates()
    models = [prepared(task, values, train) for values in points]
    lasts = [last_step(model)[0] for model in models]
    along = len(models) > 1 and all(
        isinstance(last, MomentClassifier) and last.fits_by_moments(train.X, train.Y) for last in lasts
    )
    for place, model, seconds in _along(models, points, train) if along else _one_by_one(models, train):
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


def _one_by_one(models: Sequence[Any], train: MultilabelData) -> Iterator[tuple[int, Any, float]]:
    for place, model in enumerate(models):
        started = time.perf_counter()
        model.fit(train.X, train.Y)
        yield place, model, time.perf_counter() - started


def _along(
    models: Sequence[Any], points: Sequence[dict[str, Any]], train: MultilabelData
) -> Iterator[tuple[int, Any, float]]:
    """The seconds of a fit are those of the dearest, which found out what the others share."""
    last, prefix = last_step(models[0])
    settings = [
        {name: model.get_params()[name] for name in [*values, f"{prefix}decision"]}
        for model, values in zip(models, points, strict=True)
    ]
    dearest = 0.0
    for same_features in groups(parted(models[0], settings) or [], "head"):
        head = models[same_features[0].place][:-1] if prefix else None
        X = head.fit_transform(train.X, train.Y) if head else train.X
        reader = clone(last)
        rows = Rows(*reader._begin(X, train.Y, None, None, positives_needed=True))
        for candidate in same_features:
            variant(last, reader, [candidate.last])._check_parameters(X.shape[1], train.Y.shape[1])
        for one in fit_along(last, reader, rows, same_features):
            dearest = max(dearest, one.alone)
            model = Pipeline([*head.steps, (prefix.removesuffix("__"), one.model)]) if head else one.model
            yield one.candidate.place, model, dearest
