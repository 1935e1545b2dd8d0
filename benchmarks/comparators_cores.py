"""BSVM and LIFT on two cores: their labels are learned side by side."""

from typing import Any

import numpy as np
from sklearn.base import clone

from benchmarks._measure import alternating, report
from skfactor.datasets import make_multilabel
from skfactor.decisions import Threshold
from skfactor.multilabel import BSVM, LIFT

ROWS, FEATURES, LABELS = 4000, 300, 40
ZERO = Threshold(value=0.0, min_labels=0)


def main() -> None:
    data = make_multilabel(n_samples=ROWS, n_features=FEATURES, n_labels=LABELS, random_state=0)
    X = data.X / np.abs(data.X).max(axis=0)
    for model in (BSVM(loss="hinge", decision=ZERO), LIFT(decision=ZERO)):
        measure(model, X, data.Y)


def measure(model: Any, X: Any, Y: Any) -> None:
    one, two = (clone(model).set_params(n_jobs=jobs) for jobs in (1, 2))
    two.fit(X[:100], Y[:100])  # its processes are started
    alone, together = alternating(lambda: one.fit(X, Y), lambda: two.fit(X, Y), rounds=3)
    name = f"{type(model).__name__}, {ROWS:,} rows, {LABELS} labels"
    report(f"{name}: seconds with n_jobs=2 / n_jobs=1", together / alone, "x", "at most 0.65")


if __name__ == "__main__":
    main()
