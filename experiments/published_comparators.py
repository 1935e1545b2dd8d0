"""The comparators as the thesis ran them: ten folds, its parameters, and each method's own decision rule.

    python -m experiments.published_comparators emotions medical

fits every method of `METHODS` to nine folds of ten (those published for the data set, first repetition) and
scores the tenth, with no threshold chosen: what the tables 5.9, 5.10 and 6.2 of the thesis report. In
`skfactor reproduce`, those tables have calibrated decisions, from which most figures gain; here one sees
whether the methods themselves are the published ones. Dense features are brought to [0, 1] by the
training rows, without which distances are those of the features with the largest numbers.

Results go to `experiments/results/published-METHOD-DATASET.json` as they come; what is there is not computed
again. The table that is printed has the published mean and deviation beside the measured ones.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Callable
from importlib import resources
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import MaxAbsScaler, MinMaxScaler

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets, metrics
from skfactor.decisions import Threshold
from skfactor.multilabel import BPMLL, BSVM, LIFT, LLSF, MLSF, SSJDR, MLkNN

METRICS = ("hamming_loss", "accuracy", "subset_accuracy", "example_f1", "macro_f1", "micro_f1")
ZERO, HALF = (Threshold(value=value, min_labels=0) for value in (0.0, 0.5))


def llsf(X: Any) -> Any:
    """LLSF with alpha = beta = .1, which the thesis gives for sums over rows and features as they are."""
    squares = X.multiply(X) if sparse.issparse(X) else np.square(X)
    mean_square = float(np.mean(squares.mean(axis=0) - np.square(X.mean(axis=0))))
    n = X.shape[0]
    link, l1 = 0.1 / (n * mean_square), 0.1 / (n * np.sqrt(mean_square))
    return LLSF(link_weight=link, sparsity=l1, scale=None, decision=HALF)


#: By the thesis' name: what makes the estimator for training rows that are scaled.
METHODS: dict[str, Callable[[Any], Any]] = {
    "BSVM": lambda X: BSVM(loss="hinge", decision=ZERO),
    "ML-kNN": lambda X: MLkNN(decision=HALF),
    "LIFT": lambda X: LIFT(decision=ZERO),
    "BP-MLL": lambda X: BPMLL(scale=None, decision=ZERO),
    "LLSF": llsf,
    "SSJDR-MLL": lambda X: SSJDR(scale=None, decision=ZERO),
    "MLSF": lambda X: MLSF(scale=None, decision=ZERO),
}


def run(method: str, name: str) -> dict[str, Any]:
    """All folds of one method on one data set, resumed where they were left."""
    path = RESULTS / f"published-{method}-{name}.json"
    record = json.loads(path.read_text()) if path.exists() else {"method": method, "data": name, "folds": {}}
    data = datasets.load(name)
    fold = datasets.folds(name, 10)[:, 0]
    for k in map(str, range(1, 11)):
        if k not in record["folds"]:
            record["folds"][k] = run_fold(method, data, fold == int(k))
            record |= {"made": provenance(), **summary(record["folds"])}
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def run_fold(method: str, data: Any, test: Any) -> dict[str, float]:
    started = time.perf_counter()
    scaler = MaxAbsScaler() if sparse.issparse(data.X) else MinMaxScaler()
    model = make_pipeline(scaler, METHODS[method](scaler.fit_transform(data.X[~test]))).fit(
        data.X[~test], data.Y[~test]
    )
    predicted = model.predict(data.X[test])
    figures = {name: float(getattr(metrics, name)(data.Y[test], predicted)) for name in METRICS}
    return figures | {"seconds": round(time.perf_counter() - started, 2)}


def summary(folds: dict[str, Any]) -> dict[str, dict[str, float]]:
    def over(statistic: Any) -> dict[str, float]:
        return {name: round(float(statistic([fold[name] for fold in folds.values()])), 4) for name in METRICS}

    return {"mean": over(np.mean), "sd": over(np.std)}


def published(method: str, name: str) -> dict[str, tuple[float, float]]:
    """Mean and deviation by metric, of table 5.9 or else of 6.2."""
    file = resources.files("skfactor.experiments.published") / "thesis_multilabel.csv"
    found: dict[str, tuple[float, float]] = {}
    for row in csv.DictReader(file.read_text().splitlines()):
        if (row["method"], row["dataset"]) == (method, name) and row["mean"] and row["metric"] not in found:
            found[row["metric"]] = float(row["mean"]), float(row["std"] or "nan")
    return found


def show(method: str, name: str, record: dict[str, Any]) -> None:
    """One line per metric: measured, published, and how many published deviations lie between them."""
    for metric, (mean, sd) in published(method, name).items():
        ours, ours_sd = record["mean"][metric], record["sd"][metric]
        better = (ours - mean) * (-1 if metric == "hamming_loss" else 1)
        verdict = "within" if abs(ours - mean) <= sd + 5e-4 else "better" if better > 0 else "BELOW"
        print(
            f"{name:<12} {method:<10} {metric:<16} {ours:.3f} ± {ours_sd:.3f}   published {mean:.3f} ± {sd:.3f}   "
            f"{better / sd if sd else float('nan'):+5.1f} sd  {verdict}",
            flush=True,
        )


def main() -> None:
    names = sys.argv[1:] or ["emotions", "cal500", "genbase", "medical"]
    chosen = [name for name in names if name in METHODS] or list(METHODS)
    for name in (name for name in names if name not in METHODS):
        for method in filter(lambda method: published(method, name), chosen):
            show(method, name, run(method, name))


if __name__ == "__main__":
    main()
