"""Which method when: ten methods on small data sets of different kinds, under one protocol.

    python -m experiments.which_method emotions scene

adds data sets (by default, all of `DATA`) to `experiments/results/which-method.json`, from which the documentation
draws its page of the same name. Five folds, those that were published with the data; parameters and thresholds are
chosen for micro-F1 on training rows, from the grids of `skfactor compare`. Runs are kept in `build/which-method`,
so that an interrupted call goes on where it was.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from skfactor.datasets import MultilabelData, load
from skfactor.experiments.contest import Contest, Rules, hold, usual_grid
from skfactor.experiments.provenance import provenance
from skfactor.experiments.store import Store

RESULT = Path(__file__).parent / "results" / "which-method.json"
RUNS = Path("build/which-method")
DATA = ("emotions", "scene", "plant-pseaac", "cal500", "genbase", "medical", "languagelog", "yahoo-business-5000")
METHODS = ("RidgeBR", "PLST", "OMMF", "TWOMF", "GroPLE", "MLCHMF", "BSVM", "LLSF", "MLkNN", "RandomForest")
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
    """Of each method: every metric in each fold, and the seconds of a fit.

    Those of the quickest fold, since other work may have the machine for a while.
    """
    records = contest.records
    return {
        method: {metric: contest.folds(name, method, metric).round(5).tolist() for metric in METRICS}
        | {"seconds": round(min(one["seconds"]["fit"] for one in records[name, method]), 3)}
        for method in contest.methods
        if (name, method) in records
    }


def add(name: str) -> None:
    """Run what is not yet run on a data set, and put its figures beside those of the others."""
    data = load(name)
    assert isinstance(data, MultilabelData)
    grids = {method: usual_grid(method) for method in METHODS}
    contest = hold([data], Rules(METRICS, "5-fold", grids), Store(RUNS), print)
    record = json.loads(RESULT.read_text()) if RESULT.exists() else {"data": {}}
    record |= {
        "protocol": "5-fold",
        "chosen_for": METRICS[0],
        "metrics": METRICS,
        "grids": grids,
        "made": provenance(),
    }
    record["data"][name] = {
        "kind": kind(data),
        "figures": figures(contest, name),
        "failed": {method: reason for (_, method), reason in contest.failures.items()},
    }
    RESULT.write_text(json.dumps(record, indent=1) + "\n")


if __name__ == "__main__":
    for one in sys.argv[1:] or DATA:
        add(one)
