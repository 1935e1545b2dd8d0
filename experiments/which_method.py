"""Which method when: ten methods on small data sets of different kinds, under one protocol.

    python -m experiments.which_method emotions scene

adds data sets (by default, all of `DATA`) to `experiments/results/which-method.json`, from which the documentation
draws its page of the same name. Five folds, those that were published with the data; parameters and thresholds are
chosen for micro-F1 on training rows, from the grids of `skfactor compare`. Runs are kept in `build/which-method`,
so that an interrupted call goes on where it was.

    python -m experiments.which_method --times emotions scene

times one fit of each, in seconds of the processor, of which other work takes none away.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from skfactor.datasets import MultilabelData, load
from skfactor.experiments import protocols
from skfactor.experiments.contest import Contest, Rules, hold, usual_grid
from skfactor.experiments.estimators import estimator
from skfactor.experiments.provenance import provenance
from skfactor.experiments.store import Store

RESULT = Path(__file__).parent / "results" / "which-method.json"
RUNS = Path("build/which-method")
DATA = ("emotions", "scene", "plant-pseaac", "cal500", "genbase", "medical", "languagelog", "yahoo-business-5000")
METHODS = ("RidgeBR", "PLST", "OMMF", "TWOMF", "GroPLE", "MLCHMF", "BSVM", "LLSF", "MLkNN", "RandomForest")
#: Where distances and margins need features of one size: each is divided by its largest training value.
SCALED = {method: f"sklearn.preprocessing.MaxAbsScaler + {method}" for method in ("BSVM", "MLkNN")}
MADE = {method: SCALED.get(method, method) for method in METHODS}
METRICS = ("micro_f1", "macro_f1", "example_f1", "hamming_loss", "ranking_loss")


def kind(data: MultilabelData) -> dict[str, Any]:
    """What a reader compares with the data at hand."""
    return {
        "rows": len(data),
        "features": data.X.shape[1],
        "labels": data.Y.shape[1],
        "labels a row": round(data.Y.nnz / len(data), 2),
        "filled": round(data.X.nnz / np.prod(data.X.shape), 3) if sparse.issparse(data.X) else 1.0,
        "rows of a label, median": int(np.median(np.asarray(data.Y.sum(axis=0)))),
    }


def figures(contest: Contest, name: str) -> dict[str, Any]:
    """Of each method, every metric in each fold."""
    return {
        method: {metric: contest.folds(name, made, metric).round(5).tolist() for metric in METRICS}
        for method, made in MADE.items()
        if (name, made) in contest.records
    }


def add(name: str) -> None:
    """Run what is not yet run on a data set, and put its figures beside those of the others."""
    data = load(name)
    assert isinstance(data, MultilabelData)
    grids = {made: usual_grid(made) for made in MADE.values()}
    contest = hold([data], Rules(METRICS, "5-fold", grids), Store(RUNS), print)
    record = json.loads(RESULT.read_text()) if RESULT.exists() else {"data": {}}
    record |= {
        "protocol": "5-fold",
        "chosen_for": METRICS[0],
        "metrics": METRICS,
        "grids": {method: grids[made] for method, made in MADE.items()},
        "made": provenance(),
    }
    record["data"][name] = {
        **record["data"].get(name, {}),
        "kind": kind(data),
        "figures": figures(contest, name),
        "failed": {made: reason for (_, made), reason in contest.failures.items()},
    }
    RESULT.write_text(json.dumps(record, indent=1) + "\n")


def clock(name: str) -> None:
    """Seconds of the processor for a fit of each method, as it is by default, to the first training part."""
    data, record = load(name), json.loads(RESULT.read_text())
    assert isinstance(data, MultilabelData)
    train = data.subset(protocols.part("5-fold", data, 1).train)
    estimator(METHODS[0]).fit(train.X[:100], train.Y[:100])  # compiled kernels are loaded
    seconds = {}
    for method in METHODS:
        started = time.process_time()
        estimator(MADE[method]).fit(train.X, train.Y)
        seconds[method] = round(time.process_time() - started, 3)
    record["data"][name]["seconds"] = seconds
    RESULT.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    timing = sys.argv[1:2] == ["--times"]
    for one in sys.argv[1 + timing :] or DATA:
        (clock if timing else add)(one)
