"""Exact threshold sweeps: the best cut of sorted scores, for any metric that depends on counts."""

from __future__ import annotations

import numpy as np

from skfactor._validation import BoolArray, FloatArray, IntArray
from skfactor.metrics.counts import CountMetric


def best_threshold(
    scores: FloatArray, truth: BoolArray, metric: CountMetric, weight: FloatArray | None = None
) -> tuple[float, float]:
    """The threshold t for which predicting `scores > t` has the best value of `metric`, and that value.

    Scores and truth are n x L, the weight of the rows n. The entries are passed in falling order of score.
    Each one changes the counts of one group only (`metric.over`), so the metric along the way is a
    cumulative sum of the changes. Every cut between two different scores is looked at. A cut is put halfway
    between its two scores, and among equally good cuts the highest is taken. Scores of infinity are predicted
    at any threshold.
    """
    n, L = scores.shape
    order = np.argsort(-scores, axis=None, kind="stable")
    group = _groups(order, L, metric.over)
    unit = np.ones(len(order)) if weight is None else weight[order // L]
    start, change = _changes(group, truth.ravel()[order], unit, metric, n, L)
    path = np.concatenate([[start], start + np.cumsum(change)])
    falling = scores.ravel()[order]
    place = _best_cut(falling, path if metric.greater_is_better else -path)
    return _between(falling, place), float(path[place])


def _groups(order: IntArray, L: int, over: str) -> IntArray:
    """The group (row, label or the only one) of each entry of a raveled n x L table."""
    if over == "all":
        return np.zeros(len(order), dtype=np.int64)
    return order // L if over == "example" else order % L


def _changes(
    group: IntArray, hit: BoolArray, unit: FloatArray, metric: CountMetric, n: int, L: int
) -> tuple[float, FloatArray]:
    """The metric's value with nothing predicted, and its change by each entry, in the order of the entries."""
    groups = {"all": 1, "example": n, "label": L}[metric.over]
    by_group = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=groups))
    member = group[by_group]
    hits, predicted = (_running(values[by_group], ends, member) for values in (hit * unit, unit))
    positives = np.bincount(group, weights=hit * unit, minlength=groups)
    size = np.bincount(group, weights=unit, minlength=groups)

    def value(hits: FloatArray, predicted: FloatArray, which: IntArray) -> FloatArray:
        return metric.value(hits, predicted, positives[which], size[which], metric.empty)

    step = unit[by_group]
    before = value(hits - hit[by_group] * step, predicted - step, member)
    change = np.empty(len(group))
    change[by_group] = value(hits, predicted, member) - before
    nothing = value(np.zeros(groups), np.zeros(groups), np.arange(groups))
    return float(nothing.mean()), change / groups


def _running(values: FloatArray, ends: IntArray, member: IntArray) -> FloatArray:
    """Cumulative sums that start anew with each group; the groups follow one another."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    starts = np.concatenate([[0], ends[:-1]])
    return np.asarray(total[1:] - total[starts[member]])


def _best_cut(falling: FloatArray, path: FloatArray) -> int:
    """The number of entries above the best cut; a cut never parts equal scores, nor infinite ones."""
    allowed = np.concatenate([[True], falling[1:] != falling[:-1], [True]])
    allowed[: np.count_nonzero(falling == np.inf)] = False
    return int(np.argmax(np.where(allowed, path, -np.inf)))


def _between(falling: FloatArray, place: int) -> float:
    """A threshold that has exactly the first `place` of the falling scores above it."""
    if place == len(falling):
        return float(np.nextafter(falling[-1], -np.inf)) if np.isfinite(falling[-1]) else 0.0
    below = falling[place]
    above = falling[place - 1] if place > 0 else np.inf
    middle = below + (above - below) / 2 if np.isfinite(above) else below
    return float(middle if middle < above else below)


def label_thresholds(
    scores: FloatArray, truth: BoolArray, metric: CountMetric, weight: FloatArray | None = None
) -> FloatArray:
    """One threshold (L) per label: the best of its own column."""
    return np.array(
        [best_threshold(scores[:, [k]], truth[:, [k]], metric, weight)[0] for k in range(scores.shape[1])]
    )
