"""Training MNMTF on ten times the rows: all that grows is the one pass over them."""

import warnings

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

from benchmarks._measure import alternating, report, sparse_rows
from skfactor.multilabel import MNMTF
from skfactor.multilabel.mnmtf_updates import LabelSums

FEATURES, LABELS, COMPONENTS, ROUNDS = 1000, 50, 150, 60


def main() -> None:
    warnings.simplefilter("ignore", ConvergenceWarning)  # the same number of rounds for all
    few, many = sparse_rows(10_000, FEATURES, LABELS), sparse_rows(100_000, FEATURES, LABELS)

    def training(X: sparse.csr_array, Y: sparse.csr_array) -> None:
        MNMTF(COMPONENTS, max_iter=ROUNDS, tol=0).fit(X, Y)

    def one_pass(X: sparse.csr_array, Y: sparse.csr_array) -> None:
        LabelSums.of(X, Y, np.ones(X.shape[0]))

    one_pass(*few)
    seconds = alternating(
        lambda: training(*few), lambda: training(*many), lambda: one_pass(*few), lambda: one_pass(*many), rounds=3
    )
    name = f"MNMTF, {FEATURES} features, {LABELS} labels"
    solving = [seconds[0] - seconds[2], seconds[1] - seconds[3]]
    report(f"{name}: 100,000 / 10,000 rows, less the pass", solving[1] / solving[0], "x", "about 1")
    report(f"{name}: 100,000 / 10,000 rows, all", seconds[1] / seconds[0], "x", "little above 1")
    report(f"{name}: share of the pass at 100,000 rows", seconds[3] / seconds[1], "", "small")
