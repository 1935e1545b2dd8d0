"""Metrics that depend on counts only: the hits, the predicted and the true labels of a group.

All of them are a mean over groups (everything at once, each label, or each example) of one elementary
function of four counts. Written so, one exact threshold sweep serves every metric
(`skfactor.decisions`), and the definition is the same there as in `skfactor.metrics`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np

from skfactor._validation import FloatArray, Matrix
from skfactor.metrics._input import check_same_shape, indicator_table, row_weights

Group = Literal["all", "label", "example"]
#: One size for all groups, or that of each.
Size = FloatArray | float
#: (hits, predicted, positives, size of a group, value of an empty group) -> value of the group
Value = Callable[[FloatArray, FloatArray, FloatArray, Size, float], FloatArray]


@dataclass(frozen=True)
class CountMetric:
    """The mean over the groups `over` of `value`.

    Attributes
    ----------
    name : str
        Name of the public function.
    over : {"all", "label", "example"}
        What the counts are taken over.
    value : callable
        `value(hits, predicted, positives, size, empty)`, elementwise, for arrays of counts. A group has
        `size` entries. Where the metric is 0/0, a group without any true or predicted label gets the value
        `empty`, and any other group 0.
    empty : float
        The default of `empty`.
    greater_is_better : bool
        False for losses.
    """

    name: str
    over: Group
    value: Value
    empty: float = 0.0
    greater_is_better: bool = True


class Counts(NamedTuple):
    """Counts of each group, arrays of shape (n_groups,), and the number of entries of a group."""

    hits: FloatArray
    predicted: FloatArray
    positives: FloatArray
    size: float


def ratio(numerator: FloatArray, denominator: FloatArray, empty: FloatArray | float) -> FloatArray:
    """`numerator / denominator`, and `empty` where that is 0/0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    quotient = np.full(numerator.shape, empty, dtype=np.float64)
    np.divide(numerator, denominator, out=quotient, where=denominator > 0)
    return quotient


def f1(hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float) -> FloatArray:
    """`2 hits / (predicted + positives)`, the harmonic mean of precision and recall."""
    return ratio(2 * hits, predicted + positives, empty)


def precision(
    hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float
) -> FloatArray:
    """`hits / predicted`; 0 if labels are true and none is predicted."""
    return ratio(hits, predicted, np.where(positives > 0, 0.0, empty))


def recall(hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float) -> FloatArray:
    """`hits / positives`; 0 if labels are predicted and none is true."""
    return ratio(hits, positives, np.where(predicted > 0, 0.0, empty))


def jaccard(
    hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float
) -> FloatArray:
    """`hits / (predicted + positives - hits)`, intersection over union."""
    return ratio(hits, predicted + positives - hits, empty)


def exact(hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float) -> FloatArray:
    """1 where the predicted labels are the true ones, else 0; never 0/0."""
    return np.asarray((predicted == hits) & (positives == hits), dtype=np.float64)


def hamming(
    hits: FloatArray, predicted: FloatArray, positives: FloatArray, size: Size, empty: float
) -> FloatArray:
    """`(predicted + positives - 2 hits) / size`, the share of wrong entries; never 0/0."""
    return (predicted + positives - 2 * hits) / size


#: Every count metric by the name of its public function.
COUNT_METRICS: dict[str, CountMetric] = {
    metric.name: metric
    for metric in (
        CountMetric("micro_f1", "all", f1),
        CountMetric("macro_f1", "label", f1),
        CountMetric("example_f1", "example", f1, empty=1.0),
        CountMetric("micro_precision", "all", precision),
        CountMetric("macro_precision", "label", precision),
        CountMetric("example_precision", "example", precision, empty=1.0),
        CountMetric("micro_recall", "all", recall),
        CountMetric("macro_recall", "label", recall),
        CountMetric("example_recall", "example", recall, empty=1.0),
        CountMetric("accuracy", "example", jaccard, empty=1.0),
        CountMetric("subset_accuracy", "example", exact, empty=1.0),
        CountMetric("hamming_loss", "all", hamming, greater_is_better=False),
    )
}


def count(over: Group, Y_true: Matrix, Y_pred: Matrix, *, sample_weight: Any = None) -> Counts:
    """Hits, predicted and true labels of each group.

    Parameters
    ----------
    over : {"all", "label", "example"}
        One group in all, one per column, or one per row.
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        Arrays, frames or any SciPy sparse container, which stays sparse.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts, within a group. A group that is a row has nothing to weigh: there the
        weights belong to the mean over the groups.

    Returns
    -------
    Counts
        The counts and the size of a group.

    Examples
    --------
    >>> count("label", [[1, 0], [1, 1]], [[1, 1], [0, 1]])
    Counts(hits=array([1., 1.]), predicted=array([1., 2.]), positives=array([2., 1.]), size=2.0)
    """
    true, predicted = indicator_table(Y_true, "Y_true"), indicator_table(Y_pred, "Y_pred")
    check_same_shape(Y_true=true, Y_pred=predicted)
    weights = row_weights(sample_weight, true.shape[0])
    hits, guesses, positives = (
        _group_sums(table, over, weights) for table in (true.multiply(predicted), predicted, true)
    )
    n_labels = true.shape[1]
    size = {"all": weights.sum() * n_labels, "label": weights.sum(), "example": n_labels}[over]
    return Counts(hits, guesses, positives, float(size))


def evaluate(
    metric: CountMetric,
    Y_true: Matrix,
    Y_pred: Matrix,
    *,
    empty: float | None = None,
    sample_weight: Any = None,
) -> float:
    """Take the mean of `metric.value` over the groups of `metric`, weighted if the groups are examples.

    Parameters
    ----------
    metric : CountMetric
        One of `COUNT_METRICS`, or your own.
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        Arrays, frames or any SciPy sparse container, which stays sparse.
    empty : float, optional
        Value of a group without any true or predicted label; None takes the default of the metric.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> evaluate(COUNT_METRICS["micro_f1"], [[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    counts = count(metric.over, Y_true, Y_pred, sample_weight=sample_weight)
    values = metric.value(*counts, metric.empty if empty is None else empty)
    by_row = metric.over == "example"
    return float(np.average(values, weights=row_weights(sample_weight, len(values)) if by_row else None))


def _group_sums(table: Any, over: Group, weights: FloatArray) -> FloatArray:
    if over == "example":
        return np.asarray(table.sum(axis=1), dtype=np.float64)
    by_label: FloatArray = table.T @ weights
    return by_label if over == "label" else by_label.sum(keepdims=True)
