"""The search along paths against scikit-learn's, with calibrated decisions, and what its folds cost in memory.

`GridSearchCV` is long about what is measured here. So it is timed on a few of the points and on one split, which
is said, and its seconds are taken to grow with the number of fits. The scores of those points must be the same.
Seconds are of the processor,
with one thread of BLAS for both: two of them on one core take each other's seconds.
"""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import GridSearchCV, KFold, ParameterGrid
from threadpoolctl import threadpool_limits

from benchmarks._measure import peak_memory, report
from skfactor import multilabel
from skfactor.datasets import load, make_multilabel
from skfactor.model_selection import FactorSearchCV

FOLDS = 5
#: Points of which GridSearchCV fits each once.
TIMED = 5
#: Of the data sets, for tables of the same shape where they are not at hand.
SHAPES = {"bibtex": (7395, 1836, 159), "languagelog": (1460, 1004, 75)}


@dataclass(frozen=True)
class Case:
    """A search, and how much faster it has to be."""

    method: str
    data: str
    grid: dict[str, list[Any]]
    goal: float


CASES = (
    Case(
        "PLST",
        "bibtex",
        {"ridge": np.logspace(-2, 2, 9).tolist(), "n_components": [20, 40, 60, 80, 100, 120, 140, 159]},
        20,
    ),
    Case(
        "OMMF",
        "languagelog",
        {
            "label_weight": [0.3, 0.5, 0.7, 0.9, 0.97],
            "ridge": [0.003, 0.01, 0.03, 0.1, 0.3],
            "n_components": [5, 10, 20, 40],
        },
        8,
    ),
)


def main() -> None:
    for case in CASES:
        speed(case)
    memory(CASES[0])


def speed(case: Case) -> None:
    """Seconds of both searches."""
    X, Y = table(case.data)
    model = getattr(multilabel, case.method)()
    splits = list(KFold(FOLDS, shuffle=True, random_state=0).split(X))
    search, seconds = timed(lambda: FactorSearchCV(model, case.grid, cv=splits, refit=False).fit(X, Y))
    points = list(ParameterGrid(case.grid))
    chosen = np.random.default_rng(0).choice(len(points), TIMED, replace=False)
    few = [{name: [value] for name, value in points[place].items()} for place in chosen]
    theirs, slow = timed(lambda: GridSearchCV(model, few, cv=splits[:1], refit=False).fit(X, Y))
    own = search.cv_results_["split0_test_score"][chosen]
    np.testing.assert_allclose(own, theirs.cv_results_["split0_test_score"], atol=1e-8)
    whole = slow / TIMED * len(points) * FOLDS
    name = f"{case.method}, {case.data}: {len(points)} points x {FOLDS} folds, GridSearchCV / search"
    report(name, whole / seconds, "x", f"at least {case.goal:g}")
    print(
        f"  {seconds:.1f} s against {whole:.0f} s, of which {slow:.1f} s were measured ({TIMED} fits)", flush=True
    )


def memory(case: Case) -> None:
    """What the search adds to the peak memory of one calibrated fit, in copies of the moments of one fold."""
    _, D, L = (1, *SHAPES[case.data][1:])
    fit, search = (peak_memory(job, case.data, case.method) for job in (one_fit, one_search))
    matrices = 8 * (D * D + D * L + L * L) / 2**20
    report(
        f"{case.method}, {case.data}: peak of a search - that of a fit", search - fit, "MiB", "K small matrices"
    )
    print(f"  fit {fit:.0f} MiB, search {search:.0f} MiB; moments of one fold {matrices:.0f} MiB", flush=True)


def one_fit(data: str, method: str) -> None:
    getattr(multilabel, method)().fit(*table(data))


def one_search(data: str, method: str) -> None:
    grid = {"ridge": [0.1, 1.0], "n_components": [40, 80]}
    FactorSearchCV(getattr(multilabel, method)(), grid, cv=FOLDS, refit=False).fit(*table(data))


def table(name: str) -> tuple[Any, Any]:
    """The data set where it is at hand, else a made-up one of its shape."""
    if "SKFACTOR_DATA" in os.environ:
        data = load(name)
    else:
        rows, features, labels = SHAPES[name]
        data = make_multilabel(n_samples=rows, n_features=features, n_labels=labels, random_state=0)
    return data.X, data.Y


def timed(job: Callable[[], Any]) -> tuple[Any, float]:
    with threadpool_limits(1, user_api="blas"):
        start = time.process_time()
        return job(), time.process_time() - start


if __name__ == "__main__":
    main()
