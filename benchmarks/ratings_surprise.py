"""HMF beside Surprise's SVD on MovieLens 1M (or ratings of its shape), d = 100, in one run.

scikit-surprise may need another NumPy than ours. The variable SURPRISE_PYTHON names the interpreter of an
environment that has it; by default it is our own.
"""

import importlib.util
import json
import os
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np

from benchmarks._measure import report
from benchmarks.ratings_speed import RANK, RATINGS, table, warm_up
from skfactor.datasets import RatingsData, load
from skfactor.metrics import mae
from skfactor.ratings import HMF

EPOCHS = 100
PEER = os.environ.get("SURPRISE_PYTHON", sys.executable)


def data() -> RatingsData:
    """MovieLens 1M where it is at hand."""
    folder = os.environ.get("SKFACTOR_DATA")
    if folder and (Path(folder) / "ratings" / "ml-1m.npz").is_file():
        return load("ml-1m")
    return table(RATINGS)


def numbered(pairs: np.ndarray, ratings: np.ndarray) -> np.ndarray:
    """Users and items from 0, and levels, as columns."""
    columns = [np.unique(column, return_inverse=True)[1] for column in pairs.T]
    return np.column_stack([*columns, ratings])


def svd(train: np.ndarray, test: np.ndarray) -> tuple[float, np.ndarray]:
    """Seconds of the fit, and predictions."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "ratings.npz"
        np.savez(path, train=train, test=test)
        script = Path(__file__).with_name("_surprise_svd.py")
        command = [PEER, str(script), str(path), str(RANK), str(EPOCHS)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    found = json.loads(done.stdout)
    return found["seconds"], np.array(found["predicted"])


def hmf(train: np.ndarray, test: np.ndarray, **given: object) -> tuple[float, np.ndarray]:
    """Seconds of the fit, reading and sorting included, and predictions."""
    started = time.perf_counter()
    model = HMF(n_components=RANK, ridge=18.0, levels=[1, 2, 3, 4, 5], **given)
    model.fit(train[:, :2], train[:, 2])
    seconds = time.perf_counter() - started
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        return seconds, model.predict(test[:, :2])


def main() -> None:
    if sys.executable == PEER and importlib.util.find_spec("surprise") is None:
        print("HMF / Surprise's SVD: set SURPRISE_PYTHON to an interpreter that has scikit-surprise")
        return
    warm_up()
    ratings = data()
    rows = numbered(ratings.pairs, ratings.ratings)[np.random.default_rng(1).permutation(len(ratings))]
    test, train = rows[: len(rows) // 20], rows[len(rows) // 20 :]
    peer_seconds, numbers = svd(train, test)
    peer = min(mae(test[:, 2], numbers), mae(test[:, 2], np.clip(np.rint(numbers), 1, 5)))
    print(f"{ratings.name}: SVD, {RANK} factors, {EPOCHS} epochs: {peer_seconds:.1f} s, MAE {peer:.4f}")
    for given in ({"n_threads": 1}, {}):
        seconds, levels = hmf(train, test, **given)
        error = mae(test[:, 2], levels)
        how = "one thread" if given else "as it is"
        print(f"{ratings.name}: HMF, {RANK} factors, {how}: {seconds:.1f} s, MAE {error:.4f}")
        report(f"HMF, {how} / Surprise's SVD: seconds", seconds / peer_seconds, "x", "at most 1")
        report(f"HMF, {how} / Surprise's SVD: mean absolute error", error / peer, "x", "below 1")


if __name__ == "__main__":
    main()
