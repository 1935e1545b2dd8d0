"""Moments of a dense table against the bare BLAS calls that it cannot do without."""

import numpy as np
from scipy.linalg import blas

from benchmarks._measure import alternating, report
from skfactor import Moments

ROWS, FEATURES, LABELS = 200_000, 500, 100


def main() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES))
    Y = (rng.random((ROWS, LABELS)) < 0.05).astype(np.float64)

    def bare() -> None:
        blas.dsyrk(1.0, X.T)
        blas.dgemm(1.0, X.T, Y.T, trans_b=True)

    seconds, floor = alternating(lambda: Moments.of(X, Y), bare)
    report("Moments.of 200,000 x 500 dense, 100 labels / syrk + gemm", seconds / floor, "x", "at most 1.3")
