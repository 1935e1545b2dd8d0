"""Many methods on many data sets under one protocol, and what follows from it."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from skfactor._validation import FloatArray
from skfactor.datasets import MultilabelData, RatingsData
from skfactor.experiments import protocols, runner
from skfactor.experiments.estimators import estimator
from skfactor.experiments.provenance import fingerprint
from skfactor.experiments.statistics import Comparison, compare, interval
from skfactor.experiments.store import Record, Store
from skfactor.experiments.task import Task
from skfactor.metrics import get_metric

DataSet = MultilabelData | RatingsData
#: The plain method of each kind of data.
BASELINES: dict[type, str] = {MultilabelData: "RidgeBR", RatingsData: "BiasOnly"}


@dataclass(frozen=True)
class Contest:
    """What every method reached on every data set.

    Attributes
    ----------
    data : list of data set
    methods, metrics : list of str
        The first metric is the one that candidates were chosen by, and that rankings are of.
    protocol : str
    records : mapping of (str, str) to list of Record
        By name of the data set and method: of each part of the protocol.
    failures : mapping of (str, str) to str
        What went wrong, where something did.
    """

    data: list[DataSet]
    methods: list[str]
    metrics: list[str]
    protocol: str
    records: dict[tuple[str, str], list[Record]]
    failures: dict[tuple[str, str], str]

    @property
    def names(self) -> list[str]:
        """Of the data sets."""
        return [data.name for data in self.data]

    @property
    def baseline(self) -> str:
        """The plain method that any other has to beat."""
        return BASELINES[type(self.data[0])]

    def folds(self, name: str, method: str, metric: str) -> FloatArray:
        """Values of a metric, one for each part that was run."""
        return np.array([record["figures"][metric] for record in self.records.get((name, method), [])])

    def values(self, metric: str) -> FloatArray:
        """Mean of a metric (data sets x methods); NaN where a method failed."""
        return np.array([[_mean(self.folds(name, m, metric)) for m in self.methods] for name in self.names])

    def interval(self, name: str, method: str, metric: str) -> float:
        """Half the width of the 95 % interval of a mean."""
        rows = [record["rows"] for record in self.records.get((name, method), [])]
        if not rows:
            return float("nan")
        share = rows[0]["test"] / (rows[0]["train"] + rows[0]["test"])
        return interval(self.folds(name, method, metric), share)

    def seconds(self, name: str, method: str) -> float:
        """Mean seconds of a fit with its calibration, without the search for parameters."""
        return _mean(np.array([record["seconds"]["fit"] for record in self.records.get((name, method), [])]))

    def order(self, name: str, metric: str) -> list[str]:
        """The methods that have figures, best first."""
        values = dict(zip(self.methods, self.values(metric)[self.names.index(name)], strict=True))
        sign = -1 if get_metric(metric).greater_is_better else 1
        return sorted((m for m in self.methods if np.isfinite(values[m])), key=lambda m: sign * values[m])

    def comparison(self, metric: str) -> Comparison | None:
        """Average ranks and what differs, if there are two data sets and two methods without a gap."""
        values = self.values(metric)
        whole = [place for place, column in enumerate(values.T) if np.isfinite(column).all()]
        if len(values) < 2 or len(whole) < 2:
            return None
        better = get_metric(metric).greater_is_better
        return compare([self.methods[place] for place in whole], values[:, whole], greater_is_better=better)


@dataclass(frozen=True)
class Rules:
    """How a contest is held.

    Attributes
    ----------
    metrics : list of str
    protocol : str
        See `protocols.part`.
    grids : mapping of str to mapping
        Candidates of a method's parameters.
    """

    metrics: Sequence[str]
    protocol: str
    grids: dict[str, dict[str, list[Any]]]


def hold(data: list[DataSet], rules: Rules, store: Store, tell: Callable[[str], None]) -> Contest:
    """Run what is not stored; a method that fails on a data set does not stop the others."""
    records: dict[tuple[str, str], list[Record]] = {}
    failures: dict[tuple[str, str], str] = {}
    for one in data:
        mark = fingerprint(one)
        for method, grid in rules.grids.items():
            try:
                records[one.name, method] = _parts(one, mark, method, grid, rules, store, tell)
            except (ValueError, ArithmeticError, MemoryError, TypeError) as error:
                failures[one.name, method] = str(error)
                tell(f"{method} failed on {one.name}: {error}")
    return Contest(list(data), list(rules.grids), list(rules.metrics), rules.protocol, records, failures)


def _parts(
    data: DataSet,
    mark: str,
    method: str,
    grid: dict[str, list[Any]],
    rules: Rules,
    store: Store,
    tell: Callable[[str], None],
) -> list[Record]:
    found = []
    for fold in range(1, protocols.count(rules.protocol) + 1):
        task = Task(method, grid, data.name, mark, rules.protocol, fold, rules.metrics[0])
        if store.get(task) is None:
            tell(f"{method} on {data.name}, {rules.protocol}, part {fold}")
        found.append(runner.run(task, data, store))
    return found


def usual_grid(method: str) -> dict[str, list[Any]]:
    """Candidates of the parameters that matter most, to choose from on training rows.

    Those of `grids.toml`; for a method that has none there, of its ridge if it has one: from a tenth of its
    default to ten times that, since the ridges of different methods are on different scales.

    >>> usual_grid("RidgeBR"), usual_grid("BMMMF")
    ({'ridge': [0.03, 0.1, 0.3, 1.0, 3.0]}, {'ridge': [1.2, 3.6, 12.0, 36.0, 120.0]})
    """
    text = (files("skfactor.experiments") / "grids.toml").read_text(encoding="utf-8")
    known: dict[str, dict[str, list[Any]]] = tomllib.loads(text)
    if method in known:
        return known[method]
    ridge = estimator(method).get_params().get("ridge")
    return (
        {"ridge": [float(f"{times * ridge:.2g}") for times in (0.1, 0.3, 1, 3, 10)]}
        if isinstance(ridge, float)
        else {}
    )


def _mean(values: FloatArray) -> float:
    return float(values.mean()) if len(values) else float("nan")
