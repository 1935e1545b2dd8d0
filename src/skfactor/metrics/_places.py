"""The place of every true label in the ranking of its row, which is all that the ranking metrics need.

Tables of any size are worked through by blocks of rows; labels stay sparse throughout.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.metrics._input import check_same_shape, row_weights, score_table

#: Scores that are sorted at a time: 16 MB of sorting keys.
BLOCK_ENTRIES = 2**20


@dataclass(frozen=True)
class Places:
    """The true labels of a block of rows, arrays with one entry for each true label that has a score.

    Attributes
    ----------
    rows : array of shape (n_ranked,)
        The row of a true label.
    gains : array of shape (n_ranked,)
        What it is worth.
    above : array of shape (n_ranked,)
        How many labels of the row score higher.
    upto : array of shape (n_ranked,)
        How many score as high or higher, itself included: its rank at the worst.
    upto_true : array of shape (n_ranked,)
        How many of these are true.
    positives : array of shape (n_rows,)
        Number of true labels of each row, with or without a score.
    n_labels : int
        Number of labels.
    """

    rows: IntArray
    gains: FloatArray
    above: IntArray
    upto: IntArray
    upto_true: IntArray
    positives: FloatArray
    n_labels: int

    def row_sums(self, values: npt.ArrayLike) -> FloatArray:
        """Sum of `values`, one for each ranked true label, by row."""
        return np.bincount(self.rows, values, minlength=len(self.positives)).astype(np.float64)


def mean_over_rows(
    row_values: Callable[[Places], FloatArray], gains: Any, scores: Matrix, sample_weight: Any
) -> float:
    """Weighted mean of `row_values(places)`, with the gains of the true labels in a CSR array (n x L)."""
    scores = score_table(scores)
    check_same_shape(Y_true=gains, scores=scores)
    weights = row_weights(sample_weight, gains.shape[0])
    return float(
        np.average(np.concatenate([row_values(places) for places in blocks(gains, scores)]), weights=weights)
    )


def blocks(gains: Any, scores: Any) -> Iterator[Places]:
    """Places of the true labels, a few rows at a time."""
    n_rows, width = scores.shape
    if not isinstance(scores, np.ndarray):
        width = max(1, int(np.diff(scores.indptr).max()))
    step = max(1, BLOCK_ENTRIES // width)
    for start in range(0, n_rows, step):
        yield _places(gains[start : start + step], scores[start : start + step])


def _places(gains: Any, scores: Any) -> Places:
    """Rank by binary search for all rows at once.

    The pair (row, -score) is written as a complex number, since NumPy sorts those by the real, then by the
    imaginary part: the sorted rows in sequence are one sorted array.
    """
    positives, n_labels = np.diff(gains.indptr), gains.shape[1]
    gains, scores = _aligned(gains, scores)
    rows, columns = gains.nonzero()
    n_rows, width = scores.shape
    everyone = _keys(np.arange(n_rows)[:, np.newaxis], np.sort(-scores, axis=1)).ravel()
    own = _keys(rows, -scores[rows, columns])
    return Places(
        rows=rows,
        gains=gains.data,
        above=np.searchsorted(everyone, own, side="left") - rows * width,
        upto=np.searchsorted(everyone, own, side="right") - rows * width,
        upto_true=np.searchsorted(np.sort(own), own, side="right") - gains.indptr[rows],
        positives=positives.astype(np.float64),
        n_labels=n_labels,
    )


def _keys(rows: npt.NDArray[Any], values: FloatArray) -> npt.NDArray[np.complex128]:
    keys = np.empty(values.shape, dtype=np.complex128)
    keys.real, keys.imag = rows, values
    return keys


def _aligned(gains: Any, scores: Any) -> tuple[Any, FloatArray]:
    """Gains (CSR) and scores (dense) of the labels that have a score: shape (n_rows, most scores in a row).

    Shorter rows are filled up at the end with scores of -inf, without gain.
    """
    if isinstance(scores, np.ndarray):
        return gains, np.asarray(scores, dtype=np.float64)
    stored = np.diff(scores.indptr)
    filled = np.arange(max(1, stored.max())) < stored[:, np.newaxis]
    ranked, columns = np.full(filled.shape, -np.inf), np.zeros(filled.shape, dtype=scores.indices.dtype)
    ranked[filled], columns[filled] = scores.data, scores.indices
    rows = np.broadcast_to(np.arange(len(filled))[:, np.newaxis], filled.shape)
    return sparse.csr_array(np.where(filled, gains[rows, columns].toarray(), 0.0)), ranked
