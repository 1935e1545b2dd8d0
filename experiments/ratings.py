"""Figures of the rating models: parameters chosen inside the training part only.

    python -m experiments.ratings MMMF 80-20 [THREADS [SEED ...]]

takes the declared grid of the method (`GRIDS`) and, for each of three seeds, chooses a point of it on ratings
that are held out of the training part, fits it to the whole training part and scores it on the test part. For HMF
a ridge is chosen for each stage by the errors of that stage, as the thesis does; HMF+biases is
not in the thesis. Results are written to
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
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.model_selection import ParameterGrid

from experiments.five_folds import RESULTS, provenance
from skfactor import datasets, ratings
from skfactor.metrics import mae, nmae, rmse, zero_one_error
from skfactor.model_selection import StrongGeneralization, WeakGeneralization

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
    "HMF+biases": {"ridge": [5.62, *RIDGES[:4]], "biases": [True]},
    "MMMF/weak": {"ridge": RIDGES[3:]},
    "HMF/weak": {"ridge": RIDGES[2:]},
    "HMF+biases/weak": {"ridge": RIDGES[1:], "biases": [True], "dtype": ["float32"]},
    "PMMMF/weak": {"ridge": [31.62, 42.17, 56.23, 74.99]},
    "MMMF/strong": {"ridge": RIDGES[3:]},
    "HMF/strong": {"ridge": RIDGES[2:]},
    "HMF+biases/strong": {"ridge": RIDGES[1:], "biases": [True], "dtype": ["float32"]},
}
Rows = np.ndarray[Any, Any]


@dataclass
class Part:
    """Ratings to learn from, perhaps ratings to fold in afterwards, and ratings to score."""

    train: Rows
    folded: Rows
    test: Rows


def shares(share: float, pairs: Rows, rng: np.random.Generator) -> Part:
    shuffled = rng.permutation(len(pairs))
    cut = round(share * len(pairs))
    return Part(np.sort(shuffled[cut:]), shuffled[:0], np.sort(shuffled[:cut]))


def weak(pairs: Rows, rng: np.random.Generator) -> Part:
    train, test = next(WeakGeneralization(n_splits=1, random_state=rng).split(pairs))
    return Part(train, train[:0], test)


def strong(pairs: Rows, rng: np.random.Generator) -> Part:
    splitter = StrongGeneralization(test_users=STRONG_USERS, n_splits=1, random_state=rng)
    return Part(*next(splitter.newcomers(pairs)))


#: Data set, test split, split that chooses, and the error that chooses.
PROTOCOLS: dict[str, tuple[str, Any, Any, Any]] = {
    "80-20": ("ml-100k", partial(shares, 0.2), partial(shares, 0.1), mae),
    "weak": ("ml-1m", weak, weak, zero_one_error),
    "strong": ("ml-1m", strong, weak, zero_one_error),
}


def drawn(protocol: str, data: Any, seed: int) -> tuple[Part, Part]:
    """Draw the test part, and, from the rest, the part that chooses."""
    _, split, inner_split, _ = PROTOCOLS[protocol]
    rng = np.random.default_rng(seed)
    part = split(data.pairs, rng)
    inner = inner_split(data.pairs[part.train], rng)
    return part, Part(*(part.train[rows] for rows in (inner.train, inner.folded, inner.test)))


def fitted(method: str, point: dict[str, Any], data: Any, part: Part, threads: int) -> Any:
    name, _, _ = method.partition("+")
    model = getattr(ratings, name)(levels=LEVELS, **point)
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
    if not method.startswith("HMF"):
        return points[int(np.argmin([error(true, model.predict(pairs)) for model in models]))]
    above = true[:, None] > np.array(LEVELS[:-1])
    wrong = [((model.decision_function(pairs) >= 0) != above).mean(axis=0) for model in models]
    return points[0] | {"ridge": [points[best]["ridge"] for best in np.argmin(wrong, axis=0)]}


def run_seed(method: str, protocol: str, grid: dict[str, list[Any]], seed: int, threads: int) -> dict[str, Any]:
    name, _, _, error = PROTOCOLS[protocol]
    data = datasets.load(name)
    part, inner = drawn(protocol, data, seed)
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


def run(method: str, protocol: str, threads: int, seeds: Sequence[int] = SEEDS) -> dict[str, Any]:
    """All `seeds` that are not there yet."""
    for seed in seeds:
        if str(seed) not in stored(method, protocol)["seeds"]:
            grid = GRIDS.get(f"{method}/{protocol}", GRIDS[method])
            store(method, protocol, seed, run_seed(method, protocol, grid, seed, threads))
    return stored(method, protocol)


def address(method: str, protocol: str) -> Path:
    return RESULTS / f"ratings-{method}-{protocol}.json"


def stored(method: str, protocol: str) -> dict[str, Any]:
    """What is there of the same grid, else an empty record."""
    path, grid = address(method, protocol), GRIDS.get(f"{method}/{protocol}", GRIDS[method])
    record: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}
    if record.get("grid") == grid:
        return record
    return {"method": method, "protocol": protocol, "data": PROTOCOLS[protocol][0], "grid": grid, "seeds": {}}


def store(method: str, protocol: str, seed: int, found: dict[str, Any]) -> None:
    """Add a seed to what is there now: another process may have added one meanwhile."""
    record = stored(method, protocol)
    seeds = record["seeds"] | {str(seed): found}
    record["seeds"] = {name: seeds[name] for name in sorted(seeds)}
    figures = [name for name, value in found.items() if isinstance(value, float)]
    values = {name: [one[name] for one in seeds.values()] for name in figures}
    record |= {"made": provenance()}
    record["mean"] = {name: round(float(np.mean(found)), 5) for name, found in values.items()}
    record["sd"] = {name: round(float(np.std(found)), 5) for name, found in values.items()}
    address(method, protocol).parent.mkdir(exist_ok=True)
    address(method, protocol).write_text(json.dumps(record, indent=1) + "\n")


def main() -> None:
    method, protocol, *rest = sys.argv[1:]
    warnings.filterwarnings("ignore", ".*pairs have a user or an item")
    seeds = [int(seed) for seed in rest[1:]] or SEEDS
    record = run(method, protocol, int(rest[0]) if rest else 1, seeds)
    mean, sd = record["mean"], record["sd"]
    shown = ("mae", "rmse", "nmae", "zero_one_error", "train_mae", "seconds")
    print(f"{method} {protocol}: " + "  ".join(f"{name} {mean[name]:.4f} ± {sd[name]:.4f}" for name in shown))
    print("   chosen:", [found["chosen"] for found in record["seeds"].values()], flush=True)


if __name__ == "__main__":
    main()
