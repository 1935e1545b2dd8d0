"""Methods measured on the same rows, none of which they were fitted to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from statistics import mean, stdev
from typing import TYPE_CHECKING, Any, TypeVar

from skfactor.cli.models import (
    BASELINE,
    baseline_of,
    features_for,
    fit_with_names,
    labels_for,
    labels_of,
    make,
    parameters,
    scores_of,
)
from skfactor.cli.output import Out
from skfactor.metrics import Metric, get_metric

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData

#: Training rows, or None for models that are fitted already, and test rows.
LabelRound = tuple["MultilabelData | None", "MultilabelData"]
Round = TypeVar("Round")
#: A figure of each round, by metric.
Figures = dict[str, list[float]]
SECONDS = "seconds to fit"


def metrics_by_name(names: Sequence[str]) -> dict[str, Metric]:
    """Look metrics up, before any work is done."""
    metrics = {name: get_metric(name) for name in names}
    for name, metric in metrics.items():
        if metric.needs == "levels":
            raise ValueError(f"{name} is for ratings: use skfactor rate. This verb is for rows with labels.")
    if not metrics:
        raise ValueError("--metrics names no metric.")
    return metrics


def rivals(
    method: str, settings: Sequence[str], decision: str | None, seed: int, baseline: bool
) -> dict[str, Any]:
    """The method, and the plain one beside it."""
    model = make(method, settings, decision, seed)
    name = type(model).__name__
    return {name: model, BASELINE: baseline_of(model)} if baseline and name != BASELINE else {name: model}


def random_folds(data: MultilabelData, folds: int, seed: int) -> Iterator[LabelRound]:
    """Part the rows into folds at random; each is the test part once."""
    from sklearn.model_selection import KFold

    if folds > len(data):
        raise ValueError(f"--folds {folds} is more than the {len(data)} rows of {data.name}.")
    for train, test in KFold(folds, shuffle=True, random_state=seed).split(range(len(data))):
        yield data.subset(train), data.subset(test)


def run(
    out: Out,
    models: dict[str, Any],
    rounds: Iterable[Round],
    count: int,
    trial: Callable[[Any, Round], dict[str, float]],
) -> dict[str, Figures]:
    """Try every model in every round; a trial returns a figure for each metric, and the seconds."""
    figures: dict[str, Figures] = {name: {} for name in models}
    for now in out.track(rounds, "Evaluating", count):
        for name, model in models.items():
            for key, value in trial(model, now).items():
                figures[name].setdefault(key, []).append(value)
    return figures


def trial_of_labels(out: Out, metrics: dict[str, Metric]) -> Callable[[Any, LabelRound], dict[str, float]]:
    """The trial of a classifier, which is fitted anew unless there are no training rows."""
    from sklearn.base import clone

    def trial(model: Any, now: LabelRound) -> dict[str, float]:
        train, test = now
        _warm_up(test)
        started = time.perf_counter()
        fitted = model if train is None else fit_with_names(clone(model), train)
        seconds = 0.0 if train is None else time.perf_counter() - started
        return {SECONDS: seconds, **measure(out, fitted, test, metrics)}

    return trial


def _warm_up(data: MultilabelData) -> None:
    """Have compiled kernels loaded, which else the first method would be charged for."""
    from skfactor.moments import Moments

    Moments.of(data.X[:1], data.Y[:1])


def measure(out: Out, model: Any, data: MultilabelData, metrics: dict[str, Metric]) -> dict[str, float]:
    """The metrics of a fitted model on `data`."""
    X, Y = features_for(model, data, data.name), labels_for(model, data, out, data.name)
    needed = {metric.needs for metric in metrics.values()}
    makers = {"labels": labels_of, "scores": scores_of}
    predicted = {need: makers[need](model, X) for need in needed}
    return {name: float(metric.function(Y, predicted[metric.needs])) for name, metric in metrics.items()}


def summary(
    models: dict[str, Any], figures: dict[str, Figures], metrics: dict[str, Metric]
) -> list[dict[str, Any]]:
    """What there is to say of each model, for JSON."""
    return [
        {
            "method": name,
            "class": type(model).__name__,
            "parameters": parameters(model),
            "metrics": {
                key: {**_statistics(figures[name][key]), "greater_is_better": metric.greater_is_better}
                for key, metric in metrics.items()
            },
            "seconds": _statistics(figures[name][SECONDS]),
        }
        for name, model in models.items()
    ]


def _statistics(values: list[float]) -> dict[str, Any]:
    return {"mean": mean(values), "sd": stdev(values) if len(values) > 1 else None, "folds": values}


def show(out: Out, results: list[dict[str, Any]]) -> None:
    """Print a table with a line for each metric; a star marks the best method, unless all are alike."""
    columns = ["metric", *(result["method"] for result in results)]
    rows = [
        [f"{name} ({'higher' if first['greater_is_better'] else 'lower'} is better)", *_marked(name, results)]
        for name, first in results[0]["metrics"].items()
    ]
    times = [result["seconds"]["mean"] for result in results]
    if max(times) > 0:
        rows.append([SECONDS, *(f"{seconds:.3f}" for seconds in times)])
    out.table(columns, rows)


def _marked(name: str, results: list[dict[str, Any]]) -> list[str]:
    values = [result["metrics"][name] for result in results]
    sign = 1 if values[0]["greater_is_better"] else -1
    means = [sign * round(value["mean"], 4) for value in values]  # as it is shown
    best = max(means) if min(means) < max(means) else float("inf")
    return [("* " if own == best else "") + _cell(value) for value, own in zip(values, means, strict=True)]


def _cell(value: dict[str, Any]) -> str:
    return f"{value['mean']:.4f}" + ("" if value["sd"] is None else f" ± {value['sd']:.4f}")
