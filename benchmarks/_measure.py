"""Measuring on a shared, noisy machine: the best of several runs, alternating what is compared."""

import multiprocessing
import re
import resource
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse


def alternating(*functions: Callable[[], Any], rounds: int = 5) -> list[float]:
    """Least seconds of each function, called in turn so that a busy spell hits all of them."""
    best = [float("inf")] * len(functions)
    for _ in range(rounds):
        for place, function in enumerate(functions):
            start = time.perf_counter()
            function()
            best[place] = min(best[place], time.perf_counter() - start)
    return best


def peak_memory(function: Callable[..., Any], *arguments: Any) -> float:
    """Peak memory in MiB of a fresh process that calls `function`, imports included."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    process = context.Process(target=_report_peak, args=(queue, function, arguments))
    process.start()
    peak = queue.get()
    process.join()
    return float(peak)


def _report_peak(queue: Any, function: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    function(*arguments)
    queue.put(_own_peak() / 1024)


def _own_peak() -> int:
    """Peak memory of this process in KiB; on Linux, without what its parent had when it was started."""
    status = Path("/proc/self/status")
    if status.exists():
        return int(re.search(r"VmHWM:\s*(\d+) kB", status.read_text())[1])  # type: ignore[index]
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def sparse_rows(n: int, n_features: int, n_labels: int) -> tuple[sparse.csr_array, sparse.csr_array]:
    """Rows like texts: a fiftieth of the features, a twentieth of the labels."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((n, n_features), density=0.02, format="csr", rng=rng)
    Y = sparse.random_array((n, n_labels), density=0.05, format="csr", rng=rng)
    Y.data[:] = 1
    return X, Y


def report(name: str, figure: float, unit: str, goal: str) -> None:
    """One line: what was measured, and what is wanted of it."""
    print(f"{name:<72} {figure:10.3f} {unit:<6} (goal: {goal})", flush=True)
