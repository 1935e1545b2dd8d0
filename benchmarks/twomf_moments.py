"""TWOMF by moments, to convergence and with calibration, against one least-squares fit of the same data."""

import os

import numpy as np
from scipy import linalg

from benchmarks._measure import alternating, report
from skfactor.datasets import load, make_multilabel
from skfactor.multilabel import TWOMF

ROWS, FEATURES, LABELS = 43_907, 120, 101
#: The defaults, and what the five-fold experiment chooses most often.
SETTINGS = ({}, {"link_weight": 10.0, "ridge": 0.001})


def table():  # type: ignore[no-untyped-def]
    """Mediamill where it is at hand, else a made-up table of its shape."""
    if "SKFACTOR_DATA" in os.environ:
        data = load("mediamill")
        return "mediamill", np.asarray(data.X, dtype=np.float64), data.Y
    data = make_multilabel(n_samples=ROWS, n_features=FEATURES, n_labels=LABELS, random_state=0)
    return "like mediamill", data.X, data.Y


def main() -> None:
    name, X, Y = table()
    dense = Y.toarray().astype(np.float64)
    for setting in SETTINGS:
        model = TWOMF(tol=1e-6, **setting)
        seconds, floor = alternating(lambda model=model: model.fit(X, Y), lambda: linalg.lstsq(X, dense))  # type: ignore[misc]
        shown = ", ".join(f"{key}={value:g}" for key, value in setting.items()) or "defaults"
        report(f"TWOMF, {name}, {shown}: fit / scipy.linalg.lstsq", seconds / floor, "x", "at most 3")
        print(f"  {model.n_iter_} iterations, {seconds:.2f} s against {floor:.2f} s", flush=True)
