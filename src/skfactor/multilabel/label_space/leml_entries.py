"""The entries of a table of labels that a loss is summed over: those of a sparse pattern, or all of them.

Both kinds see the scores as Z = A B' (p x q), for a factor A of the rows that is sought and a factor B of the
columns that is fixed, and never form Z. The same code serves the rows of X and, on the transposed table, the
labels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from scipy import sparse
from sklearn.utils import gen_batches

from skfactor._validation import FloatArray, IntArray
from skfactor.losses import Loss

#: All entries are gone through in blocks of about so many.
BLOCK_ENTRIES = 2**20


class Sums(NamedTuple):
    """The loss F(A) = sum w_ij loss(y_ij, a_i . b_j) about A.

    Attributes
    ----------
    value : float
    gradient : ndarray of shape (p, k)
        G B for the weighted gradients G of the entries.
    product : callable
        P -> (H * (P B')) B, the Hessian times P, for the weighted curvatures H of the entries.
    curvature : pair of ndarrays of shape (p,) and (q,)
        Sums of H over the rows and over the columns.
    """

    value: float
    gradient: FloatArray
    product: Callable[[FloatArray], FloatArray]
    curvature: tuple[FloatArray, FloatArray]


class Entries(Protocol):
    """What the alternating minimization asks of the entries."""

    def value(self, A: FloatArray, B: FloatArray) -> float:
        """F(A)."""

    def expand(self, A: FloatArray, B: FloatArray) -> Sums:
        """F about A."""


@dataclass(frozen=True)
class Pattern:
    """Entries (i, j) with j among `others[starts[i]:starts[i + 1]]`, with their targets y and weights w."""

    loss: Loss
    starts: IntArray
    others: IntArray
    y: FloatArray
    weight: FloatArray

    @classmethod
    def of(cls, loss: Loss, table: sparse.csr_array, rows: FloatArray, columns: FloatArray) -> Pattern:
        """The stored entries of `table`, each with the weight of its row times that of its column."""
        weight = np.repeat(rows, np.diff(table.indptr)) * columns[table.indices]
        return cls(loss, table.indptr, table.indices, table.data, weight)

    def value(self, A: FloatArray, B: FloatArray) -> float:
        """F(A)."""
        return float(self.weight @ self.loss.value(self.y, self._scores(A, B)))

    def expand(self, A: FloatArray, B: FloatArray) -> Sums:
        """F about A."""
        from skfactor.multilabel.label_space.leml_kernels import curved_products

        z, y, w = self._scores(A, B), self.y, self.weight
        shape = (len(A), len(B))
        slope = sparse.csr_array((w * self.loss.gradient(y, z), self.others, self.starts), shape=shape)
        bend = w * self.loss.curvature(y, z)
        whole = sparse.csr_array((bend, self.others, self.starts), shape=shape)
        return Sums(
            float(w @ self.loss.value(y, z)),
            slope @ B,
            lambda P: curved_products(self.starts, self.others, bend, P, B),
            (whole.sum(axis=1), whole.sum(axis=0)),
        )

    def _scores(self, A: FloatArray, B: FloatArray) -> FloatArray:
        from skfactor.multilabel.label_space.leml_kernels import sampled_products

        return sampled_products(self.starts, self.others, A, B)


@dataclass(frozen=True)
class Whole:
    """All entries of a sparse 0/1 table; an entry has the weight of its row times that of its column."""

    loss: Loss
    table: sparse.csr_array
    rows: FloatArray
    columns: FloatArray

    def value(self, A: FloatArray, B: FloatArray) -> float:
        """F(A)."""
        return sum(float(np.sum(w * self.loss.value(y, z))) for _, w, y, z in self._blocks(A, B))

    def expand(self, A: FloatArray, B: FloatArray) -> Sums:
        """F about A."""
        value, gradient = 0.0, np.empty_like(A)
        by_row, by_column = np.empty(len(A)), np.zeros(len(B))
        for part, w, y, z in self._blocks(A, B):
            value += float(np.sum(w * self.loss.value(y, z)))
            gradient[part] = (w * self.loss.gradient(y, z)) @ B
            bend = w * self.loss.curvature(y, z)
            by_row[part] = bend.sum(axis=1)
            by_column += bend.sum(axis=0)
        return Sums(value, gradient, lambda P: self._curved(A, B, P), (by_row, by_column))

    def _curved(self, A: FloatArray, B: FloatArray, P: FloatArray) -> FloatArray:
        # The curvatures are computed anew, since keeping them would take as much room as all scores.
        out = np.empty_like(P)
        for part, w, y, z in self._blocks(A, B):
            out[part] = (w * self.loss.curvature(y, z) * (P[part] @ B.T)) @ B
        return out

    def _blocks(self, A: FloatArray, B: FloatArray) -> Iterator[tuple[slice, FloatArray, FloatArray, FloatArray]]:
        """A few rows at a time with the weights, targets and scores of their entries."""
        for part in gen_batches(len(A), max(1, BLOCK_ENTRIES // len(B))):
            y = self.table[part].toarray()
            weight = self.rows[part, None] * self.columns
            yield part, weight, 2 * y - 1 if self.loss.margin else y, A[part] @ B.T


@dataclass(frozen=True)
class LabelEntries:
    """The entries seen from the rows of X (n x L) and from the labels (L x n).

    The weights are such that a sum over all entries is a mean over rows: of all of them together it is L.

    Attributes
    ----------
    by_row, by_label : Entries
    linear : sparse array of shape (n, L)
        T with sum_i t_ij x_i the covariance of (centred) x and label j over the entries of that label.
    mean : ndarray of shape (L,)
        Of the labels over their entries, 0 for one that has none.
    """

    by_row: Entries
    by_label: Entries
    linear: sparse.csr_array
    mean: FloatArray

    @classmethod
    def of(
        cls, loss: Loss, labels: sparse.csr_array, observed: sparse.csr_array | None, weight: FloatArray
    ) -> LabelEntries:
        """Labels (n x L, 0/1), the pattern of those that are known, or None for all, and weights of rows (n)."""
        return (
            cls._of_all(loss, labels, weight)
            if observed is None
            else cls._of_known(loss, labels, observed, weight)
        )

    @classmethod
    def _of_all(cls, loss: Loss, labels: sparse.csr_array, weight: FloatArray) -> LabelEntries:
        rows, columns = weight / weight.sum(), np.ones(labels.shape[1])
        linear = sparse.csr_array(sparse.diags_array(rows) @ labels)
        by_label = Whole(loss, labels.T.tocsr(), columns, rows)
        return cls(Whole(loss, labels, rows, columns), by_label, linear, labels.T @ rows)

    @classmethod
    def _of_known(
        cls, loss: Loss, labels: sparse.csr_array, observed: sparse.csr_array, weight: FloatArray
    ) -> LabelEntries:
        total = weight @ observed
        share = np.divide(1.0, total, out=np.zeros(len(total)), where=total > 0)
        known, mean = _values_on(labels, observed), share * (weight @ labels.multiply(observed))
        column, row_weight = known.indices, np.repeat(weight, np.diff(known.indptr))
        linear = known.copy()
        linear.data = (known.data - mean[column]) * share[column] * row_weight
        if loss.margin:
            known.data = 2 * known.data - 1
        rows, columns = weight / (total.mean() or 1.0), np.ones(len(total))
        by_label = Pattern.of(loss, known.T.tocsr(), columns, rows)
        return cls(Pattern.of(loss, known, rows, columns), by_label, linear, mean)


def _values_on(labels: sparse.csr_array, observed: sparse.csr_array) -> sparse.csr_array:
    """The labels at the entries of `observed`, those that are 0 stored too; the others are left out."""
    # Sums of 1 and 2 never cancel, so that the pattern stays as it is.
    known = sparse.csr_array(observed + labels.multiply(observed))
    known.data = known.data - 1.0
    return known
