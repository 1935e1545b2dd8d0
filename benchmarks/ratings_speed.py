"""Speed and memory of the rating models, on ratings of the shape of MovieLens 1M."""

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks._measure import alternating, peak_memory, report
from skfactor.datasets import RatingsData
from skfactor.ratings import MMMF

USERS, ITEMS, RATINGS, RANK = 6040, 3706, 1_000_000, 100
ITERATIONS = 10


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
        one, two = alternating(*(lambda model=m: _descend(model) for m in models), rounds=8)  # type: ignore[misc]
        report(f"MMMF, d=100, 1M ratings, {dtype}: one thread / two", one / two, "x", "at least 1.7")


def _descend(model: MMMF) -> None:
    """Iterations alone, without reading and sorting."""
    with threadpool_limits(1):
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


def main() -> None:
    fit(20_000, fitting=True)  # compiles the kernels, or finds them compiled
    threads()
    linear()
    memory()


if __name__ == "__main__":
    main()
