import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import approx_fprime

from skfactor.multilabel.margin_embedding import SOLVERS, learn_embedding, objective, spectral_start
from skfactor.solvers.parts import Layout


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 5)) * (rng.random((30, 5)) < 0.7)
    return X, (X @ rng.normal(size=(5, 4)) + 0.3 * rng.normal(size=(30, 4)) > 0).astype(float)


def learn(X, Y, **options):
    settings = {"n_components": 2, "penalty": 1.0, "solver": "lbfgs", "max_iter": 2000, "tol": 1e-10} | options
    return learn_embedding(X, Y, **settings)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_gradients_are_those_of_finite_differences(rows, form):
    X, Y = rows
    rng = np.random.default_rng(1)
    parts = [rng.normal(size=(5, 2)), rng.normal(size=(2, 4)), rng.normal(size=4)]
    joined = Layout(parts).of_vector(lambda parts: objective(parts, form(X), 2 * Y - 1, 0.7))
    point = Layout(parts).vector(parts)
    numeric = approx_fprime(point, lambda v: joined(v)[0], 1e-7)
    np.testing.assert_allclose(joined(point)[1], numeric, atol=1e-5)


def test_objective_is_what_it_says(rows):
    X, Y = rows
    rng = np.random.default_rng(1)
    U, V, b = rng.normal(size=(5, 2)), rng.normal(size=(2, 4)), rng.normal(size=4)
    total = 0.35 * (np.sum(U**2) + np.sum(V**2))
    for i, l in np.ndindex(Y.shape):  # noqa: E741
        t = (1 if Y[i, l] else -1) * (X[i] @ U @ V[:, l] + b[l])
        total += 0 if t >= 1 else (1 - t) ** 2 / 2 if t > 0 else 0.5 - t
    assert objective([U, V, b], X, 2 * Y - 1, 0.7)[0] == pytest.approx(total)


def test_the_start_is_a_step_of_least_squares_cut_to_the_rank(rows):
    X, Y = rows
    signs = 2 * Y - 1
    U, V, b = spectral_start(X, signs, 9)
    R = X.T @ (signs - signs.mean(axis=0))
    t = (U @ V)[0, 0] / R[0, 0]
    np.testing.assert_allclose(U @ V, t * R)
    np.testing.assert_allclose(b, signs.mean(axis=0))
    errors = [np.sum((signs - b - step * X @ R) ** 2) for step in (t, 0.99 * t, 1.01 * t)]
    assert errors[0] < min(errors[1:])
    U2, V2, _ = spectral_start(X, signs, 2)
    P, s, Qt = np.linalg.svd(R)
    np.testing.assert_allclose(U2 @ V2, t * (P[:, :2] * s[:2]) @ Qt[:2])
    np.testing.assert_allclose(U2.T @ U2, V2 @ V2.T, atol=1e-12)


def test_a_full_rank_minimum_is_no_higher_than_from_random_starts(rows):
    X, Y = rows
    _, found = learn(X, Y, n_components=4)
    rng = np.random.default_rng(0)
    for _ in range(5):
        start = [rng.normal(size=(5, 4)), rng.normal(size=(4, 4)), np.zeros(4)]
        other = SOLVERS["lbfgs"](
            lambda parts: objective(parts, X, 2 * Y - 1, 1.0), start, max_iter=2000, tol=1e-10
        )
        assert found.objectives[-1] <= other.objectives[-1] * (1 + 1e-6)


def test_both_solvers_find_the_same_minimum(rows):
    found = [learn(*rows, solver=solver, n_components=4) for solver in SOLVERS]
    values = [minimum.objectives[-1] for _, minimum in found]
    assert values[0] == pytest.approx(values[1], rel=1e-5)
    outputs = [embedding.outputs(rows[0]) for embedding, _ in found]
    np.testing.assert_allclose(outputs[0], outputs[1], atol=1e-2)


@pytest.mark.parametrize("solver", SOLVERS)
def test_the_objective_never_rises(rows, solver):
    _, minimum = learn(*rows, solver=solver)
    assert minimum.converged
    assert np.all(np.diff(minimum.objectives) <= 0)


def test_factors_are_balanced_at_the_minimum(rows):
    """At a minimum U'U = V V': both sides of the penalty have the same gradient."""
    embedding, _ = learn(*rows, tol=1e-14)
    np.testing.assert_allclose(embedding.U.T @ embedding.U, embedding.V @ embedding.V.T, atol=1e-3)


def test_a_heavy_penalty_leaves_the_intercepts(rows):
    X, Y = rows
    embedding, _ = learn(X, Y, penalty=1e4)
    np.testing.assert_allclose(embedding.U @ embedding.V, 0, atol=1e-6)
    np.testing.assert_array_equal(embedding.outputs(X[:1])[0] > 0, Y.mean(axis=0) > 0.5)


def test_one_label_pattern_is_told_by_the_intercepts_alone():
    X = np.random.default_rng(0).normal(size=(9, 3))
    Y = np.tile([1.0, 0.0, 1.0], (9, 1))
    embedding, minimum = learn(X, Y)
    assert not np.any(embedding.U @ embedding.V)
    assert minimum.objectives[-1] == pytest.approx(0, abs=1e-5)
    assert not embedding.hamming_losses(X, Y).any()


def test_hamming_losses_count_wrong_signs(rows):
    X, Y = rows
    embedding, _ = learn(X, Y)
    wrong = (embedding.outputs(X) > 0) != (Y > 0)
    np.testing.assert_allclose(embedding.hamming_losses(X, Y), wrong.sum(axis=1) / 4)
