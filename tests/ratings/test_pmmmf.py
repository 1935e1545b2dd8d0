import numpy as np
import pytest

from skfactor.ordinal import smooth_hinge, threshold_loss
from skfactor.ratings import PMMMF
from skfactor.ratings.pmmmf import between


@pytest.fixture
def model(ratings):
    return PMMMF(n_components=3, ridge=0.7, n_threads=1, max_iter=30).fit(*ratings)


def scores_of(model, pairs):
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    return users, (model.U_ @ model.V_.T)[users, items]


def test_planes_are_the_mean_scores(model, ratings):
    pairs, levels = ratings
    users, scores = scores_of(model, pairs)
    for user in range(30):
        for level in range(5):
            own = scores[(users == user) & (levels == level + 1)]
            plane = model.planes_[user, level]
            assert np.isnan(plane) if not len(own) else np.isclose(plane, own.mean())


def test_the_objective_is_that_of_the_docstring(model, ratings):
    pairs, levels = ratings
    users, scores = scores_of(model, pairs)
    D = scores[:, None] - model.planes_[users]
    ranks = np.arange(5)
    sides = np.where(ranks < levels[:, None] - 1, 1, -1)
    costs = np.where(ranks == levels[:, None] - 1, D**2, smooth_hinge(sides * D))
    ridge = 0.35 * ((model.U_**2).sum() + (model.V_**2).sum())
    assert model.objectives_[-1] == pytest.approx(np.nansum(costs) + ridge)


def test_boundaries_by_hand():
    planes = np.array([[0.0, 1.0, 3.0], [np.nan, 2.0, 4.0], [0.0, np.nan, 9.0], [np.nan, 5.0, np.nan]])
    counts = np.array([[1, 1, 3], [0, 3, 1], [1, 0, 2], [0, 4, 0]])
    expected = [[0.5, 1.5], [-np.inf, 3.5], [3.0, 3.0], [-np.inf, np.inf]]
    assert np.allclose(between(planes, counts), expected)


def test_levels_that_a_user_never_gave_are_not_predicted():
    pairs = [(user, item) for user in range(4) for item in range(12)]
    levels = np.array([1, 3, 5] * 4 + [2, 3] * 6 + [4] * 12 + [1, 2, 3, 4, 5, 5] * 2)
    model = PMMMF(n_components=3, ridge=0.5, n_threads=1).fit(pairs, levels)
    given = [{1, 3, 5}, {2, 3}, {4}, {1, 2, 3, 4, 5}]
    for user, row in enumerate(model.complete()):
        assert set(row) <= given[user]
    assert np.isfinite(model.predict_levels(pairs)).all()


def test_planes_hold_still_while_items_are_folded_in(ratings):
    pairs, levels = ratings
    new = pairs[:, 1] >= 20
    model = PMMMF(n_components=3, ridge=0.7, n_threads=1).fit(pairs[~new], levels[~new])
    planes = model.planes_.copy()
    model.fold_in(pairs[new], levels[new])
    assert np.array_equal(model.planes_, planes, equal_nan=True)
    assert np.isfinite(model.V_).all()


def test_no_thresholds_have_smaller_hinges_than_those_of_hinges(ratings):
    pairs, levels = ratings
    model = PMMMF(n_components=2, ridge=0.7, n_threads=1, boundaries="hinges").fit(pairs, levels)
    users, scores = scores_of(model, pairs)

    def loss(thresholds):
        return threshold_loss(scores[:, None] - thresholds[users], levels - 1).sum()

    found, rng = model.thresholds_, np.random.default_rng(0)
    for size in (0.01, 0.1, 1.0):
        for _ in range(20):
            assert loss(found) <= loss(found + rng.normal(scale=size, size=found.shape)) + 1e-4
    planes = PMMMF(n_components=2, ridge=0.7, n_threads=1).fit(pairs, levels)
    assert np.array_equal(planes.V_, model.V_)
    assert model.score(pairs, levels) > planes.score(pairs, levels)
