"""`skfactor reproduce`: a table of the papers, published figures beside measured ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.options import choose, listed
from skfactor.cli.output import Out, new_file
from skfactor.cli.verb import FINDINGS, verb

if TYPE_CHECKING:
    from skfactor.experiments.outcome import Cell
    from skfactor.experiments.reproduce import Plan
    from skfactor.experiments.summary import Reproduced

ALL = "all"


@verb(
    "skfactor reproduce ommf-2 --datasets scene,medical --methods OMMF,RidgeBR",
    "skfactor reproduce all --quick --out quick",
    "skfactor reproduce thesis-6.2 --stored --out reproduction",
)
def reproduce(
    out: Out,
    *,
    tables: Annotated[
        list[str] | None, typer.Argument(metavar="TABLE...", help="Names of tables, or all. None: list them.")
    ] = None,
    datasets: Annotated[str, typer.Option(metavar="NAMES", help="Only these data sets, with commas.")] = "",
    methods: Annotated[str, typer.Option(metavar="NAMES", help="Only these methods, with commas.")] = "",
    quick: Annotated[
        bool,
        typer.Option("--quick", help="A small part, checked against bands. 1 is the exit code outside of them."),
    ] = False,
    stored: Annotated[bool, typer.Option("--stored", help="Run nothing: show what is stored.")] = False,
    again: Annotated[bool, typer.Option("--again", help="Run what is stored, too.")] = False,
    folder: Annotated[
        Path, typer.Option("--out", "-o", metavar="FOLDER", help="For tables, and results of each run.")
    ] = Path("reproduction"),
) -> int:
    """Run a table of the papers, and set what was measured beside what was published.

    Each run is stored at once, under its method, data set, part and settings. So an interrupted command goes on
    where it was when it is given again, and nothing is computed twice. The tables are written as files, too; that
    of a part (--datasets, --methods, --quick) says so by its name, beside the whole one.
    """
    from skfactor.experiments import declared
    from skfactor.experiments.summary import summary

    if not tables:
        return _list(out)
    names = declared.names() if ALL in tables else [_named(table) for table in tables]
    wishes = {"quick": quick, "only_stored": stored, "again": again}
    found = [_run(out, name, folder, listed(datasets), listed(methods), wishes) for name in names]
    suffix = "-quick" if quick else "-part" if datasets or methods else ""
    files = [path for one in found for path in _write(folder, one, suffix)]
    if names == declared.names() and not suffix:
        files.append(_write_text(folder / "README.md", summary(found)))
    complaints = _complaints(found) if quick else []
    documents = {"tables": [_document(one) for one in found], "outside": complaints, "files": files}
    out.result(documents, lambda: _show(out, found, complaints, files, quick))
    return FINDINGS if complaints else 0


def _list(out: Out) -> int:
    from skfactor.experiments import declared

    known = [declared.table(name) for name in declared.names()]
    documents = [{"table": table.name, "title": table.title} for table in known]
    out.result(documents, lambda: out.table(["table", "what it is"], [[t.name, t.title] for t in known], left=2))
    return 0


def _named(name: str) -> str:
    from skfactor.experiments import declared

    return choose(name, declared.names(), "There is no table")


def _run(
    out: Out, name: str, folder: Path, datasets: Sequence[str], methods: Sequence[str], wishes: dict[str, Any]
) -> Reproduced:
    from skfactor.experiments import declared, outcome
    from skfactor.experiments.reproduce import Plan
    from skfactor.experiments.store import Store
    from skfactor.experiments.summary import Reproduced

    table = declared.table(name)
    plan: Plan = Plan(table, Store(folder / "results"), datasets, methods, **wishes, tell=out.remark)
    runs = list(plan.run())
    return Reproduced(table, runs, list(outcome.cells(table, runs)))


def _write(folder: Path, found: Reproduced, suffix: str) -> list[str]:
    """The table and its runs as files, for readers and for programs, and their names."""
    from skfactor.experiments import outcome, rendering

    folder.mkdir(parents=True, exist_ok=True)
    times = outcome.times(found.table, found.runs)
    texts = {
        f"{found.table.name}{suffix}.md": rendering.markdown(found.table, found.cells),
        f"{found.table.name}{suffix}-runs.md": rendering.runs_markdown(found.table, found.runs, times),
        f"{found.table.name}{suffix}.json": json.dumps(_document(found), indent=1, allow_nan=False) + "\n",
    }
    return [_write_text(folder / name, text) for name, text in texts.items()]


def _write_text(path: Path, text: str) -> str:
    with new_file(path, force=True) as unfinished:
        unfinished.write_text(text, encoding="utf-8")
    return str(path)


def _document(found: Reproduced) -> dict[str, Any]:
    from skfactor.experiments import outcome

    return outcome.document(found.table, found.cells)


def _complaints(found: list[Reproduced]) -> list[str]:
    from skfactor.experiments import outcome

    return [line for one in found for line in outcome.outside(one.table, one.cells)]


def _show(out: Out, found: list[Reproduced], complaints: list[str], files: list[str], quick: bool) -> None:
    for table, _, cells in found:
        out.line(table.title, "bold")
        header = ["data set", "method", "metric", "published", "measured", "parts", "remark"]
        out.table(header, [_row(cell) for cell in cells], left=3)
        out.line()
    for line in complaints:
        out.line(line, "bold red")
    if quick and not complaints:
        checked = sum(cell.mean is not None for one in found for cell in one.cells)
        out.line(f"All of {checked} figures lie within their bands.", "green")
    out.line(f"Written: {', '.join(files)}")


def _row(cell: Cell) -> list[str]:
    from skfactor.experiments.rendering import measured_text, published_text

    parts = f"{len(cell.values)} of {cell.parts}"
    return [
        cell.dataset,
        cell.method,
        cell.metric,
        published_text(cell.published),
        measured_text(cell),
        parts,
        cell.missing,
    ]
