"""OMMF by stochastic gradients over a memory map of 1,000,000 x 500: its memory must not grow with the rows."""

import multiprocessing
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks._measure import report

ROWS, FEATURES, LABELS, BLOCK = 1_000_000, 500, 20, 50_000


def write(path: Path) -> None:
    """X (float32) and Y of a table of rank 20, block by block."""
    rng = np.random.default_rng(0)
    X = np.lib.format.open_memmap(path / "X.npy", "w+", np.float32, (ROWS, FEATURES))
    Y = np.lib.format.open_memmap(path / "Y.npy", "w+", np.uint8, (ROWS, LABELS))
    P, Q = rng.normal(size=(20, FEATURES)).astype(np.float32), rng.normal(size=(20, LABELS))
    for start in range(0, ROWS, BLOCK):
        part = slice(start, start + BLOCK)
        H = rng.normal(size=(BLOCK, 20)).astype(np.float32)
        X[part] = H @ P + rng.normal(size=(BLOCK, FEATURES)).astype(np.float32)
        Y[part] = H @ Q > 6
    X.flush()
    Y.flush()


def fit(path: Path, rows: int, by_batches: bool) -> None:
    from skfactor.multilabel import OMMF

    X, Y = (np.load(path / f"{name}.npy", mmap_mode="r")[:rows] for name in "XY")
    model = OMMF(20, solver="sgd", max_epochs=1, batch_size=256, memory_budget=0.1)
    start = time.perf_counter()
    if by_batches:
        model.fit_batches([(X[i : i + 4096], Y[i : i + 4096]) for i in range(0, rows, 4096)])
    else:
        model.fit(X, Y)
    seconds = time.perf_counter() - start
    way = "fit_batches" if by_batches else "fit"
    print(f"  {way}, {rows:,} rows: {seconds:.1f} s, held-out micro-F1 {model.decision_.value_:.3f}", flush=True)


def own_memory() -> float:
    """Memory of this process in MiB but for pages of files, which the system takes back when it needs them."""
    status = Path("/proc/self/status").read_text()
    return float(status.partition("RssAnon:")[2].split()[0]) / 1024


def peak(queue: Any, path: Path, rows: int, by_batches: bool) -> None:
    import skfactor.multilabel  # noqa: F401

    before, highest, done = own_memory(), [0.0], threading.Event()

    def watch() -> None:
        while not done.wait(0.005):
            highest[0] = max(highest[0], own_memory())

    watcher = threading.Thread(target=watch)
    watcher.start()
    fit(path, rows, by_batches)
    done.set()
    watcher.join()
    queue.put(highest[0] - before)


def measured(path: Path, rows: int, by_batches: bool) -> float:
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=peak, args=(queue, path, rows, by_batches))
    process.start()
    highest = queue.get()
    process.join()
    return float(highest)


def main() -> None:
    if not Path("/proc/self/status").exists():
        print("ommf_stream: needs /proc/self/status to tell memory from pages of the file")
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder)
        write(path)
        for by_batches, way in ((False, "fit"), (True, "fit_batches")):
            few, many = (measured(path, rows, by_batches) for rows in (ROWS // 10, ROWS))
            report(f"OMMF by sgd, {way}, 1,000,000 x 500 (1907 MiB): memory", many, "MiB", "constant")
            report(f"OMMF by sgd, {way}: that, less for 100,000 rows", many - few, "MiB", "about 0")
