"""TWOMF's mathematics: objective, monotony, gradients, one solver against another; tensors."""

import warnings

import numpy as np
import pytest
from scipy import optimize, sparse

from skfactor import Moments, datasets
from skfactor.multilabel import TWOMF
from skfactor.multilabel.rows import Pairs
from skfactor.multilabel.twomf_learner import MomentumLearner, first_blocks
from skfactor.multilabel.twomf_moments import Blocks, Weights, solve

WEIGHTS = Weights(feature=0.3, label=0.7, link=2.0, ridge=0.05)


def objective(X, Y, blocks, weights=WEIGHTS):
    """The objective as it is written, on centred data."""
    Ex, Dx, Ey, Dy = blocks
    a, c, d, b = weights
    fit = a * np.sum((X - X @ Ex @ Dx) ** 2) + c * np.sum((Y - Y @ Ey @ Dy) ** 2)
    return (fit + d * np.sum((Y - X @ Ex @ Dy) ** 2)) / len(X) + b * sum(np.sum(block**2) for block in blocks)


@pytest.fixture
def centred(problem):
    X, Y = problem
    moments = Moments.of(X, Y).centred("std", units=True)
    centre = moments.centre
    data = Pairs(X, sparse.csr_array(Y.astype(float)), np.ones(len(X)), centre)
    return (X - centre.mean_x) / centre.scale, (Y - centre.mean_y) / centre.unit_y, moments, data


@pytest.mark.parametrize("r", [1, 3, 7, 15])
def test_the_objective_is_the_one_written_down_and_never_rises(centred, r):
    X, Y, moments, _ = centred
    blocks, objectives = solve(moments, r, WEIGHTS, max_iter=2000, tol=1e-9)
    assert np.all(np.diff(objectives) <= 1e-10)
    assert objective(X, Y, blocks) == pytest.approx(objectives[-1], rel=1e-6)


def test_no_other_point_nearby_is_better(centred):
    X, Y, moments, _ = centred
    blocks, objectives = solve(moments, 3, WEIGHTS, max_iter=5000, tol=1e-13)
    ends = np.cumsum([block.size for block in blocks])[:-1]

    def of(flat):
        parts = np.split(flat, ends)
        return objective(X, Y, [part.reshape(block.shape) for part, block in zip(parts, blocks, strict=True)])

    found = optimize.minimize(of, np.concatenate([block.ravel() for block in blocks]), method="L-BFGS-B")
    assert found.fun >= objectives[-1] * (1 - 1e-5)


def test_gradients_agree_with_finite_differences(centred):
    X, Y, _, data = centred
    rng = np.random.default_rng(0)
    blocks = Blocks(*(rng.normal(size=shape) for shape in ((10, 3), (3, 10), (5, 3), (3, 5))))
    learner = MomentumLearner(blocks, WEIGHTS)
    gradients, _, loss = learner._gradients(*data.rows(np.arange(120)))
    assert loss == pytest.approx(objective(X, Y, blocks), rel=1e-9)
    for place, gradient in enumerate(gradients):

        def of(flat, place=place):
            changed = list(blocks)
            changed[place] = flat.reshape(blocks[place].shape)
            return objective(X, Y, changed)

        expected = optimize.approx_fprime(blocks[place].ravel(), of, 1e-7)
        assert np.allclose(2 * gradient.ravel(), expected, rtol=1e-4, atol=1e-4)


def test_with_the_link_alone_it_is_a_shrunk_reduced_rank_regression(centred):
    """||Y - Q E D||^2 / n + b (||E||^2 + ||D||^2), with Q orthonormal (times sqrt n): singular values less b."""
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(120, 11)) - 0.0)[0]
    Q = np.linalg.qr(np.hstack([np.ones((120, 1)), Q]))[0][:, 1:11] * np.sqrt(120)
    _, Y, _, _ = centred
    moments = Moments.of(Q, Y).centred()
    blocks, _ = solve(moments, 3, Weights(0.0, 0.0, 1.0, 0.05), max_iter=5000, tol=1e-14)
    U, values, W = np.linalg.svd(Q.T @ Y / 120, full_matrices=False)
    expected = (U[:, :3] * np.maximum(values[:3] - 0.05, 0)) @ W[:3]
    assert np.allclose(blocks.Ex @ blocks.Dy, expected, atol=1e-4)


@pytest.mark.parametrize("init", ["svd", "random"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array, lambda X: X.astype(np.float32)])
def test_batches_reach_the_objective_of_the_moments(init, form, problem):
    X, Y = (np.tile(part, (8, 1)) for part in problem)
    X = X * (np.abs(X) > 0.3)
    moments = Moments.of(X, Y).centred(None, units=True)
    centre = moments.centre
    _, objectives = solve(moments, 4, Weights(0.1, 0.9, 1.0, 0.5), max_iter=3000, tol=1e-9)
    model = TWOMF(4, 0.1, ridge=0.5, solver="sgd", init=init, scale=None, validation_fraction=0.0, max_epochs=40)
    blocks = model.fit(form(X), Y)._state.blocks
    reached = objective(
        (X - centre.mean_x) / centre.scale,
        (Y - centre.mean_y) / centre.unit_y,
        blocks,
        Weights(0.1, 0.9, 1.0, 0.5),
    )
    assert reached == pytest.approx(objectives[-1], rel=0.02)


@pytest.mark.data
def test_batches_agree_with_moments_on_scene_with_default_steps():
    data = datasets.load("scene")
    moments = Moments.of(data.X, data.Y).centred(None, units=True)
    centre, weights = moments.centre, TWOMF()._weights()
    _, objectives = solve(moments, 50, weights, max_iter=2000, tol=1e-7)
    model = TWOMF(50, solver="sgd", scale=None, validation_fraction=0.0).fit(data.X, data.Y)
    X, Y = (data.X - centre.mean_x) / centre.scale, (data.Y.toarray() - centre.mean_y) / centre.unit_y
    assert objective(X, Y, model._state.blocks, weights) == pytest.approx(objectives[-1], rel=0.01)


@pytest.mark.data
@pytest.mark.parametrize("name", ["emotions", "corel5k"])
def test_the_objective_never_rises_on_real_data(name):
    data = datasets.load(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        _, objectives = solve(
            Moments.of(data.X, data.Y).centred("auto", units=True), 40, WEIGHTS, max_iter=40, tol=0
        )
    assert np.all(np.diff(objectives) <= 1e-9 * objectives[0])


def test_first_blocks_are_reproducible(centred):
    data = centred[3].rows(np.arange(50))
    one, other = (first_blocks(*data, 4, "random", np.random.RandomState(3)) for _ in range(2))
    assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_tensors_stay_tensors_and_give_what_arrays_give(problem):
    torch = pytest.importorskip("torch")
    X, Y = problem
    tensors = torch.as_tensor(X), torch.as_tensor(Y)
    model = TWOMF(4, validation_fraction=0.2).fit(*tensors)
    same = TWOMF(4, solver="sgd", validation_fraction=0.2).fit(X, Y)
    assert model.solver_ == "sgd"
    assert isinstance(model._state.blocks.Ex, torch.Tensor)
    predicted, scores = model.predict(tensors[0]), model.decision_function(tensors[0])
    assert predicted.dtype == tensors[1].dtype
    assert predicted.device == tensors[0].device
    assert np.allclose(scores.numpy(), same.decision_function(X), atol=1e-8)
    assert np.array_equal(predicted.numpy(), same.predict(X))
    assert isinstance(model.transform(tensors[0].float()), torch.Tensor)
