"""What tuning of everything is worth, in nested cross-validation, against ExtraTrees with the same calibration.

    python -m experiments.tuning emotions scene medical corel5k moments:corel5k emotions@1

For each of the five outer folds, a tournament of all methods, features and parameters is held on the other rows
(`skfactor.model_selection.Tournament`), which choose the winner by their held-out scores. The winner is scored on
the outer fold, and so are ExtraTrees (300 trees) and the plain method, both with thresholds calibrated on the same
folds of the same rows. `moments:` lets the methods take part that are solved from moments, on plain features.
`@1` takes the second repetition of the folds, and so on: for a look at rows that no rule was made on.
Results go to `experiments/results/tuning-DATASET.json` as they come.
"""

import json
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.base import clone

from experiments.five_folds import folds_of, provenance
from skfactor import datasets, metrics
from skfactor.model_selection import Tournament
from skfactor.model_selection.entrants import methods
from skfactor.multilabel import ExtraTrees, MomentClassifier, RidgeBR

RESULTS = Path(__file__).parent / "results"
RIVALS = {"ExtraTrees": ExtraTrees(n_estimators=300), "RidgeBR": RidgeBR()}
#: Seconds that a tournament may take.
TIME_LIMIT = {"scene": 300.0, "medical": 120.0, "corel5k": 450.0, "moments:corel5k": 150.0}


def tournament(name: str) -> tuple[Tournament, dict[str, Any]]:
    """The tournament of an experiment, and the rivals of its winner."""
    if not name.startswith("moments:"):
        return Tournament(time_limit=TIME_LIMIT.get(name)), RIVALS
    solved = [method for method, kind in methods().items() if issubclass(kind, MomentClassifier)]
    return Tournament(solved, time_limit=TIME_LIMIT.get(name)), {"RidgeBR": RIVALS["RidgeBR"]}


def run_fold(name: str, data: Any, test: Any) -> dict[str, Any]:
    """Hold the tournament on the training rows, and score on the test rows."""
    train, held = data.subset(np.flatnonzero(~test)), data.subset(np.flatnonzero(test))
    contest, rivals = tournament(name)
    wall, processor = time.perf_counter(), time.process_time()
    contest.fit(train.X, train.Y)
    seconds = {"wall": time.perf_counter() - wall, "processor": time.process_time() - processor}
    ranking = [one for one in contest.standings_ if one.rows == len(train)]
    fitted = {one.name: one.model for one in ranking}
    fits = {who: fitted.get(who) or clone(model).fit(train.X, train.Y) for who, model in rivals.items()}
    return {
        "winner": contest.best_.name,
        "chosen": {name: value for name, value in contest.best_params_.items() if name != "entrant"},
        "held_out": round(contest.best_score_, 4),
        "seconds": {kind: round(value, 1) for kind, value in seconds.items()},
        "micro_f1": score(contest, held),
        "rivals": {who: score(model, held) for who, model in fits.items()},
        "last round": {one.name: [round(one.value, 4), score(one.model, held)] for one in ranking if one.model},
        "left out": {one.name: one.reason for one in contest.standings_ if one.rows < len(train)},
    }


def score(model: Any, data: Any) -> float:
    return round(float(metrics.micro_f1(data.Y, model.predict(data.X))), 4)


def run(name: str) -> dict[str, Any]:
    """All five folds, resumed where they were left."""
    path = RESULTS / f"tuning-{name.replace(':', '-').replace('@', '-')}.json"
    record = json.loads(path.read_text()) if path.exists() else {"data": name, "folds": {}}
    source, _, repetition = name.removeprefix("moments:").partition("@")
    data = datasets.load(source)
    fold = folds_of(source, data.X.shape[0], int(repetition or 0))
    for k in range(1, 6):
        if str(k) not in record["folds"]:
            record["folds"][str(k)] = run_fold(name, data, fold == k)
            record |= {"made": provenance(), **summary(list(record["folds"].values()))}
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def summary(folds: list[dict[str, Any]]) -> dict[str, Any]:
    """Mean and standard deviation over the outer folds."""
    values = {"tune": [fold["micro_f1"] for fold in folds]}
    values |= {who: [fold["rivals"][who] for fold in folds] for who in folds[0]["rivals"]}
    return {
        "mean": {name: round(float(np.mean(own)), 4) for name, own in values.items()},
        "sd": {name: round(float(np.std(own)), 4) for name, own in values.items()},
    }


def main() -> None:
    warnings.simplefilter("ignore")
    for name in sys.argv[1:]:
        record = run(name)
        figures = "  ".join(f"{who} {mean:.4f} ± {record['sd'][who]:.4f}" for who, mean in record["mean"].items())
        print(f"{name}: {figures}", flush=True)
        print("   winners:", [fold["winner"] for fold in record["folds"].values()], flush=True)


if __name__ == "__main__":
    main()
