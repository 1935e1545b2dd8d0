import numpy as np
import pytest
from scipy.optimize import minimize

from skfactor.penalties import PENALTIES, group_rows

GROUPS = np.array([1, 0, 1, 2, 0])
ALL = {**PENALTIES, "groups": group_rows(GROUPS)}
Z = np.random.default_rng(0).normal(size=(4, 5))
each = pytest.mark.parametrize("name", ALL)


@each
@pytest.mark.parametrize("step", [0.1, 0.7, 3.0])
def test_the_prox_is_the_minimum_that_a_general_minimizer_finds(name, step):
    penalty = ALL[name]
    bounds = [(0, None)] * Z.size if name == "nonnegative" else None

    def objective(flat):
        W = flat.reshape(Z.shape)
        return np.sum((W - Z) ** 2) / 2 + step * penalty.value(W)

    nearby = penalty.prox(Z, step)
    # A general minimizer is lost in kinks: it is started at several places, one of them the prox itself.
    starts = (nearby + 1e-3, Z, 0.5 * Z, np.zeros_like(Z) + 1e-3)
    found = [minimize(objective, np.ravel(s), method="L-BFGS-B", bounds=bounds) for s in starts]
    assert objective(nearby.ravel()) <= min(result.fun for result in found) + 1e-7


@each
def test_the_prox_is_no_worse_than_any_point_nearby(name):
    penalty, rng = ALL[name], np.random.default_rng(1)
    best = penalty.prox(Z, 0.5)

    def objective(W):
        return np.sum((W - Z) ** 2) / 2 + 0.5 * penalty.value(W)

    for size in (1e-4, 1e-2, 1.0):
        for _ in range(100):
            assert objective(best + size * rng.normal(size=Z.shape)) >= objective(best)


@pytest.mark.parametrize("name", sorted(set(ALL) - {"nonnegative"}))
def test_the_gradient_is_that_of_finite_differences(name):
    penalty, step = ALL[name], 1e-6
    numeric = np.empty_like(Z)
    for place in np.ndindex(*Z.shape):
        change = np.zeros_like(Z)
        change[place] = step
        numeric[place] = (penalty.value(Z + change) - penalty.value(Z - change)) / (2 * step)
    np.testing.assert_allclose(penalty.gradient(Z), numeric, atol=1e-6)


@each
def test_zero_is_left_where_it_is(name):
    nothing = np.zeros((2, 5))
    assert ALL[name].value(nothing) == 0
    np.testing.assert_array_equal(ALL[name].prox(nothing, 1.0), nothing)
    np.testing.assert_array_equal(ALL[name].gradient(nothing), nothing)


@each
def test_a_multiple_has_the_prox_of_a_longer_step(name):
    penalty = ALL[name]
    np.testing.assert_allclose(penalty.times(3.0).prox(Z, 0.2), penalty.prox(Z, 0.6))
    if name != "nonnegative":
        assert penalty.times(3.0).value(Z) == pytest.approx(3 * penalty.value(Z))
        np.testing.assert_allclose(penalty.times(3.0).gradient(Z), 3 * penalty.gradient(Z))


def test_groups_of_one_column_are_l1_and_one_group_is_l21():
    np.testing.assert_allclose(group_rows(np.arange(5)).prox(Z, 0.4), PENALTIES["l1"].prox(Z, 0.4))
    assert group_rows(np.zeros(5, dtype=int)).value(Z) == pytest.approx(np.linalg.norm(Z, axis=1).sum())


def test_a_group_vanishes_as_a_whole():
    shrunk = ALL["groups"].prox(Z, 1.0)
    for group in range(3):
        block = shrunk[:, group == GROUPS]
        assert (np.all(block == 0, axis=1) | np.all(block != 0, axis=1)).all()
    assert (shrunk == 0).any()


def test_negative_entries_have_no_value_where_none_are_allowed():
    assert PENALTIES["nonnegative"].value(Z) == np.inf
