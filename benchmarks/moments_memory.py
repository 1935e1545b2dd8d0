"""Memory of Moments.of over batches: it must not grow with their number."""

import numpy as np

from benchmarks._measure import peak_memory, report
from skfactor import Moments

ROWS, FEATURES, LABELS = 20_000, 300, 50


def batches(count: int):  # type: ignore[no-untyped-def]
    for seed in range(count):
        rng = np.random.default_rng(seed)
        yield rng.normal(size=(ROWS, FEATURES)), (rng.random((ROWS, LABELS)) < 0.1).astype(np.float64)


def run(count: int) -> None:
    Moments.of(batches(count))


def main() -> None:
    few, many = peak_memory(run, 3), peak_memory(run, 60)
    report("peak memory of Moments.of, 60 batches / 3 batches", many / few, "x", "about 1")
