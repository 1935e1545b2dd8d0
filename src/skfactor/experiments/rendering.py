"""A reproduced table as Markdown, and its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from statistics import mean

from skfactor.experiments.declared import Table
from skfactor.experiments.outcome import Cell, Runs, Time
from skfactor.experiments.published import Figure
from skfactor.experiments.store import Record

#: Whose versions are told of a run.
VERSIONS = ("skfactor", "numpy", "scipy", "scikit-learn")


def markdown(table: Table, cells: Sequence[Cell]) -> str:
    """Published and measured figures, a section for each data set.

    It depends on the figures alone, so that the same runs give the same text, however often they were interrupted.
    """
    parts = [f"# {table.title}", table.note]
    parts.append(
        "Means over the parts of the protocol, ± standard deviation. Bold: as good as published, or better."
    )
    for dataset, group in groupby(cells, key=lambda cell: cell.dataset):
        parts += [f"## {dataset}", *_section(table, list(group))]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(table: Table, cells: list[Cell]) -> list[str]:
    by_method = {method: list(group) for method, group in groupby(cells, key=lambda cell: cell.method)}
    if not any(cell.values for cell in cells) and len({cell.missing for cell in cells}) == 1:
        heading = f"Not measured: {cells[0].missing}."
    else:
        heading = ""
    header = ["method", *(part for metric in table.metrics for part in (metric, "measured")), "remark"]
    rows = [[method, *_texts(group), _remark(group)] for method, group in by_method.items()]
    return [heading, grid(header, rows)] if heading else [grid(header, rows)]


def _texts(cells: Iterable[Cell]) -> list[str]:
    return [text for cell in cells for text in (published_text(cell.published), _marked(cell))]


def published_text(figure: Figure | None) -> str:
    """A printed figure with its standard deviation."""
    return "" if figure is None or figure.mean != figure.mean else _with_spread(figure.mean, figure.std)


def measured_text(cell: Cell) -> str:
    """A measured figure with its standard deviation."""
    return "" if cell.mean is None else _with_spread(cell.mean, cell.sd)


def _marked(cell: Cell) -> str:
    """In bold if it is as good as the published one."""
    text = measured_text(cell)
    return f"**{text}**" if cell.gain is not None and cell.gain >= 0 else text


def _with_spread(value: float, sd: float | None) -> str:
    digits = 4 if abs(value) < 1 else 3
    return f"{value:.{digits}f}" + ("" if sd is None else f" ± {sd:.{digits}f}")


def _remark(cells: list[Cell]) -> str:
    cell = cells[0]
    printed = cell.published.note if cell.published is not None and cell.published.note.startswith("rank") else ""
    done = f"{len(cell.values)} of {cell.parts} parts" if cell.values and len(cell.values) < cell.parts else ""
    return "; ".join(part for part in (printed and f"published with {printed}", cell.missing, done) if part)


def runs_markdown(table: Table, runs: Sequence[Runs], times: Sequence[Time]) -> str:
    """When, with which versions and in what time the runs of a table were made, and what was chosen."""
    parts = [f"# Runs of: {table.title}"]
    if times:
        header = ["data set", "method", "published", "seconds, published", "seconds of a fit here", "ratio"]
        parts += ["## Times", grid(header, [_time(time) for time in times])]
    header = ["data set", "method", "parts", "dates", "fit s", "all s", "chosen", "versions", "machine"]
    rows = [_run_row(run) for run in runs if run.records]
    parts += ["## Runs", "Seconds are of one fit, in the mean, and of everything, in the sum.", grid(header, rows)]
    return "\n\n".join(parts) + "\n"


def _time(time: Time) -> list[str]:
    here = ["", ""] if time.seconds is None else [f"{time.seconds:.1f}", f"{time.published / time.seconds:.0f}"]
    return [time.dataset, time.method, time.what, f"{time.published:.0f}", *here]


def _run_row(run: Runs) -> list[str]:
    records = [record for part in run.records.values() for record in part]
    made = [record["made"] for record in records]
    seconds = [record["seconds"] for record in records]
    return [
        run.dataset,
        run.method,
        f"{len(records)} of {', '.join(run.records)}",
        distinct(one["date"][:10] for one in made),
        f"{mean(one['fit'] for one in seconds):.2f}",
        f"{sum(one['choose'] for one in seconds):.0f}",
        distinct(_chosen(record) for record in records),
        distinct(", ".join(f"{name} {one[name]}" for name in VERSIONS) for one in made),
        distinct(one["machine"] for one in made),
    ]


def _chosen(record: Record) -> str:
    """What was chosen among several candidates."""
    grid = record["task"]["grid"]
    return ", ".join(f"{name}={value}" for name, value in record["chosen"].items() if len(grid[name]) > 1)


def distinct(texts: Iterable[str]) -> str:
    """Every text once, and how often if there are several.

    >>> distinct(["a", "b", "a"])
    '2 times a; 1 times b'
    """
    counted = Counter(texts)
    if len(counted) == 1:
        return next(iter(counted))
    return "; ".join(f"{count} times {text}" for text, count in counted.most_common())


def grid(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table.

    >>> print(grid(["a", "b"], [["1", "2"]]))
    | a | b |
    |---|---|
    | 1 | 2 |
    """
    lines = [header, ["---"] * len(header), *rows]
    texts = [[cell.replace("|", "\\|") for cell in line] for line in lines]
    return "\n".join("|".join(["", *(_padded(cell) for cell in line), ""]) for line in texts)


def _padded(cell: str) -> str:
    return cell if cell == "---" else f" {cell} "
