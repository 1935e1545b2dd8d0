"""`skfactor rate predict`: a model, users and items -> levels."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from skfactor.cli.options import Force, Reading
from skfactor.cli.output import Out, refuse_overwriting
from skfactor.cli.rate_inputs import RatingSource
from skfactor.cli.rate_output import deliver
from skfactor.cli.verb import verb


@verb(
    "skfactor rate predict stars.skf wanted.csv",
    "skfactor rate predict stars.skf u1.test --shares --out predicted.csv",
    "skfactor rate predict stars.skf new.csv --fold-in known.csv",
)
def rate_predict(
    out: Out,
    *,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A file that 'skfactor rate fit' wrote.")],
    data: RatingSource,
    shares: Annotated[bool, typer.Option("--shares", help="Write the share of each level, too.")] = False,
    fold_in: Annotated[
        str | None,
        typer.Option(metavar="DATA", help="Ratings by new users (or of new items) to make them known first."),
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.", show_default="stdout")
    ] = None,
    reading: Reading,
    force: Force = False,
) -> None:
    """Predict the level of each pair of a user and an item, as CSV.

    DATA has users and items; ratings are not needed, and not looked at. A user or item that the model does not
    know gets the median level of the item, or of all ratings; how many there were is told.
    """
    if target is not None:
        refuse_overwriting(target, force)
    from skfactor.cli.rate_inputs import read_pairs_of, read_rating_model, read_ratings_data

    fitted = read_rating_model(model)
    if fold_in is not None:
        given = read_ratings_data(out, fold_in, None, reading)
        fitted.fold_in(given.pairs, given.ratings)
    pairs = read_pairs_of(out, data, reading)
    rows = _predicted(fitted, pairs, shares)
    document = {"model": model, "data": data, "unknown": fitted.n_unknown_}
    deliver(out, rows, document, target, force, "predictions")


def _predicted(model: Any, pairs: Any, with_shares: bool) -> list[dict[str, Any]]:
    columns = {"user": pairs[:, 0].tolist(), "item": pairs[:, 1].tolist(), "level": model.predict(pairs).tolist()}
    if with_shares:
        found = zip(model.levels_, model.predict_levels(pairs).T, strict=True)
        columns |= {f"share of {level:g}": share.round(4).tolist() for level, share in found}
    return [dict(zip(columns, values, strict=True)) for values in zip(*columns.values(), strict=True)]
