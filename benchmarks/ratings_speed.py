"""Speed and memory of the rating models, on ratings of the shape of MovieLens 1M."""

import importlib.util
import time
import warnings

import joblib
import numpy as np

from benchmarks._measure import alternating, peak_memory, report
from skfactor.datasets import RatingsData
from skfactor.metrics import mae
from skfactor.ratings import HMF, MMMF

USERS, ITEMS, RATINGS, RANK = 6040, 3706, 1_000_000, 100
ITERATIONS = 5


def table(count: int, seed: int = 0) -> RatingsData:
    """Levels 1 to 5 of a table of rank 8 with biases and noise; popular items are rated more often."""
    rng = np.random.default_rng(seed)
    popularity = rng.pareto(1.2, ITEMS) + 0.05
    drawn = rng.choice(USERS * ITEMS, 3 * count, p=np.tile(popularity / popularity.sum() / USERS, USERS))
    users, items = np.divmod(rng.permutation(np.unique(drawn))[:count], ITEMS)
    U, V = rng.normal(size=(USERS, 8)), rng.normal(size=(ITEMS, 8)) / 4
    scores = (
        (U[users] * V[items]).sum(axis=1) + rng.normal(size=ITEMS)[items] / 2 + rng.normal(size=USERS)[users] / 3
    )
    scores += rng.normal(scale=0.7, size=len(scores))
    levels = 1 + np.searchsorted(np.quantile(scores, [0.06, 0.17, 0.43, 0.78]), scores)
    return RatingsData(np.column_stack([users, items]), levels, name=f"like ml-1m, {len(levels)}")


def fixed(**given) -> MMMF:  # type: ignore[no-untyped-def]
    return MMMF(n_components=RANK, ridge=20.0, max_iter=ITERATIONS, tol=0, **given)


def fit(count: int, fitting: bool) -> None:
    data = table(count)
    if fitting:
        fixed(n_threads=1).fit(data.pairs, data.ratings)


def threads() -> None:
    if joblib.cpu_count() < 2:
        print("two threads / one: this machine has one core", flush=True)
        return
    data = table(RATINGS)
    for dtype in ("float64", "float32"):
        models = [fixed(n_threads=n, dtype=dtype).fit(data.pairs, data.ratings) for n in (1, 2)]
        one, two = alternating(*(lambda model=m: _descend(model) for m in models), rounds=3)  # type: ignore[misc]
        report(f"MMMF, d=100, 1M ratings, {dtype}: one thread / two", one / two, "x", "at least 1.7")


def _descend(model: MMMF) -> None:
    """Iterations alone, without reading and sorting."""
    model._learn(model._triples, None)


def linear() -> None:
    seconds = {}
    for count in (250_000, 500_000, 1_000_000):
        data = table(count)
        model = fixed(n_threads=1).fit(data.pairs, data.ratings)
        seconds[count] = alternating(lambda model=model: _descend(model), rounds=3)[0] / count  # type: ignore[misc]
    for count in (500_000, 1_000_000):
        name = f"MMMF, d=100, one thread: seconds per rating, {count:,} / 250,000"
        report(name, seconds[count] / seconds[250_000], "x", "at most 1.2")


def memory() -> None:
    before, after = peak_memory(fit, RATINGS, False), peak_memory(fit, RATINGS, True)
    factors, triples = (USERS + ITEMS) * RANK * 8 / 2**20, RATINGS * 24 / 2**20
    report(
        "MMMF, d=100, 1M ratings: memory / (factors + triples)", (after - before) / (factors + triples), "x", "3"
    )


def against_surprise() -> None:
    if importlib.util.find_spec("surprise") is None:
        print("HMF / Surprise's SVD: needs `pip install scikit-surprise`, best in an environment of its own")
        return
    import pandas as pd
    from surprise import SVD, Dataset, Reader

    data = table(RATINGS)
    rows = np.random.default_rng(1).permutation(len(data))
    train, test = rows[50_000:], rows[:50_000]
    frame = pd.DataFrame({"u": data.pairs[train, 0], "i": data.pairs[train, 1], "r": data.ratings[train]})
    prepared = Dataset.load_from_df(frame, Reader(rating_scale=(1, 5))).build_full_trainset()
    start = time.perf_counter()
    svd = SVD(n_factors=RANK, n_epochs=100, random_state=0).fit(prepared)
    svd_seconds = time.perf_counter() - start
    guesses = [svd.predict(user, item).est for user, item in data.pairs[test]]
    start = time.perf_counter()
    hmf = HMF(n_components=RANK, ridge=18.0).fit(data.pairs[train], data.ratings[train])
    seconds = time.perf_counter() - start
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        error = mae(data.ratings[test], hmf.predict(data.pairs[test]))
    report("HMF / Surprise's SVD, 100 factors, 100 epochs: seconds", seconds / svd_seconds, "x", "at most 1")
    report("HMF / Surprise's SVD: mean absolute error", error / mae(data.ratings[test], guesses), "x", "below 1")


def main() -> None:
    fit(20_000, fitting=True)  # compiles the kernels, or finds them compiled
    threads()
    linear()
    memory()
    against_surprise()


if __name__ == "__main__":
    main()
