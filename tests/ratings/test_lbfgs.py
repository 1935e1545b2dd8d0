import numpy as np
import pytest

from skfactor.ratings import kernels
from skfactor.ratings.lbfgs import minimize
from skfactor.ratings.problem import Point, Problem

FREE = ("U", "V", "thresholds")


@pytest.fixture
def start(triples):
    rng = np.random.default_rng(0)
    sizes = [(triples.shape[0], 3), (triples.shape[1], 3), (triples.shape[0], 4)]
    return Point(*(0.1 * rng.normal(size=size) for size in sizes))


@pytest.mark.parametrize("solver", ["lbfgs", "cg"])
def test_the_objective_only_falls_to_a_point_without_slope(solver, triples, start):
    problem = Problem(triples, kernels.all_threshold, 1.0, FREE)
    descent = minimize(problem, start, max_iter=2000, tol=1e-13, solver=solver)
    assert descent.converged
    assert (np.diff(descent.objectives) <= 0).all()
    slopes = Point(*(np.empty_like(part) for part in start))
    assert problem(descent.point, slopes) == pytest.approx(descent.objectives[-1])
    assert max(np.abs(part).max() for part in slopes) < 0.01


def test_what_is_not_free_stays(triples, start):
    descent = minimize(Problem(triples, kernels.all_threshold, 1.0, ("U",)), start, max_iter=5, tol=0)
    assert descent.point.V is start.V
    assert descent.point.thresholds is start.thresholds
    assert not np.array_equal(descent.point.U, start.U)


def test_iterations_end_where_told(triples, start):
    problem = Problem(triples, kernels.all_threshold, 1.0, FREE)
    assert minimize(problem, start, max_iter=4, tol=0).n_iter == 4
    stopped = minimize(problem, start, max_iter=50, tol=0, watch=lambda iteration, J, point: iteration == 3)
    assert stopped.n_iter == 3


@pytest.mark.parametrize("calls", [1, 12])
def test_an_interrupt_keeps_the_last_finished_iteration(triples, start, calls):
    count = 0

    class Interrupted(Problem):
        def __call__(self, point, slopes):
            nonlocal count
            count += 1
            if count == calls:
                raise KeyboardInterrupt
            return super().__call__(point, slopes)

    points = []
    problem = Interrupted(triples, kernels.all_threshold, 1.0, FREE)
    descent = minimize(problem, start, max_iter=50, tol=0, watch=lambda i, J, point: points.append(point))
    assert descent.interrupted
    assert descent.point is (points[-1] if points else start)
    assert descent.n_iter == len(points)


def test_single_precision_stays_single(triples, start):
    single = Point(*(part.astype(np.float32) for part in start))
    problem = Problem(triples, kernels.all_threshold, 1.0, FREE, dtype=np.float32)
    descent = minimize(problem, single, max_iter=60, tol=1e-5)
    double = minimize(Problem(triples, kernels.all_threshold, 1.0, FREE), start, max_iter=60, tol=1e-5)
    assert {part.dtype for part in descent.point} == {np.dtype(np.float32)}
    assert descent.objectives[-1] == pytest.approx(double.objectives[-1], rel=1e-2)


def test_solvers_agree_where_the_problem_is_convex(triples, start):
    problem = Problem(triples, kernels.all_threshold, 1.0, ("U", "thresholds"))
    ends = [minimize(problem, start, max_iter=3000, tol=1e-14, solver=solver) for solver in ("lbfgs", "cg")]
    assert ends[0].objectives[-1] == pytest.approx(ends[1].objectives[-1], rel=1e-7)
    assert np.allclose(ends[0].point.U, ends[1].point.U, atol=1e-2)
    assert ends[0].n_iter < ends[1].n_iter
