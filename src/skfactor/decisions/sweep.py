"""Exact threshold sweeps: the best cut of sorted scores, for any metric that depends on counts."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skfactor._validation import BoolArray, FloatArray, IntArray
from skfactor.metrics.counts import CountMetric

#: Entries looked at first, for each positive one, where the top of the table may be enough: micro-F1 of f needs
#: 2 / f - 1. If they are not, so many times as many are looked at next.
FIRST_LOOK, FURTHER = 4, 2
#: Share of the largest score below which a difference comes from rounding.
ROUNDING = 1e-12


def best_threshold(
    scores: FloatArray,
    truth: BoolArray,
    metric: CountMetric,
    weight: FloatArray | None = None,
    known: BoolArray | None = None,
) -> tuple[float, float]:
    """The threshold t for which predicting `scores > t` has the best value of `metric`, and that value.

    Scores and truth are n x L, the weight of the rows n. The entries are passed in falling order of score.
    Each one changes the counts of one group only (`metric.over`), so the metric along the way is a
    cumulative sum of the changes. Every cut between two different scores is looked at, but for those beyond
    which nothing can be better (`_within_reach`); scores that differ by no more than rounding count as equal.
    A cut is put halfway between its two scores, and among equally good cuts the highest is taken. Scores of
    infinity are predicted at any threshold. Entries that `known` (n x L) leaves out do not count; their truth
    has to be given as False.
    """
    weight = np.ones(len(scores)) if weight is None else weight
    grouping = _grouping(metric, weight, truth, known)
    entries = None if known is None else np.flatnonzero(known)
    flat = scores.ravel() if entries is None else scores.ravel()[entries]
    # Of many labels, some rare one has its best cut far down: all entries are looked at.
    count = len(flat) if metric.over == "label" else FIRST_LOOK * (1 + int(truth.sum()))
    while True:
        top = _top(flat, count)
        order, falling, whole = top if entries is None else entries[top], flat[top], count >= len(flat)
        hit = truth.ravel()[order]
        start, change = _changes(order, hit, grouping, metric)
        path = np.concatenate([[start], start + np.cumsum(change)])
        place = _best_cut(falling, path if metric.greater_is_better else -path, whole)
        best = float(path[place])
        limit = best if whole else _within_reach(order, hit, grouping, metric)
        if best == limit or (best > limit) == metric.greater_is_better:
            return _between(falling, place), best
        count *= FURTHER


class _Grouping(NamedTuple):
    """How the entries of a raveled n x L table count: entry e belongs to group (e // over) % cycle."""

    over: int
    cycle: int
    width: int  # L
    unit: FloatArray  # (n) what an entry of a row counts
    share: FloatArray  # (groups) what a group weighs in the mean
    size: FloatArray  # (groups) entries of a group
    positives: FloatArray  # (groups) true entries of a group


def _grouping(metric: CountMetric, weight: FloatArray, truth: BoolArray, known: BoolArray | None) -> _Grouping:
    n, L = truth.shape
    if metric.over == "example":
        sizes = np.full(n, float(L)) if known is None else known.sum(axis=1).astype(np.float64)
        return _Grouping(L, n, L, np.ones(n), weight / weight.sum(), sizes, truth.sum(axis=1).astype(np.float64))
    columns, positives = np.full(L, weight.sum()) if known is None else weight @ known, weight @ truth
    if metric.over == "all":
        columns, positives = columns.sum(keepdims=True), positives.sum(keepdims=True)
    groups = len(columns)
    return _Grouping(1, groups, L, weight, np.full(groups, 1 / groups), columns, positives)


def _top(values: FloatArray, count: int) -> IntArray:
    """Places of the `count` largest values, or of all if there are no more, in falling order.

    No cut parts equal values, so their order is of no account.
    """
    if count >= len(values):
        return np.argsort(-values)
    top = np.argpartition(values, len(values) - count)[len(values) - count :]
    return np.asarray(top[np.argsort(-values[top])])


def _within_reach(order: IntArray, hit: BoolArray, grouping: _Grouping, metric: CountMetric) -> float:
    """What no cut below the entries `order` can surpass.

    The best that can follow in a group is that its other positives come next: no count metric gets better by
    predicting more than that.
    """
    member, unit = _member(order, grouping), grouping.unit[order // grouping.width]
    missed = np.bincount(member, unit * ~hit, minlength=len(grouping.share))
    positives = grouping.positives
    return float(
        metric.value(positives, positives + missed, positives, grouping.size, metric.empty) @ grouping.share
    )


def _member(order: IntArray, grouping: _Grouping) -> IntArray:
    """The group of each entry."""
    return (order // grouping.over) % grouping.cycle


def _changes(
    order: IntArray, hit: BoolArray, grouping: _Grouping, metric: CountMetric
) -> tuple[float, FloatArray]:
    """The metric with nothing predicted, and its change by each entry, in the order of the entries."""
    groups, unit = len(grouping.share), grouping.unit[order // grouping.width]
    group = _member(order, grouping)
    by_group = np.argsort(group, kind="stable")
    ends = np.cumsum(np.bincount(group, minlength=groups))
    member, step, hit_step = group[by_group], unit[by_group], (hit * unit)[by_group]
    hits, predicted = _running(hit_step, ends, member), _running(step, ends, member)

    def value(hits: FloatArray, predicted: FloatArray, which: IntArray) -> FloatArray:
        return metric.value(hits, predicted, grouping.positives[which], grouping.size[which], metric.empty)

    change = np.empty(len(group))
    before = value(hits - hit_step, predicted - step, member)
    change[by_group] = (value(hits, predicted, member) - before) * grouping.share[member]
    nothing = value(np.zeros(groups), np.zeros(groups), np.arange(groups))
    return float(nothing @ grouping.share), change


def _running(values: FloatArray, ends: IntArray, member: IntArray) -> FloatArray:
    """Cumulative sums that start anew with each group; the groups follow one another."""
    total = np.concatenate([[0.0], np.cumsum(values)])
    starts = np.concatenate([[0], ends[:-1]])
    return np.asarray(total[1:] - total[starts[member]])


def _best_cut(falling: FloatArray, path: FloatArray, whole: bool) -> int:
    """The number of entries above the best cut; a cut never parts equal scores, nor infinite ones.

    If these scores are not the whole, what follows them may equal the last: there is no cut after it.
    """
    tie = ROUNDING * np.abs(falling[np.isfinite(falling)]).max(initial=0.0)
    with np.errstate(invalid="ignore"):  # infinity less infinity
        apart = falling[:-1] - falling[1:] > tie
    allowed = np.concatenate([[True], apart, [whole]])
    allowed[: np.count_nonzero(falling == np.inf)] = False
    return int(np.argmax(np.where(allowed, path, -np.inf)))


def _between(falling: FloatArray, place: int) -> float:
    """A threshold that has exactly the first `place` of the falling scores above it."""
    above = falling[place - 1] if place > 0 else np.inf
    below = falling[place] if place < len(falling) else -np.inf
    if not np.isfinite(below):
        return float(np.nextafter(above, -np.inf)) if np.isfinite(above) else 0.0
    middle = below + (above - below) / 2 if np.isfinite(above) else below
    return float(middle if middle < above else below)


def label_thresholds(
    scores: FloatArray,
    truth: BoolArray,
    metric: CountMetric,
    weight: FloatArray | None = None,
    known: BoolArray | None = None,
) -> FloatArray:
    """One threshold (L) per label: the best of its own column."""
    columns = [[k] for k in range(scores.shape[1])]
    return np.array(
        [
            best_threshold(scores[:, k], truth[:, k], metric, weight, None if known is None else known[:, k])[0]
            for k in columns
        ]
    )
