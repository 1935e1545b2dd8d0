"""`skfactor compare`: any methods on any data sets under one protocol, with tests, diagram and report."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.options import Drop, Labels, Reading, Tags, assignments, choose, listed
from skfactor.cli.output import Out, refuse_overwriting
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData, RatingsData
    from skfactor.experiments.contest import Contest

_LABELS = "micro_f1,macro_f1,example_f1,hamming_loss,ranking_loss"
_RATINGS = "mae,rmse,nmae,zero_one_error"
_USUAL = {"MultilabelData": "RidgeBR,PLST,OMMF,TWOMF", "RatingsData": "BiasOnly,ItemMedian,MMMF,PMMMF"}


@verb(
    "skfactor compare emotions scene genbase --methods RidgeBR,PLST,TWOMF --report report.html",
    "skfactor compare tickets.csv --methods RidgeBR,PLST --set PLST.n_components=20 --metrics macro_f1,one_error",
    "skfactor compare ml-100k --methods BiasOnly,ALS,PMMMF --protocol shares",
)
def compare(
    out: Out,
    *,
    data: Annotated[list[str], typer.Argument(metavar="DATA...", help="Data sets, by name or path.")],
    methods: Annotated[
        str,
        typer.Option("--methods", "-m", metavar="NAMES", help="Methods, with commas; all: every one there is."),
    ] = "",
    metrics: Annotated[
        str, typer.Option(metavar="NAMES", help="Metrics, with commas. Parameters are chosen for the first.")
    ] = "",
    protocol: Annotated[
        str, typer.Option(metavar="NAME", help="As 5-fold, 10-fold or split; for ratings shares, weak or strong.")
    ] = "",
    settings: Annotated[
        list[str],
        typer.Option(
            "--set",
            "-s",
            default_factory=list,
            show_default=False,
            metavar="METHOD.NAME=VALUE",
            help="A parameter that is not chosen but given. May be repeated.",
        ),
    ],
    tune: Annotated[bool, typer.Option(help="Choose parameters on training rows, or take the defaults.")] = True,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the report if it is there.")] = False,
    store: Annotated[
        Path,
        typer.Option("--results", metavar="FOLDER", help="Where results are stored; what is there is not run."),
    ] = Path("skfactor-results"),
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
) -> None:
    """Measure several methods on several data sets, on rows that they were not fitted to.

    Parameters and thresholds are chosen on training rows. Results are stored as they come, so that an interrupted
    comparison goes on where it was. On two data sets or more, Friedman's test and Nemenyi's critical difference
    say which differences of ranks mean something.
    """
    from skfactor.cli.inputs import loader_options, read_any
    from skfactor.experiments import contest
    from skfactor.experiments.store import Store

    if report is not None:
        refuse_overwriting(report, force)
    options = loader_options(labels, tags, drop, reading)
    loaded = [read_any(out, source, options) for source in data]
    rules = _rules(loaded, methods, metrics, protocol, settings, tune)
    found = contest.hold(loaded, rules, Store(store), out.remark)
    if not found.records:
        raise ValueError("No method could be run: " + "; ".join(found.failures.values()))
    written = _write(out, found, report)
    out.result(_document(found) | {"report": written}, lambda: _show(out, found, written))


def _rules(
    loaded: Sequence[MultilabelData | RatingsData],
    methods: str,
    metrics: str,
    protocol: str,
    settings: Sequence[str],
    tune: bool,
) -> Any:
    """Check what was asked for, before any work is done."""
    from skfactor.experiments import contest, protocols
    from skfactor.metrics import get_metric

    kinds = {type(one).__name__ for one in loaded}
    if len(kinds) > 1:
        raise ValueError("Some of the data sets have labels and some have ratings: compare them apart.")
    if len({one.name for one in loaded}) < len(loaded):
        raise ValueError("Two of the data sets have the same name: rename a file.")
    kind = kinds.pop()
    ratings = kind == "RatingsData"
    known = _known(ratings)
    names = list(known) if methods == "all" else listed(methods or _USUAL[kind])
    chosen = list(dict.fromkeys(choose(name, known, "There is no method") for name in names))
    wanted = listed(metrics or (_RATINGS if ratings else _LABELS))
    for name in wanted:
        if (get_metric(name).needs == "levels") != ratings:
            raise ValueError(f"{name} is for {'labels' if ratings else 'ratings'}, and the data has none.")
    rows = protocol or ("shares" if ratings else "5-fold")
    protocols.check(rows, ratings=ratings)
    given = _given(settings, chosen)
    grids = {name: (contest.usual_grid(name) if tune else {}) | given.get(name, {}) for name in chosen}
    return contest.Rules(wanted, rows, grids)


def _known(ratings: bool) -> dict[str, Any]:
    """The methods for a kind of data."""
    from skfactor.cli.models import is_abstract, methods

    if not ratings:
        return methods()
    from skfactor import ratings as room

    named = {name: getattr(room, name) for name in room.__all__}
    return {name: thing for name, thing in named.items() if hasattr(thing, "predict") and not is_abstract(thing)}


def _given(settings: Sequence[str], chosen: Sequence[str]) -> dict[str, dict[str, list[Any]]]:
    """Parameters that --set gives, by method."""
    from skfactor.experiments.estimators import estimator

    given: dict[str, dict[str, list[Any]]] = {}
    for name, value in assignments(settings, "--set").items():
        method, dot, parameter = name.partition(".")
        if not dot:
            raise ValueError(f"--set needs METHOD.NAME=VALUE here, got {name!r}.")
        method = choose(method, chosen, "Not among the methods is")
        parameter = choose(parameter, estimator(method).get_params(), f"{method} has no parameter")
        given.setdefault(method, {})[parameter] = [value]
    return given


def _write(out: Out, found: Contest, path: Path | None) -> str | None:
    if path is None:
        return None
    from skfactor.report import write_report

    with out.waiting(f"Writing {path} ..."):
        return str(write_report(found, path))


def _document(found: Contest) -> dict[str, Any]:
    results = [
        {
            "data": name,
            "method": method,
            "metrics": {metric: _statistics(found, name, method, metric) for metric in found.metrics},
            "seconds": found.seconds(name, method),
            "chosen": [record["chosen"] for record in records],
        }
        for (name, method), records in found.records.items()
    ]
    failures = [{"data": n, "method": m, "reason": reason} for (n, m), reason in found.failures.items()]
    return {"protocol": found.protocol, "results": results, "failures": failures, "tests": _tests(found)}


def _statistics(found: Contest, name: str, method: str, metric: str) -> dict[str, Any]:
    values = found.folds(name, method, metric)
    sd = float(values.std(ddof=1)) if len(values) > 1 else None
    return {
        "mean": float(values.mean()),
        "sd": sd,
        "interval": found.interval(name, method, metric),
        "parts": values,
    }


def _tests(found: Contest) -> dict[str, Any]:
    compared = {metric: found.comparison(metric) for metric in found.metrics}
    return {
        metric: {
            "ranks": dict(zip(one.methods, one.ranks.tolist(), strict=True)),
            "F_F": one.statistic,
            "critical": one.critical,
            "p": one.p,
            "critical_difference": one.difference,
        }
        for metric, one in compared.items()
        if one is not None
    }


def _show(out: Out, found: Contest, written: str | None) -> None:
    metric = found.metrics[0]
    for name in found.names:
        out.line(f"{name}: {found.protocol}, by {metric}", "bold")
        out.table(
            ["method", *found.metrics, "seconds"], [_row(found, name, one) for one in found.order(name, metric)]
        )
        out.line()
    for (name, method), reason in found.failures.items():
        out.line(f"{method} failed on {name}: {reason}", "red")
    compared = found.comparison(metric)
    if compared is not None:
        _show_ranks(out, metric, compared)
    if written is not None:
        out.line(f"Report: {written}")


def _row(found: Contest, name: str, method: str) -> list[str]:
    cells = []
    for metric in found.metrics:
        half = found.interval(name, method, metric)
        mean = f"{found.folds(name, method, metric).mean():.4f}"
        cells.append(mean if half != half else f"{mean} ± {half:.4f}")
    return [method, *cells, f"{found.seconds(name, method):.2f}"]


def _show_ranks(out: Out, metric: str, compared: Any) -> None:
    ranks = sorted(zip(compared.ranks, compared.methods, strict=True))
    out.line(f"Average ranks by {metric}: " + ", ".join(f"{name} {rank:.2f}" for rank, name in ranks))
    verdict = "the methods differ" if compared.differ else "no difference is shown"
    out.line(f"F_F = {compared.statistic:.2f} against {compared.critical:.2f}: {verdict}.")
    out.line(f"Critical difference of ranks: {compared.difference:.2f}.")
