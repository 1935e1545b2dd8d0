import numpy as np
import pytest
from sklearn.linear_model import Ridge

from skfactor.multilabel import ReducedRankRidge, RidgeBR


def objective(weighted, W, ridge):
    return np.sum((weighted.B - weighted.A @ W) ** 2) + weighted.shift(ridge) * np.sum(W**2)


def product(model):
    return model.factors_.encoder @ model.factors_.decoder


def test_all_components_are_the_full_ridge(problem):
    X, Y = problem
    full = RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X)
    for rank in (5, None):
        assert np.allclose(ReducedRankRidge(rank, ridge=0.1).fit(X, Y).factors_.scores(X), full)


@pytest.mark.parametrize("rank", [1, 3])
def test_it_is_least_squares_cut_to_rank_on_rows_that_stand_for_the_ridge(rank, weighted, budget):
    model = weighted.fit(ReducedRankRidge(rank, ridge=0.1, memory_budget=budget))
    stacked = np.vstack([weighted.A, np.sqrt(weighted.shift(0.1)) * np.eye(10)])
    goal = np.vstack([weighted.B, np.zeros((10, 5))])
    left, values, right = np.linalg.svd(stacked @ np.linalg.lstsq(stacked, goal, rcond=None)[0])
    fitted = left[:, :rank] * values[:rank] @ right[:rank]
    assert weighted.agrees(model, np.linalg.lstsq(stacked, fitted, rcond=None)[0])


def test_alternating_minimization_ends_there_and_never_below(weighted):
    best = product(weighted.fit(ReducedRankRidge(2, ridge=0.1)))
    A, B, shift = weighted.A, weighted.B, weighted.shift(0.1)
    for seed in range(5):
        V = np.random.default_rng(seed).normal(size=(2, 5))
        for _ in range(500):  # orthonormal V, then the best U, then the best V for its span
            V = np.linalg.qr(V.T)[0].T
            U = np.linalg.solve(A.T @ A + shift * np.eye(10), A.T @ B @ V.T)
            V = np.linalg.solve(U.T @ (A.T @ A + shift * np.eye(10)) @ U, U.T @ A.T @ B)
            assert objective(weighted, U @ V, 0.1) > objective(weighted, best, 0.1) - 1e-12
        assert objective(weighted, U @ V, 0.1) == pytest.approx(objective(weighted, best, 0.1))
        assert np.allclose(U @ V, best, atol=1e-6)


def test_no_direction_of_two_labels_does_better(problem):
    X, Y = problem[0], problem[1][:, :2]
    model = ReducedRankRidge(1, ridge=0.3, scale=None).fit(X, Y)
    alpha = 0.3 * len(X) * X.var(axis=0).mean()
    centred = Y - Y.mean(axis=0)

    def loss(W):
        return np.sum((centred - (X - X.mean(axis=0)) @ W) ** 2) + alpha * np.sum(W**2)

    best = loss(product(model))
    tried = []
    for angle in np.linspace(0, np.pi, 2000):
        v = np.array([np.cos(angle), np.sin(angle)])
        tried.append(loss(np.outer(Ridge(alpha).fit(X, Y @ v).coef_, v)))
    assert best <= min(tried) == pytest.approx(best, rel=1e-5)
