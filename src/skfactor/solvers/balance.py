"""Factors whose product is all that the data sees: of all those with one product, the shortest."""

from __future__ import annotations

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray

#: Share of the mean square that a direction without any length counts as, so that nothing is divided by 0.
TRACE = 1e-12


def balance(G: FloatArray, K: FloatArray) -> FloatArray:
    """T (r x r) for which E T and T^-1 D, whose product is E D, have the least ||E T||^2 + ||T^-1 D||^2.

    Only G = E'E and K = D D' are needed. The least length is where T'G T = T^-1 K T'^-1, that is, M G M = K for
    M = T T'. With G = L L' that has one positive solution, M = L'^-1 (L'K L)^1/2 L^-1, and of its roots T the
    symmetric one is taken, which turns the components least.

    Without it, alternating minimization of penalized factors spends most of its steps on moving length from one
    factor to the other.
    """
    G, K = _alive(G), _alive(K)
    L = linalg.cholesky(G, lower=True, check_finite=False)
    squares, U = linalg.eigh(L.T @ K @ L, check_finite=False, driver="evd")
    length = np.maximum(squares, 0.0) ** 0.25
    root = linalg.solve_triangular(L, U * length, lower=True, trans="T", check_finite=False)
    values, vectors = linalg.eigh(root @ root.T, check_finite=False, driver="evd")
    T: FloatArray = (vectors * np.sqrt(np.maximum(values, 0.0))) @ vectors.T
    return T


def _alive(G: FloatArray) -> FloatArray:
    alive: FloatArray = G + (TRACE * np.trace(G) / len(G) + np.finfo(float).tiny) * np.eye(len(G))
    return alive
