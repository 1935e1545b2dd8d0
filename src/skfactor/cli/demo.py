"""`skfactor demo`: what the library does, in half a minute, on data that need no network."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.output import Out
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData, RatingsData

_METRICS = ("micro_f1", "macro_f1", "example_f1", "one_error", "ranking_loss")
_SHOWN = 5


@dataclass
class _Stage:
    """What the steps hand on: data, fitted models, and what has been found so far."""

    train: MultilabelData
    test: MultilabelData
    models: dict[str, Any] = field(default_factory=dict)
    document: dict[str, Any] = field(default_factory=dict)


@verb("skfactor demo", "skfactor demo --json")
def demo(
    out: Out,
    *,
    report: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Where the report goes.", show_default="the temporary folder"),
    ] = None,
) -> None:
    """Show what skfactor does, on handwritten digits with tags that come with it, and on ratings that it makes.

    At the end it writes a report.
    """
    started = time.perf_counter()
    stage = _prepare(out)
    for step in STEPS:
        step(out, stage)
    _report(out, stage, report or Path(tempfile.gettempdir()) / "skfactor-demo.html")
    seconds = time.perf_counter() - started
    _say(
        out,
        f"That took {seconds:.1f} s. Next: skfactor data list, skfactor fit --help, skfactor rate --help.",
        gap=True,
    )
    out.result(stage.document | {"seconds": seconds}, lambda: None)


def _say(out: Out, text: str, style: str = "", gap: bool = False) -> None:
    """Print a line, unless JSON is wanted, which is printed at the end."""
    if not out.as_json:
        if gap:
            out.line()
        out.line(text, style)


def _table(out: Out, columns: list[str], rows: list[list[str]], left: int = 1) -> None:
    if not out.as_json:
        out.table(columns, rows, left)


def _prepare(out: Out) -> _Stage:
    """Load the digits, and hold out a third of the rows."""
    from sklearn.model_selection import train_test_split

    from skfactor.cli.inputs import read_multilabel, shape

    data = read_multilabel(out, "digit-tags", {})
    train, test = train_test_split(range(len(data)), test_size=1 / 3, random_state=0)
    size = shape(data)
    _say(out, f"{size['rows']} handwritten digits, and tags that are true of each", "bold")
    _say(out, f"{size['features']} pixels, {size['labels']} tags: {', '.join(data.label_names or [])}.")
    _say(out, f"{len(train)} rows to learn from, {len(test)} held out.")
    stage = _Stage(data.subset(train), data.subset(test))
    stage.document["data"] = size | {"training": len(train), "held_out": len(test)}
    return stage


def _compare(out: Out, stage: _Stage) -> None:
    """Fit two methods, and measure them on the held-out rows."""
    from skfactor.cli import contest
    from skfactor.cli.models import fit_with_names
    from skfactor.multilabel import PLST, RidgeBR

    metrics = contest.metrics_by_name(_METRICS)
    for model in (RidgeBR(ridge=0.01), PLST(n_components=5, ridge=0.01)):
        stage.models[type(model).__name__] = fit_with_names(model, stage.train)
    values = {name: contest.measure(out, model, stage.test, metrics) for name, model in stage.models.items()}
    stage.document["scores"] = values
    _say(out, "Two methods on the held-out rows", "bold", gap=True)
    rows = [[name, *(f"{value:.3f}" for value in row.values())] for name, row in values.items()]
    _table(out, ["method", *_METRICS], rows)
    _say(out, "PLST predicts 5 combinations of the tags. The last two figures are better when lower.")


def _tag(out: Out, stage: _Stage) -> None:
    """Predict the tags of a few rows, beside the true ones."""
    from skfactor.cli.models import labels_of

    few, model = stage.test.subset(range(_SHOWN)), stage.models["RidgeBR"]
    true, predicted = few.Y.toarray() > 0, labels_of(model, few.X).toarray() > 0
    rows = [[_tags(model, one), _tags(model, other)] for one, other in zip(true, predicted, strict=True)]
    stage.document["tags"] = [{"true": true, "predicted": predicted} for true, predicted in rows]
    _say(out, f"Tags of {_SHOWN} of them, by RidgeBR", "bold", gap=True)
    _table(
        out,
        ["predicted", "true"],
        [[", ".join(predicted), "the same" if true == predicted else ", ".join(true)] for true, predicted in rows],
        left=2,
    )


def _tags(model: Any, row: Any) -> list[str]:
    return [str(name) for name in model.classes_[row]]


def _rank(out: Out, stage: _Stage) -> None:
    """The best tags of one row, with scores."""
    from skfactor.cli.models import scores_of
    from skfactor.factors import top_of

    model = stage.models["RidgeBR"]
    columns, scores = top_of(scores_of(model, stage.test.X[:1]), 4)
    names = [str(name) for name in model.classes_[columns[0]]]
    best = dict(zip(names, scores[0].tolist(), strict=True))
    stage.document["top"] = {"scores": best, "threshold": model.decision_.threshold_}
    listed = ", ".join(f"{name} {score:.2f}" for name, score in best.items())
    _say(out, "Best tags of the first, with scores", "bold", gap=True)
    _say(out, listed)
    _say(
        out,
        f"Above {model.decision_.threshold_:.2f} is predicted: calibrated on held-out scores of training rows.",
    )


def _learn_on(out: Out, stage: _Stage) -> None:
    """Add rows to a model and take them away, and compare with fitting anew."""
    from sklearn.base import clone

    from skfactor.cli.models import scores_of

    def distance(other: Any) -> float:
        return float(abs(scores_of(model, stage.test.X) - other).max())

    first, more = stage.train.subset(slice(0, 900)), stage.train.subset(slice(900, None))
    model = clone(stage.models["RidgeBR"]).fit(first.X, first.Y)
    before, of_all = scores_of(model, stage.test.X), scores_of(stage.models["RidgeBR"], stage.test.X)
    started = time.perf_counter()
    model.partial_fit(more.X, more.Y)
    milliseconds = 1000 * (time.perf_counter() - started)
    added = distance(of_all)
    model.forget(more.X, more.Y)
    removed = distance(before)
    stage.document["partial_fit"] = {"difference_to_fit": added, "milliseconds": milliseconds}
    stage.document["forget"] = {"difference_to_before": removed}
    _say(out, "Rows that come later, rows that must go", "bold", gap=True)
    _say(out, f"partial_fit of {len(more)} rows took {milliseconds:.0f} ms: {_alike(added)} to a fit to all rows.")
    _say(out, f"forget took them away again: {_alike(removed)} to the model before.")


def _report(out: Out, stage: _Stage, path: Path) -> None:
    """Compare a few methods, and write a report on them."""
    missing = [name for name in ("matplotlib", "jinja2") if find_spec(name) is None]
    _say(out, "All of it in pictures", "bold", gap=True)
    if missing:
        _say(out, f"A report needs {' and '.join(missing)}: pip install 'skfactor[report]'")
        return
    from skfactor.datasets import load
    from skfactor.experiments.contest import Rules, hold, usual_grid
    from skfactor.experiments.store import Store
    from skfactor.report import write_report

    rules = Rules(_METRICS, "3-fold", {name: usual_grid(name) for name in ("RidgeBR", "PLST", "CPLST", "TWOMF")})
    with tempfile.TemporaryDirectory() as folder, out.waiting("Comparing four methods ..."):
        contest = hold([load("digit-tags")], rules, Store(Path(folder)), lambda line: None)
        written = write_report(contest, path)
    stage.document["report"] = str(written)
    _say(out, f"Four methods compared, the best one looked at closely: open {written}")


def _alike(difference: float) -> str:
    return "equal" if difference == 0 else f"equal up to {difference:.0e}"


def _complete(out: Out, stage: _Stage) -> None:
    """Complete a table of ratings of which a third is known."""
    import numpy as np

    from skfactor.datasets import make_ratings
    from skfactor.metrics import mae
    from skfactor.ratings import MMMF, BiasOnly, ItemMedian

    data, levels = make_ratings(n_users=60, n_items=40, random_state=0)
    known = np.zeros(levels.shape, dtype=bool)
    known[tuple(data.pairs.T)] = True
    scale = [1, 2, 3, 4, 5]
    models = [ItemMedian(levels=scale), BiasOnly(levels=scale), MMMF(n_components=10, ridge=1.0, levels=scale)]
    tables = {type(model).__name__: _whole_table(model, data) for model in models}
    errors = {name: mae(levels[~known], table[~known]) for name, table in tables.items()}
    stage.document["ratings"] = {"known": int(known.sum()), "asked": int((~known).sum()), "mae": errors}
    _say(out, "Ratings: a table of 60 users and 40 items, of which 3 in 10 are known", "bold", gap=True)
    _say(out, "What is known of its corner, and what MMMF makes of it:")
    for row, shown, completed in zip(levels, known[:_SHOWN, :12], tables["MMMF"], strict=False):
        given = " ".join(f"{level:.0f}" if here else "." for level, here in zip(row, shown, strict=False))
        _say(out, f"  {given}   {' '.join(str(level) for level in completed[:12])}")
    listed = ", ".join(f"{name} {error:.2f}" for name, error in errors.items())
    _say(out, f"Mean absolute error of the others: {listed}.")


def _whole_table(model: Any, data: RatingsData) -> Any:
    """All levels, by the numbers of users and items."""
    model.fit(data.pairs, data.ratings)
    return model.complete(range(60), range(40))


#: The demonstration in its order; each step says its part, and puts its figures into the document.
STEPS: tuple[Callable[[Out, _Stage], None], ...] = (_compare, _tag, _rank, _learn_on, _complete)
