"""L-BFGS and nonlinear conjugate gradients: against each other, against closed forms, and step by step."""

import numpy as np
import pytest
from scipy.optimize import check_grad
from sklearn.exceptions import ConvergenceWarning

from skfactor.solvers.conjugate_gradient import minimize_conjugate_gradient
from skfactor.solvers.lbfgs import minimize_lbfgs
from skfactor.solvers.line_search import FALL, FLATTEN, strong_wolfe
from skfactor.solvers.parts import Layout

SOLVERS = [minimize_lbfgs, minimize_conjugate_gradient]


def rosenbrock(parts):
    x, y = parts
    value = float(np.sum(100 * (y - x**2) ** 2 + (1 - x) ** 2))
    return value, [-400 * x * (y - x**2) - 2 * (1 - x), 200 * (y - x**2)]


def quadratic(rng):
    root = rng.normal(size=(12, 12))
    H, b = root @ root.T + 0.01 * np.eye(12), rng.normal(size=12)

    def function(parts):
        z = np.concatenate([part.ravel() for part in parts])
        g = H @ z - b
        return float(z @ (H @ z) / 2 - b @ z), [g[:4].reshape(2, 2), g[4:]]

    return function, np.linalg.solve(H, b)


@pytest.mark.parametrize("minimize", SOLVERS)
@pytest.mark.parametrize("seed", range(5))
def test_quadratics_are_solved(minimize, seed):
    rng = np.random.default_rng(seed)
    function, solution = quadratic(rng)
    found = minimize(function, [np.zeros((2, 2)), np.zeros(8)], tol=1e-15, max_iter=5000)
    assert found.converged
    assert [part.shape for part in found.parts] == [(2, 2), (8,)]
    best = function([solution[:4].reshape(2, 2), solution[4:]])[0]
    assert found.objectives[-1] == pytest.approx(best, rel=1e-8)


@pytest.mark.parametrize("minimize", SOLVERS)
def test_bent_valleys_are_followed(minimize):
    found = minimize(rosenbrock, [np.full(3, -1.2), np.ones(3)], tol=1e-14, max_iter=5000)
    np.testing.assert_allclose(np.concatenate(found.parts), 1.0, atol=1e-4)


@pytest.mark.parametrize("minimize", SOLVERS)
def test_no_iteration_rises_and_the_last_objective_is_that_of_the_parts(minimize):
    rng = np.random.default_rng(0)
    start = [rng.normal(size=5), rng.normal(size=5)]
    found = minimize(rosenbrock, start, tol=1e-10)
    assert found.objectives[0] == rosenbrock(start)[0]
    assert np.all(np.diff(found.objectives) <= 0)
    assert found.objectives[-1] == pytest.approx(rosenbrock(found.parts)[0], rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("minimize", SOLVERS)
def test_running_out_of_iterations_is_told(minimize):
    found = minimize(rosenbrock, [np.full(3, -1.2), np.ones(3)], tol=0.0, max_iter=3)
    assert not found.converged
    assert found.n_iter == 3
    with pytest.warns(ConvergenceWarning, match="The valley has not converged after 3 iterations"):
        found.warn("The valley")


@pytest.mark.parametrize("minimize", SOLVERS)
def test_at_a_minimum_nothing_moves(minimize):
    found = minimize(rosenbrock, [np.ones(2), np.ones(2)])
    assert found.converged
    assert found.objectives[-1] == 0


@pytest.mark.parametrize("minimize", SOLVERS)
def test_units_of_the_parameters_do_not_matter_to_success(minimize):
    def stretched(parts):
        value, slopes = rosenbrock([parts[0] * 1e3, parts[1] * 1e-2])
        return value, [slopes[0] * 1e3, slopes[1] * 1e-2]

    found = minimize(stretched, [np.full(2, -1.2e-3), np.full(2, 100.0)], tol=1e-13, max_iter=20000)
    assert found.objectives[-1] < 1e-5


@pytest.mark.parametrize("first", [1e-6, 0.01, 1.0, 30.0, 1e6])
@pytest.mark.parametrize("seed", range(4))
def test_steps_satisfy_both_conditions(first, seed):
    a, b, c = np.random.default_rng(seed).uniform(0.5, 3.0, 3)

    def line(t):
        return float(a * (t - b) ** 2 - np.sin(c * t)), float(2 * a * (t - b) - c * np.cos(c * t))

    value, slope = line(0.0)
    step = strong_wolfe(line, value, slope, first)
    assert step > 0
    assert line(step)[0] <= value + FALL * step * slope
    assert abs(line(step)[1]) <= -FLATTEN * slope


def test_no_step_where_nothing_falls():
    assert strong_wolfe(lambda t: (2.0, -1.0), 1.0, -1.0, 1.0) == 0


def test_a_wall_of_infinity_is_stayed_clear_of():
    def line(t):
        return (float(-t + 1 / (1 - t)), float(-1 + 1 / (1 - t) ** 2)) if t < 1 else (np.inf, np.nan)

    # The slope at 0 is 0 here, so start beyond: f(t) = g(t - 1/2).
    shifted = lambda t: line(t - 0.5)  # noqa: E731
    value, slope = shifted(0.0)
    step = strong_wolfe(shifted, value, slope, 100.0)
    assert 0 < step < 1.5
    assert shifted(step)[0] < value


def test_layout_is_without_copies_and_keeps_gradients_in_place():
    parts = [np.arange(6.0).reshape(2, 3), np.array(7.0), np.arange(2.0)]
    layout = Layout(parts)
    vector = layout.vector(parts)
    for part, back in zip(parts, layout.parts(vector), strict=True):
        np.testing.assert_array_equal(part, back)
    layout.parts(vector)[0][0, 0] = 9
    assert vector[0] == 9
    function = Layout([np.zeros(2), np.zeros(2)]).of_vector(rosenbrock)
    assert check_grad(lambda v: function(v)[0], lambda v: function(v)[1], np.array([0.3, -1, 2, 0.4])) < 1e-4
