"""LLSF, MLSI, MDDM and MLDA on ten times the rows: all that grows is the one pass over them."""

import warnings
from typing import Any

from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import alternating, report, sparse_rows
from skfactor.decisions import Threshold
from skfactor.multilabel import LLSF, MDDM, MLDA, MLSI

FEATURES, LABELS, FEW, MANY = 800, 100, 10_000, 100_000
#: Iterations are as many for few rows as for many, and no rows are held out for the decision.
HALF = Threshold(value=0.5, min_labels=0)
METHODS = [LLSF(max_iter=200, tol=0, decision=HALF), MLSI(100), MDDM(50), MLDA(50)]


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)
    few, many = sparse_rows(FEW, FEATURES, LABELS), sparse_rows(MANY, FEATURES, LABELS)
    for model in METHODS:
        measure(model, few, many)


def measure(model: Any, few: Any, many: Any) -> None:
    def one_pass(X: Any, Y: Any) -> Any:
        return model._moments_of(*model._begin(X, Y, None, None, positives_needed=True))

    short, long = one_pass(*few), one_pass(*many)
    solving = alternating(lambda: model._solve_from(short), lambda: model._solve_from(long), rounds=9)
    seconds = alternating(lambda: model.fit(*few), lambda: model.fit(*many), lambda: one_pass(*many), rounds=3)
    name = f"{type(model).__name__}, {FEATURES} features, {LABELS} labels: "
    report(f"{name}100,000 / 10,000 rows, less the pass", solving[1] / solving[0], "x", "about 1")
    report(f"{name}100,000 / 10,000 rows, all", seconds[1] / seconds[0], "x", "below 10")
    report(f"{name}pass and solution / all, 100,000 rows", (seconds[2] + solving[1]) / seconds[1], "", "about 1")


if __name__ == "__main__":
    main()
