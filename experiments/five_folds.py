"""Five-fold figures: parameters and thresholds chosen inside the training folds only.

    python -m experiments.five_folds RidgeBR emotions scene

takes the declared grid of the method (`GRIDS`), and for each of the five folds (those of the data set if it has
any, else random ones) fits every point of the grid to the other four. The point with the highest held-out
micro-F1 of its own calibration is kept, which the test fold has no part in, and scored on the test fold. Results
are written to `experiments/results/METHOD-DATASET.json` as they come; what is there is not computed again.
"""

from __future__ import annotations

import datetime as dt
import json
import platform
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import scipy
import sklearn
from sklearn.model_selection import ParameterGrid

import skfactor
from skfactor import datasets, metrics, multilabel

RESULTS = Path(__file__).parent / "results"
METRICS = ("micro_f1", "macro_f1", "example_f1", "accuracy", "hamming_loss")
RIDGES = [0.03, 0.1, 0.3, 1.0, 3.0, 10.0]
#: Ranks of the label-space methods, all below the number of labels: with all of them, most are RidgeBR.
RANKS = {
    "emotions": [2, 3, 4, 5],
    "scene": [2, 3, 4, 5],
    "medical": [10, 20, 30, 40],
    "corel5k": [20, 50, 100],
    "bibtex": [50, 100, 150],
}
#: One list of points per method; a data set may have its own under METHOD/DATASET.
GRIDS: dict[str, dict[str, list[Any]]] = {
    # Fine steps in the middle, where the coarse ones jump over the best: see experiments/ridge_choice.py.
    "RidgeBR": {"ridge": [0.03, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 2.0, 3.0, 10.0]},
    "RidgeBR/mediamill": {"ridge": [1e-5, 3e-5, 1e-4, 3e-4, 1e-3, 1e-2]},
    "LEML": {"ridge": [0.03, 0.06, 0.1, 0.2, 0.4]},
    "LEML/bibtex": {"ridge": [0.03, 0.06, 0.1, 0.2], "n_components": [100]},
    **{method: {"ridge": RIDGES} for method in ("PLST", "CPLST", "CSSP", "CCA", "FaIE", "CS")},
    **{f"PLST/{name}": {"ridge": RIDGES, "n_components": ranks} for name, ranks in RANKS.items()},
    **{f"CPLST/{name}": {"ridge": RIDGES, "n_components": ranks} for name, ranks in RANKS.items()},
    **{f"CSSP/{name}": {"ridge": RIDGES, "n_components": ranks} for name, ranks in RANKS.items()},
    **{
        f"CCA/{name}": {"ridge": [0.1, 0.3, 1.0, 3.0], "n_components": ranks, "label_ridge": [0.1, 1.0]}
        for name, ranks in RANKS.items()
    },
    **{
        f"FaIE/{name}": {"ridge": [0.3, 1.0], "n_components": ranks, "feature_weight": [0.01, 0.1]}
        for name, ranks in RANKS.items()
    },
    "FaIE/bibtex": {"ridge": [0.3], "n_components": [150], "feature_weight": [0.01, 0.1]},  # a slow one
    **{
        f"CS/{name}": {
            "ridge": [0.3, 1.0],
            "n_components": ranks,
            "projection": ["gaussian", "hadamard"],
            "decoding": ["omp", "correlation"],
        }
        for name, ranks in RANKS.items()
    },
}


def folds_of(name: str, n: int, repetition: int = 0) -> np.ndarray[Any, Any]:
    """Fold of each row, 1 to 5: the data set's own if it has any, else random, with the repetition as seed."""
    try:
        return datasets.folds(name, 5)[:, repetition]
    except FileNotFoundError:
        return np.random.default_rng(repetition).permutation(n) % 5 + 1


def run_fold(method: str, grid: dict[str, list[Any]], data: Any, test: Any) -> dict[str, Any]:
    """Choose on the training rows, score on the test rows."""
    start = time.perf_counter()
    candidates = [
        getattr(multilabel, method)(**point).fit(data.X[~test], data.Y[~test]) for point in ParameterGrid(grid)
    ]
    best = max(candidates, key=lambda model: model.decision_.value_)
    predicted = best.predict(data.X[test])
    return {
        "chosen": {name: best.get_params()[name] for name in grid},
        "held_out": best.decision_.value_,
        "seconds": round(time.perf_counter() - start, 2),
        **figures(data.Y[test], predicted),
    }


def figures(truth: Any, predicted: Any) -> dict[str, float]:
    """Every metric of the tables."""
    return {name: getattr(metrics, name)(truth, predicted) for name in METRICS}


def run(method: str, name: str) -> dict[str, Any]:
    """All five folds, resumed where they were left."""
    path = RESULTS / f"{method}-{name}.json"
    grid = GRIDS.get(f"{method}/{name}", GRIDS[method])
    record = json.loads(path.read_text()) if path.exists() else {}
    if record.get("grid") != grid:
        record = {"method": method, "data": name, "grid": grid, "folds": {}}
    data = datasets.load(name)
    fold = folds_of(name, data.X.shape[0])
    for k in range(1, 6):
        if str(k) not in record["folds"]:
            record["folds"][str(k)] = run_fold(method, grid, data, fold == k)
            record |= {"made": provenance(), "mean": summary(record["folds"], np.mean)}
            record["sd"] = summary(record["folds"], np.std)
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def summary(folds: dict[str, Any], statistic: Any) -> dict[str, float]:
    return {name: round(float(statistic([fold[name] for fold in folds.values()])), 4) for name in METRICS}


def summary_of(values: list[float]) -> dict[str, float]:
    """Mean and standard deviation."""
    return {"mean": round(float(np.mean(values)), 4), "sd": round(float(np.std(values)), 4)}


def provenance() -> dict[str, str]:
    return {
        "date": dt.date.today().isoformat(),
        "skfactor": skfactor.__version__,
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
    }


def main() -> None:
    method, *names = sys.argv[1:]
    for name in names:
        record = run(method, name)
        figures = "  ".join(f"{m} {record['mean'][m]:.4f} ± {record['sd'][m]:.4f}" for m in METRICS)
        print(f"{method} {name}: {figures}", flush=True)
        print("   chosen:", [fold["chosen"] for fold in record["folds"].values()], flush=True)


if __name__ == "__main__":
    main()
