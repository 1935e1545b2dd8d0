"""The papers' tables as they are declared: a TOML file each, in the folder `tables`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from skfactor._validation import check_choice
from skfactor.experiments import protocols
from skfactor.experiments.estimators import is_written
from skfactor.experiments.task import Grid

#: Stands for every metric of a table, where a metric is asked for that chooses.
EACH = "each"


@dataclass(frozen=True)
class Source:
    """A data set of a table: under which name it is here, or why it is not."""

    data: str
    missing: str = ""


@dataclass(frozen=True)
class Entry:
    """A method of a table.

    Attributes
    ----------
    estimator : str
        For `estimators.estimator`.
    grid : mapping
        Candidates of each parameter.
    on : mapping
        By data set, what replaces parts of `grid` there.
    options : mapping
        See `Task`.
    choose : str
        What replaces that of the table.
    missing : str
        Why it cannot be run.
    """

    estimator: str = ""
    grid: Grid = field(default_factory=dict)
    on: dict[str, Grid] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    choose: str = ""
    missing: str = ""

    def grid_for(self, dataset: str) -> dict[str, list[Any]]:
        """The candidates for a data set."""
        merged = {**self.grid, **self.on.get(dataset, {})}
        return {name: value if isinstance(value, list) else [value] for name, value in sorted(merged.items())}

    def why_missing(self) -> str:
        """Why it cannot be run, or nothing."""
        if self.missing or is_written(self.estimator):
            return self.missing
        return f"there is no {self.estimator} yet"


@dataclass(frozen=True)
class Slice:
    """A quick part of a table, and the bands that its figures have to lie in.

    Attributes
    ----------
    folds : int
        How many of them.
    bands : mapping
        By data set, method and metric: the least and the greatest value.
    """

    folds: int = 1
    bands: dict[str, dict[str, dict[str, list[float]]]] = field(default_factory=dict)

    def methods(self, dataset: str) -> list[str]:
        """The methods that it has for a data set."""
        return list(self.bands.get(dataset, {}))


@dataclass(frozen=True)
class Table:
    """A table: what was printed, and how it is run here.

    Attributes
    ----------
    name : str
        Of the file.
    title : str
    published : str
        Name of the table in `skfactor.experiments.published`.
    protocol : str or mapping
        For `protocols.part`; if metrics have protocols of their own, by the metric.
    metrics : list of str
    choose : str
        The metric that chooses among candidates; with "each", every metric of the table has a choice of its own.
    note : str
        What a reader should know.
    times : list of str
        Tables of published times.
    datasets, methods : mapping
        By the name that the table prints.
    quick : Slice
    """

    name: str
    title: str
    published: str
    protocol: str | dict[str, str]
    metrics: list[str]
    choose: str
    note: str
    times: list[str]
    datasets: dict[str, Source]
    methods: dict[str, Entry]
    quick: Slice

    def protocol_of(self, metric: str) -> str:
        """The protocol that a metric is measured under."""
        return self.protocol if isinstance(self.protocol, str) else self.protocol[metric]

    def choose_for(self, entry: Entry, protocol: str) -> str | list[str]:
        """What chooses among the candidates of a method: see `Task`."""
        choose = entry.choose or self.choose
        return [one for one in self.metrics if self.protocol_of(one) == protocol] if choose == EACH else choose

    def folds(self) -> int:
        """The number of parts of the protocol, which is the same for all metrics."""
        return max(protocols.count(self.protocol_of(metric)) for metric in self.metrics)


def names() -> list[str]:
    """The tables that there are.

    >>> "ommf-2" in names()
    True
    """
    return sorted(path.name.removesuffix(".toml") for path in _folder() if path.name.endswith(".toml"))


def table(name: str) -> Table:
    """Read a table.

    >>> table("ommf-2").methods["OMMF"].estimator
    'OMMF'
    """
    check_choice(name, "table", names())
    (path,) = (path for path in _folder() if path.name == f"{name}.toml")
    text = tomllib.loads(path.read_text(encoding="utf-8"))
    return Table(
        name=name,
        title=text["title"],
        published=text["published"],
        protocol=text["protocol"],
        metrics=text["metrics"],
        choose=text["choose"],
        note=" ".join(text.get("note", "").split()),
        times=text.get("times", []),
        datasets={key: _source(key, value) for key, value in text["datasets"].items()},
        methods={key: Entry(**{"estimator": key, **value}) for key, value in text["methods"].items()},
        quick=Slice(**text.get("quick", {})),
    )


def chosen(wanted: Sequence[str] | None, known: Sequence[str], what: str) -> list[str]:
    """Those of `known` that are wanted, in whatever case; all without a wish.

    >>> chosen(["ommf"], ["OMMF", "MME"], "method")
    ['OMMF']
    """
    if not wanted:
        return list(known)
    by_fold = {name.casefold(): name for name in known}
    strange = [name for name in wanted if name.casefold() not in by_fold]
    if strange:
        raise ValueError(f"The table has no {what} {', '.join(strange)}. Choose from {', '.join(known)}.")
    return [by_fold[name.casefold()] for name in wanted]


def _folder() -> list[Any]:
    return list((files("skfactor.experiments") / "tables").iterdir())


def _source(name: str, value: dict[str, str]) -> Source:
    return Source(value.get("data", name), value.get("missing", ""))
