"""PLST(50) on a sparse table of 47,236 features, whose X'X would take 17 GiB."""

import os
import time
from pathlib import Path

from benchmarks._measure import peak_memory, report


def fit(path: str) -> None:
    from skfactor.datasets import load
    from skfactor.metrics import micro_f1
    from skfactor.multilabel import PLST

    data = load(path)
    start = time.perf_counter()
    model = PLST(50, ridge=1.0).fit(data.X, data.Y)
    print(
        f"  {data.X.shape}, calibrated micro-F1 {model.decision_.value_:.3f}, "
        f"on the training rows {micro_f1(data.Y, model.predict(data.X)):.3f}, {time.perf_counter() - start:.1f} s"
    )


def main() -> None:
    folder = os.environ.get("SKFACTOR_DATA")
    if folder is None:
        print("matrix_free: set SKFACTOR_DATA to the folder with multilabel/rcv1subset1-full.npz")
        return
    peak = peak_memory(fit, str(Path(folder) / "multilabel" / "rcv1subset1-full.npz"))
    report("peak memory of PLST(50) on 6000 x 47,236, matrix-free", peak, "MiB", "at most 1024")
