"""Ratings, rating models and their options, as the verbs of `skfactor rate` read them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from skfactor.cli.inputs import read_any
from skfactor.cli.models import configured, fitted_model, is_abstract, named
from skfactor.cli.options import assignments, listed
from skfactor.cli.output import Out

if TYPE_CHECKING:
    from skfactor.datasets import RatingsData

RECOMMENDED = "HMF"

RatingSource = Annotated[
    str,
    typer.Argument(
        metavar="DATA", help="A name such as ml-100k, or a file: u.data, ratings.dat, ratings.csv, .npz, ..."
    ),
]
RatingMethod = Annotated[
    str, typer.Option("--method", "-m", metavar="NAME", help="The method: HMF, MMMF, PMMMF, ALS, BPMF, ...")
]
Levels = Annotated[
    str | None,
    typer.Option(metavar="LEVELS", help="All levels of the scale, with commas.", show_default="those that occur"),
]


def rating_methods() -> dict[str, type[Any]]:
    """The models of `skfactor.ratings`, by name."""
    from skfactor import ratings

    public = {name: getattr(ratings, name) for name in ratings.__all__}
    return {
        name: thing
        for name, thing in public.items()
        if isinstance(thing, type) and issubclass(thing, ratings.RatingModel) and not is_abstract(thing)
    }


def make_rating_model(method: str, settings: Sequence[str], seed: int | None = None) -> Any:
    """An unfitted model; `settings` are its parameters as NAME=VALUE."""
    return configured(named(rating_methods(), method), settings, seed)


def read_ratings_data(out: Out, source: str, levels: str | None, reading: Sequence[str]) -> RatingsData:
    """Load ratings; their scale is `levels`, or those that occur."""
    import numpy as np

    from skfactor.datasets import RatingsData

    data = read_any(out, source, assignments(reading, "--read"))
    if not isinstance(data, RatingsData):
        raise ValueError(f"{source} has rows with labels; this verb is for ratings.")
    if levels is not None:
        try:
            data.levels = np.unique(np.array(listed(levels), dtype=np.float64))
        except ValueError:
            raise ValueError(f"--levels must be numbers with commas, got {levels!r}.") from None
    return data


def scale(ratings: RatingsData) -> list[float]:
    """The levels as a model takes them: whole ones as whole numbers, so that predictions are whole, too."""
    levels: list[float] = [] if ratings.levels is None else ratings.levels.tolist()
    whole = all(level == int(level) for level in levels)
    return [int(level) for level in levels] if whole else levels


def size_of(ratings: RatingsData) -> dict[str, Any]:
    """Name and size of a set of ratings."""
    import numpy as np

    users, items = (len(np.unique(column)) for column in ratings.pairs.T)
    size = {"name": ratings.name, "ratings": len(ratings), "users": users, "items": items}
    return size | {"levels": ratings.levels}


def read_pairs_of(out: Out, source: str, reading: Sequence[str]) -> Any:
    """Load users and items, of ratings or of a table that has no ratings."""
    from skfactor.datasets import load_pairs
    from skfactor.datasets.rating_tables import is_rating_header

    path = Path(source)
    if path.suffix == ".csv" and path.is_file():
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            named = is_rating_header(file.readline())
        if named:
            return load_pairs(path)
    return read_ratings_data(out, source, None, reading).pairs


def read_rating_model(path: Path) -> Any:
    """Load a rating model that `skfactor rate fit` or `skfactor.save` wrote."""
    return fitted_model(path, "embedding_", "rating model")


def typed_like(identifiers: Any, texts: Sequence[str], noun: str) -> list[Any]:
    """Make whole numbers of identifiers given as text, if the model's are."""
    if identifiers.dtype.kind not in "iu":
        return list(texts)
    wrong = [text for text in texts if not text.removeprefix("-").isdecimal()]
    if wrong:
        raise ValueError(f"The {noun}s of this model are whole numbers, got {wrong[0]!r}.")
    return [int(text) for text in texts]
