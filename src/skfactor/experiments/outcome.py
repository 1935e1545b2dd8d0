"""Published against measured, cell by cell, with what is missing and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from statistics import mean, stdev
from typing import Any

from skfactor.experiments import protocols, published
from skfactor.experiments.declared import Table
from skfactor.experiments.published import Figure
from skfactor.experiments.store import Record
from skfactor.metrics import get_metric


@dataclass(frozen=True)
class Cell:
    """One metric of one method on one data set.

    Attributes
    ----------
    dataset, method, metric : str
        As the table calls them.
    published : Figure or None
        None for methods that the table does not have.
    values : list of float
        Measured, of each part of the protocol.
    parts : int
        How many there should be.
    missing : str
        Why some or all are missing.
    """

    dataset: str
    method: str
    metric: str
    published: Figure | None
    values: list[float]
    parts: int
    missing: str

    @property
    def mean(self) -> float | None:
        """Of the measured values."""
        return mean(self.values) if self.values else None

    @property
    def sd(self) -> float | None:
        """Standard deviation of the measured values."""
        return stdev(self.values) if len(self.values) > 1 else None

    @property
    def printed(self) -> Figure | None:
        """The published figure, unless the table says that the method was not run."""
        return None if self.published is None or self.published.mean != self.published.mean else self.published

    @property
    def gain(self) -> float | None:
        """By how much the measured value is better than the published one."""
        if self.mean is None or self.printed is None:
            return None
        sign = 1 if get_metric(figure_of(self.metric)).greater_is_better else -1
        return sign * (self.mean - self.printed.mean)


@dataclass(frozen=True)
class Runs:
    """What was found of a method on a data set.

    Attributes
    ----------
    dataset, method : str
        As the table calls them.
    records : mapping of str to list of Record
        By protocol, of each part that was run.
    missing : str
        Why there are not more.
    """

    dataset: str
    method: str
    records: dict[str, list[Record]]
    missing: str = ""


def figure_of(metric: str) -> str:
    """The measured figure that a metric of a table is.

    >>> figure_of("nmae_weak"), figure_of("micro_f1")
    ('nmae', 'micro_f1')
    """
    return metric.removesuffix("_weak").removesuffix("_strong")


def cells(table: Table, runs: Iterable[Runs]) -> Iterator[Cell]:
    """All cells of a table, in its order."""
    printed = {(f.dataset, f.method, f.metric): f for f in published.figures(table.published)}
    for run in runs:
        for metric in table.metrics:
            protocol = table.protocol_of(metric)
            values = [record["figures"][figure_of(metric)] for record in run.records.get(protocol, [])]
            figure = printed.get((run.dataset, run.method, metric))
            yield Cell(run.dataset, run.method, metric, figure, values, protocols.count(protocol), run.missing)


@dataclass(frozen=True)
class Time:
    """A published time, and how long a fit takes here."""

    dataset: str
    method: str
    what: str
    published: float
    seconds: float | None


def times(table: Table, runs: Iterable[Runs]) -> list[Time]:
    """The published times of a table, and the mean seconds of a fit."""
    found = {(run.dataset, run.method): _seconds(run) for run in runs}
    return [
        Time(f.dataset, f.method, f"{name}, {f.metric}", f.mean, found.get((f.dataset, f.method.split()[0])))
        for name in table.times
        for f in published.figures(name)
    ]


def _seconds(run: Runs) -> float | None:
    fits = [record["seconds"]["fit"] for records in run.records.values() for record in records]
    return mean(fits) if fits else None


def outside(table: Table, found: Iterable[Cell]) -> list[str]:
    """The cells that lie outside of the bands of the table's quick part, or were not measured, in words."""
    complaints = []
    for cell in found:
        band = table.quick.bands.get(cell.dataset, {}).get(cell.method, {}).get(cell.metric)
        if band is None:
            continue
        where = f"{table.name}, {cell.dataset}, {cell.method}, {cell.metric}"
        if cell.mean is None:
            complaints.append(f"{where}: not measured ({cell.missing})")
        elif not band[0] <= cell.mean <= band[1]:
            complaints.append(f"{where}: {cell.mean:.4f} is outside of {band[0]:g} to {band[1]:g}")
    return complaints


def document(table: Table, found: Iterable[Cell]) -> dict[str, Any]:
    """The cells as JSON has them."""
    rows = [
        {
            "dataset": cell.dataset,
            "method": cell.method,
            "metric": cell.metric,
            "published": printed.mean if (printed := cell.printed) else None,
            "published_sd": printed.std if printed else None,
            "measured": cell.mean,
            "sd": cell.sd,
            "gain": cell.gain,
            "parts": len(cell.values),
            "values": [round(value, 6) for value in cell.values],
            "of": cell.parts,
            "missing": cell.missing,
        }
        for cell in found
    ]
    return {"table": table.name, "title": table.title, "cells": rows}
