"""Metrics of a whole ranking of the labels, from scores of all of them.

Tied labels all have the last of their places. scikit-learn has the same three metrics, for dense tables and
row by row; these take sparse labels too, go by blocks of rows, and agree with its own (which the tests hold).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, Matrix
from skfactor.metrics._input import indicator_table
from skfactor.metrics._places import Places, mean_over_rows
from skfactor.metrics.counts import ratio


def coverage(Y_true: Matrix, scores: Matrix, *, normalize: bool = False, sample_weight: Any = None) -> float:
    """Mean number of steps down the ranking that reach all true labels; 0 if the only true label is first.

    `max_l rank_l - 1` over the true labels l of a row, which is scikit-learn's `coverage_error` less 1; 0 for
    a row without a true label (where scikit-learn's less 1 is -1). Tied labels have the last of their places.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : dense table of shape (n_samples, n_labels)
        The higher, the likelier.
    normalize : bool
        Divide by the number of labels.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> coverage([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    2.0
    """

    def depth(places: Places) -> FloatArray:
        deepest = np.zeros(len(places.positives))
        np.maximum.at(deepest, places.rows, places.upto - 1)
        return deepest / places.n_labels if normalize else deepest

    return _over_full_rankings(depth, Y_true, scores, sample_weight)


def ranking_loss(Y_true: Matrix, scores: Matrix, *, sample_weight: Any = None) -> float:
    """Mean share of the pairs of a true and a false label in which the false one scores as high or higher.

    Like scikit-learn's `label_ranking_loss`: a tie is an error, and a row whose labels are all true or all
    false has no pair and the loss 0.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : dense table of shape (n_samples, n_labels)
        The higher, the likelier.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> ranking_loss([[1, 0, 0]], [[0.5, 0.9, 0.1]])
    0.5
    """

    def wrong_pairs(places: Places) -> FloatArray:
        pairs = places.positives * (places.n_labels - places.positives)
        return ratio(places.row_sums(places.upto - places.upto_true), pairs, 0.0)

    return _over_full_rankings(wrong_pairs, Y_true, scores, sample_weight)


def average_precision(Y_true: Matrix, scores: Matrix, *, empty: float = 1.0, sample_weight: Any = None) -> float:
    """Mean over the true labels of a row, then over the rows, of the precision down to that label.

    The precision down to label l is the share of true ones among the labels that score as high as l or
    higher. Like scikit-learn's `label_ranking_average_precision_score` (its `average_precision_score` is
    another thing: it goes down the rows of one label).

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : dense table of shape (n_samples, n_labels)
        The higher, the likelier.
    empty : float
        Value of a row without a true label; 1 as in scikit-learn. A weight of 0 leaves such rows out.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> average_precision([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.833...
    """

    def precision(places: Places) -> FloatArray:
        return ratio(places.row_sums(places.upto_true / places.upto), places.positives, empty)

    return _over_full_rankings(precision, Y_true, scores, sample_weight)


def _over_full_rankings(
    row_values: Callable[[Places], FloatArray], Y_true: Matrix, scores: Matrix, sample_weight: Any
) -> float:
    if sparse.issparse(scores):
        raise ValueError("scores must be dense: this metric ranks all labels. Those at k take sparse scores.")
    return mean_over_rows(row_values, indicator_table(Y_true, "Y_true"), scores, sample_weight)
