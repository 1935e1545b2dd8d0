"""Precision, recall and F1 as functions of the number of labels that are returned for each row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.metrics._input import check_same_shape, indicator_table, row_weights, score_table
from skfactor.metrics._places import blocks
from skfactor.metrics.counts import ratio


@dataclass(frozen=True)
class ListLengthCurve:
    """Micro-averages for each number of labels returned.

    Attributes
    ----------
    length : ndarray of int, shape (max_length,)
        1, 2, ...
    precision, recall, f1 : ndarray of shape (max_length,)
    """

    length: IntArray
    precision: FloatArray
    recall: FloatArray
    f1: FloatArray


def list_length_curve(
    Y_true: Matrix, scores: Matrix, *, max_length: int | None = None, sample_weight: Any = None
) -> ListLengthCurve:
    """Micro-averaged precision, recall and F1 of the 1, 2, ... labels of highest score.

    Hits, returned and true labels are counted over all rows. Tied labels count with the mean over their orders.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score are not returned.
    max_length : int, optional
        How many labels are returned at most; all of them by default.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    ListLengthCurve

    Examples
    --------
    >>> curve = list_length_curve([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.2, 0.6, 0.4]])
    >>> curve.precision.round(2), curve.recall.round(2), curve.f1.round(2)
    (array([1. , 0.5, 0.5]), array([0.67, 0.67, 1.  ]), array([0.8 , 0.57, 0.67]))
    """
    true, scores = indicator_table(Y_true, "Y_true"), score_table(scores)
    check_same_shape(Y_true=true, scores=scores)
    n_rows, n_labels = true.shape
    length = n_labels if max_length is None else max_length
    check_number(length, "max_length", minimum=1, maximum=n_labels, integer=True)
    weights = row_weights(sample_weight, n_rows)
    hits, first = np.zeros(n_labels + 1), 0
    for places in blocks(true, scores):
        # A label that is tied for the places above + 1 ... upto is in each of them with the same chance.
        worth = weights[first : first + len(places.positives)][places.rows] / (places.upto - places.above)
        hits += np.bincount(places.above, worth, n_labels + 1) - np.bincount(places.upto, worth, n_labels + 1)
        first += len(places.positives)
    hits = np.cumsum(np.cumsum(hits))[:length]
    returned = np.arange(1, length + 1) * weights.sum()
    positives = float(weights @ np.diff(true.indptr))
    return ListLengthCurve(
        length=np.arange(1, length + 1),
        precision=ratio(hits, returned, 0.0),
        recall=ratio(hits, np.full(length, positives), 0.0),
        f1=ratio(2 * hits, returned + positives, 0.0),
    )
