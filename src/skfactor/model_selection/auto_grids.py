"""Grids that need no numbers from a person: made from the spectrum of a method's moments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.base import clone

from skfactor._validation import FloatArray
from skfactor.model_selection.candidates import last_step
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier

#: Shares of the degrees of freedom that a ridge leaves, and of the labels' variance that a rank keeps.
FREEDOM = (0.9, 0.75, 0.6, 0.45, 0.3, 0.2, 0.1)
VARIANCE = (0.5, 0.7, 0.85, 0.95)
#: Without a spectrum, and where a ridge is no ridge of the features: multiples of the default.
MULTIPLES = (0.1, 0.3, 1.0, 3.0, 10.0)
#: Features up to which the spectrum is worth its time.
WIDE = 5000

Grid = dict[str, list[Any]]


def auto_grid(estimator: Any, X: Any, y: Any) -> Grid:
    """The grid of a method, or of the last step of a pipeline.

    Ridges leave given shares of the degrees of freedom, sum s / (s + ridge m) over the eigenvalues s of Cxx; ranks
    keep given shares of the labels' variance; other parameters have the values that the method declares
    (`MomentClassifier.tuned`).

    Parameters
    ----------
    estimator : estimator
        Any with `tuned`, or a pipeline that ends in one.
    X, y
        As the estimator takes them.

    Returns
    -------
    dict

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import auto_grid
    >>> from skfactor.multilabel import PLST
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> sorted(auto_grid(PLST(), data.X, data.Y))
    ['n_components', 'ridge']
    """
    last, prefix = last_step(estimator)
    if not hasattr(last, "tuned"):
        raise ValueError(f'{type(last).__name__} has no grid of its own: name values instead of "auto".')
    if not isinstance(last, MomentClassifier):
        return {prefix + name: list(values) for name, values in last.tuned.items()}
    made = clone(estimator[:-1]).fit_transform(X, y) if prefix else X
    reader = clone(last)
    moments = reader._moments_of(*reader._begin(made, y, None, None, positives_needed=True))
    centred = moments.centred(reader.scale, units=reader.units)
    return {prefix + name: values for name, values in moment_grid(last, centred).items()}


def moment_grid(method: MomentClassifier, moments: CentredMoments) -> Grid:
    """The grid of a method for these moments."""
    grid: Grid = {name: list(values) for name, values in method.tuned.items()}
    known = method.get_params()
    if "ridge" in known and "ridge" not in grid:
        grid["ridge"] = ridges(moments)
    if "n_components" in known and "n_components" not in grid:
        grid["n_components"] = ranks(moments)
    if "n_components" in grid:
        most = moments.n_features + moments.n_labels
        grid["n_components"] = list(dict.fromkeys(rank and min(rank, most) for rank in grid["n_components"]))
    return grid


def ridges(moments: CentredMoments, freedom: Sequence[float] = FREEDOM) -> list[float]:
    """Ridges that leave these shares of the degrees of freedom."""
    if moments.held is None or moments.n_features > WIDE:
        return [float(ridge) for ridge in MULTIPLES]
    values = linalg.eigvalsh(moments.held.Sxx) / moments.mean_square
    values = values[values > 1e-10 * values[-1]]
    found = [_ridge_for(values, share * len(values)) for share in freedom]
    return sorted({float(f"{ridge:.2g}") for ridge in found})


def _ridge_for(values: FloatArray, freedom: float) -> float:
    """The ridge with sum values / (values + ridge) = freedom, by bisection of its logarithm."""
    low, high = np.log(values.min() * 1e-3), np.log(values.max() * 1e3)
    for _ in range(50):
        middle = (low + high) / 2
        enough = np.sum(values / (values + np.exp(middle))) > freedom
        low, high = (middle, high) if enough else (low, middle)
    return float(np.exp(low))


def ranks(moments: CentredMoments, variance: Sequence[float] = VARIANCE) -> list[int]:
    """Ranks that keep these shares of the labels' variance, and the highest."""
    highest = min(moments.n_labels, 500)
    values, _ = moments.leading_y(highest)
    kept = np.cumsum(values) / (moments.diagonals()[1].sum() or 1.0)
    found = {int(np.searchsorted(kept, share)) + 1 for share in variance}
    return sorted({min(rank, highest) for rank in found} | {highest})
