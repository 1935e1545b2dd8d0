"""ML-kNN on delicious: seconds to predict 3,000 rows from the other 13,105, and the peak memory of all of it."""

import os
import time
from typing import Any

from benchmarks._measure import peak_memory, report

TESTED = 3000


def fitted() -> tuple[Any, Any]:
    from skfactor.datasets import load
    from skfactor.multilabel import MLkNN

    data = load("delicious")
    return MLkNN().fit(data.X[TESTED:], data.Y[TESTED:]), data.X[:TESTED]


def load_only() -> None:
    from skfactor.datasets import load
    from skfactor.multilabel import MLkNN

    MLkNN(), load("delicious")


def fit_only() -> None:
    fitted()


def fit_and_predict() -> None:
    model, new = fitted()
    model.predict(new)


def main() -> None:
    if "SKFACTOR_DATA" not in os.environ:
        print("knn_memory: set SKFACTOR_DATA to the folder with multilabel/delicious.npz")
        return
    name = "ML-kNN, delicious: peak memory"
    report(f"{name} with the data loaded", peak_memory(load_only), "MiB", "for comparison")
    report(f"{name} of fit with calibration", peak_memory(fit_only), "MiB", "below 1024")
    report(f"{name} of fit and predict", peak_memory(fit_and_predict), "MiB", "the same")
    # Last: what this process held would count as the peak of those that it starts.
    model, new = fitted()
    started = time.perf_counter()
    model.predict(new)
    report("ML-kNN, delicious: predict 3,000 rows", time.perf_counter() - started, "s", "seconds")


if __name__ == "__main__":
    main()
