import numpy as np
import pytest

from skfactor.ratings import ALS, BMMMF, BPMF, EMMMF, HMF, MMMF, PMF, PMMMF, BiasOnly, ItemMedian
from skfactor.ratings.triples import Triples

#: Every model, small enough for many fits; two threads, unless a test says otherwise.
SMALL = {
    "MMMF": lambda **given: MMMF(**{"n_components": 4, "ridge": 2.0, "n_threads": 2, **given}),
    "PMMMF": lambda **given: PMMMF(**{"n_components": 4, "ridge": 2.0, "n_threads": 2, **given}),
    "HMF": lambda **given: HMF(**{"n_components": 4, "ridge": 1.0, "n_threads": 2, **given}),
    "PMF": lambda **given: PMF(**{"n_components": 4, "ridge": 1.0, "n_threads": 2, **given}),
    "EMMMF": lambda **given: EMMMF(
        **{"n_estimators": 3, "n_components": 4, "ridge": 2.0, "n_threads": 2, **given}
    ),
    "ALS": lambda **given: ALS(**{"n_components": 3, "max_iter": 5, **given}),
    "BPMF": lambda **given: BPMF(**{"n_components": 3, "n_burn_in": 3, "n_samples": 6, **given}),
    "BiasOnly": BiasOnly,
    "ItemMedian": ItemMedian,
}
DESCENDING = ["MMMF", "PMMMF", "HMF", "PMF", "EMMMF"]


@pytest.fixture(params=SMALL)
def make(request):
    """A function that makes each of the models for any number of levels."""
    return SMALL[request.param]


@pytest.fixture(params=DESCENDING)
def make_descending(request):
    return SMALL[request.param]


def rated(n_users=30, n_items=24, share=0.5, n_levels=5, seed=0):
    """Ratings of a table of rank 2, by users and items that count from 0; every one of them has some."""
    rng = np.random.default_rng(seed)
    scores = rng.normal(size=(n_users, 2)) @ rng.normal(size=(2, n_items)) + rng.normal(size=n_items)
    cuts = np.quantile(scores, np.linspace(0, 1, n_levels + 1)[1:-1])
    table = 1 + np.searchsorted(cuts, scores)
    shown = rng.random(table.shape) < share
    shown[np.arange(n_users), np.arange(n_users) % n_items] = True
    shown[np.arange(n_items) % n_users, np.arange(n_items)] = True
    pairs = np.argwhere(shown)
    return pairs, table[shown], table


@pytest.fixture
def ratings():
    """Pairs (n x 2) and levels (n,) from 1 to 5, user by user."""
    return rated()[:2]


@pytest.fixture
def triples(ratings):
    pairs, levels = ratings
    return Triples.of(pairs[:, 0], pairs[:, 1], (levels - 1).astype(np.int8), (30, 24))


@pytest.fixture
def binary():
    """Pairs, and likes (1) or dislikes (0)."""
    return rated(n_levels=2)[0], rated(n_levels=2)[1] - 1


@pytest.fixture
def many_chunks(monkeypatch):
    """Share even the smallest table among the threads."""
    monkeypatch.setattr("skfactor.ratings.kernels.LEAST_CHUNK", 1)


BMMMF_SMALL = {"n_components": 4, "ridge": 1.0, "n_threads": 2}


@pytest.fixture
def bmmmf():
    return lambda **given: BMMMF(**{**BMMMF_SMALL, **given})
