"""Losses of ordinal levels: the smooth hinge at every threshold between two levels.

The kernels of `skfactor.ratings` compute the same, with its slopes, over many ratings at once.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray, IntArray


def smooth_hinge(z: npt.ArrayLike) -> FloatArray:
    """Compute h(z): 0 for z >= 1, (1 - z)^2 / 2 for 0 < z < 1, 1/2 - z for z <= 0.

    With the slope c = min(max(1 - z, 0), 1), all three are c (1 - z - c / 2).

    Parameters
    ----------
    z : array-like
        The margin.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> smooth_hinge([-1.0, 0.5, 2.0])
    array([1.5  , 0.125, 0.   ])
    """
    gap = 1.0 - np.asarray(z, dtype=np.float64)
    slope = np.clip(gap, 0.0, 1.0)
    return np.asarray(slope * (gap - slope / 2)) + 0.0


def threshold_loss(margins: FloatArray, index: IntArray, *, immediate: bool = False) -> FloatArray:
    """Sum the smooth hinges of the thresholds that a rating should be above or below.

    The loss of level y is sum_{r < y} h(m_r) + sum_{r >= y} h(-m_r), r = 1, ..., R - 1.

    Parameters
    ----------
    margins : ndarray of shape (n, R - 1)
        m_r = x - theta_r: how far x is above each threshold.
    index : ndarray of int, shape (n,)
        The level of each rating, counted from 0.
    immediate : bool
        Only the two thresholds next to the level.

    Returns
    -------
    ndarray of shape (n,)
    """
    index = np.asarray(index)[:, None]
    thresholds = np.arange(margins.shape[1])
    losses = smooth_hinge(np.where(thresholds < index, margins, -margins))
    if immediate:
        losses = np.where((thresholds == index) | (thresholds == index - 1), losses, 0.0)
    return np.asarray(losses.sum(axis=1))


def level_shares(margins: FloatArray, *, sharpness: float = 1.0) -> FloatArray:
    """Shares of the levels: proportional to exp(-sharpness loss), loss being that of the level, were it true.

    Parameters
    ----------
    margins : ndarray of shape (n, R - 1)
        As in `threshold_loss`.
    sharpness : float
        The greater it is, the more the level with the least loss has.

    Returns
    -------
    ndarray of shape (n, R)
        Rows add up to 1.
    """
    finite = np.clip(margins, -1e6, 1e6)
    none = np.zeros((len(margins), 1))
    # Of level y: the hinges of the thresholds below it, and those of the thresholds from it on.
    below = np.hstack([none, np.cumsum(smooth_hinge(finite), axis=1)])
    above = np.hstack([np.cumsum(smooth_hinge(-finite)[:, ::-1], axis=1)[:, ::-1], none])
    losses = below + above
    shares = np.exp(sharpness * (losses.min(axis=1, keepdims=True) - losses))
    return np.asarray(shares / shares.sum(axis=1, keepdims=True))
