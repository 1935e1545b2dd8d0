import numpy as np
import pytest
from scipy.optimize import minimize

from skfactor.solvers.newton import Expansion, newton_direction, newton_step


class Quadratic:
    """1/2 tr(Z' A Z) - tr(B' Z) for a positive definite A."""

    def __init__(self, size=12, columns=3):
        rng = np.random.default_rng(0)
        root = rng.normal(size=(size, 2 * size)) * np.geomspace(0.1, 3, size)[:, None]
        self.A, self.B = root @ root.T, rng.normal(size=(size, columns))

    def value(self, Z):
        return float(np.sum(Z * (self.A @ Z)) / 2 - np.sum(self.B * Z))

    def expand(self, Z):
        inverse = 1 / self.A.diagonal()[:, None]
        return Expansion(self.value(Z), self.A @ Z - self.B, lambda P: self.A @ P, lambda R: inverse * R)


class Softplus:
    """sum log(1 + exp(-C z)) + .05 ||z||^2."""

    def __init__(self):
        self.C = np.random.default_rng(1).normal(size=(40, 6))

    def value(self, Z):
        return float(np.logaddexp(0, -self.C @ Z).sum() + 0.05 * np.sum(Z**2))

    def expand(self, Z):
        share = 1 / (1 + np.exp(self.C @ Z))
        bend = share * (1 - share)
        gradient = -self.C.T @ share + 0.1 * Z
        return Expansion(
            self.value(Z), gradient, lambda P: self.C.T @ (bend * (self.C @ P)) + 0.1 * P, lambda R: R
        )


def test_one_full_step_solves_a_quadratic():
    problem = Quadratic()
    Z, before = newton_step(problem, np.ones((12, 3)), residual=1e-12, max_products=200)
    assert before == problem.value(np.ones((12, 3)))
    assert np.allclose(Z, np.linalg.solve(problem.A, problem.B))


@pytest.mark.parametrize("products", [1, 2, 5])
def test_a_truncated_step_falls_all_the_same(products):
    problem, Z = Quadratic(), np.ones((12, 3))
    values = [problem.value(Z)]
    for _ in range(30):
        Z, _ = newton_step(problem, Z, max_products=products)
        values.append(problem.value(Z))
    assert np.all(np.diff(values) <= 0)
    assert values[-1] < values[0]


def test_repeated_steps_find_the_minimum():
    problem, Z = Softplus(), np.full((6, 1), 5.0)
    for _ in range(20):
        Z, _ = newton_step(problem, Z)
    best = minimize(lambda z: problem.value(z[:, None]), np.zeros(6), tol=1e-10)
    assert problem.value(Z) == pytest.approx(best.fun, rel=1e-9)


def test_without_curvature_the_direction_is_steepest_descent():
    flat = Expansion(0.0, np.ones((2, 1)), np.zeros_like, lambda R: 2 * R)
    assert newton_direction(flat, residual=0.1, max_products=5).tolist() == [[-2], [-2]]


def test_at_the_minimum_nothing_moves():
    problem = Quadratic()
    Z = np.zeros((12, 3))
    problem.B[:] = 0
    assert np.array_equal(newton_step(problem, Z)[0], Z)
