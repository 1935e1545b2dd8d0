import numpy as np
import pytest

from skfactor.solvers.linear_conjugate_gradient import solve_positive_definite


@pytest.mark.parametrize("condition", [1e1, 1e4])
def test_it_solves_what_a_direct_solver_solves(condition):
    rng = np.random.default_rng(0)
    Q = np.linalg.qr(rng.normal(size=(40, 40)))[0]
    A = Q @ np.diag(np.geomspace(1, condition, 40)) @ Q.T
    B = rng.normal(size=(40, 3))
    solution = solve_positive_definite(lambda V: A @ V, B, A.diagonal(), tol=1e-12)
    assert np.allclose(solution, np.linalg.solve(A, B), atol=1e-8)


def test_zero_columns_stay_zero():
    A = np.diag([1.0, 2.0])
    solution = solve_positive_definite(lambda V: A @ V, np.array([[0.0, 1.0], [0.0, 1.0]]), A.diagonal())
    assert np.allclose(solution, [[0, 1], [0, 0.5]])


def test_it_stops_at_max_iter():
    calls = []

    def product(V):
        calls.append(1)
        return np.diag(np.geomspace(1, 1e9, 50)) @ V

    solve_positive_definite(product, np.ones((50, 1)), np.ones(50), max_iter=7)
    assert len(calls) == 7
