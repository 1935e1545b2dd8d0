"""Few labelled rows: micro-F1 as a function of the number of labels returned, CNMF beside a linear SVM per label.

    python -m experiments.few_labels 100 rcv1subset1-944 bibtex delicious

draws 100 labelled rows, ten times (the paper has 100 and 500), and ranks the labels of all other rows. Term
weights are tf-idf, for all methods alike; the inverse document frequencies are of all rows, since that takes none
of their labels. Every method takes the point of its grid (`GRIDS`) that ranks held-out labelled rows best, by
micro-F1 at its best list length; as the SVM's C is chosen badly on so few rows, there is the SVM with C = 1, too.
Reported is what the paper has: the best point of the curve on the other rows. `ridge start` is what CNMF starts
from, before its first update. For CNMF and RidgeBR there is the micro-F1 of their own decisions, too, for which
nothing is chosen on the other rows.

Results are written to `experiments/results/few-labels-DATASET-N.json` as they come; what is there is not computed
again. The curves are drawn beside them, as `few-labels-DATASET-N.svg`.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.model_selection import KFold, ParameterGrid
from sklearn.svm import LinearSVC

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets
from skfactor.metrics import ListLengthCurve, list_length_curve, micro_f1
from skfactor.multilabel import CNMF, RidgeBR
from skfactor.report.figures.list_length import draw_list_length

SPLITS, LONGEST = 10, 30
GRIDS: dict[str, dict[str, list[Any]]] = {
    "CNMF": {"ridge": [0.1, 1.0]},
    # With so many labels each fit takes long, and few updates are best.
    "CNMF/delicious": {"ridge": [1.0, 4.0], "max_iter": [8], "calibration_folds": [3]},
    "SVM": {"C": [0.1, 1.0, 10.0]},
    "RidgeBR": {"ridge": [1.0, 4.0, 16.0]},
}


def run_split(data: Any, name: str, n_labelled: int, seed: int) -> dict[str, Any]:
    """All methods on one draw."""
    X = sparse.csr_matrix(TfidfTransformer().fit_transform(data.X))
    labelled = np.random.default_rng(seed).permutation(X.shape[0]) < n_labelled
    runs = {"CNMF": run_cnmf, "SVM": run_svm, "RidgeBR": run_ridge}
    found: dict[str, Any] = {}
    for method, run in runs.items():
        started = time.perf_counter()
        grid = list(ParameterGrid(GRIDS.get(f"{method}/{name}", GRIDS[method])))
        found |= run(X, data.Y, labelled, grid)
        found[method]["seconds"] = round(time.perf_counter() - started, 1)
    return found


def run_cnmf(X: Any, Y: Any, labelled: Any, grid: list[dict[str, Any]]) -> dict[str, Any]:
    best: Any = None
    for point in grid:
        model = CNMF(**point).fit(X, Y, labelled=labelled)
        if best is None or model.held_out_curve_.max() > best.held_out_curve_.max():
            best = model
    Y_rest = Y[~labelled]
    scores = best.transduction_[~labelled]
    start = np.zeros_like(scores)
    start[:, best.scorer_.seen] = best.scorer_.start(X[~labelled])
    chosen = {name: best.get_params()[name] for name in grid[0]} | {"n_iter": best.n_iter_}
    decided = micro_f1(Y_rest, best.decision_.predict(scores))
    return {
        "CNMF": measured(Y_rest, scores) | {"chosen": chosen, "decided": decided},
        "ridge start": measured(Y_rest, start),
    }


def run_svm(X: Any, Y: Any, labelled: Any, grid: list[dict[str, Any]]) -> dict[str, Any]:
    X_known, Y_known = X[labelled], Y[labelled].toarray()
    held_out = []
    for point in grid:
        scores = np.empty(Y_known.shape)
        for train, test in KFold(5, shuffle=True, random_state=0).split(Y_known):
            scores[test] = svm_scores(X_known[train], Y_known[train], X_known[test], **point)
        held_out.append(list_length_curve(Y_known, scores).f1.max())
    chosen = grid[int(np.argmax(held_out))]
    tuned, plain = (svm_scores(X_known, Y_known, X[~labelled], C) for C in (chosen["C"], 1.0))
    return {
        "SVM": measured(Y[~labelled], tuned) | {"chosen": chosen},
        "SVM, C = 1": measured(Y[~labelled], plain),
    }


def svm_scores(X: Any, Y: Any, X_new: Any, C: float) -> Any:
    """Distances from the hyperplanes; labels that no row or every row has come last or first."""
    scores = np.where(Y.all(axis=0), 1e9, -1e9) * np.ones((X_new.shape[0], 1))
    for label in np.flatnonzero(Y.any(axis=0) & ~Y.all(axis=0)):
        scores[:, label] = LinearSVC(C=C, random_state=0).fit(X, Y[:, label]).decision_function(X_new)
    return scores


def run_ridge(X: Any, Y: Any, labelled: Any, grid: list[dict[str, Any]]) -> dict[str, Any]:
    models = [RidgeBR(**point).fit(X[labelled], Y[labelled]) for point in grid]
    best = max(models, key=lambda model: model.decision_.value_)
    result = measured(Y[~labelled], best.label_scores(X[~labelled]))
    decided = micro_f1(Y[~labelled], best.predict(X[~labelled]))
    return {"RidgeBR": result | {"chosen": {"ridge": best.ridge}, "decided": decided}}


def measured(Y: Any, scores: Any) -> dict[str, Any]:
    curve = list_length_curve(Y, scores, max_length=min(LONGEST, Y.shape[1]))
    shown = {name: getattr(curve, name).round(5).tolist() for name in ("precision", "recall", "f1")}
    return {"best": float(curve.f1.max()), "best_length": int(curve.f1.argmax()) + 1, "curve": shown}


def summary(splits: dict[str, Any]) -> dict[str, Any]:
    """Mean and standard deviation of each method over the splits, and of its lead over the better SVM."""
    table: dict[str, Any] = {}
    for method in next(iter(splits.values())):
        best = np.array([split[method]["best"] for split in splits.values()])
        lead = best - [max(split["SVM"]["best"], split["SVM, C = 1"]["best"]) for split in splits.values()]
        table[method] = {"best": spread(best), "lead": spread(lead), "wins": int((lead > 0).sum())}
        if "decided" in next(iter(splits.values()))[method]:
            table[method]["decided"] = spread([split[method]["decided"] for split in splits.values()])
    return table


def spread(values: Any) -> dict[str, float]:
    return {"mean": round(float(np.mean(values)), 4), "sd": round(float(np.std(values)), 4)}


def draw(record: dict[str, Any], stem: str) -> None:
    splits = record["splits"].values()
    curves = {}
    for method in next(iter(splits)):
        shown = [split[method]["curve"] for split in splits]
        length = np.arange(1, len(shown[0]["f1"]) + 1)
        curves[method] = [ListLengthCurve(length, *(np.array(c[m]) for m in c)) for c in shown]
    draw_list_length(curves).savefig(RESULTS / f"{stem}.svg")


def run_all(name: str, n_labelled: int) -> None:
    """All draws that are not yet there."""
    stem = f"few-labels-{name}-{n_labelled}"
    path = RESULTS / f"{stem}.json"
    settings = {method: GRIDS.get(f"{method}/{name}", GRIDS[method]) for method in ("CNMF", "SVM", "RidgeBR")}
    record = json.loads(path.read_text()) if path.exists() else {}
    if record.get("settings") != settings:
        record = {"data": name, "labelled": n_labelled, "settings": settings, "splits": {}}
    data = datasets.load(name)
    for seed in range(SPLITS):
        if str(seed) not in record["splits"]:
            record["splits"][str(seed)] = run_split(data, name, n_labelled, seed)
            record |= {"made": provenance(), "summary": summary(record["splits"])}
            path.write_text(json.dumps(record) + "\n")
            print(name, n_labelled, seed, record["summary"], flush=True)
    draw(record, stem)


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)  # of liblinear
    for name in sys.argv[2:]:
        run_all(name, int(sys.argv[1]))


if __name__ == "__main__":
    main()
