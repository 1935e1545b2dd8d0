"""Features that give a label away: equal to it, to its complement, or nearly so."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix

# Labels at once: the products of features and labels stay small for any number of labels.
_BLOCK = 512


class Leak(NamedTuple):
    """A feature, the label that it gives away, and their correlation."""

    feature: int
    label: int
    correlation: float


def find_leaks(X: Matrix, Y: Matrix, threshold: float = 0.98) -> list[Leak]:
    """Find the features whose correlation with a label is beyond `threshold`, of either sign.

    Only products of the stored entries are formed. A feature and a label that never occur together have no
    such product; there the covariance is -mean * mean, which is large for few features only.

    Parameters
    ----------
    X : ndarray or sparse array of shape (n_samples, n_features)
        The features.
    Y : CSR array of shape (n_samples, n_labels)
        The labels.
    threshold : float
        Correlation from which on a feature counts as a leak.

    Returns
    -------
    leaks : list of Leak
        By label, then feature.

    Examples
    --------
    >>> y = np.array([1.0, 0, 1, 1])
    >>> find_leaks(np.column_stack([[0.0, 0, 1, 0], 1 - y, 3 * y]), sparse.csr_array(y[:, np.newaxis]))
    [Leak(feature=1, label=0, correlation=-1.0), Leak(feature=2, label=0, correlation=1.0)]
    """
    if not X.shape[0]:
        return []
    X = X if sparse.issparse(X) else X - X.mean(axis=0)
    x_mean, x_scale = _moments(X)
    y_mean, y_scale = _moments(Y)
    leaks = []
    for start in range(0, Y.shape[1], _BLOCK):
        block = slice(start, start + _BLOCK)
        together: Any = sparse.coo_array(X.T @ Y[:, block])
        features, labels = (np.asarray(places, dtype=np.int64) for places in together.coords)
        covariance = together.data / X.shape[0] - x_mean[features] * y_mean[block][labels]
        correlation = _ratio(covariance, x_scale[features] * y_scale[block][labels])
        beyond = np.abs(correlation) >= threshold
        leaks += _leaks(features[beyond], labels[beyond] + start, correlation[beyond])
        pair = features * Y.shape[1] + labels
        features, labels, correlation = _if_apart(
            _ratio(x_mean, x_scale), _ratio(y_mean, y_scale)[block], threshold
        )
        apart = ~np.isin(features * Y.shape[1] + labels, pair)
        leaks += _leaks(features[apart], labels[apart] + start, correlation[apart])
    return sorted(leaks, key=lambda leak: (leak.label, leak.feature))


def _if_apart(x_ratio: FloatArray, y_ratio: FloatArray, threshold: float) -> tuple[IntArray, IntArray, FloatArray]:
    """Find the pairs that would be beyond `threshold` if they never occurred together."""
    features = np.flatnonzero(np.abs(x_ratio) * y_ratio.max(initial=0) >= threshold)
    correlation = -np.outer(x_ratio[features], y_ratio)
    rows, labels = np.nonzero(np.abs(correlation) >= threshold)
    return features[rows], labels, correlation[rows, labels]


def _moments(table: Matrix) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation of each column; the latter is 0 where rounding is all there is."""
    mean = np.asarray(table.mean(axis=0), dtype=np.float64).ravel()
    squares = table.multiply(table) if sparse.issparse(table) else table * table
    square = np.asarray(squares.mean(axis=0), dtype=np.float64).ravel()
    variance = square - mean**2
    return mean, np.sqrt(np.where(variance > 1e-12 * square, variance, 0))


def _ratio(numerator: FloatArray, denominator: FloatArray) -> FloatArray:
    return np.divide(numerator, denominator, out=np.zeros_like(numerator), where=denominator > 0)


def _leaks(features: IntArray, labels: IntArray, correlations: FloatArray) -> list[Leak]:
    # Rounding may lead beyond 1, and an equal column shall read as exactly 1.
    rounded = np.clip(np.round(correlations, 9), -1, 1)
    return [Leak(*leak) for leak in zip(features.tolist(), labels.tolist(), rounded.tolist(), strict=True)]
