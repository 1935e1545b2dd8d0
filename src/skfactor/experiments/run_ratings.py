"""Run a task on ratings: choose on ratings that are held out of the training part, measure on the test part."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from skfactor.datasets import RatingsData
from skfactor.experiments.estimators import estimator, resolved
from skfactor.experiments.protocols import Part, inner_part
from skfactor.experiments.task import Task
from skfactor.metrics import mae, nmae, rmse, zero_one_error


def run(task: Task, data: RatingsData, part: Part) -> dict[str, Any]:
    """The record of a task."""
    started = time.perf_counter()
    chosen = choose(task, data, part)
    choosing = time.perf_counter() - started
    started = time.perf_counter()
    model = fitted(task, chosen, data, part)
    seconds = time.perf_counter() - started
    return {
        "chosen": chosen,
        "figures": measure(model, data, part.test),
        "figures_training": measure(model, data, part.train[:: max(1, len(part.train) // 100_000)]),
        "rows": {"train": len(part.train), "given": len(part.given), "test": len(part.test)},
        "seconds": {"fit": seconds, "choose": choosing + seconds},
    }


def choose(task: Task, data: RatingsData, part: Part) -> dict[str, Any]:
    """The candidate with the least error on held-out ratings of the training part.

    With the option `stages`, a ridge is chosen for each stage of a staged model by the errors of that stage.
    """
    candidates = task.candidates()
    if len(candidates) == 1:
        return candidates[0]
    inner = inner_part(task.protocol, data.pairs, part.train)
    models = [fitted(task, values, data, inner) for values in candidates]
    if task.options.get("stages"):
        ridges = [candidates[best]["ridge"] for best in _best_of_stages(models, data, inner)]
        return candidates[0] | {"ridge": ridges}
    (metric,) = task.metrics
    errors = [measure(model, data, inner.test)[metric] for model in models]
    return candidates[int(np.argmin(errors))]


def _best_of_stages(models: list[Any], data: RatingsData, part: Part) -> Any:
    assert data.levels is not None
    above = data.ratings[part.test, None] > data.levels[:-1]
    with _unknown_allowed():
        scores = [model.decision_function(data.pairs[part.test]) for model in models]
    return np.argmin([((score >= 0) != above).mean(axis=0) for score in scores], axis=0)


def fitted(task: Task, values: dict[str, Any], data: RatingsData, part: Part) -> Any:
    """The model of a task, fitted to the training part; then new users are folded in."""
    model = estimator(task.method).set_params(**{name: resolved(value, {}) for name, value in values.items()})
    assert data.levels is not None
    with _unknown_allowed():
        model.set_params(levels=data.levels.tolist()).fit(data.pairs[part.train], data.ratings[part.train])
        if len(part.given):
            known = part.given[np.isin(data.pairs[part.given, 1], model.items_)]
            model.fold_in(data.pairs[known], data.ratings[known])
    return model


def measure(model: Any, data: RatingsData, rows: Any) -> dict[str, float]:
    """Errors on `rows`; if the model rounds to levels, also those of its numbers before."""
    errors = _errors(model, data, rows)
    if "rounded" in model.get_params():
        numbers = _errors(model.set_params(rounded=False), data, rows)
        model.set_params(rounded=True)
        errors |= {"mae_of_numbers": numbers["mae"], "rmse_of_numbers": numbers["rmse"]}
    return errors


def _errors(model: Any, data: RatingsData, rows: Any) -> dict[str, float]:
    true = data.ratings[rows]
    with _unknown_allowed():
        predicted = model.predict(data.pairs[rows])
    return {
        "mae": float(mae(true, predicted)),
        "rmse": float(rmse(true, predicted)),
        "nmae": float(nmae(true, predicted, levels=data.levels)),
        "zero_one_error": float(zero_one_error(true, predicted)),
    }


@contextmanager
def _unknown_allowed() -> Iterator[None]:
    """Users and items that the training part lacks are predicted by the model's fallback, without a word."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*pairs have a user or an item")
        yield
