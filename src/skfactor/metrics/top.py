"""Metrics of the first k places of a ranking of the labels by their scores.

Tied labels count with the mean over all their orders, as in scikit-learn's `ndcg_score`, so that the order of
the columns does not matter.

Scores may be dense, or **sparse**: the best few of a big problem. Labels whose score is not stored come after
all others and fill no place; a stored 0 is a score.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from skfactor._validation import FloatArray, Matrix, check_finite, check_number
from skfactor.metrics._input import indicator_table
from skfactor.metrics._places import Places, mean_over_rows
from skfactor.metrics.counts import ratio


def one_error(Y_true: Matrix, scores: Matrix, *, sample_weight: Any = None) -> float:
    """Share of the rows whose highest-scored label is not true: `1 - precision_at(Y_true, scores, 1)`.

    A row without a true label is an error, whatever its scores; give it the weight 0 to leave it out.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score fill no place.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> one_error([[1, 0], [1, 0]], [[0.9, 0.2], [0.1, 0.3]])
    0.5
    """
    return 1 - precision_at(Y_true, scores, 1, sample_weight=sample_weight)


def precision_at(Y_true: Matrix, scores: Matrix, k: int, *, sample_weight: Any = None) -> float:
    """Mean share of true labels in the first `k` places.

    Always a share of k, also where a row has fewer labels, true labels or stored scores than k.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score fill no place.
    k : int
        Number of places.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> precision_at([[1, 0, 1]], [[0.9, 0.5, 0.1]], 2)
    0.5
    """
    places_open = np.ones(_checked(k))
    return mean_over_rows(
        lambda places: _gained(places, places_open) / k,
        indicator_table(Y_true, "Y_true"),
        scores,
        sample_weight,
    )


def recall_at(Y_true: Matrix, scores: Matrix, k: int, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Mean share of the true labels of a row that are in the first `k` places.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score fill no place.
    k : int
        Number of places.
    empty : float
        Value of a row without a true label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> recall_at([[1, 0, 1]], [[0.9, 0.5, 0.1]], 1)
    0.5
    """
    places_open = np.ones(_checked(k))

    def found(places: Places) -> FloatArray:
        return ratio(_gained(places, places_open), places.positives, empty)

    return mean_over_rows(found, indicator_table(Y_true, "Y_true"), scores, sample_weight)


def ndcg_at(Y_true: Matrix, scores: Matrix, k: int, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Mean normalized discounted cumulative gain of the first `k` places.

    The sum of `1 / log2(1 + place)` over the places of true labels, divided by the sum over the first
    `min(k, number of true labels)` places. Like scikit-learn's `ndcg_score(Y_true, scores, k=k)`.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score fill no place.
    k : int
        Number of places.
    empty : float
        Value of a row without a true label; 0 as in scikit-learn.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> ndcg_at([[1, 0, 1]], [[0.9, 0.5, 0.1]], 3)
    0.919...
    """
    discounts = 1 / np.log2(np.arange(_checked(k)) + 2)
    best = np.concatenate([[0.0], np.cumsum(discounts)])

    def normalized(places: Places) -> FloatArray:
        reachable = best[np.minimum(places.positives, k).astype(np.intp)]
        return ratio(_gained(places, discounts), reachable, empty)

    return mean_over_rows(normalized, indicator_table(Y_true, "Y_true"), scores, sample_weight)


def psp_at(
    Y_true: Matrix,
    scores: Matrix,
    k: int,
    propensity: npt.ArrayLike,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
) -> float:
    """Propensity-scored precision at `k`: rare labels, which are easily missed in `Y_true`, count for more.

    `PSP = mean over the rows of (1/k) sum_{l true and in the first k places} 1/p_l`, and normalized, as in
    the tables of the extreme classification repository, `PSP / best PSP that any ranking of the same rows
    could have`: a ratio of means, not a mean of ratios. Without any true label it is 0.

    Parameters
    ----------
    Y_true : table of 0 and 1, shape (n_samples, n_labels)
        True labels.
    scores : table of shape (n_samples, n_labels)
        The higher, the likelier. If sparse, labels without a stored score fill no place.
    k : int
        Number of places.
    propensity : array of shape (n_labels,)
        Chance p_l that a true label is in the data, from `propensities` of the **training** labels.
    normalize : bool
        Divide by the best possible value, so that the best is 1.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    References
    ----------
    Jain, Prabhu and Varma, Extreme multi-label loss functions for recommendation, tagging, ranking and other
    missing label applications, KDD 2016.

    Examples
    --------
    >>> psp_at([[1, 1, 0]], [[0.9, 0.5, 0.1]], 1, [0.5, 0.25, 0.5])
    0.5
    """
    places_open = np.ones(_checked(k))
    true = indicator_table(Y_true, "Y_true")
    gains = sparse.csr_array(true.multiply(1 / _checked_propensity(propensity, true.shape[1])))

    def mean_gain(scores: Matrix) -> float:
        return mean_over_rows(lambda places: _gained(places, places_open) / k, gains, scores, sample_weight)

    # The gains themselves are the scores of the best ranking.
    best = mean_gain(gains) if normalize else 1.0
    return mean_gain(scores) / best if best else 0.0


def propensities(Y_train: Matrix, a: float = 0.55, b: float = 1.5) -> FloatArray:
    """Chance of each label to be in the data where it is true, by the model of Jain et al. (2016).

    `p_l = 1 / (1 + C (N_l + b)^-a)` with `C = (log n - 1) (b + 1)^a`, where N_l of the n rows have label l.
    C is 0, and every p_l 1, for fewer than three rows, where it would be negative.

    Parameters
    ----------
    Y_train : table of 0 and 1, shape (n_samples, n_labels)
        Labels of the training data.
    a, b : float
        Parameters of the model; .55 and 1.5 unless the data are like Wikipedia (.5, .4) or Amazon (.6, 2.6).

    Returns
    -------
    array of shape (n_labels,)

    Examples
    --------
    >>> propensities([[1, 0], [1, 0], [1, 0], [1, 1]]).round(3)
    array([0.8  , 0.721])
    """
    check_number(a, "a", minimum=0)
    check_number(b, "b", above=0)
    table = indicator_table(Y_train, "Y_train")
    C = max(np.log(table.shape[0]) - 1, 0.0) * (b + 1) ** a
    return np.asarray(1 / (1 + C * (table.sum(axis=0) + b) ** -a), dtype=np.float64)


def _gained(places: Places, discounts: FloatArray) -> FloatArray:
    """Sum over the true labels of gain times discount of the place, in each row.

    `discounts` are those of the places from the first, and 0 after. The mean over the orders of tied labels
    is a tied label's mean discount, over the places above + 1 ... upto.
    """
    total = np.concatenate([[0.0], np.cumsum(discounts)])
    upto, above = (np.minimum(count, len(discounts)) for count in (places.upto, places.above))
    return places.row_sums(places.gains * (total[upto] - total[above]) / (places.upto - places.above))


def _checked(k: int) -> int:
    check_number(k, "k", minimum=1, integer=True)
    return k


def _checked_propensity(propensity: npt.ArrayLike, n_labels: int) -> FloatArray:
    values = np.asarray(propensity, dtype=np.float64)
    check_finite(values, "propensity")
    if values.shape != (n_labels,) or np.any(values <= 0) or np.any(values > 1):
        raise ValueError(
            f"propensity must hold one number above 0 and at most 1 for each of {n_labels} labels; "
            "skfactor.metrics.propensities(Y_train) gives them."
        )
    return values
