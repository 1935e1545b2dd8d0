"""Speed and memory of the rating models, on ratings of the shape of MovieLens 1M."""

import tempfile
from pathlib import Path

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from benchmarks._measure import alternating, peak_memory, report
from skfactor.datasets import RatingsData
from skfactor.ratings import HMF, MMMF

USERS, ITEMS, RATINGS, STAGES, RANK = 6040, 3706, 1_000_000, 4, 100
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


def fit(path: str, count: int) -> None:
    """Read all ratings, and fit to some."""
    with np.load(path) as stored:
        pairs, levels = stored["pairs"], stored["levels"]
    model = HMF(n_components=RANK, ridge=20.0, max_iter=ITERATIONS, tol=0, n_threads=1)
    model.fit(pairs[:count], levels[:count])


def warm_up() -> None:
    """Compile the kernels, or find them compiled."""
    data = table(20_000)
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
    """What a fit to all adds to the peak of one to a few, which has the ratings and all libraries in memory."""
    data = table(RATINGS)
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder) / "ratings.npz")
        np.savez(path, pairs=data.pairs, levels=data.ratings)
        before, after = peak_memory(fit, path, 1000), peak_memory(fit, path, RATINGS)
    own = (STAGES * (USERS + ITEMS) * RANK * 8 + RATINGS * 24) / 2**20
    print(f"HMF, d=100, 1M ratings: {after - before:.0f} MiB beside {own:.0f} of factors and triples")
    report("HMF, d=100, 1M ratings: memory / (factors + triples)", (after - before) / own, "x", "at most 3")


def main() -> None:
    warm_up()
    threads()
    linear()
    memory()


if __name__ == "__main__":
    main()
