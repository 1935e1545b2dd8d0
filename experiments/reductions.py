"""Features reduced to 30 %, then ML-kNN: table 2 of the paper of MNMTF, on its fixed split of the Yahoo sets.

    python -m experiments.reductions yahoo-arts-5000 yahoo-business-5000 yahoo-computers-5000

Rows 0 to 1999 are for training. Whatever draws a start is run with several seeds. Published: the mean of five
subsets of each collection, of which this split is one; its average precision is on a scale of its own.
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.decomposition import NMF
from sklearn.exceptions import ConvergenceWarning
from sklearn.pipeline import make_pipeline

from experiments.five_folds import provenance
from skfactor import datasets, metrics
from skfactor.decisions import Threshold
from skfactor.multilabel import MNMTF, MLkNN, RidgeBR

RESULTS = Path(__file__).parent / "results"
TRAINING, SHARE, SEEDS = 2000, 0.3, 5
LOSSES = ("hamming_loss", "one_error", "coverage", "ranking_loss")
METRICS = (*LOSSES, "average_precision")


def neighbours() -> MLkNN:
    """ML-kNN as in the paper: ten neighbours, smoothing 1, labels above one half."""
    return MLkNN(decision=Threshold(value=0.5, min_labels=0))


#: Makes a reducer for the numbers of components and of labels and a seed, if there is one.
REDUCERS: dict[str, Callable[[int, int, int], Any]] = {
    "NMF": lambda r, L, seed: NMF(r, init="random", random_state=seed),
    "MNMTF": lambda r, L, seed: MNMTF(r, random_state=seed),
    "MNMTF, codes of labels": lambda r, L, seed: MNMTF(r, training_codes="labels", random_state=seed),
    "MNMTF, as many as labels": lambda r, L, seed: MNMTF(L, random_state=seed),
}
#: What takes the features as they are.
PLAIN: dict[str, Any] = {"unreduced": neighbours(), "RidgeBR, unreduced": RidgeBR(ridge=3.0)}


def figures(model: Any, data: Any) -> dict[str, float]:
    """Metrics of the test rows, and the seconds that training took."""
    train, test = slice(0, TRAINING), slice(TRAINING, None)
    start = time.perf_counter()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # of NMF after its default number of rounds
        model.fit(data.X[train], data.Y[train])
    seconds = time.perf_counter() - start
    scores = model.decision_function(data.X[test])
    found = {name: getattr(metrics, name)(data.Y[test], scores) for name in METRICS[1:]}
    found["hamming_loss"] = metrics.hamming_loss(data.Y[test], model.predict(data.X[test]))
    return {name: float(found[name]) for name in METRICS} | {"seconds": round(seconds, 2)}


def run(name: str) -> dict[str, Any]:
    """All methods on one set, resumed where they were left."""
    path = RESULTS / f"reductions-{name}.json"
    record = json.loads(path.read_text()) if path.exists() else {"data": name, "runs": {}}
    data = datasets.load(name)
    count = round(SHARE * data.X.shape[1])
    for method in (*PLAIN, *REDUCERS):
        runs = record["runs"].setdefault(method, {})
        for seed in range(1 if method in PLAIN else SEEDS):
            if str(seed) in runs:
                continue
            runs[str(seed)] = figures(model_of(method, count, data.Y.shape[1], seed), data)
            record |= {"components": count, "made": provenance(), "mean": summary(record, np.mean)}
            record["sd"] = summary(record, np.std)
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def model_of(method: str, n_components: int, n_labels: int, seed: int) -> Any:
    if method in PLAIN:
        return PLAIN[method]
    return make_pipeline(REDUCERS[method](n_components, n_labels, seed), neighbours())


def summary(record: dict[str, Any], statistic: Any) -> dict[str, dict[str, float]]:
    return {
        method: {name: round(float(statistic([run[name] for run in runs.values()])), 4) for name in METRICS}
        for method, runs in record["runs"].items()
        if runs
    }


def main() -> None:
    for name in sys.argv[1:]:
        record = run(name)
        print(name, f"({record['components']} components)")
        for method, means in record["mean"].items():
            spread = record["sd"][method]
            line = "  ".join(f"{m} {means[m]:.4f} ± {spread[m]:.4f}" for m in METRICS)
            print(f"  {method:<26} {line}", flush=True)


if __name__ == "__main__":
    main()
