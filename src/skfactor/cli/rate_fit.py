"""`skfactor rate fit`: ratings -> a model in a file."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skfactor.cli.options import Force, OutFile, Reading, Settings
from skfactor.cli.output import Out, refuse_overwriting
from skfactor.cli.rate_inputs import RECOMMENDED, Levels, RatingMethod, RatingSource
from skfactor.cli.verb import INTERRUPTED, verb

if TYPE_CHECKING:
    from skfactor.datasets import RatingsData


@verb(
    "skfactor rate fit ml-100k --out stars.skf",
    "skfactor rate fit u.data --method MMMF --set n_components=50 --set ridge=15 --out stars.skf",
    "skfactor rate fit ratings.csv --levels 0.5,1,1.5,2,2.5,3,3.5,4,4.5,5 --set n_threads=2 --out stars.skf",
)
def rate_fit(
    out: Out,
    *,
    data: RatingSource,
    method: RatingMethod = RECOMMENDED,
    target: OutFile,
    settings: Settings,
    levels: Levels = None,
    reading: Reading,
    force: Force = False,
) -> int:
    """Fit a model to ratings, and save it.

    Interrupted by Ctrl-C, it saves the model of the last finished iteration, if there is one, and exits with 130.
    """
    refuse_overwriting(target, force)
    from skfactor import save
    from skfactor.cli.rate_inputs import make_rating_model, read_ratings_data, scale

    model = make_rating_model(method, settings)
    ratings = read_ratings_data(out, data, levels, reading)
    started = time.perf_counter()
    interrupted = _fit(out, model.set_params(levels=scale(ratings)), ratings)
    seconds = time.perf_counter() - started
    save(model, target)
    document = _document(model, ratings, seconds, target) | {"interrupted": interrupted}
    out.result(document, lambda: _show(out, document))
    if interrupted:
        out.remark(f"interrupted: {target} is the model of the last finished iteration")
    return INTERRUPTED if interrupted else 0


def _fit(out: Out, model: Any, ratings: RatingsData) -> bool:
    """Fit, with the objective shown meanwhile; whether it was interrupted."""
    name = type(model).__name__
    with out.waiting(f"Fitting {name} ...") as spinner:
        watching = spinner is not None and "callback" in model.get_params()
        if watching:
            model.set_params(
                callback=lambda seen: spinner.update(
                    f"{seen.name}, iteration {seen.iteration}: objective {seen.objective:.6g}"
                )
            )
        try:
            model.fit(ratings.pairs, ratings.ratings)
        except KeyboardInterrupt:
            if not hasattr(model, "embedding_"):
                raise
            return True
        finally:
            if watching:
                model.set_params(callback=None)
    return False


def _document(model: Any, ratings: RatingsData, seconds: float, target: Path) -> dict[str, Any]:
    from skfactor.cli.models import parameters
    from skfactor.cli.rate_inputs import size_of

    return {
        "method": type(model).__name__,
        "parameters": parameters(model),
        "data": size_of(ratings),
        "training_mae": -model.score(ratings.pairs, ratings.ratings),
        "iterations": getattr(model, "n_iter_", None),
        "seconds": seconds,
        "model": target,
        "bytes": target.stat().st_size,
    }


def _show(out: Out, document: dict[str, Any]) -> None:
    data = document["data"]
    out.pairs(
        [
            (
                "data",
                f"{data['name']}: {data['ratings']} ratings of {data['items']} items by {data['users']} users",
            ),
            ("levels", " ".join(f"{level:g}" for level in data["levels"])),
            ("method", document["method"]),
            ("training", f"mean absolute error {document['training_mae']:.4f}"),
            ("time", f"{document['seconds']:.2f} s"),
            ("saved", f"{document['model']} ({document['bytes'] / 1024:.0f} KiB)"),
        ]
    )
