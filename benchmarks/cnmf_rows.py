"""CNMF on delicious: memory at all 16,105 rows, and time as the rows double; an n x n matrix would take 2 GiB."""

import os
import time

import numpy as np

from benchmarks._measure import peak_memory, report

ROWS, LABELLED, UPDATES = (2000, 4000, 8000, 16_000), 500, 5


def fit_all() -> None:
    from skfactor.datasets import load
    from skfactor.multilabel import CNMF

    data = load("delicious")
    labelled = np.random.default_rng(0).permutation(data.X.shape[0]) < LABELLED
    CNMF(max_iter=UPDATES, calibration_folds=2).fit(data.X, data.Y, labelled=labelled)


def seconds(rows: int) -> float:
    from skfactor.datasets import load
    from skfactor.decisions import TopK
    from skfactor.multilabel import CNMF

    data = load("delicious")
    chosen = np.random.default_rng(0).permutation(data.X.shape[0])[:rows]
    X, Y = data.X[chosen], data.Y[chosen]
    model = CNMF(max_iter=UPDATES, tol=0, early_stopping=False, decision=TopK(k=20, min_labels=0))
    start = time.perf_counter()
    model.fit(X, Y, labelled=np.arange(rows) < LABELLED)
    return time.perf_counter() - start


def main() -> None:
    if "SKFACTOR_DATA" not in os.environ:
        print("cnmf_rows: set SKFACTOR_DATA to the folder with multilabel/delicious.npz")
        return
    report("peak memory of CNMF on 16,105 x 500, 983 labels", peak_memory(fit_all), "MiB", "below 2048")
    seconds(ROWS[0])  # warm up
    taken = [seconds(rows) for rows in ROWS]
    for rows, time_taken in zip(ROWS[1:], taken[1:], strict=True):
        name = f"CNMF, {UPDATES} updates: {rows:,} rows / {ROWS[0]:,} rows"
        report(name, time_taken / taken[0], "x", f"about {rows / ROWS[0]:g}")


if __name__ == "__main__":
    main()
