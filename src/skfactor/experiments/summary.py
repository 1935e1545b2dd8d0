"""What was run of all tables together, when, where and in what time, and what is missing and why, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from skfactor.experiments.declared import Table
from skfactor.experiments.outcome import Cell, Runs
from skfactor.experiments.rendering import VERSIONS, distinct, grid
from skfactor.experiments.store import Record

LEAD = """\
# The papers' tables, published and measured

Written by `skfactor reproduce all --stored --out reproduction`, which reads what is in `results/` and runs
nothing. `skfactor reproduce TABLE --out reproduction` runs a table, with `--datasets` and `--methods` a part of
it. It needs the data in the folder that `SKFACTOR_DATA` names. Each run is a file under its method, data set,
part of the protocol and settings, with its date, versions and seconds: what is there is not run again. Methods,
grids and protocols are declared in `src/skfactor/experiments/tables`. Parameters and decisions are chosen on
training rows. All that is random has the number of the part as its seed, or 0. Other work went on at the same
time, so that seconds are no measure of speed unless a table says so.

`make reproduce-quick` runs a small part of each table from nothing, and checks it against the bands declared
there."""


class Reproduced(NamedTuple):
    """A table, what was run of it, and its cells."""

    table: Table
    runs: list[Runs]
    cells: list[Cell]


def summary(found: Sequence[Reproduced]) -> str:
    """The page that leads to the tables."""
    header = ["table", "what", "figures", "with a published one", "as good or better", "runs", "dates", "hours"]
    parts = [LEAD, grid(header, [_row(one) for one in found])]
    records = [record for one in found for record in _records(one.runs)]
    if records:
        parts += ["## Versions and machine", *_circumstances(records)]
    parts += ["## What is missing, and why", *(text for one in found for text in _missing(one))]
    return "\n\n".join(parts) + "\n"


def _row(one: Reproduced) -> list[str]:
    measured = [cell for cell in one.cells if cell.values]
    gains = [cell.gain for cell in measured if cell.gain is not None]
    records = _records(one.runs)
    days = sorted({record["made"]["date"][:10] for record in records})
    name = one.table.name
    return [
        f"[{name}]({name}.md), [its runs]({name}-runs.md)",
        one.table.title,
        f"{len(measured)} of {len(one.cells)}",
        str(len(gains)),
        str(sum(gain >= 0 for gain in gains)),
        str(len(records)),
        " to ".join(dict.fromkeys(days[:1] + days[-1:])),
        f"{sum(record['seconds']['choose'] for record in records) / 3600:.2f}",
    ]


def _records(runs: Iterable[Runs]) -> list[Record]:
    return [record for run in runs for part in run.records.values() for record in part]


def _circumstances(records: Sequence[Record]) -> Iterator[str]:
    yield "Runs by versions: " + distinct(
        ", ".join(f"{name} {one['made'][name]}" for name in VERSIONS) for one in records
    )
    yield "Runs by machine: " + distinct(
        f"{one['made']['machine']}, Python {one['made']['python']}" for one in records
    )


def _missing(one: Reproduced) -> Iterator[str]:
    """A table's reasons, each with the methods that it holds for on a data set."""
    reasons: dict[str, dict[str, list[str]]] = {}
    for run in one.runs:
        if run.missing:
            reasons.setdefault(run.missing, {}).setdefault(run.dataset, []).append(run.method)
    if reasons:
        yield f"### {one.table.name}"
        yield "\n".join(f"- {reason}: {_listed(places, one)}" for reason, places in reasons.items())


def _listed(places: dict[str, list[str]], one: Reproduced) -> str:
    everyone = len(one.table.methods)
    return "; ".join(
        f"{'all methods' if len(methods) == everyone else ', '.join(methods)} on {dataset}"
        for dataset, methods in places.items()
    )
