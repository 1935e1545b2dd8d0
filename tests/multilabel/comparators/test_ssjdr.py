"""SSJDR: its objective by brute force, and what it becomes at the edges."""

import numpy as np
import pytest
from scipy import optimize, sparse

from skfactor.losses import LOSSES
from skfactor.multilabel import SSJDR
from skfactor.multilabel.comparators import binary, neighbours, ssjdr
from skfactor.multilabel.rows import Rows
from skfactor.solvers.parts import Layout


@pytest.fixture
def parts():
    rng = np.random.default_rng(1)
    return [rng.normal(size=(10, 3)), rng.normal(size=(3, 5)), rng.normal(size=5)]


@pytest.fixture
def objective(problem):
    X, Y = problem
    graph = neighbours.neighbour_graph(X, 4)
    rows = Rows(X, np.zeros(10), np.ones(10), np.ones(120))
    labels = sparse.csr_array(Y[:90], dtype=float)
    return ssjdr.Problem(rows, labels, neighbours.laplacian(graph) * 0.3, 0.2), graph.toarray()


def test_the_objective_is_that_of_the_docstring(problem, objective, parts):
    X, Y = problem
    (U, V, b), (function, graph) = parts, objective
    hinge = LOSSES["smooth_hinge"].value(2.0 * Y - 1, X @ U @ V + b)[:90].sum() / 90
    Z = X @ U
    apart = np.square(Z[:, None] - Z[None]).sum(axis=2)
    expected = hinge + 0.3 / 2 * np.sum(graph * apart) / 2 + 0.1 * (np.sum(U**2) + np.sum(V**2))
    assert function(parts)[0] == pytest.approx(expected)


def test_blocks_of_rows_change_nothing(objective, parts, monkeypatch):
    value, gradient = objective[0](parts)
    monkeypatch.setattr(binary, "BLOCK_ENTRIES", 7 * 5)
    some_value, some_gradient = objective[0](parts)
    assert some_value == pytest.approx(value, rel=1e-12)
    for some, whole in zip(some_gradient, gradient, strict=True):
        np.testing.assert_allclose(some, whole, atol=1e-12)


def test_more_codes_than_labels_lower_nothing(problem):
    X, Y = problem
    few, many = (SSJDR(r, tol=1e-10, max_iter=3000).fit(X, Y[:, :2]).objective_[-1] for r in (2, 10))
    assert few == pytest.approx(many, rel=1e-5)


def test_the_gradient_is_that_of_the_objective(objective, parts):
    layout = Layout(parts)
    joined = layout.of_vector(objective[0])
    start = layout.vector(parts)
    error = optimize.check_grad(lambda v: joined(v)[0], lambda v: joined(v)[1], start)
    assert error < 1e-5 * np.linalg.norm(joined(start)[1])


def test_the_graph_is_symmetric_and_has_the_nearest(problem):
    X = problem[0][:30]
    graph = neighbours.neighbour_graph(X, 3).toarray()
    distances = np.linalg.norm(X[:, None] - X, axis=2)
    nearest = np.argsort(distances, axis=1)[:, 1:4]
    expected = np.zeros((30, 30))
    np.put_along_axis(expected, nearest, 1, axis=1)
    np.testing.assert_array_equal(graph, np.maximum(expected, expected.T))


def test_it_falls_and_separates(problem):
    X, Y = problem
    model = SSJDR(6, random_state=0).fit(X, Y)
    assert (np.diff(model.objective_) <= 0).all()
    assert model.score(X, Y) > 0.8
    assert model.scorer_.encoder.shape == (10, 6)


def test_more_smoothness_makes_neighbours_more_alike(problem):
    X, Y = problem
    energy = laplacian_energy(X)
    rough, smooth = (energy(SSJDR(6, smoothness=s, random_state=0).fit(X, Y)) for s in (0.01, 30.0))
    assert smooth < rough


def laplacian_energy(X):
    graph = neighbours.laplacian(neighbours.neighbour_graph(X, 10))

    def energy(model):
        Z = model.scorer_.transform(X)
        return np.sum(Z * (graph @ Z)) / np.sum((Z - Z.mean(axis=0)) ** 2)

    return energy


def test_rows_without_labels_have_a_say(problem):
    X, Y = problem
    model = SSJDR(4, smoothness=10.0, random_state=0)
    alone = model.fit(X[:40], Y[:40]).label_scores(X)
    known = np.arange(120) < 40
    helped = model.fit(X, Y, labelled=known).label_scores(X)
    assert not np.allclose(alone, helped)
    assert not hasattr(model, "_unlabelled")
    np.testing.assert_array_equal(model.labelled_, known)
    marked = model.fit(X, np.where(known[:, None], Y, np.nan)).label_scores(X)
    np.testing.assert_array_equal(marked, helped)
    thin = model.set_params(scale="std").fit(sparse.csr_array(X), Y, labelled=known).label_scores(X)
    np.testing.assert_allclose(thin, helped, atol=0.05)
