"""Balanced factors: the same product, at the least length."""

import numpy as np
import pytest

from skfactor.solvers.balance import balance


@pytest.fixture
def factors():
    rng = np.random.default_rng(0)
    return rng.normal(size=(9, 4)) * [1, 10, 1e-2, 3], rng.normal(size=(4, 7))


def test_the_length_is_the_nuclear_norm_of_the_product(factors):
    E, D = factors
    T = balance(E.T @ E, D @ D.T)
    balanced, other = E @ T, np.linalg.solve(T, D)
    nuclear = np.linalg.svd(E @ D, compute_uv=False).sum()
    assert np.sum(balanced**2) == pytest.approx(nuclear, rel=1e-8)
    assert np.sum(other**2) == pytest.approx(nuclear, rel=1e-8)
    assert np.allclose(balanced.T @ balanced, other @ other.T, atol=1e-8 * nuclear)


def test_what_is_balanced_stays_as_it_is(factors):
    E, D = factors
    T = balance(E.T @ E, D @ D.T)
    assert np.allclose(T, T.T)
    E, D = E @ T, np.linalg.solve(T, D)
    assert np.allclose(balance(E.T @ E, D @ D.T), np.eye(4), atol=1e-5)


def test_directions_without_length_stay_without(factors):
    E, D = factors
    E[:, 3] = D[3] = 0.0
    T = balance(E.T @ E, D @ D.T)
    assert np.isfinite(T).all()
    assert np.linalg.norm((E @ T)[:, 3]) < 1e-3 * np.linalg.norm(E @ T)
    assert not np.any(np.zeros((9, 4)) @ balance(np.zeros((4, 4)), np.zeros((4, 4))))
