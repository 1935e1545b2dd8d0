"""Momentum against the bare steps: the same minimum, sooner, and never uphill."""

import numpy as np
import pytest

from skfactor.solvers.momentum import at_rest, with_momentum
from skfactor.solvers.stopping import iterate


@pytest.fixture
def alternation():
    """Exact minimization of z'Az / 2 - b'z over each half of z in turn; its condition is bad."""
    rng = np.random.default_rng(0)
    values = np.geomspace(1e-4, 1, 20)
    Q = np.linalg.qr(rng.normal(size=(20, 20)))[0]
    A, b = (Q * values) @ Q.T, rng.normal(size=20)
    first, second = slice(0, 10), slice(10, 20)

    def step(z):
        objective = float(z @ A @ z / 2 - b @ z)
        z = z.copy()
        for here, there in ((first, second), (second, first)):
            z[here] = np.linalg.solve(A[here, here], b[here] - A[here, there] @ z[there])
        return z, objective

    return step, np.linalg.solve(A, b)


def test_it_ends_in_the_same_minimum_sooner_and_never_rises(alternation):
    step, best = alternation
    bare, slow = iterate(step, np.zeros(20), max_iter=100_000, tol=1e-12, name="bare")
    moving, quick = iterate(with_momentum(step), at_rest(np.zeros(20)), max_iter=100_000, tol=1e-12, name="moving")
    assert np.all(np.diff(quick) <= 0)
    assert len(quick) < len(slow) / 3
    assert np.linalg.norm(moving.now - best) <= np.linalg.norm(bare - best)
    assert step(moving.now)[1] == pytest.approx(step(best)[1], rel=1e-6)


def test_a_step_uphill_is_taken_back():
    """|z| by steps that halve z: ahead of them the objective would rise, so that they are all that is left."""
    calls = []

    def step(z):
        calls.append(z)
        return z / -2.0, float(abs(z[0]))

    _, objectives = iterate(with_momentum(step), at_rest(np.array([1.0])), max_iter=50, tol=0.6, name="halves")
    assert np.all(np.diff(objectives) <= 0)
