import numpy as np
import pytest

from skfactor.ordinal import threshold_loss
from skfactor.ratings import BMMMF, MMMF

from .conftest import rated


@pytest.mark.parametrize("loss", ["all", "immediate"])
def test_the_objective_is_that_of_the_docstring(loss, ratings):
    pairs, levels = ratings
    model = MMMF(threshold_loss=loss, n_components=3, ridge=0.7, n_threads=1, max_iter=20).fit(pairs, levels)
    losses = threshold_loss(model.decision_function(pairs), levels - 1, immediate=loss == "immediate")
    ridge = 0.35 * ((model.U_**2).sum() + (model.V_**2).sum())
    assert model.objectives_[-1] == pytest.approx(losses.sum() + ridge)


def test_levels_are_thresholds_passed_even_out_of_order(ratings):
    pairs, levels = ratings
    model = MMMF(n_components=3, ridge=2, n_threads=1).fit(pairs, levels)
    model.embedding_.thresholds[:] = model.embedding_.thresholds[:, ::-1]
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    passed = ((model.U_ @ model.V_.T)[users, items][:, None] > model.thresholds_[users]).sum(axis=1)
    assert np.array_equal(model.predict(pairs), 1 + passed)


def test_with_two_levels_and_thresholds_at_zero_it_is_bmmmf(binary):
    pairs, likes = binary
    settings = {"n_components": 3, "ridge": 1.0, "n_threads": 1}

    class Held(MMMF):
        _free = ("U", "V")

    assert np.array_equal(Held(**settings).fit(pairs, likes).U_, BMMMF(**settings).fit(pairs, likes).U_)


def test_a_new_user_is_fitted_as_well_as_can_be():
    """Moving the factors of a folded user in any direction costs more."""
    pairs, levels, _ = rated(share=0.9)
    new = pairs[:, 0] == 29
    model = MMMF(n_components=3, ridge=1, n_threads=1).fit(pairs[~new], levels[~new])
    model.fold_in(pairs[new], levels[new])
    items = model._items.find(pairs[new, 1])

    def cost(u, thresholds):
        margins = (model.V_[items] @ u)[:, None] - thresholds
        return threshold_loss(margins, levels[new] - 1).sum() + 0.5 * (u**2).sum()

    u, thresholds = model.U_[-1], model.thresholds_[-1]
    rng = np.random.default_rng(0)
    for _ in range(20):
        step = 0.05 * rng.normal(size=3), 0.05 * rng.normal(size=4)
        assert cost(u + step[0], thresholds + step[1]) > cost(u, thresholds) - 1e-4
