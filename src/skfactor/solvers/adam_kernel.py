"""The compiled part of `adam`. Numba is imported with this module, so import it when it is needed."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import math

import numba


@numba.njit(nogil=True, cache=True, fastmath={"contract"})
def move(weights, gradient, first, second, ridge, keep, keep_square, rate):
    """One step of flat arrays, in place: a single pass over what would not fit into the cache."""
    for i in range(len(weights)):
        slope = gradient[i] + ridge * weights[i]
        first[i] += (1 - keep) * (slope - first[i])
        second[i] += (1 - keep_square) * (slope * slope - second[i])
        weights[i] -= rate * first[i] / (math.sqrt(second[i]) + 1e-8)
