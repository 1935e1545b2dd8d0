"""The compiled part of `nnls`. Numba is imported with this module, so import it when it is needed."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
import numpy as np

Function = Callable[..., Any]
#: Sweeps of coordinate descent between two factorizations.
SWEEPS = 5
#: Rounds of both that may jump, and rounds at most.
JUMPS, ROUNDS = 20, 1000
#: A pivot below this share of its diagonal entry means that a column depends on those before.
DEPENDENT = 1e-13
#: What the compiler may do to sums so that they use vector instructions. NaN and infinity stay what they are.
REORDER = {"reassoc", "contract", "nsz", "arcp"}


def kernel(function: Function) -> Function:
    """Compile `function`, keep the machine code on disk, and let it run beside other threads."""
    compiled: Function = numba.njit(nogil=True, cache=True, fastmath=REORDER)(function)
    return compiled


@kernel
def _descend(gram, v, gradient):
    """Sweeps over the coordinates: each goes to its best value, and the gradient G v - b follows."""
    size = len(v)
    for _ in range(SWEEPS):
        moved = False
        for j in range(size):
            if gram[j, j] <= 0:
                continue
            value = max(0.0, v[j] - gradient[j] / gram[j, j])
            change = value - v[j]
            if change != 0.0:
                moved = True
                v[j] = value
                for i in range(size):
                    gradient[i] += change * gram[j, i]
        if not moved:
            return


@kernel
def _factorize(gram, chosen, count, upper):
    """Cholesky R'R of G among the chosen; a column that depends on those before gets an infinite pivot.

    Row i of R is that of G less what the rows before explain, four of them at a time to keep the processor busy.
    """
    for i in range(count):
        row = chosen[i]
        for c in range(i, count):
            upper[i, c] = gram[row, chosen[c]]
        a = 0
        while a + 4 <= i:
            p, q, r, s = upper[a, i], upper[a + 1, i], upper[a + 2, i], upper[a + 3, i]
            for c in range(i, count):
                upper[i, c] -= p * upper[a, c] + q * upper[a + 1, c] + r * upper[a + 2, c] + s * upper[a + 3, c]
            a += 4
        while a < i:
            p = upper[a, i]
            for c in range(i, count):
                upper[i, c] -= p * upper[a, c]
            a += 1
        pivot = upper[i, i]
        root = np.sqrt(pivot) if pivot > DEPENDENT * gram[row, row] else np.inf
        for c in range(i + 1, count):
            upper[i, c] /= root
        upper[i, i] = root


@kernel
def _substitute(upper, count, solution):
    """Solve R'R s = s in place. An infinite pivot makes its entry 0."""
    for a in range(count):
        value = solution[a] / upper[a, a]
        solution[a] = value
        for c in range(a + 1, count):
            solution[c] -= value * upper[a, c]
    for a in range(count - 1, -1, -1):
        total = solution[a]
        for c in range(a + 1, count):
            total -= upper[a, c] * solution[c]
        solution[a] = total / upper[a, a]


@kernel
def _polish(gram, b, v, chosen, upper, solution, jump):
    """Go to the minimum among the positive entries.

    Where that has negative ones, either set them to 0 and leave the rest to the next round (`jump`), or walk
    until the first reaches 0, leave it out, and start again.
    """
    size = len(v)
    while True:
        count = 0
        for j in range(size):
            if v[j] > 0:
                chosen[count] = j
                count += 1
        _factorize(gram, chosen, count, upper)
        for a in range(count):
            solution[a] = b[chosen[a]]
        _substitute(upper, count, solution)
        share, first = 1.0, -1
        for a in range(count):
            old = v[chosen[a]]
            if solution[a] <= 0 and (first < 0 or old < share * (old - solution[a])):
                share, first = old / (old - solution[a]), a
        if jump:
            share = 1.0
        for a in range(count):
            j = chosen[a]
            v[j] = max(0.0, v[j] + share * (solution[a] - v[j]))
        if jump or first < 0:
            return
        v[chosen[first]] = 0.0


@kernel
def _refresh(gram, b, v, gradient):
    """The gradient G v - b, anew."""
    size = len(v)
    for i in range(size):
        gradient[i] = -b[i]
    for j in range(size):
        if v[j] > 0:
            for i in range(size):
                gradient[i] += v[j] * gram[j, i]


@kernel
def _worst(v, gradient):
    """How far the gradient is from what it must be: 0 for positive entries, not negative for others."""
    worst = 0.0
    for j in range(len(v)):
        short = abs(gradient[j]) if v[j] > 0 else -gradient[j]
        worst = max(worst, short)
    return worst


@kernel
def solve_rows(gram, right, tol, out):
    """Solve for each row of `right` (n x r), writing to `out`."""
    size = gram.shape[0]
    gradient, solution = np.empty(size), np.empty(size)
    chosen, upper = np.empty(size, dtype=np.int64), np.empty((size, size))
    for row in range(right.shape[0]):
        b, v = right[row], out[row]
        enough = tol * np.abs(b).max()
        _refresh(gram, b, v, gradient)
        for turn in range(ROUNDS):
            _descend(gram, v, gradient)
            _polish(gram, b, v, chosen, upper, solution, turn < JUMPS)
            _refresh(gram, b, v, gradient)
            if _worst(v, gradient) <= enough:
                break
