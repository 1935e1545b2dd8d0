"""Ridge regression on richer features: against randomized trees, and against itself on plain features.

    python -m experiments.richer_features emotions scene cal500 medical mediamill

For each of the five folds (those of the data set if it has any, else random ones): ExtraTrees with 300 trees, and
RidgeBR on the votes of the leaves of as many trees (`LeafFeatures`), on `KernelFeatures`, and as it is. Widths and
ridges have the best held-out micro-F1 of their own calibration on the training rows, thresholds likewise; the test
fold has no part in it. Seconds are of the processor. Results go to `experiments/results/richer-DATASET.json`.
"""

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid
from sklearn.pipeline import make_pipeline

from experiments.five_folds import folds_of, provenance
from skfactor import datasets, metrics
from skfactor.features import KernelFeatures, LeafFeatures
from skfactor.model_selection.candidates import last_step
from skfactor.model_selection.fitted_points import fit_points
from skfactor.multilabel import ExtraTrees, RidgeBR

RESULTS = Path(__file__).parent / "results"
TREES = 300
RIDGES = [0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0]
SMALL = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]
#: What is fitted once more, for its seconds; of trees, the choice takes hardly more than a fit.
FITTED_AGAIN = {"RidgeBR", "RidgeBR on KernelFeatures"}
#: Trees take an hour there, and are asked for on the other sets.
NO_TREES = {"mediamill"}


def contenders(name: str) -> dict[str, tuple[Any, dict[str, list[Any]]]]:
    """Estimators and their grids."""
    ridges = SMALL if name == "mediamill" else RIDGES
    kernel = {"kernelfeatures__width": [0.5, 1.0], "ridgebr__ridge": ridges}
    found = {
        "RidgeBR": (RidgeBR(), {"ridge": ridges}),
        "RidgeBR on KernelFeatures": (make_pipeline(KernelFeatures(), RidgeBR(scale=None)), kernel),
    }
    if name not in NO_TREES:
        leaves = make_pipeline(LeafFeatures(TREES), RidgeBR(scale=None))
        found["ExtraTrees"] = (ExtraTrees(n_estimators=TREES), {})
        found["RidgeBR on LeafFeatures"] = (leaves, {"ridgebr__ridge": ridges})
    return found


def run_fold(estimator: Any, grid: dict[str, list[Any]], data: Any, test: Any, again: bool) -> dict[str, Any]:
    """Choose on the training rows, score on the test rows; fit the chosen `again` to see what one fit takes."""
    start = time.process_time()
    points = list(ParameterGrid(grid))
    best: Any = None
    for one in fit_points(estimator, points, data.X[~test], data.Y[~test]):
        if best is None or held_out(one.model) > held_out(best.model):
            best = one
    model, choosing = best.model, time.process_time() - start
    start = time.process_time()
    if again:
        model = estimator.set_params(**points[best.place]).fit(data.X[~test], data.Y[~test])
    fitting = time.process_time() - start if again else choosing
    return {
        "chosen": points[best.place],
        "held_out": round(held_out(best.model), 4),
        "micro_f1": round(float(metrics.micro_f1(data.Y[test], model.predict(data.X[test]))), 4),
        "seconds to fit": round(fitting, 2),
        "seconds to choose": round(choosing, 2),
    }


def held_out(model: Any) -> float:
    return float(last_step(model)[0].decision_.value_)


def run(name: str) -> dict[str, Any]:
    """All folds of all contenders, resumed where they were left."""
    path = RESULTS / f"richer-{name}.json"
    record = json.loads(path.read_text()) if path.exists() else {"data": name, "trees": TREES, "folds": {}}
    data = datasets.load(name)
    fold = folds_of(name, data.X.shape[0])
    for k in range(1, 6):
        for who, (estimator, grid) in contenders(name).items():
            found = record["folds"].setdefault(who, {})
            if str(k) not in found:
                found[str(k)] = run_fold(estimator, grid, data, fold == k, who in FITTED_AGAIN)
                record |= {"made": provenance(), "summary": summary(record["folds"])}
                path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def summary(folds: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation of micro-F1, and mean seconds."""
    found = {}
    for who, parts in folds.items():
        values = [part["micro_f1"] for part in parts.values()]
        seconds = {
            key: np.mean([part[key] for part in parts.values()]) for key in ("seconds to fit", "seconds to choose")
        }
        found[who] = {
            "micro_f1": round(float(np.mean(values)), 4),
            "sd": round(float(np.std(values)), 4),
            **{key: round(float(value), 2) for key, value in seconds.items()},
        }
    return found


def main() -> None:
    for name in sys.argv[1:]:
        for who, found in run(name)["summary"].items():
            print(f"{name} {who}: {found}", flush=True)


if __name__ == "__main__":
    main()
