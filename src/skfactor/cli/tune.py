"""`skfactor tune`: the best of all methods, features and parameters for some data, and what it is worth."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.options import Drop, Force, Labels, Reading, Source, Tags, choose, listed
from skfactor.cli.output import Out, new_file, refuse_overwriting
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData
    from skfactor.model_selection import NestedScores, Tournament

#: Entrants that are shown, unless all are asked for as JSON.
SHOWN = 12


@verb(
    "skfactor tune digit-tags --time 60 --out digits.skf",
    "skfactor tune music.arff --methods RidgeBR,OMMF,ExtraTrees --metric macro_f1 --nested 0",
    "skfactor tune tickets.csv --tags topics --report tuning.html",
)
def tune(
    out: Out,
    *,
    data: Source,
    methods: Annotated[
        str,
        typer.Option(
            "--methods",
            "-m",
            metavar="NAMES",
            help="Methods, with commas, or features, as 'RidgeBR on kernel'. all: every one there is.",
        ),
    ] = "all",
    metric: Annotated[
        str, typer.Option(metavar="NAME", help="What decides, and what thresholds are for.")
    ] = "micro_f1",
    limit: Annotated[
        float | None,
        typer.Option("--time", metavar="SECONDS", help="For all of it, the nested estimate too.", min=1),
    ] = None,
    nested: Annotated[
        int, typer.Option(metavar="FOLDS", help="Outer folds of the honest estimate; 0 for none.", min=0)
    ] = 5,
    target: Annotated[Path | None, typer.Option("--out", "-o", metavar="FILE", help="Save the winner.")] = None,
    report: Annotated[Path | None, typer.Option(metavar="FILE", help="Write an HTML report.")] = None,
    seed: Annotated[int, typer.Option(metavar="NUMBER", help="Draws rows, points and folds.")] = 0,
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
    force: Force = False,
) -> None:
    """Try every method on raw, standardized, kernel and leaf features, and name the best.

    Entrants are judged by held-out scores of the training rows. All of them meet on few rows, the better half on
    more, and so on. The nested estimate repeats all of that on the rows outside of each fold, and scores the
    winner inside: it tells what to expect on new rows.
    """
    for path in (target, report):
        if path is not None:
            refuse_overwriting(path, force)
    if nested == 1:
        raise ValueError("--nested needs at least 2 folds, or 0 for none.")
    from skfactor.cli.inputs import loader_options, read_multilabel

    samples = read_multilabel(out, data, loader_options(labels, tags, drop, reading))
    contest = _tournament(samples, methods, metric, None if limit is None else limit / (nested + 1), seed)
    started = time.perf_counter()
    for _ in out.track(contest.rounds(samples.X, samples.Y), "Tuning", contest.trials(samples.X, samples.Y)):
        pass
    estimate = _estimate(out, contest, samples, nested, seed)
    document = _document(contest, estimate, samples, time.perf_counter() - started)
    document |= {
        "model": _save(contest, samples, target, force),
        "report": _write(contest, samples, estimate, report, force),
    }
    out.result(document, lambda: _show(out, contest, document))


def _tournament(samples: MultilabelData, methods: str, metric: str, limit: float | None, seed: int) -> Tournament:
    """Check what was asked for, before any work is done."""
    from skfactor.metrics.counts import COUNT_METRICS
    from skfactor.model_selection import Tournament
    from skfactor.model_selection.entrants import usual_entrants

    known = [entrant.name for entrant in usual_entrants(samples.X)]
    wanted = [] if methods == "all" else listed(methods)
    named = list(dict.fromkeys(choose(name, known, "There is no entrant") for name in wanted))
    entrants: Any = named or "all"
    metric = choose(metric, COUNT_METRICS, "No thresholds can be fitted for")
    return Tournament(entrants, metric=metric, time_limit=limit, random_state=seed)


def _estimate(
    out: Out, contest: Tournament, samples: MultilabelData, folds: int, seed: int
) -> NestedScores | None:
    if not folds:
        return None
    from sklearn.model_selection import KFold

    from skfactor.model_selection.nested import NestedScores, outer_folds

    cv = KFold(folds, shuffle=True, random_state=seed)
    found = outer_folds(contest, samples.X, samples.Y, cv=cv, scoring=contest.metric)
    return NestedScores(list(out.track(found, "Estimating what that is worth", folds)))


def _save(contest: Tournament, samples: MultilabelData, target: Path | None, force: bool) -> Path | None:
    if target is None:
        return None
    from skfactor import save
    from skfactor.cli.models import with_names

    with new_file(target, force) as path:
        save(with_names(contest.best_estimator_, samples), path)
    return target


def _write(
    contest: Tournament, samples: MultilabelData, estimate: NestedScores | None, path: Path | None, force: bool
) -> Path | None:
    if path is None:
        return None
    from skfactor.report.tuning import tuning_page

    with new_file(path, force) as unfinished:
        unfinished.write_text(tuning_page(contest, samples, estimate), encoding="utf-8")
    return path


def _document(
    contest: Tournament, estimate: NestedScores | None, samples: MultilabelData, seconds: float
) -> dict[str, Any]:
    from skfactor.cli.inputs import shape

    standings = [
        {
            "entrant": one.name,
            "value": one.value,
            "rows": one.rows,
            "parameters": dict(one.params),
            "points": len(one.tried),
            "seconds": one.seconds,
            "reason": one.reason,
        }
        for one in contest.standings_
    ]
    return {
        "data": shape(samples),
        "metric": contest.metric,
        "best": {"entrant": contest.best_.name, "parameters": dict(contest.best_.params)},
        "held_out": contest.best_score_,
        "nested": None if estimate is None else _nested(estimate),
        "standings": standings,
        "seconds": seconds,
    }


def _nested(estimate: NestedScores) -> dict[str, Any]:
    return {
        "mean": estimate.mean(),
        "sd": estimate.sd(),
        "folds": estimate.values(),
        "winners": [one["entrant"] for one in estimate.chosen],
    }


def _show(out: Out, contest: Tournament, document: dict[str, Any]) -> None:
    shown = contest.standings_[:SHOWN]
    rows = [
        [one.name, f"{one.value:.4f}", str(one.rows), f"{one.seconds:.2f}", _settings(one.params)] for one in shown
    ]
    out.table(["entrant", document["metric"], "rows", "seconds", "parameters"], rows)
    if len(contest.standings_) > SHOWN:
        out.line(f"... and {len(contest.standings_) - SHOWN} others, which --json and --report have.")
    out.line()
    pairs = [("best", f"{contest.best_.name} ({_settings(contest.best_.params)})")]
    pairs.append(("held out", f"{document['metric']} {document['held_out']:.4f}, the best of many"))
    if document["nested"]:
        mean, sd = document["nested"]["mean"], document["nested"]["sd"]
        pairs.append(("nested", f"{document['metric']} {mean:.4f} ± {sd:.4f}: what to expect on new rows"))
    pairs.append(("time", f"{document['seconds']:.1f} s"))
    pairs += [
        (name, str(document[key])) for name, key in (("saved", "model"), ("report", "report")) if document[key]
    ]
    out.pairs(pairs)


def _settings(params: Any) -> str:
    texts = (
        f"{name}={value:.3g}" if isinstance(value, float) else f"{name}={value}" for name, value in params.items()
    )
    return ", ".join(texts) or "defaults"
