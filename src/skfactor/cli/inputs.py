"""Data sets as the verbs read them, and their columns brought into the order that a model wants."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skfactor.cli.options import assignments, listed
from skfactor.cli.output import Out

if TYPE_CHECKING:
    from skfactor._validation import Matrix
    from skfactor.datasets import MultilabelData, RatingsData


def loader_options(
    labels: str | None, tags: str | None, drop: Sequence[str], reading: Sequence[str]
) -> dict[str, Any]:
    """Keyword arguments for `skfactor.datasets.load`, of the options of a verb."""
    options = assignments(reading, "--read")
    if labels is not None:
        options["labels"] = _label_source(labels)
    if tags is not None:
        options["tags"] = listed(tags) if "," in tags or not tags else tags
    if drop:
        options["drop"] = list(drop)
    return options


def _label_source(text: str) -> str | int | list[str]:
    if text.lower().endswith(".xml") or Path(text).is_file():
        return text
    return int(text) if text.removeprefix("-").isdecimal() else listed(text)


def read_any(
    out: Out, source: str, options: dict[str, Any], if_known: dict[str, Any] | None = None
) -> MultilabelData | RatingsData:
    """Load a data set of either kind, with the options `if_known` where its loader knows them."""
    from skfactor.datasets import load

    with out.waiting(f"Reading {source} ..."):
        try:
            return load(source, **{**(if_known or {}), **options})
        except TypeError as error:
            if "keyword argument" not in str(error):
                raise
            if if_known is None:
                raise ValueError(f"{source}: an option does not fit this form of data: {error}.") from None
    return read_any(out, source, options)


def read_multilabel(
    out: Out, source: str, options: dict[str, Any], if_known: dict[str, Any] | None = None
) -> MultilabelData:
    """Load samples with labels."""
    from skfactor.datasets import MultilabelData

    data = read_any(out, source, options, if_known)
    if not isinstance(data, MultilabelData):
        raise ValueError(f"{source} has ratings: use skfactor rate. This verb is for rows with labels.")
    return data


def read_features(out: Out, source: str, options: dict[str, Any]) -> MultilabelData:
    """Load samples whose labels may be unknown."""
    return read_multilabel(out, source, options, if_known={"require_labels": False})


def shape(data: MultilabelData) -> dict[str, Any]:
    """Name and size of a data set."""
    rows, features = data.X.shape
    return {"name": data.name, "rows": rows, "features": features, "labels": data.Y.shape[1]}


def features_like(data: MultilabelData, wanted: Sequence[str] | None, source: str) -> Matrix:
    """The features of `data` in the order of `wanted`, by their names where both have names.

    A column of text became one feature for each value that occurs in it. So a value may be missing, or be
    new, as long as its column is there.
    """
    from skfactor.datasets.report import some

    have = data.feature_names
    if wanted is None or have is None or list(wanted) == have:
        return data.X
    columns = ({_column(name) for name in names} - {None} for names in (have, wanted))
    for names, others, known, said in zip((wanted, have), (have, wanted), columns, _DIFFERENCES, strict=True):
        strange = [name for name in names if name not in set(others) and _column(name) not in known]
        if strange:
            raise ValueError(said.format(source=source, some=some(strange, 5)))
    return by_name(data.X, have, wanted)


_DIFFERENCES = (
    "{source} lacks features that the model was fitted to: {some}.",
    "{source} has features that the model was not fitted to: {some}. Leave columns out with --drop.",
)


def _column(feature: str) -> str | None:
    """The column of text that a feature `column=value` was made of."""
    column, equals, _ = feature.partition("=")
    return column if equals else None


def by_name(table: Matrix, have: Sequence[str], wanted: Sequence[str]) -> Matrix:
    """The columns `wanted` of a table whose columns are called `have`; those that it lacks are zero."""
    import numpy as np
    from scipy import sparse

    place = {name: number for number, name in enumerate(have)}
    pairs = [(place[name], column) for column, name in enumerate(wanted) if name in place]
    rows, columns = zip(*pairs, strict=True) if pairs else ((), ())
    shape = (len(have), len(wanted))
    return table @ sparse.csc_array((np.ones(len(pairs)), (rows, columns)), shape=shape)
