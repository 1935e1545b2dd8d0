"""The comparators as the thesis ran them: its folds, its parameters, and each method's own decision rule.

    python -m experiments.published_comparators thesis-5.9 emotions medical LIFT 3

fits the methods (by default all of `METHODS` that the table has) to nine folds of ten (those published for the
data set, first repetition, else random ones) and scores the tenth, with no threshold chosen: what the tables
5.9, 5.10 and 6.2 (with five folds) of the thesis report. A number says how many of the folds are wanted. In
`skfactor reproduce`, those tables have calibrated decisions, from which most figures gain; here one sees whether
the methods themselves are the published ones. The thesis does not say how features were scaled. ML-kNN, which
has nothing else to choose, tells: as they are, but for the two sets of music (`SCALED`), whose units differ.

Results go to `experiments/results/published-METHOD-DATASET.json` as they come (those of table 6.2 with `6.2-`
before the method); what is there is not computed again. `experiments/results/published-comparators.md` has all
of them beside the published figures, and is written anew by each call, also by one without names.
"""

from __future__ import annotations

import csv
import json
import sys
import time
from collections.abc import Callable, Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.model_selection import GridSearchCV, ShuffleSplit
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, MinMaxScaler

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets, metrics
from skfactor.decisions import Threshold
from skfactor.experiments import declared, protocols
from skfactor.multilabel import BPMLL, BSVM, LIFT, LLSF, MLSF, SSJDR, MLkNN

TABLES = ("thesis-5.9", "thesis-6.2")
#: Data sets whose features are brought to [0, 1], by the training rows. On inner folds of the training rows, ML-
#: kNN's micro-F1 on emotions is .48 without it and .70 with it (published: .667); on human it is .163 and .079
#: (.152).
SCALED = ("emotions", "cal500")
METRICS = ("hamming_loss", "accuracy", "subset_accuracy", "example_f1", "macro_f1", "micro_f1")
ZERO, HALF = (Threshold(value=value, min_labels=0) for value in (0.0, 0.5))


def bsvm(X: Any) -> Any:
    """BSVM, whose C the thesis does not give: it is chosen in units of the mean squared length of the rows."""
    squares = X.multiply(X) if sparse.issparse(X) else np.square(X)
    unit = X.shape[0] / float(squares.sum())
    return chosen(BSVM(loss="hinge", decision=ZERO), C=[unit, 10 * unit])


def llsf(X: Any) -> Any:
    """LLSF with alpha = beta = .1, which the thesis gives for sums over rows and features as they are."""
    squares = X.multiply(X) if sparse.issparse(X) else np.square(X)
    mean_square = float(np.mean(squares.mean(axis=0) - np.square(X.mean(axis=0))))
    n = X.shape[0]
    link, l1 = 0.1 / (n * mean_square), 0.1 / (n * np.sqrt(mean_square))
    return LLSF(link_weight=link, sparsity=l1, scale=None, decision=HALF)


def chosen(estimator: Any, **grid: list[float]) -> GridSearchCV:
    """With what the thesis does not give chosen for micro-F1 on a fifth of the training rows."""
    return GridSearchCV(estimator, grid, cv=ShuffleSplit(1, test_size=0.2, random_state=0))


#: By the thesis' name: what makes the estimator for training rows that are scaled.
METHODS: dict[str, Callable[[Any], Any]] = {
    "BSVM": bsvm,
    "ML-kNN": lambda X: MLkNN(decision=HALF),
    "LIFT": lambda X: LIFT(decision=ZERO),
    "BP-MLL": lambda X: BPMLL(scale=None, decision=ZERO),
    "LLSF": llsf,
    # The thesis has gamma = 1, but not what the edges of the graph weigh.
    "SSJDR-MLL": lambda X: chosen(
        SSJDR(scale=None, decision=ZERO), ridge=[0.003, 0.01, 0.03], smoothness=[0.1, 1.0]
    ),
    "MLSF": lambda X: chosen(MLSF(scale=None, decision=ZERO), sparsity=[1e-4, 1e-3, 1e-2]),
}


def run(table: declared.Table, method: str, name: str, folds: int) -> dict[str, Any]:
    """The first folds of one method on one data set, resumed where they were left."""
    path, protocol = place(table.name, method, name), str(table.protocol)
    record = stored(path) or {"method": method, "data": table.datasets[name].data, "folds": {}}
    data = datasets.load(table.datasets[name].data)
    for k in range(1, min(folds, protocols.count(protocol)) + 1):
        if str(k) not in record["folds"]:
            record["folds"][str(k)] = run_fold(method, data, protocols.part(protocol, data, k))
            record |= {"made": provenance(), **summary(record["folds"])}
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def place(table: str, method: str, name: str) -> Path:
    return RESULTS / f"published-{'6.2-' if table == 'thesis-6.2' else ''}{method}-{name}.json"


def stored(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    return found


def run_fold(method: str, data: Any, part: protocols.Part) -> dict[str, float]:
    started = time.perf_counter()
    scaler = MinMaxScaler() if data.name in SCALED else FunctionTransformer(accept_sparse=True)
    X, Y = data.X[part.train], data.Y[part.train]
    model = make_pipeline(scaler, METHODS[method](scaler.fit_transform(X))).fit(X, Y)
    predicted, truth = model.predict(data.X[part.test]), data.Y[part.test]
    figures = {name: float(getattr(metrics, name)(truth, predicted)) for name in METRICS}
    return figures | {"seconds": round(time.perf_counter() - started, 2)}


def summary(folds: dict[str, Any]) -> dict[str, dict[str, float]]:
    def over(statistic: Any) -> dict[str, float]:
        return {name: round(float(statistic([fold[name] for fold in folds.values()])), 4) for name in METRICS}

    return {"mean": over(np.mean), "sd": over(np.std)}


def published(table: declared.Table) -> dict[tuple[str, str], dict[str, tuple[float, float]]]:
    """Mean and deviation by metric, by data set and method."""
    file = resources.files("skfactor.experiments.published") / "thesis_multilabel.csv"
    found: dict[tuple[str, str], dict[str, tuple[float, float]]] = {}
    for row in csv.DictReader(file.read_text().splitlines()):
        if row["table"] == table.published and row["method"] in METHODS and row["mean"]:
            figures = found.setdefault((row["dataset"], row["method"]), {})
            figures[row["metric"]] = float(row["mean"]), float(row["std"] or "nan")
    return found


def distance(metric: str, ours: float, mean: float, sd: float) -> float:
    """How many published deviations ours is better than the published mean, half a last digit forgiven."""
    better = (ours - mean) * (-1 if metric == "hamming_loss" else 1)
    return float(np.sign(better) * max(0.0, abs(better) - 5e-4) / max(sd, 5e-4))


def lines(table: declared.Table) -> Iterator[str]:
    """The rows of one table in Markdown: measured figures, with the published ones in brackets."""
    yield f"\n## {table.title}\n"
    yield "| data | method | folds | s | " + " | ".join(table.metrics) + " |"
    yield "|---" * (4 + len(table.metrics)) + "|"
    for (name, method), figures in published(table).items():
        if record := stored(place(table.name, method, name)):
            cells = [cell(metric, record, *figures[metric]) for metric in table.metrics]
            seconds = np.mean([fold["seconds"] for fold in record["folds"].values()])
            yield f"| {name} | {method} | {len(record['folds'])} | {seconds:.1f} | " + " | ".join(cells) + " |"


def cell(metric: str, record: dict[str, Any], mean: float, sd: float) -> str:
    ours = record["mean"][metric]
    far = distance(metric, ours, mean, sd)
    text = f"{ours:.3f} ({mean:.3f} ± {sd:.3f})"
    return f"**{text} {far:+.1f}**" if far < -1 else text


HEAD = """# Comparators under the thesis' own conditions

Written by `python -m experiments.published_comparators`, whose text says what the conditions are. Each cell has
the measured mean, and in brackets the published mean and standard deviation. Bold: worse by more than one
published deviation, and by how many. `folds` says how many of the folds were run, `s` the seconds of one.
"""


def write() -> None:
    """All that is stored, beside what was published, and what is known of the rest."""
    parts = [HEAD, *(line for name in TABLES for line in lines(declared.table(name)))]
    remarks = RESULTS / "published-remarks.md"
    parts.append("\n" + remarks.read_text() if remarks.exists() else "")
    (RESULTS / "published-comparators.md").write_text("\n".join(parts).rstrip() + "\n")


def main() -> None:
    words = sys.argv[1:]
    table = declared.table(next((word for word in words if word in TABLES), TABLES[0]))
    folds = next((int(word) for word in words if word.isdigit()), table.folds())
    methods = [word for word in words if word in METHODS] or list(METHODS)
    names = [word for word in words if word in table.datasets]
    for name, method in published(table):
        if name in names and method in methods:
            record = run(table, method, name, folds)
            print(name, method, record["mean"], flush=True)
    write()


if __name__ == "__main__":
    main()
