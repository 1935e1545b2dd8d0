import pytest
from sklearn.exceptions import ConvergenceWarning

from skfactor.solvers.stopping import iterate


def halve(state):
    return state / 2, state


def test_it_stops_when_the_objective_hardly_falls():
    state, objectives = iterate(lambda s: (1 + (s - 1) / 10, s), 2.0, max_iter=100, tol=1e-3, name="it")
    assert state == pytest.approx(1.0, abs=1e-3)
    assert objectives[-2] - objectives[-1] <= 1e-3 * objectives[-1] < objectives[-3] - objectives[-2]


def test_a_single_short_step_does_not_end_a_longer_look():
    path = iter([4.0, 4.0, 3.0, 3.0, 3.0])
    assert iterate(lambda s: (s, next(path)), 0, max_iter=9, tol=1e-3, name="it", look=2)[1] == [4, 4, 3, 3, 3]


def test_it_warns_at_max_iter():
    with pytest.warns(ConvergenceWarning, match="it has not converged after 3 iterations: raise max_iter"):
        state, objectives = iterate(halve, 8.0, max_iter=3, tol=1e-9, name="it")
    assert (state, objectives) == (1.0, [8.0, 4.0, 2.0])
