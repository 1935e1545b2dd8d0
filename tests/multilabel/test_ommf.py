"""OMMF's mathematics: objective, monotony, gradients, one solver against another."""

import warnings

import numpy as np
import pytest
from scipy import linalg, optimize, sparse

from skfactor import Moments, datasets
from skfactor.multilabel import OMMF, RidgeBR
from skfactor.multilabel.ommf_learners import GradientLearner
from skfactor.multilabel.ommf_moments import JointMoments, code_map, code_spread, solve
from skfactor.multilabel.rows import Pairs


def objective(X, Y, W, H, a, ridge):
    """The objective as it is written, on centred data."""
    D, n = X.shape[1], len(X)
    P, Q = W[:D], W[D:]
    fit = (1 - a) * np.sum((X - H @ P.T) ** 2) + a * np.sum((Y - H @ Q.T) ** 2) + ridge * np.sum(H**2)
    return fit / n + ridge * np.sum(W**2)


@pytest.fixture
def centred(problem):
    X, Y = problem
    moments = Moments.of(X, Y).centred("std", units=True)
    centre = moments.centre
    return (X - centre.mean_x) / centre.scale, (Y - centre.mean_y) / centre.unit_y, moments


def best_codes(X, Y, W, a, ridge):
    weight = np.repeat([1 - a, a], [X.shape[1], Y.shape[1]])
    return np.hstack([X, Y]) @ code_map(W, weight, ridge).T


def test_codes_are_the_exact_minimizers(centred):
    X, Y, _ = centred
    W = np.random.default_rng(0).normal(size=(15, 4))
    H = best_codes(X, Y, W, 0.7, 0.1)
    gradient = optimize.approx_fprime(
        H[:3].ravel(), lambda h: objective(X[:3], Y[:3], W, h.reshape(3, 4), 0.7, 0.1), 1e-6
    )
    assert np.abs(gradient).max() < 1e-4


@pytest.mark.parametrize("a", [0.0, 0.5, 0.9])
def test_the_objective_is_the_one_written_down_and_never_rises(centred, a):
    X, Y, moments = centred
    W, objectives = solve(JointMoments(moments, a), 4, 0.1, max_iter=300, tol=1e-9)
    assert np.all(np.diff(objectives) <= 1e-12)
    H = best_codes(X, Y, W, a, 0.1)
    assert objective(X, Y, W, H, a, 0.1) == pytest.approx(objectives[-1], rel=1e-6)


def test_no_other_point_nearby_is_better(centred):
    X, Y, moments = centred
    W, objectives = solve(JointMoments(moments, 0.6), 3, 0.1, max_iter=2000, tol=1e-13)

    def of(flat):
        other = flat.reshape(W.shape)
        return objective(X, Y, other, best_codes(X, Y, other, 0.6, 0.1), 0.6, 0.1)

    found = optimize.minimize(of, W.ravel(), method="L-BFGS-B")
    assert found.fun >= objectives[-1] * (1 - 1e-5)


def test_steps_follow_the_gradient(centred, problem):
    """One step with one batch of all rows goes along the negative gradient by finite differences."""
    X, Y, moments = centred
    data = Pairs(problem[0], sparse.csr_array(problem[1].astype(float)), np.ones(120), moments.centre)
    W = np.random.default_rng(0).normal(size=(15, 3))
    learner = GradientLearner(W.copy(), 10, 0.7, 0.1)
    H = best_codes(X, Y, W, 0.7, 0.1)
    loss = learner.step(data.rows(np.arange(120)))
    assert loss == pytest.approx(objective(X, Y, W, H, 0.7, 0.1), rel=1e-9)
    gradient = optimize.approx_fprime(
        W.ravel(), lambda w: objective(X, Y, w.reshape(W.shape), H, 0.7, 0.1), 1e-7
    ).reshape(W.shape)
    step = W - learner.W
    for rows in (slice(0, 10), slice(10, 15)):
        ratio = step[rows] / gradient[rows]
        assert np.allclose(ratio, ratio.mean(), rtol=1e-3)
        assert ratio.mean() > 0


def test_without_labels_it_is_ridge_principal_components(centred):
    """a = 0: P spans the leading eigenvectors, each shrunk by the ridge, and xi = ridge encodes with them."""
    X, _, moments = centred
    W, _ = solve(JointMoments(moments, 0.0), 3, 0.2, max_iter=3000, tol=1e-14)
    values, vectors = linalg.eigh(X.T @ X / len(X))
    values, vectors = values[::-1][:3], vectors[:, ::-1][:, :3]
    P = W[:10]
    assert np.allclose(P @ P.T, (vectors * (np.sqrt(values) - 0.2)) @ vectors.T, atol=1e-4)
    projection = P @ linalg.solve(P.T @ P + 0.2 * np.eye(3), P.T)
    assert np.allclose(projection, (vectors * (1 - 0.2 / np.sqrt(values))) @ vectors.T, atol=1e-4)


def test_with_all_components_and_the_learned_prior_it_is_ridge_regression(problem):
    """W A W' is then S itself, so that Q A P' (P A P' + xi I)^-1 is Cyx (Cxx + xi I)^-1."""
    X, Y = problem
    model = OMMF(15, label_weight=0.5, ridge=1e-6, encoder_ridge=0.2).fit(X, Y)
    assert np.allclose(model.factors_.scores(X), RidgeBR(ridge=0.2).fit(X, Y).factors_.scores(X), atol=1e-4)


def test_the_isotropic_prior_is_the_encoder_of_the_paper(centred, problem):
    X, _, moments = centred
    W, _ = solve(JointMoments(moments, 0.9), 4, 0.03, max_iter=500, tol=1e-5)
    P, Q = W[:10], W[10:]
    expected = X @ P @ linalg.inv(P.T @ P + 0.3 * np.eye(4)) @ Q.T * moments.centre.unit_y
    model = OMMF(4, encoder_ridge=0.3, code_prior="isotropic").fit(*problem)
    assert np.allclose(model.factors_.scores(problem[0]), expected + moments.centre.mean_y)
    by_default = OMMF(4, code_prior="isotropic").fit(*problem)
    assert np.allclose(
        by_default.factors_.scores(problem[0]),
        OMMF(4, encoder_ridge=0.3, code_prior="isotropic").fit(*problem).factors_.scores(problem[0]),
    )


@pytest.mark.parametrize("solver", ["moments", "sgd", "online"])
def test_codes_have_the_spread_that_they_were_learned_with(solver, problem):
    """What the learned prior takes from batches is what the moments say."""
    X, Y = (np.tile(part, (8, 1)) for part in problem)
    model = OMMF(4, solver=solver, validation_fraction=0.0).fit(X, Y)
    centre = model.moments_.centre(model.scale, units=True)
    Z = np.hstack([(X - centre.mean_x) / centre.scale, (Y - centre.mean_y) / centre.unit_y])
    joint = JointMoments(Moments.of(X, Y).centred("auto", units=True), 0.9)
    W = solve(joint, 4, 0.03, max_iter=500, tol=1e-5)[0] if solver == "moments" else model._state.W
    H = Z @ code_map(W, joint.weight, 0.03).T
    A, left = code_spread(joint, W, 0.03)
    assert np.allclose(A, H.T @ H / len(H))
    assert left == pytest.approx(np.mean((Z[:, :10] - H @ W[:10].T) ** 2))
    if solver != "moments":
        assert np.allclose(model._state.A, A, atol=0.15 * np.abs(A).max())
        assert model._state.residual == pytest.approx(left, rel=0.1)


def test_the_order_of_the_rows_does_not_matter(problem):
    X, Y = problem
    order = np.random.default_rng(0).permutation(120)
    one, other = OMMF(4, tol=1e-10).fit(X, Y), OMMF(4, tol=1e-10).fit(X[order], Y[order])
    assert np.allclose(one.factors_.scores(X), other.factors_.scores(X), atol=1e-6)


def test_units_do_not_matter(problem):
    X, Y = problem
    for solver in ("moments", "online"):
        one, other = (OMMF(4, solver=solver).fit(factor * X, Y) for factor in (1.0, 1e4))
        assert np.allclose(one.factors_.scores(X), other.factors_.scores(1e4 * X), atol=1e-6)


@pytest.mark.parametrize("solver", ["sgd", "online"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, lambda X: X.astype(np.float32)])
def test_batches_reach_the_objective_of_the_moments(solver, form, problem):
    X, Y = problem
    X = np.tile(X, (5, 1)) * (np.abs(np.tile(X, (5, 1))) > 0.3)
    Y = np.tile(Y, (5, 1))
    moments = Moments.of(X, Y).centred(None, units=True)
    joint = JointMoments(moments, 0.7)
    _, objectives = solve(joint, 4, 0.1, max_iter=1000, tol=1e-9)
    model = OMMF(
        4, label_weight=0.7, ridge=0.1, solver=solver, scale=None, validation_fraction=0.0, batch_size=60
    ).fit(form(X), Y)
    W = model._state.W.astype(float)
    M = code_map(W, joint.weight, 0.1)
    B = joint.times(M.T)
    fit = joint.total() - 2 * np.sum(joint.weight[:, None] * W * B)
    fit += np.sum((W.T @ (joint.weight[:, None] * W)) * (M @ B)) + 0.1 * (np.sum(W**2) + np.trace(M @ B))
    assert fit == pytest.approx(objectives[-1], rel=0.01)
    assert len(model.history_) <= 20


@pytest.mark.data
@pytest.mark.parametrize("solver", ["sgd", "online"])
def test_batches_agree_with_moments_on_scene_with_default_steps(solver):
    data = datasets.load("scene")
    moments = Moments.of(data.X, data.Y).centred(None, units=True)
    joint = JointMoments(moments, 0.9)
    _, objectives = solve(joint, 50, 0.03, max_iter=1000, tol=1e-7)
    model = OMMF(50, solver=solver, scale=None, validation_fraction=0.0).fit(data.X, data.Y)
    W = model._state.W
    M = code_map(W, joint.weight, 0.03)
    B = joint.times(M.T)
    fit = joint.total() - 2 * np.sum(joint.weight[:, None] * W * B)
    fit += np.sum((W.T @ (joint.weight[:, None] * W)) * (M @ B)) + 0.03 * (np.sum(W**2) + np.trace(M @ B))
    assert fit == pytest.approx(objectives[-1], rel=0.01)


@pytest.mark.data
@pytest.mark.parametrize("name", ["emotions", "corel5k"])
def test_the_objective_never_rises_on_real_data(name):
    data = datasets.load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, objectives = solve(
            JointMoments(Moments.of(data.X, data.Y).centred("auto", units=True), 0.9), 30, 0.03, max_iter=30, tol=0
        )
    assert np.all(np.diff(objectives) <= 1e-9 * objectives[0])


def test_limits_are_named(problem):
    with pytest.raises(ValueError, match="n_components=16 is above features_and_labels=15"):
        OMMF(16).fit(*problem)
    with pytest.raises(ValueError, match="code_prior must be one of 'learned', 'isotropic'"):
        OMMF(code_prior="flat").fit(*problem)
    with pytest.raises(ValueError, match="label_weight must be at least 0 and at most 1"):
        OMMF(label_weight=1.0).fit(*problem)
