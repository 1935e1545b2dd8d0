"""How alike labels are, by the rows that they share."""

from __future__ import annotations

import numpy as np

from skfactor._validation import FloatArray
from skfactor.moments import CentredMoments

#: Squares below this share of the largest are zero but for rounding.
ROUNDING = 1e-12


def divided(columns: FloatArray, squares: FloatArray) -> FloatArray:
    """Columns divided by the roots of `squares`, and zeros where a square is zero but for rounding."""
    floor = squares.max(initial=0.0) * ROUNDING
    roots = np.sqrt(np.maximum(squares, floor))
    return np.asarray(np.divide(columns, roots, out=np.zeros_like(columns), where=squares > floor))


def cosines(products: FloatArray) -> FloatArray:
    """Cosines (L x L) of vectors of which the inner products are given; 0 with a vector of zeros."""
    squares = np.diag(products)
    return divided(divided(products, squares).T, squares)


def label_cosines(moments: CentredMoments) -> FloatArray:
    """Cosines (L x L) of the columns of Y, from Cyy + my my': the numbers of common rows, over n."""
    mean = moments.centre.mean_y
    return cosines(moments.yy(np.eye(moments.n_labels)) + np.outer(mean, mean))
