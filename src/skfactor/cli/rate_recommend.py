"""`skfactor rate recommend`: a model and users -> the items that they would like best."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from skfactor.cli.options import Force, Reading
from skfactor.cli.output import Out, refuse_overwriting
from skfactor.cli.rate_output import deliver
from skfactor.cli.verb import verb


@verb(
    "skfactor rate recommend stars.skf --user 196 --user 22 --top 5",
    "skfactor rate recommend stars.skf --everyone --out best.csv",
    "skfactor rate recommend stars.skf --user me --fold-in mine.csv",
)
def rate_recommend(
    out: Out,
    *,
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A file that 'skfactor rate fit' wrote.")],
    users: Annotated[
        list[str],
        typer.Option(
            "--user", "-u", default_factory=list, show_default=False, metavar="ID", help="May be repeated."
        ),
    ],
    everyone: Annotated[bool, typer.Option("--everyone", help="All users of the model.")] = False,
    top: Annotated[int, typer.Option(min=1, metavar="K", help="Items for each user.")] = 10,
    seen: Annotated[bool, typer.Option("--seen", help="Also items that the user has rated.")] = False,
    fold_in: Annotated[
        str | None, typer.Option(metavar="DATA", help="Ratings by new users, to make them known first.")
    ] = None,
    target: Annotated[
        Path | None, typer.Option("--out", "-o", metavar="FILE", help="Write to a file.", show_default="stdout")
    ] = None,
    reading: Reading,
    force: Force = False,
) -> None:
    """Recommend the best items to users, as CSV, with the level that is predicted for each.

    A user that the model does not know gets the items of the highest median level.
    """
    if target is not None:
        refuse_overwriting(target, force)
    if bool(users) == everyone:
        raise ValueError("For whom? Give --user, which may be repeated, or --everyone.")
    from skfactor.cli.rate_inputs import read_rating_model, read_ratings_data, typed_like

    fitted = read_rating_model(model)
    if fold_in is not None:
        given = read_ratings_data(out, fold_in, None, reading)
        fitted.fold_in(given.pairs, given.ratings)
    chosen = fitted.users_.tolist() if everyone else typed_like(fitted.users_, users, "user")
    unknown = sorted(set(chosen) - set(fitted.users_.tolist()), key=chosen.index)
    if unknown:
        shown = ", ".join(map(str, unknown[:5]))
        out.remark(f"warning: {len(unknown)} of the users are unknown and get what is liked by all: {shown}")
    found = out.track(chosen, "Recommending", len(chosen))
    rows = [row for user in found for row in _best(fitted, user, top, not seen)]
    deliver(out, rows, {"model": model, "unknown": unknown}, target, force, "recommendations")


def _best(model: Any, user: Any, top: int, exclude_seen: bool) -> Iterator[dict[str, Any]]:
    items = model.recommend(user, top, exclude_seen=exclude_seen).tolist()
    levels = _levels(model, user, items)
    for rank, (item, level) in enumerate(zip(items, levels, strict=True), start=1):
        yield {"user": user, "rank": rank, "item": item, "level": level}


def _levels(model: Any, user: Any, items: Sequence[Any]) -> list[Any]:
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # that the user is unknown has been said
        return list(model.predict([(user, item) for item in items]).tolist()) if items else []
