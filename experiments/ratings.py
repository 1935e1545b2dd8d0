"""Figures of the rating models: parameters chosen inside the training part only.

    python -m experiments.ratings MMMF 80-20 [THREADS]

takes the declared grid of the method (`GRIDS`) and, for each of three seeds, chooses a point of it on ratings
that are held out of the training part, fits it to the whole training part and scores it on the test part. For HMF
a ridge is chosen for each stage by the errors of that stage, as the thesis does. Results are written to
`experiments/results/ratings-METHOD-PROTOCOL.json` as they come; what is there is not computed again.

Protocols: `80-20` of the thesis' table 4.1 (MovieLens 100K; a tenth of the training part chooses, by mean absolute
error); `weak` of its table 3.19 (MovieLens 1M; one rating of each user is the test part, one more chooses, by
zero-one error); `strong` (likewise, but the test ratings are of 1040 users who are not in the training part and
are folded in with their other ratings).
"""

from __future__ import annotations

import json
import sys
import time
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets, ratings
from skfactor.metrics import mae, nmae, rmse, zero_one_error

LEVELS = [1, 2, 3, 4, 5]
SEEDS = (0, 1, 2)
STRONG_USERS = 1040
#: Every second one of the thesis' candidates 10^(i/16), i = 4, ..., 40, where it matters.
RIDGES = [round(10 ** (i / 16), 2) for i in (14, 16, 18, 20, 22, 24)]
#: One list of points per method; a protocol may have its own under METHOD/PROTOCOL.
GRIDS: dict[str, dict[str, list[Any]]] = {
    "MMMF": {"ridge": RIDGES},
    "PMMMF": {"ridge": [17.78, 23.71, 31.62, 42.17, 56.23]},
    "HMF": {"ridge": RIDGES[:5]},
    "PMF": {"ridge": [7.5, 10.0, 13.34, 17.78]},
    "ALS": {"n_components": [100], "ridge": [0.08, 0.1, 0.12, 0.14]},
    "BPMF": {"precision": [1.0, 1.5, 2.0]},
    "EMMMF": {"ridge": [7.5, 10.0, 13.34]},
    "BiasOnly": {"ridge": [1.0, 3.0, 10.0]},
    "ItemMedian": {},
    "MMMF/weak": {"ridge": RIDGES[2:]},
    "HMF/weak": {"ridge": RIDGES[2:]},
    "PMMMF/weak": {"ridge": [31.62, 42.17, 56.23, 74.99]},
    "MMMF/strong": {"ridge": RIDGES[2:]},
    "HMF/strong": {"ridge": RIDGES[2:]},
}
Rows = np.ndarray[Any, Any]


@dataclass
class Part:
    """Ratings to learn from, perhaps ratings to fold in afterwards, and ratings to score."""

    train: Rows
    folded: Rows
    test: Rows


def one_of_each(users: Rows, rows: Rows, rng: np.random.Generator) -> Rows:
    """Draw one of `rows` of each user."""
    shuffled = rng.permutation(rows)
    return shuffled[np.unique(users[shuffled], return_index=True)[1]]


def shares(rows: Rows, share: float, rng: np.random.Generator) -> Part:
    shuffled = rng.permutation(rows)
    cut = round(share * len(rows))
    return Part(np.sort(shuffled[cut:]), rows[:0], np.sort(shuffled[:cut]))


def weak(users: Rows, rows: Rows, rng: np.random.Generator) -> Part:
    test = one_of_each(users, rows, rng)
    return Part(np.setdiff1d(rows, test), rows[:0], test)


def strong(users: Rows, rows: Rows, rng: np.random.Generator) -> Part:
    chosen = rng.choice(np.unique(users[rows]), STRONG_USERS, replace=False)
    theirs = rows[np.isin(users[rows], chosen)]
    test = one_of_each(users, theirs, rng)
    return Part(np.setdiff1d(rows, theirs), np.setdiff1d(theirs, test), test)


#: Data set, test split, split that chooses, and the error that chooses.
PROTOCOLS: dict[str, tuple[str, Any, Any, Any]] = {
    "80-20": (
        "ml-100k",
        lambda users, rows, rng: shares(rows, 0.2, rng),
        lambda users, rows, rng: shares(rows, 0.1, rng),
        mae,
    ),
    "weak": ("ml-1m", weak, weak, zero_one_error),
    "strong": ("ml-1m", strong, weak, zero_one_error),
}


def fitted(method: str, point: dict[str, Any], data: Any, part: Part, threads: int) -> Any:
    model = getattr(ratings, method)(levels=LEVELS, **point)
    if "n_threads" in model.get_params():
        model.set_params(n_threads=threads)
    model.fit(data.pairs[part.train], data.ratings[part.train])
    if len(part.folded):
        known = np.isin(data.pairs[part.folded, 1], model.items_)
        model.fold_in(data.pairs[part.folded[known]], data.ratings[part.folded[known]])
    return model


def choose(method: str, grid: dict[str, list[Any]], error: Any, data: Any, part: Part, threads: int) -> Any:
    """Choose the point with the least error on part.test; for HMF, a ridge for each stage."""
    points = list(ParameterGrid(grid))
    if len(points) == 1:
        return points[0]
    models = [fitted(method, point, data, part, threads) for point in points]
    pairs, true = data.pairs[part.test], data.ratings[part.test]
    if method != "HMF":
        return points[int(np.argmin([error(true, model.predict(pairs)) for model in models]))]
    above = true[:, None] > np.array(LEVELS[:-1])
    wrong = [((model.decision_function(pairs) >= 0) != above).mean(axis=0) for model in models]
    return {"ridge": [points[best]["ridge"] for best in np.argmin(wrong, axis=0)]}


def run_seed(method: str, protocol: str, grid: dict[str, list[Any]], seed: int, threads: int) -> dict[str, Any]:
    name, split, inner_split, error = PROTOCOLS[protocol]
    data = datasets.load(name)
    users, rng = data.pairs[:, 0], np.random.default_rng(seed)
    part = split(users, np.arange(len(data)), rng)
    inner = inner_split(users, part.train, rng)
    start = time.perf_counter()
    point = choose(method, grid, error, data, inner, threads)
    chosen = time.perf_counter()
    model = fitted(method, point, data, part, threads)
    seconds = time.perf_counter() - chosen
    record = {"chosen": point, "iterations": getattr(model, "n_iter_", None), "threads": threads}
    record |= {"seconds_to_choose": round(chosen - start, 1), "seconds": round(seconds, 1)}
    record |= errors(model, data, part.test) | {"train_mae": errors(model, data, part.train)["mae"]}
    if "rounded" in model.get_params():
        numbers = errors(model.set_params(rounded=False), data, part.test)
        record |= {"mae_of_numbers": numbers["mae"], "rmse_of_numbers": numbers["rmse"]}
    return record


def errors(model: Any, data: Any, rows: Rows) -> dict[str, float]:
    true, predicted = data.ratings[rows], model.predict(data.pairs[rows])
    found = {
        "mae": mae(true, predicted),
        "rmse": rmse(true, predicted),
        "nmae": nmae(true, predicted, levels=LEVELS),
        "zero_one_error": zero_one_error(true, predicted),
    }
    return {name: round(value, 5) for name, value in found.items()}


def run(method: str, protocol: str, threads: int) -> dict[str, Any]:
    """All seeds, resumed where they were left."""
    path = RESULTS / f"ratings-{method}-{protocol}.json"
    grid = GRIDS.get(f"{method}/{protocol}", GRIDS[method])
    record = json.loads(path.read_text()) if path.exists() else {}
    if record.get("grid") != grid:
        record = {
            "method": method,
            "protocol": protocol,
            "data": PROTOCOLS[protocol][0],
            "grid": grid,
            "seeds": {},
        }
    for seed in SEEDS:
        if str(seed) not in record["seeds"]:
            record["seeds"][str(seed)] = run_seed(method, protocol, grid, seed, threads)
            figures = [name for name, value in record["seeds"]["0"].items() if isinstance(value, float)]
            values = {name: [found[name] for found in record["seeds"].values()] for name in figures}
            record |= {"made": provenance()}
            record["mean"] = {name: round(float(np.mean(found)), 5) for name, found in values.items()}
            record["sd"] = {name: round(float(np.std(found)), 5) for name, found in values.items()}
            path.parent.mkdir(exist_ok=True)
            path.write_text(json.dumps(record, indent=1) + "\n")
    return record


def main() -> None:
    method, protocol, *rest = sys.argv[1:]
    warnings.filterwarnings("ignore", ".*pairs have a user or an item")
    record = run(method, protocol, int(rest[0]) if rest else 1)
    mean, sd = record["mean"], record["sd"]
    shown = ("mae", "rmse", "nmae", "zero_one_error", "train_mae", "seconds")
    print(f"{method} {protocol}: " + "  ".join(f"{name} {mean[name]:.4f} ± {sd[name]:.4f}" for name in shown))
    print("   chosen:", [found["chosen"] for found in record["seeds"].values()], flush=True)


if __name__ == "__main__":
    main()
