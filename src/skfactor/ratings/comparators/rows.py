"""Least squares of every row apart, the step that ALS and Gibbs sampling share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.linalg.lapack import dtrtrs

from skfactor._validation import FloatArray, IntArray
from skfactor.ratings.kernels import in_chunks
from skfactor.ratings.triples import Numbers, Triples


@dataclass(frozen=True, eq=False)
class RowView:
    """The ratings by users, or by items: entries of row i are at starts[i]:starts[i + 1].

    Attributes
    ----------
    starts : ndarray
    others : ndarray of shape (n,)
        The item (user) of each.
    values : ndarray of shape (n,)
    """

    starts: IntArray
    others: Numbers
    values: FloatArray

    @property
    def counts(self) -> IntArray:
        """Ratings of each row."""
        return np.diff(self.starts)


def both_views(triples: Triples, values: FloatArray) -> tuple[RowView, RowView]:
    """Make the view by users and the view by items, of `values` in the order by users."""
    by_users = RowView(triples.user_starts, triples.items, values)
    return by_users, RowView(triples.item_starts, triples.users, values[triples.places])


def solve_rows(
    view: RowView,
    F: FloatArray,
    precision: FloatArray,
    pull: FloatArray,
    *,
    weight: float = 1.0,
    noise: FloatArray | None = None,
    threads: int = 1,
) -> FloatArray:
    """Compute w_i = A_i^-1 (weight F_i' t_i + pull), A_i = weight F_i'F_i + precision_i, for every row i.

    LAPACK is called as it is: around so small systems, checks of their elements would take most of the time.
    F_i are the rows of F (m x k) at the entries of row i, t_i their values. With `noise` z (rows x k), L_i^-T z_i
    is added, L_i L_i' = A_i: then w_i is drawn from the normal distribution with that mean and precision A_i.

    Parameters
    ----------
    precision : ndarray of shape (k, k), or (rows,) for multiples of the identity
    pull : ndarray of shape (k,)

    Returns
    -------
    ndarray of shape (rows, k)
    """
    k = F.shape[1]
    result = np.empty((len(view.counts), k))

    def chunk(first: int, last: int) -> None:
        for row in range(first, last):
            places = slice(view.starts[row], view.starts[row + 1])
            own = F[view.others[places]]
            A = weight * (own.T @ own)
            A += precision if precision.ndim == 2 else precision[row] * np.eye(k)
            L = np.linalg.cholesky(A)
            half, _ = dtrtrs(L, weight * (own.T @ view.values[places]) + pull, lower=1)
            half += 0.0 if noise is None else noise[row]
            result[row], _ = dtrtrs(L, half, lower=1, trans=1)

    in_chunks(chunk, view.starts, threads)
    return result
