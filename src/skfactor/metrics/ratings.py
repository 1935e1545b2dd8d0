"""Errors of predicted ordinal ratings: of the observed ones, as arrays of one shape, usually (n_ratings,)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from skfactor._validation import FloatArray, check_finite
from skfactor.metrics._input import check_same_shape, row_weights


def mae(y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: Any = None) -> float:
    """Mean absolute error, `mean |y_true - y_pred|`.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_ratings,)
        True and predicted ratings.
    sample_weight : array of shape (n_ratings,), optional
        How often a rating counts.

    Returns
    -------
    float

    Examples
    --------
    >>> mae([1, 5], [2, 2])
    2.0
    """
    true, predicted = _ratings(y_true, y_pred)
    return _mean(np.abs(true - predicted), sample_weight)


def rmse(y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: Any = None) -> float:
    """Root of the mean squared error, `sqrt(mean (y_true - y_pred)^2)`.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_ratings,)
        True and predicted ratings.
    sample_weight : array of shape (n_ratings,), optional
        How often a rating counts.

    Returns
    -------
    float

    Examples
    --------
    >>> rmse([1, 5], [2, 2])
    2.236...
    """
    true, predicted = _ratings(y_true, y_pred)
    return float(np.sqrt(_mean((true - predicted) ** 2, sample_weight)))


def zero_one_error(y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: Any = None) -> float:
    """Share of the ratings that are not predicted exactly.

    Unlike scikit-learn's `zero_one_loss` it takes levels such as 3.5.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_ratings,)
        True and predicted levels; a prediction that is no level is an error.
    sample_weight : array of shape (n_ratings,), optional
        How often a rating counts.

    Returns
    -------
    float

    Examples
    --------
    >>> zero_one_error([1, 5, 3], [1, 4, 3])
    0.333...
    """
    true, predicted = _ratings(y_true, y_pred)
    return _mean((true != predicted).astype(np.float64), sample_weight)


def nmae(
    y_true: npt.ArrayLike,
    y_pred: npt.ArrayLike,
    *,
    levels: npt.ArrayLike | None = None,
    sample_weight: Any = None,
) -> float:
    """Mean absolute error divided by that of a uniform guess of a uniformly distributed level.

    `mae / E|a - b|` for independent a and b, uniform on the levels: E|a - b| is 1.6 for 1..5, 1.9444 for
    1..6, and `(m^2 - 1) / (3 m)` for m levels at distance 1. Other levels are taken with their own values.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_ratings,)
        True and predicted ratings.
    levels : array of shape (n_levels,), optional
        The levels of the scale. If None, those that are in `y_true`: state them where one may be missing.
    sample_weight : array of shape (n_ratings,), optional
        How often a rating counts.

    Returns
    -------
    float

    Examples
    --------
    >>> nmae([1, 5], [2, 2], levels=[1, 2, 3, 4, 5])
    1.25
    """
    scale = np.unique(np.asarray(y_true if levels is None else levels, dtype=np.float64))
    check_finite(scale, "levels")
    if len(scale) < 2:
        raise ValueError(f"levels must be at least two, got {scale.tolist()}. Pass all levels of the scale.")
    guess = np.abs(np.subtract.outer(scale, scale)).mean()
    return float(mae(y_true, y_pred, sample_weight=sample_weight) / guess)


def fre(y_true: npt.ArrayLike, y_pred: npt.ArrayLike, *, sample_weight: Any = None) -> float:
    """Frobenius relative error, `||y_pred - y_true|| / ||y_true||`.

    Parameters
    ----------
    y_true, y_pred : array of shape (n_ratings,)
        True and predicted ratings, or, in any shape, the whole matrix where it is known.
    sample_weight : array of shape (n_ratings,), optional
        How often a rating counts.

    Returns
    -------
    float

    Examples
    --------
    >>> fre([3, 4], [3, 3])
    0.2
    """
    error = rmse(y_true, y_pred, sample_weight=sample_weight)
    size = rmse(y_true, np.zeros_like(y_true), sample_weight=sample_weight)
    if size == 0:
        raise ValueError("fre is not defined where y_true is 0 throughout.")
    return error / size


def _ratings(y_true: npt.ArrayLike, y_pred: npt.ArrayLike) -> tuple[FloatArray, FloatArray]:
    """Both as one-dimensional arrays of floats."""
    true, predicted = _array(y_true, "y_true"), _array(y_pred, "y_pred")
    check_same_shape(y_true=true, y_pred=predicted)
    return true.ravel(), predicted.ravel()


def _array(values: npt.ArrayLike, name: str) -> FloatArray:
    if sparse.issparse(values):
        raise ValueError(f"{name} is sparse. Pass the observed ratings only, such as {name}.data.")
    array = np.asarray(values, dtype=np.float64)
    if not array.size:
        raise ValueError(f"{name} holds no rating.")
    check_finite(array, name)
    return array


def _mean(errors: FloatArray, sample_weight: Any) -> float:
    return float(np.average(errors, weights=row_weights(sample_weight, len(errors))))
