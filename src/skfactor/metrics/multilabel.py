"""Metrics of predicted labels: each is a count metric of `skfactor.metrics.counts`, where the formulas are.

`hits` are the labels both true and predicted. All take arrays, frames and sparse containers, mixed as you
like; sparse ones stay sparse. Where a metric is 0/0 for want of any true or predicted label it is `empty`.
"""

from __future__ import annotations

from typing import Any

from skfactor._validation import Matrix
from skfactor.metrics.counts import COUNT_METRICS, evaluate


def micro_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """F1 of all entries at once: `2 hits / (predicted + true)`, counted over the whole table.

    Like scikit-learn's `f1_score(average="micro")`. Labels count by how frequent they are.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of tables without any label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> micro_f1([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    return evaluate(COUNT_METRICS["micro_f1"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def macro_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Mean over the labels of `F1 = 2 hits / (predicted + true)` of that label.

    Like scikit-learn's `f1_score(average="macro", zero_division=0)`. A label that is neither true nor
    predicted anywhere counts 0 unless `empty` says otherwise: rare labels in a small test set lower it.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a label without any true or predicted entry.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> macro_f1([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    return evaluate(COUNT_METRICS["macro_f1"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def example_f1(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0, sample_weight: Any = None) -> float:
    """Mean over the rows of `F1 = 2 hits / (predicted + true)` of that row.

    Like scikit-learn's `f1_score(average="samples", zero_division=1)`: a row that rightly has no label counts
    1. `empty=0` gives the other convention.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a row without any true or predicted label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> example_f1([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    return evaluate(COUNT_METRICS["example_f1"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def micro_precision(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Share of the predicted labels that are true, `hits / predicted`, counted over the whole table.

    Like scikit-learn's `precision_score(average="micro")`.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of tables without any label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> micro_precision([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    return evaluate(COUNT_METRICS["micro_precision"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def macro_precision(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Mean over the labels of `precision = hits / predicted` of that label.

    Like scikit-learn's `precision_score(average="macro", zero_division=0)`. A label that is true somewhere
    and never predicted counts 0, whatever `empty` is.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a label without any true or predicted entry.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> macro_precision([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.75
    """
    return evaluate(COUNT_METRICS["macro_precision"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def example_precision(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0, sample_weight: Any = None) -> float:
    """Mean over the rows of `precision = hits / predicted` of that row.

    A row that rightly has no label counts 1 (`empty`). One that has true labels and none predicted counts 0,
    where scikit-learn's `zero_division=1` would give it 1 as well.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a row without any true or predicted label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> example_precision([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.75
    """
    return evaluate(COUNT_METRICS["example_precision"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def micro_recall(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Share of the true labels that are predicted, `hits / true`, counted over the whole table.

    Like scikit-learn's `recall_score(average="micro")`.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of tables without any label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> micro_recall([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.666...
    """
    return evaluate(COUNT_METRICS["micro_recall"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def macro_recall(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 0.0, sample_weight: Any = None) -> float:
    """Mean over the labels of `recall = hits / true` of that label.

    Like scikit-learn's `recall_score(average="macro", zero_division=0)`. A label that is predicted
    somewhere and never true counts 0, whatever `empty` is.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a label without any true or predicted entry.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> macro_recall([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.75
    """
    return evaluate(COUNT_METRICS["macro_recall"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def example_recall(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0, sample_weight: Any = None) -> float:
    """Mean over the rows of `recall = hits / true` of that row.

    A row that rightly has no label counts 1 (`empty`). One that has predicted labels and none true counts 0,
    where scikit-learn's `zero_division=1` would give it 1 as well.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a row without any true or predicted label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> example_recall([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.75
    """
    return evaluate(COUNT_METRICS["example_recall"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def accuracy(Y_true: Matrix, Y_pred: Matrix, *, empty: float = 1.0, sample_weight: Any = None) -> float:
    """Mean over the rows of the Jaccard index `hits / (predicted + true - hits)` of that row.

    Like scikit-learn's `jaccard_score(average="samples", zero_division=1)`; its `accuracy_score` is
    `subset_accuracy` here. A row that rightly has no label counts 1; `empty=0` gives the other convention.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    empty : float
        Value of a row without any true or predicted label.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> accuracy([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.5
    """
    return evaluate(COUNT_METRICS["accuracy"], Y_true, Y_pred, empty=empty, sample_weight=sample_weight)


def subset_accuracy(Y_true: Matrix, Y_pred: Matrix, *, sample_weight: Any = None) -> float:
    """Share of the rows whose labels are all predicted right, with none too many.

    Like scikit-learn's `accuracy_score`. A row that rightly has no label is right.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> subset_accuracy([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.0
    """
    return evaluate(COUNT_METRICS["subset_accuracy"], Y_true, Y_pred, sample_weight=sample_weight)


def hamming_loss(Y_true: Matrix, Y_pred: Matrix, *, sample_weight: Any = None) -> float:
    """Share of the entries that are predicted wrong: `(predicted + true - 2 hits) / (n L)`.

    Like scikit-learn's `hamming_loss`. Where labels are rare, predicting none is hard to beat.

    Parameters
    ----------
    Y_true, Y_pred : table of 0 and 1, shape (n_samples, n_labels)
        True and predicted labels.
    sample_weight : array of shape (n_samples,), optional
        How often a row counts.

    Returns
    -------
    float

    Examples
    --------
    >>> hamming_loss([[1, 0], [1, 1]], [[1, 1], [0, 1]])
    0.5
    """
    return evaluate(COUNT_METRICS["hamming_loss"], Y_true, Y_pred, sample_weight=sample_weight)
