"""Labels that are missing, and whether it pays to know which: LEML on bibtex.

    python -m experiments.missing_labels

hides a share of the label entries of the training rows at random, and fits two models: `known` is told which
entries are hidden, `zeros` takes them for negatives. Both choose the ridge by the held-out micro-F1 of their
own calibration, on what they see of the training rows, and both are scored on all labels of the test rows. The
split, 80 to 20, and the hidden entries are drawn anew for each seed. Results are written to
`experiments/results/missing-labels-bibtex.json` as they come; what is there is not computed again.
"""

from __future__ import annotations

import json
import time
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid

from experiments.five_folds import RESULTS, provenance, summary_of
from skfactor import datasets
from skfactor.metrics import macro_f1, micro_f1
from skfactor.multilabel import LEML

DATA = "bibtex"
PATH = RESULTS / f"missing-labels-{DATA}.json"
SETTINGS: dict[str, Any] = {
    "hidden": [0.3, 0.5, 0.7, 0.9],
    "seeds": [0, 1, 2],
    "test_share": 0.2,
    # The more labels are taken for zeros, the smaller their covariances are, and with them the right ridge.
    "grids": {
        "known": {"n_components": [100], "ridge": [0.06, 0.12, 0.24, 0.48]},
        "zeros": {"n_components": [100], "ridge": [0.01, 0.02, 0.04, 0.08, 0.16, 0.32]},
    },
    # Three folds and this tolerance, since one fit over the known entries takes seconds.
    "fixed": {"calibration_folds": 3, "tol": 1e-4},
}


def run_case(data: Any, hidden: float, seed: int) -> dict[str, Any]:
    """Both models on one draw of the test rows and of the hidden entries."""
    rng = np.random.default_rng(seed)
    test = rng.permutation(data.Y.shape[0]) < SETTINGS["test_share"] * data.Y.shape[0]
    X, Y = data.X[~test], data.Y[~test]
    observed = sparse.csr_array((rng.random(Y.shape) >= hidden).astype(float))
    seen = sparse.csr_array(Y.multiply(observed))
    grids, goal = SETTINGS["grids"], (data.X[test], data.Y[test])
    return {
        "known": run_model(grids["known"], X, seen, observed, *goal),
        "zeros": run_model(grids["zeros"], X, seen, None, *goal),
    }


def run_model(grid: dict[str, Any], X: Any, Y: Any, observed: Any, X_test: Any, Y_test: Any) -> dict[str, Any]:
    """Choose on the training rows, score on the test rows; beside it, what the best threshold there would give."""
    start = time.perf_counter()
    models = [LEML(**SETTINGS["fixed"], **point).fit(X, Y, observed=observed) for point in ParameterGrid(grid)]
    best = max(models, key=lambda model: model.decision_.value_)
    predicted = best.predict(X_test)
    bound = clone(best.decision_).fit(best.factors_.scores(X_test), Y_test.toarray() > 0).value_
    return {
        "micro_f1": micro_f1(Y_test, predicted),
        "macro_f1": macro_f1(Y_test, predicted),
        "micro_f1_at_best_test_threshold": bound,
        "predicted_per_row": float(predicted.sum()) / Y_test.shape[0],
        "chosen": {name: getattr(best, name) for name in grid},
        "held_out": [round(model.decision_.value_, 4) for model in models],
        "seconds": round(time.perf_counter() - start, 1),
    }


def curve(cases: dict[str, Any]) -> dict[str, Any]:
    """Mean and standard deviation over the seeds, for each share of hidden entries."""
    found: dict[str, Any] = {}
    for hidden in SETTINGS["hidden"]:
        done = [case for name, case in cases.items() if name.startswith(f"{hidden} ")]
        for model in ("known", "zeros") if done else ():
            for score in ("micro_f1", "macro_f1", "micro_f1_at_best_test_threshold"):
                values = [case[model][score] for case in done]
                found.setdefault(str(hidden), {}).setdefault(model, {})[score] = summary_of(values)
    return found


def main() -> None:
    record = json.loads(PATH.read_text()) if PATH.exists() else {}
    if record.get("settings") != SETTINGS:
        record = {"data": DATA, "settings": SETTINGS, "cases": {}}
    data = datasets.load(DATA)
    for seed in SETTINGS["seeds"]:
        for hidden in reversed(SETTINGS["hidden"]):
            name = f"{hidden} hidden, seed {seed}"
            if name not in record["cases"]:
                record["cases"][name] = run_case(data, hidden, seed)
                record |= {"made": provenance(), "curve": curve(record["cases"])}
                PATH.parent.mkdir(exist_ok=True)
                PATH.write_text(json.dumps(record, indent=1) + "\n")
            case = record["cases"][name]
            print(name, {model: round(case[model]["micro_f1"], 4) for model in case}, flush=True)
    for hidden, models in record["curve"].items():
        scores = "  ".join(
            f"{name} {m['micro_f1']['mean']:.4f} ± {m['micro_f1']['sd']:.4f}" for name, m in models.items()
        )
        print(f"{float(hidden):.0%} hidden: {scores}")


if __name__ == "__main__":
    main()
