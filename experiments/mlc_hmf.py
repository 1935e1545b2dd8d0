"""MLC-HMF, tables 5.9 and 5.10 of the thesis: micro-F1 and Hamming loss in ten folds.

    python -m experiments.mlc_hmf emotions medical

takes the folds of the data set if it has any (first repetition), else random ones (seed 0). Inside the training
part of each fold, a third is held out, and every point of the grid (`GRIDS`) is scored on it; the best is
fitted to the whole training part. Two things can be best, micro-F1 and Hamming loss, and two things can decide:
the vote, as in the thesis, or a threshold for the mean outputs that is fitted on the held-out third, with at
least one label for each row if every training row has one. All four are reported, by the names `DECISION for
METRIC`. Beside them is the plain competitor: RidgeBR, calibrated as it always is, for either metric.

Results are written to `experiments/results/MLCHMF-DATASET.json` as they come; what is there is not computed again.
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
from sklearn.model_selection import KFold, ParameterGrid

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets
from skfactor.decisions import Threshold
from skfactor.experiments.published import figures
from skfactor.metrics import get_metric, hamming_loss, micro_f1
from skfactor.multilabel import MLCHMF, RidgeBR

METRICS = ("micro_f1", "hamming_loss")
GRIDS: dict[str, dict[str, list[Any]]] = {
    "emotions": {"ridge": [10.0, 30.0, 60.0, 100.0], "tolerance": [0.0]},
    "cal500": {"ridge": [30.0, 100.0, 200.0], "tolerance": [0.06, 0.1]},
    "medical": {"ridge": [10.0, 30.0, 60.0, 100.0], "tolerance": [0.0]},
    "genbase": {"ridge": [1.0, 10.0, 30.0], "tolerance": [0.0]},
    "languagelog": {"ridge": [30.0, 100.0, 150.0], "tolerance": [0.0]},
    "plant-pseaac": {"ridge": [30.0, 100.0, 200.0, 300.0], "tolerance": [0.0, 0.1]},
    "human-pseaac": {"ridge": [100.0, 300.0, 600.0], "tolerance": [0.0, 0.1]},
}
FIXED: dict[str, Any] = {"max_iter": 150}
RIDGES = [0.03, 0.1, 0.3, 1.0, 3.0]


def folds_of(name: str, n: int) -> Any:
    try:
        return datasets.folds(name, 10)[:, 0]
    except FileNotFoundError:
        return np.random.default_rng(0).permutation(n) % 10 + 1


def run_fold(X: Any, Y: Any, test: Any, grid: list[dict[str, Any]]) -> dict[str, Any]:
    """Choose on the training rows, score on the test rows."""
    train = np.flatnonzero(~test)
    inner, held_out = next(KFold(3, shuffle=True, random_state=0).split(train))
    trials = [tried(X, Y, train[inner], train[held_out], point) for point in grid]
    found, fitted = {}, {}
    for metric in METRICS:
        for decision in ("vote", "threshold"):
            best = min(range(len(grid)), key=lambda i: -sign(metric) * trials[i][decision][metric])
            if best not in fitted:
                fitted[best] = MLCHMF(**FIXED, **grid[best]).fit(X[train], Y[train])
            model = fitted[best]
            rule = trials[best][f"rule for {metric}"]
            predicted = model.predict(X[test]) if decision == "vote" else rule.predict(model.label_scores(X[test]))
            found[f"{decision} for {metric}"] = measured(Y[test], predicted) | {
                "chosen": grid[best],
                "nodes": len(model.tree_.voters),
                "residue": len(model.tree_.residue),
            }
        found[f"RidgeBR for {metric}"] = run_ridge(X, Y, train, test, metric)
    return found


def tried(X: Any, Y: Any, inner: Any, held_out: Any, point: dict[str, Any]) -> dict[str, Any]:
    """What a point of the grid gives on the held-out rows, with the rules that are fitted there."""
    model = MLCHMF(**FIXED, **point).fit(X[inner], Y[inner])
    scores, truth = model.label_scores(X[held_out]), Y[held_out].toarray() > 0
    rules = {metric: Threshold(metric=metric).fit(scores, truth) for metric in METRICS}
    return {
        "vote": measured(Y[held_out], model.predict(X[held_out])),
        "threshold": {metric: rules[metric].value_ for metric in METRICS},
        **{f"rule for {metric}": rules[metric] for metric in METRICS},
    }


def run_ridge(X: Any, Y: Any, train: Any, test: Any, metric: str) -> dict[str, Any]:
    models = [RidgeBR(ridge, decision=Threshold(metric=metric)).fit(X[train], Y[train]) for ridge in RIDGES]
    best = max(models, key=lambda model: sign(metric) * model.decision_.value_)
    return measured(Y[test], best.predict(X[test])) | {"chosen": {"ridge": best.ridge}}


def measured(Y: Any, predicted: Any) -> dict[str, float]:
    return {"micro_f1": micro_f1(Y, predicted), "hamming_loss": hamming_loss(Y, predicted)}


def sign(metric: str) -> int:
    return 1 if get_metric(metric).greater_is_better else -1


def summary(name: str, folds: dict[str, Any]) -> dict[str, Any]:
    """Mean and standard deviation over the folds, beside what is published."""
    table: dict[str, Any] = {"published": printed(name)}
    for run in next(iter(folds.values())):
        if run == "seconds":
            continue
        table[run] = {
            metric: [round(float(f([fold[run][metric] for fold in folds.values()])), 4) for f in (np.mean, np.std)]
            for metric in METRICS
        }
    return table


def printed(name: str) -> dict[str, list[float]]:
    """Mean and standard deviation of the thesis."""
    rows = [
        row
        for row in figures("thesis-5.9/5.10")
        if row.dataset == name.removesuffix("-pseaac") and row.method == "MLC-HMF" and row.metric in METRICS
    ]
    return {row.metric: [row.mean, row.std] for row in rows}


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    for name in sys.argv[1:]:
        path = RESULTS / f"MLCHMF-{name}.json"
        settings = {"grid": GRIDS[name], "fixed": FIXED, "ridges": RIDGES}
        record = json.loads(path.read_text()) if path.exists() else {}
        if record.get("settings") != settings:
            record = {"data": name, "settings": settings, "folds": {}}
        data = datasets.load(name)
        # These two are real-valued, whatever their file looks like: centred and scaled, they are better for all.
        X = data.X.toarray() if name.endswith("pseaac") else data.X
        fold = folds_of(name, X.shape[0])
        for k in range(1, 11):
            if str(k) not in record["folds"]:
                started = time.perf_counter()
                found = run_fold(X, sparse.csr_array(data.Y), fold == k, list(ParameterGrid(GRIDS[name])))
                record["folds"][str(k)] = found | {"seconds": round(time.perf_counter() - started, 1)}
                record |= {"made": provenance(), "summary": summary(name, record["folds"])}
                path.write_text(json.dumps(record, indent=1) + "\n")
        for run, measures in record["summary"].items():
            print(f"{name:14} {run:28} {measures}", flush=True)


if __name__ == "__main__":
    main()
