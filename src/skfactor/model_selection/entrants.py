"""Who takes part in a tournament: methods, and the features that they are fitted to."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skfactor import multilabel
from skfactor.features import BlockScaler, KernelFeatures, LeafFeatures
from skfactor.multilabel import LLSF, LabelClassifier, MomentClassifier, RidgeBR

#: Blocks of features that ridge regression is tried on, alone and beside each other.
BLENDS = (
    ("kernel",),
    ("leaves",),
    ("raw", "kernel"),
    ("raw", "leaves"),
    ("kernel", "leaves"),
    ("raw", "kernel", "leaves"),
)
#: Entries of the rows beyond which they are no block that is made dense.
DENSE = 100_000_000
#: Rows up to which a forest for each fold costs little, and votes of few trees would be rough.
FEW_ROWS = 2500


#: Methods that learn every pair of labels, and up to how many labels that can be waited for.
PAIRWISE, FEW_LABELS = ("CalibratedRanking",), 50


@dataclass(frozen=True)
class Entrant:
    """A method with its grid, on the rows as they come or on blocks of features.

    Attributes
    ----------
    name : str
    method : LabelClassifier
        Unfitted.
    blocks : tuple of str
        Of "raw", "kernel" and "leaves", those that stand beside each other; none for the rows as they come.
    grid : dict or "auto"
        As in `FactorSearchCV`. A method that has no grid of its own takes its defaults.
    """

    name: str
    method: Any
    blocks: tuple[str, ...] = ()
    grid: Any = "auto"


def methods() -> dict[str, type[LabelClassifier]]:
    """Every classifier of `skfactor.multilabel` that calibrates decisions, by name."""
    public = {name: getattr(multilabel, name) for name in multilabel.__all__}
    return {
        name: thing
        for name, thing in public.items()
        if isinstance(thing, type) and issubclass(thing, LabelClassifier) and not inspect.isabstract(thing)
    }


def usual_entrants(X: Any, n_labels: int = 0) -> list[Entrant]:
    """Ridge regression on all features, what is solved from moments, all else: what is quick comes first.

    Parameters
    ----------
    X : array, sparse matrix or array, or data frame
        Rows that are known; their form decides what makes sense.
    n_labels : int
        For many, methods that learn every pair of labels are left out.

    Returns
    -------
    list of Entrant
    """
    plain = RidgeBR(scale=None)
    rich = [Entrant(f"RidgeBR on {' + '.join(blend)}", plain, blend) for blend in BLENDS if _fits(blend, X)]
    standardized = [Entrant("RidgeBR on standardized", RidgeBR(scale="std"))] if sparse.issparse(X) else []
    on_rows = [
        Entrant(name, _sized(cls()))
        for name, cls in methods().items()
        if n_labels <= FEW_LABELS or name not in PAIRWISE
    ]
    return sorted([*on_rows, *rich, *standardized], key=_pace)


def named_entrants(names: Sequence[str], X: Any) -> list[Entrant]:
    """Those of the usual entrants that are named, by their own name or by that of a method."""
    usual = {entrant.name: entrant for entrant in usual_entrants(X)}
    unknown = [name for name in names if name not in usual]
    if unknown:
        raise ValueError(f"There is no entrant {unknown[0]!r}. Choose from {', '.join(usual)}.")
    return [entrant for name, entrant in usual.items() if name in names]


def block(name: str, X: Any, random_state: Any, n_jobs: int | None) -> Any:
    """What makes a block of features, unfitted, with a total variance of 1."""
    if name == "raw":
        return BlockScaler(dense=True) if sparse.issparse(X) else make_pipeline(StandardScaler(), BlockScaler())
    if name == "kernel":
        return make_pipeline(KernelFeatures(random_state=random_state), BlockScaler())
    regrow = X.shape[0] <= FEW_ROWS
    return make_pipeline(LeafFeatures(random_state=random_state, n_jobs=n_jobs, regrow=regrow), BlockScaler())


def seeded(entrant: Entrant, random_state: Any, n_jobs: int | None, decision: Any) -> Any:
    """The method of an entrant with these settings, where it has them."""
    known = entrant.method.get_params(deep=False)
    given = {"random_state": random_state, "n_jobs": n_jobs, "decision": decision}
    return clone(entrant.method).set_params(**{name: value for name, value in given.items() if name in known})


def _pace(entrant: Entrant) -> int:
    """Ridge regression is quickest, then methods that are solved from moments, but for those that iterate."""
    if isinstance(entrant.method, RidgeBR):
        return bool(entrant.blocks) + ("leaves" in entrant.blocks)
    return 3 if isinstance(entrant.method, MomentClassifier) and not isinstance(entrant.method, LLSF) else 4


def _fits(blend: tuple[str, ...], X: Any) -> bool:
    return "raw" not in blend or bool(np.prod(np.shape(X), dtype=float) <= DENSE)


def _sized(method: LabelClassifier) -> LabelClassifier:
    """Forests of as many trees as the leaves that they compete with."""
    if "max_features" in method.get_params() and "n_estimators" in method.get_params():
        method.set_params(n_estimators=LeafFeatures().n_estimators)
    return method
