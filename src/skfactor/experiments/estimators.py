"""Estimators by the name that a table gives them, alone or in a row."""

from __future__ import annotations

import re
from collections.abc import Mapping
from importlib import import_module
from typing import Any

#: Where names are looked up.
_ROOMS = ("skfactor.multilabel", "skfactor.ratings", "skfactor.features")
_SHARE = re.compile(r"(\d+(?:\.\d+)?) ?% of (features|labels)")


class NotWrittenError(LookupError):
    """No estimator has this name."""


def estimator(name: str) -> Any:
    """Make an unfitted estimator.

    Parameters
    ----------
    name : str
        The name of a class of `skfactor`, a path within scikit-learn, or several with + between: a pipeline.

    Returns
    -------
    estimator

    Examples
    --------
    >>> estimator("sklearn.decomposition.PCA + RidgeBR")
    Pipeline(steps=[('pca', PCA()), ('ridgebr', RidgeBR())])
    """
    from sklearn.pipeline import make_pipeline

    steps = [_class(part.strip())() for part in name.split("+")]
    return steps[0] if len(steps) == 1 else make_pipeline(*steps)


def is_written(name: str) -> bool:
    """Whether `estimator(name)` can be made.

    >>> is_written("RidgeBR"), is_written("RidgeBRX")
    (True, False)
    """
    try:
        estimator(name)
    except NotWrittenError:
        return False
    return True


def _class(name: str) -> Any:
    if name.startswith("sklearn."):
        room, _, name = name.rpartition(".")
        return getattr(import_module(room), name)
    for room in _ROOMS:
        try:
            module = import_module(room)
        except ModuleNotFoundError:
            continue
        if name in getattr(module, "__all__", ()):
            return getattr(module, name)
    raise NotWrittenError(f"There is no method {name}.")


def resolved(value: Any, sizes: Mapping[str, int]) -> Any:
    """A value of a parameter, as a table file writes it, for data of these sizes.

    Parameters
    ----------
    value : object
        "none" stands for None, and "30% of features" for that many; all else for itself.
    sizes : mapping
        Number of "features" and of "labels".

    Returns
    -------
    object

    Examples
    --------
    >>> [resolved(value, {"features": 462}) for value in ("none", "30% of features", "svd", 0.1)]
    [None, 139, 'svd', 0.1]
    """
    if not isinstance(value, str):
        return value
    share = _SHARE.fullmatch(value)
    if share:
        return max(1, round(float(share[1]) / 100 * sizes[share[2]]))
    return None if value == "none" else value
