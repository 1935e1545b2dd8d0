import numpy as np
import pytest
from scipy import linalg

from skfactor.multilabel import CCA, CPLST, RidgeBR


def inverse_root(C):
    values, vectors = np.linalg.eigh(C)
    return vectors / np.sqrt(values) @ vectors.T


def directions(weighted, rank, ridge, label_ridge):
    """A and the canonical correlations, by the singular value decomposition of the whitened cross-covariance."""
    A, B = weighted.A, weighted.B
    x_root = inverse_root(A.T @ A + weighted.shift(ridge) * np.eye(10))
    y_root = inverse_root(B.T @ B + label_ridge * np.mean(np.sum(B**2, axis=0)) * np.eye(5))
    left, correlations, _ = np.linalg.svd(x_root @ A.T @ B @ y_root)
    return x_root @ left[:, :rank], correlations[:rank]


def test_it_equals_a_direct_computation_on_the_data(weighted, budget):
    model = weighted.fit(CCA(3, ridge=0.1, label_ridge=0.2, memory_budget=budget))
    A, correlations = directions(weighted, 3, 0.1, 0.2)
    assert weighted.agrees(model, A @ A.T @ weighted.A.T @ weighted.B)
    signs = np.sign(np.sum(A * model.factors_.encoder, axis=0))
    assert np.allclose(model.factors_.encoder, A * correlations * signs)


def test_the_decoder_is_the_ridge_regression_on_the_directions(weighted):
    A, _ = directions(weighted, 2, 0.1, 0.2)
    stacked = np.vstack([weighted.A, np.sqrt(weighted.shift(0.1)) * np.eye(10)]) @ A
    goal = np.vstack([weighted.B, np.zeros((10, 5))])
    W = A @ np.linalg.lstsq(stacked, goal, rcond=None)[0]
    assert weighted.agrees(weighted.fit(CCA(2, ridge=0.1, label_ridge=0.2)), W)


def test_no_pair_of_directions_correlates_more(problem):
    X, Y = problem
    model = CCA(1, ridge=1e-9, label_ridge=1e-9).fit(X, Y)
    x, B = model.transform(X)[:, 0], Y - Y.mean(axis=0)
    y = B @ np.linalg.lstsq(B, x, rcond=None)[0]
    best = np.corrcoef(x, y)[0, 1]
    rng = np.random.default_rng(0)
    assert all(np.corrcoef(X @ rng.normal(size=10), Y @ rng.normal(size=5))[0, 1] < best for _ in range(200))
    angles = linalg.subspace_angles(X - X.mean(axis=0), B)
    assert best == pytest.approx(np.cos(angles.min()))


def test_all_components_are_the_full_ridge(problem):
    X, Y = problem
    full = RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X)
    assert np.allclose(CCA(ridge=0.1, label_ridge=0.01).fit(X, Y).factors_.scores(X), full)


def test_with_much_label_ridge_it_is_cplst(problem):
    own, other = CCA(2, label_ridge=1e9).fit(*problem), CPLST(2).fit(*problem)
    assert np.allclose(own.factors_.scores(problem[0]), other.factors_.scores(problem[0]), atol=1e-6)


def test_directions_without_label_ridge_do_not_depend_on_the_units_of_labels(weighted):
    """Which is what sets it apart from CPLST: a rare label counts as much as a common one."""
    some, _ = directions(weighted, 2, 0.1, 1e-9)
    weighted.B *= [1, 2, 5, 10, 100]
    others, _ = directions(weighted, 2, 0.1, 1e-9)
    assert np.allclose(linalg.subspace_angles(some, others), 0, atol=1e-5)


def test_label_ridge_must_be_above_zero(problem):
    with pytest.raises(ValueError, match="label_ridge must be above 0, got 0"):
        CCA(label_ridge=0).fit(*problem)
