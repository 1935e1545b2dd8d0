"""The compiled loops: scores of the observed entries, losses of a user's row, and gradients of factors.

A kernel works on the rows first:last and writes to them only, so that rows may be shared among threads in any
way without changing a bit of the result. Entries of row i are at starts[i]:starts[i + 1].

A loss has the signature (first, last, starts, levels, thresholds, values, losses, slopes). It finds the scores
x_ij in `values` and leaves dJ/dx_ij there; it writes the loss of each row to `losses` and dJ/dthresholds to
`slopes`. The smooth hinge is h = c (1 - z - c / 2) with -h' = c = min(max(1 - z, 0), 1).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import pairwise
from threading import Thread
from typing import Any

import numpy as np

from skfactor._validation import IntArray

#: A loss as described above, or another loop.
Loss = Callable[..., None]
#: Entries of a chunk; with fewer, waking a thread costs more than it brings.
LEAST_CHUNK = 2000
#: What the compiler may do to sums so that they use vector instructions. NaN and infinity stay what they are.
_REORDER = {"reassoc", "contract", "nsz", "arcp"}


def kernel(function: Loss) -> Loss:
    """Compile `function` when it is first called, keep the machine code on disk, and run beside other threads."""

    @functools.cache
    def compiled() -> Any:
        import numba

        return numba.njit(nogil=True, cache=True, fastmath=_REORDER)(function)

    @functools.wraps(function)
    def call(*arguments: Any) -> None:
        compiled()(*arguments)

    return call


@kernel
def score(first, last, starts, others, rows, columns, values):  # type: ignore[no-untyped-def]
    """Scores rows_i . columns_j of the observed entries, into `values`."""
    for row in range(first, last):
        for place in range(starts[row], starts[row + 1]):
            other = others[place]
            total = rows[row, 0] * columns[other, 0]
            for component in range(1, rows.shape[1]):
                total += rows[row, component] * columns[other, component]
            values[place] = total


@kernel
def turn(first, last, starts, places, values, turned):  # type: ignore[no-untyped-def]
    """Values of the observed entries in the other order, where `places` says that they are, into `turned`."""
    for place in range(starts[first], starts[last]):
        turned[place] = values[places[place]]


@kernel
def gather(first, last, starts, others, values, columns, rows, ridges, slopes, penalties):  # type: ignore[no-untyped-def]
    """Slopes_i = ridges_i rows_i + sum_j values_ij columns_j, penalties_i = ridges_i / 2 ||rows_i||^2."""
    for row in range(first, last):
        norm, ridge = 0.0, ridges[row]
        for component in range(rows.shape[1]):
            slopes[row, component] = ridge * rows[row, component]
            norm += rows[row, component] * rows[row, component]
        penalties[row] = 0.5 * ridge * norm
        for place in range(starts[row], starts[row + 1]):
            other, value = others[place], values[place]
            if value != 0:
                for component in range(rows.shape[1]):
                    slopes[row, component] += value * columns[other, component]


@kernel
def all_threshold(first, last, starts, levels, thresholds, values, losses, slopes):  # type: ignore[no-untyped-def]
    """Sum over r of h(T (theta_r - x)), T = 1 where r >= y, else -1 (levels and thresholds counted from 0)."""
    for row in range(first, last):
        total = 0.0
        slopes[row, :] = 0
        for place in range(starts[row], starts[row + 1]):
            score, level, slope = values[place], levels[place], 0 * values[place]
            for r in range(thresholds.shape[1]):
                side = 1 if r >= level else -1
                gap = 1 - side * (thresholds[row, r] - score)
                pull = min(max(gap, 0), 1)
                total += pull * (gap - pull / 2)
                slope += side * pull
                slopes[row, r] -= side * pull
            values[place] = slope
        losses[row] = total


@kernel
def immediate_threshold(first, last, starts, levels, thresholds, values, losses, slopes):  # type: ignore[no-untyped-def]
    """As `all_threshold`, of the thresholds next to y only."""
    for row in range(first, last):
        total = 0.0
        slopes[row, :] = 0
        for place in range(starts[row], starts[row + 1]):
            score, level, slope = values[place], levels[place], 0 * values[place]
            for r in range(max(level - 1, 0), min(level + 1, thresholds.shape[1])):
                side = 1 if r >= level else -1
                gap = 1 - side * (thresholds[row, r] - score)
                pull = min(max(gap, 0), 1)
                total += pull * (gap - pull / 2)
                slope += side * pull
                slopes[row, r] -= side * pull
            values[place] = slope
        losses[row] = total


@kernel
def level_means(first, last, starts, levels, means, values):  # type: ignore[no-untyped-def]
    """Mean score of the entries of each row at each level; NaN where there is none."""
    for row in range(first, last):
        counts = np.zeros(means.shape[1])
        sums = np.zeros(means.shape[1])
        for place in range(starts[row], starts[row + 1]):
            sums[levels[place]] += values[place]
            counts[levels[place]] += 1
        for r in range(means.shape[1]):
            means[row, r] = sums[r] / counts[r] if counts[r] > 0 else np.nan


@kernel
def proximal(first, last, starts, levels, planes, values, losses, slopes):  # type: ignore[no-untyped-def]
    """D_y^2 + sum_{r != y} h(T D_r), D_r = x - theta*_r, T = 1 where r < y, else -1; planes theta* are held.

    `slopes` are dJ/dtheta*, less the part of the squares: where theta* are the means, that part is zero.
    """
    for row in range(first, last):
        total = 0.0
        slopes[row, :] = 0
        for place in range(starts[row], starts[row + 1]):
            score, level, slope = values[place], levels[place], 0 * values[place]
            for r in range(planes.shape[1]):
                distance = score - planes[row, r]
                if np.isnan(distance):
                    continue
                if r == level:
                    total += distance * distance
                    slope += 2 * distance
                else:
                    side = 1 if r < level else -1
                    gap = 1 - side * distance
                    pull = min(max(gap, 0), 1)
                    total += pull * (gap - pull / 2)
                    slope -= side * pull
                    slopes[row, r] += side * pull
            values[place] = slope
        losses[row] = total


@kernel
def through_means(first, last, starts, levels, values, slopes):  # type: ignore[no-untyped-def]
    """Chain rule through theta* = means: dJ/dx_ij += dJ/dtheta*_iy / n_iy."""
    for row in range(first, last):
        counts = np.zeros(slopes.shape[1])
        for place in range(starts[row], starts[row + 1]):
            counts[levels[place]] += 1
        for place in range(starts[row], starts[row + 1]):
            level = levels[place]
            values[place] += slopes[row, level] / counts[level]


@kernel
def squares(first, last, starts, levels, targets, values, losses, slopes):  # type: ignore[no-untyped-def]
    """Half the squares (x - t_y)^2, t being the value that each level stands for."""
    for row in range(first, last):
        total = 0.0
        for place in range(starts[row], starts[row + 1]):
            distance = values[place] - targets[row, levels[place]]
            total += 0.5 * distance * distance
            values[place] = distance
        losses[row] = total


def in_chunks(task: Callable[[int, int], None], starts: IntArray, threads: int) -> None:
    """Call task(first, last) for chunks of rows, `threads` at once.

    Each thread, this one among them, takes the next chunk as soon as it is done with one. (An executor would take
    longer to begin and to end than some of the loops.)
    """
    bounds = _bounds(starts, threads)
    if threads == 1 or len(bounds) < 3:
        task(0, len(starts) - 1)
        return
    left, errors = iter(list(pairwise(bounds))), list[BaseException]()

    def work() -> None:
        try:
            for first, last in left:
                task(first, last)
        except BaseException as error:
            errors.append(error)

    others = [Thread(target=work) for _ in range(threads - 1)]
    for other in others:
        other.start()
    work()
    for other in others:
        other.join()
    if errors:
        raise errors[0]


def _bounds(starts: IntArray, threads: int) -> list[int]:
    """Bounds of chunks of rows, each half of what is left for a thread: the last are short, so that none waits."""
    goals, left = [0.0], float(starts[-1])
    while left > LEAST_CHUNK:
        left -= max(left / (2 * threads), LEAST_CHUNK)
        goals.append(starts[-1] - left)
    inner = np.searchsorted(starts, goals[1:])
    return [0, *np.unique(inner[(inner > 0) & (inner < len(starts) - 1)]).tolist(), len(starts) - 1]
