"""Groups of labels that come together: spectral clustering of the columns of Y, from its moments."""

from __future__ import annotations

import warnings
from threading import Lock
from typing import Any

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import normalize
from threadpoolctl import threadpool_limits

from skfactor._validation import FloatArray, IntArray
from skfactor.moments import CentredMoments
from skfactor.solvers.spectral import leading_eigenvectors

#: The neighbour whose distance is the unit of a label's distances.
NEIGHBOUR = 7
#: Limits of threads and filters of warnings are those of the process: one clustering at a time may change them.
_ALONE = Lock()


def label_groups(moments: CentredMoments, n_groups: int, random_state: Any = None) -> IntArray:
    """The group (L) of every label, numbered from 0 as they come; no group is empty.

    k-means of the rows, brought to length 1, of the K leading eigenvectors of D^-1/2 A D^-1/2, for the affinity A
    (L x L) and its row sums D. Frequent labels are far from all others, and with rows as they are each would be a
    group of its own. One group or as many as labels need no clustering.
    """
    L = moments.n_labels
    if n_groups == 1 or n_groups >= L:
        return np.arange(L) if n_groups > 1 else np.zeros(L, dtype=np.int64)
    A = affinity(squared_distances(moments))
    root = np.sqrt(A.sum(axis=1))
    _, vectors = leading_eigenvectors(lambda V: (A @ (V / root[:, None])) / root[:, None], L, n_groups)
    # Labels are few, and threads would wait for one another; and there may be fewer distinct ones than groups.
    with _ALONE, threadpool_limits(1, user_api="openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        found = KMeans(n_groups, n_init=10, random_state=random_state).fit_predict(normalize(vectors))
    return _numbered_as_they_come(found)


def squared_distances(moments: CentredMoments) -> FloatArray:
    """Mean squared difference (L x L) of two columns of Y: their covariances, and their means apart."""
    covariance, mean = moments.yy(np.eye(moments.n_labels)), moments.centre.mean_y
    variance = covariance.diagonal()
    spread = variance[:, None] + variance[None, :] - (covariance + covariance.T)
    return np.maximum(spread + np.square(mean[:, None] - mean[None, :]), 0.0)


def affinity(distances: FloatArray) -> FloatArray:
    """exp(-d_ij^2 / (s_i s_j)), with s_i the distance of label i to its seventh neighbour (or last, if fewer)."""
    place = min(NEIGHBOUR, len(distances) - 1)
    reach = np.sqrt(np.partition(distances, place, axis=1)[:, place])
    unit = np.maximum(np.outer(reach, reach), np.finfo(float).tiny)
    return np.asarray(np.exp(-np.minimum(distances / unit, 700.0)))


def _numbered_as_they_come(groups: IntArray) -> IntArray:
    _, first, member = np.unique(groups, return_index=True, return_inverse=True)
    number = np.empty(len(first), dtype=np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    return np.asarray(number[member])
