"""Nonnegative least squares of many rows against a loop of SciPy's, and against the product it starts from."""

import numpy as np
from scipy.optimize import nnls as one_row

from benchmarks._measure import alternating, report
from skfactor.solvers import nnls

#: Rows and features of a large text set at 30 % of its features, and the rows that SciPy is timed on.
ROWS, FEATURES, COMPONENTS, TIMED = 5000, 462, 139, 100


def main() -> None:
    rng = np.random.default_rng(0)
    U = rng.random((FEATURES, COMPONENTS)) ** 3
    codes = np.maximum(0.0, rng.random((ROWS, COMPONENTS)) - 0.7)
    noise = rng.random((ROWS, FEATURES)) * (rng.random((ROWS, FEATURES)) < 0.1)
    X = codes @ U.T + noise

    def all_rows() -> None:
        nnls.solve(U.T @ U, X @ U)

    def loop() -> None:
        for x in X[:TIMED]:
            one_row(U, x)

    all_rows()
    seconds, slow, product = alternating(all_rows, loop, lambda: X @ U, rounds=3)
    name = f"NNLS of {ROWS} rows, {FEATURES} x {COMPONENTS}"
    report(
        f"{name}: loop of scipy.optimize.nnls / all rows at once",
        slow * ROWS / TIMED / seconds,
        "x",
        "at least 20",
    )
    report(f"{name}: all rows at once / the product X U", seconds / product, "x", "a small multiple")
