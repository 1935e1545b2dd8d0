"""`skfactor rate evaluate`: how good a method is on ratings that it was not fitted to, beside the plain ones."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.options import Reading, Settings, listed
from skfactor.cli.output import Out
from skfactor.cli.rate_inputs import Levels, RatingSource
from skfactor.cli.rate_protocols import PROTOCOLS, Parts, Protocol, parts_of
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.metrics import Metric

_METRICS = "mae,rmse,nmae,zero_one_error"
_PLAIN = ("BiasOnly", "ItemMedian")


@verb(
    "skfactor rate evaluate ml-100k --method MMMF",
    "skfactor rate evaluate ml-1m --method HMF --set ridge=20 --protocol weak --folds 3",
    "skfactor rate evaluate u1.base --test u1.test --method PMMMF",
    "skfactor rate evaluate u1.test --model stars.skf",
)
def rate_evaluate(
    out: Out,
    *,
    data: RatingSource,
    method: Annotated[
        str | None, typer.Option("--method", "-m", metavar="NAME", help="The method to fit.")
    ] = None,
    settings: Settings,
    protocol: Annotated[
        str | None,
        typer.Option(metavar="NAME", help=f"Test parts: {', '.join(PROTOCOLS)}.", show_default="folds"),
    ] = None,
    folds: Annotated[
        int | None,
        typer.Option(min=1, metavar="K", help="Folds, or test parts.", show_default="5, 3"),
    ] = None,
    k: Annotated[int, typer.Option("--k", min=1, metavar="K", help="Ratings of each user for leave-k-out.")] = 5,
    test: Annotated[str | None, typer.Option(metavar="DATA", help="Fit to all of DATA, test on this.")] = None,
    model: Annotated[Path | None, typer.Option(metavar="FILE", help="Test a fitted model on DATA.")] = None,
    metrics: Annotated[str, typer.Option(metavar="NAMES", help="Metrics, with commas.")] = _METRICS,
    baseline: Annotated[bool, typer.Option(help="Show BiasOnly and ItemMedian beside another method.")] = True,
    seed: Annotated[int, typer.Option(metavar="N", help="Draws the test parts.")] = 0,
    levels: Levels = None,
    reading: Reading,
) -> None:
    """Measure how good a method is on ratings that it was not fitted to.

    By default on 5 random folds. weak: one rating of each user is the test part. strong: a tenth of the users is
    held out whole, and folded in with all of their ratings but one. leave-k-out: k ratings of each user. time: the
    last fifth of the ratings. split: the data set's own. The plain methods get the same ratings: a method that
    does not beat them is not worth its trouble.
    """
    _check_ways({"--protocol": protocol, "--test": test}, model, method, settings)
    from skfactor.cli import contest
    from skfactor.cli.rate_inputs import read_rating_model, read_ratings_data, scale, size_of
    from skfactor.metrics import rating_metric

    models = {str(model): read_rating_model(model)} if model else _rivals(method or "", settings, seed, baseline)
    ratings = read_ratings_data(out, data, levels, reading)
    wanted = {name: rating_metric(name, scale(ratings)) for name in listed(metrics)}
    if model is not None:
        way = Protocol(f"all of {data}", [Parts(None, None, ratings)])
    elif test is not None:
        other = read_ratings_data(out, test, levels, reading)
        way = Protocol(f"fitted to {data}, tested on {test}", [Parts(ratings, None, other)])
    else:
        way = parts_of(ratings, protocol, folds, k, seed)
    for one in () if model else models.values():
        one.set_params(levels=scale(ratings))
    unknown: list[int] = []
    figures = contest.run(out, models, way.rounds, way.total, _trial(wanted, unknown))
    if count := sum(unknown) // len(models):
        out.remark(
            f"warning: {count} of the pairs tested have a user or an item without training ratings; they get the "
            "median level of the item, else of all ratings."
        )
    results = contest.summary(models, figures, wanted)
    document = {"data": size_of(ratings), "protocol": way.words, "seed": seed, "results": results}
    out.result(document, lambda: _show(out, way, results))


def _check_ways(ways: dict[str, Any], model: Path | None, method: str | None, settings: Sequence[str]) -> None:
    """Refuse options of which only one can be meant."""
    if model is not None:
        ways = {"--model": model, "--method": method, "--set": settings} | ways
    elif method is None:
        raise ValueError("Which method? Give --method, or --model for one that is fitted.")
    chosen = [name for name, value in ways.items() if value]
    if len(chosen) > 1:
        raise ValueError(f"{' and '.join(chosen)} exclude each other.")


def _rivals(method: str, settings: Sequence[str], seed: int, baseline: bool) -> dict[str, Any]:
    """The method, and the plain ones beside it."""
    from skfactor.cli.rate_inputs import make_rating_model

    model = make_rating_model(method, settings, seed)
    plain = {name: make_rating_model(name, ()) for name in _PLAIN} if baseline else {}
    return {type(model).__name__: model} | {
        name: one for name, one in plain.items() if name != type(model).__name__
    }


def _trial(metrics: dict[str, Metric], unknown: list[int]) -> Callable[[Any, Parts], dict[str, float]]:
    """Fit (unless that is done), fold newcomers in, measure, and add to `unknown` how many pairs were."""
    import warnings

    import numpy as np
    from sklearn.base import clone

    from skfactor.cli.contest import SECONDS

    def trial(model: Any, parts: Parts) -> dict[str, float]:
        started = time.perf_counter()
        fitted = model
        if parts.train is not None:
            fitted = clone(model).fit(parts.train.pairs, parts.train.ratings)
        if parts.given is not None:
            known = np.isin(parts.given.pairs[:, 1], fitted.items_)
            fitted.fold_in(parts.given.pairs[known], parts.given.ratings[known])
        seconds = time.perf_counter() - started if parts.train is not None else 0.0
        with warnings.catch_warnings():  # told once, for all parts
            warnings.filterwarnings("ignore", ".*pairs have a user or an item")
            predicted = fitted.predict(parts.test.pairs)
        unknown.append(fitted.n_unknown_)
        found = {name: metric.function(parts.test.ratings, predicted) for name, metric in metrics.items()}
        return found | {SECONDS: seconds}

    return trial


def _show(out: Out, protocol: Protocol, results: list[dict[str, Any]]) -> None:
    from skfactor.cli import contest

    spread = ": mean ± standard deviation" if protocol.total > 1 else ""
    out.line(f"{protocol.words}{spread}")
    contest.show(out, results)
