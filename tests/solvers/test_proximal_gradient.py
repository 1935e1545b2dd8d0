import warnings

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from skfactor.penalties import PENALTIES, group_rows
from skfactor.solvers import nnls, proximal_gradient

rng = np.random.default_rng(0)
X = rng.normal(size=(50, 12)) @ rng.normal(size=(12, 12))
B = rng.normal(size=(50, 4))
GRAM, RIGHT = X.T @ X / 50, X.T @ B / 50
LIPSCHITZ = float(np.linalg.norm(GRAM, 2))


def least_squares(Z):
    image = GRAM @ Z
    return float(np.sum(Z * (image / 2 - RIGHT))), image - RIGHT


def solve(penalty, smooth=least_squares, **options):
    options = {"tol": 1e-14, "max_iter": 20_000, "quadratic": True, **options}
    return proximal_gradient.minimize(smooth, penalty, np.zeros((12, 4)), LIPSCHITZ, **options)


def test_l1_gives_the_lasso():
    Z, _ = solve(PENALTIES["l1"].times(0.2))
    lasso = Lasso(alpha=0.2, fit_intercept=False, tol=1e-10, max_iter=100_000).fit(X, B)
    np.testing.assert_allclose(Z, lasso.coef_.T, atol=1e-5)
    assert (Z == 0).any()


def test_nonnegativity_gives_nonnegative_least_squares():
    Z, _ = solve(PENALTIES["nonnegative"])
    np.testing.assert_allclose(Z, nnls.solve(GRAM, RIGHT.T).T, atol=1e-5)


def test_l2_gives_ridge_regression():
    Z, _ = solve(PENALTIES["l2"].times(0.3))
    np.testing.assert_allclose(Z, np.linalg.solve(GRAM + 0.6 * np.eye(12), RIGHT), atol=1e-5)


@pytest.mark.parametrize("penalty", [PENALTIES["l1"].times(0.1), group_rows(np.array([0, 0, 1, 1])).times(0.1)])
def test_the_objective_never_rises(penalty):
    _, objectives = solve(penalty)
    assert len(objectives) > 20
    assert (np.diff(objectives) <= 0).all()


def test_the_acceleration_pays():
    """Plain steps need far more iterations to the same value."""
    penalty = PENALTIES["l1"].times(0.1)
    _, objectives = solve(penalty)
    goal = objectives[-1] + 1e-6 * abs(objectives[-1])
    Z = np.zeros((12, 4))
    plain = 0
    while least_squares(Z)[0] + penalty.value(Z) > goal:
        Z, plain = penalty.prox(Z - least_squares(Z)[1] / LIPSCHITZ, 1 / LIPSCHITZ), plain + 1
    assert plain > 3 * next(i for i, value in enumerate(objectives) if value <= goal)


@pytest.mark.parametrize("seed", [0, 1, 4])
def test_a_short_step_after_a_restart_is_not_taken_for_the_end(seed):
    """On badly conditioned problems, what is left at the end is of the size of `tol`."""
    rng = np.random.default_rng(seed)
    root = rng.normal(size=(60, 60)) * np.logspace(0, -2, 60)
    H, b = root.T @ root, root.T @ rng.normal(size=60)

    def smooth(z):
        return float(z @ (H @ z / 2 - b)), H @ z - b

    rough, exact = (
        proximal_gradient.minimize(
            smooth,
            PENALTIES["l1"].times(1e-3),
            np.zeros(60),
            np.linalg.norm(H, 2),
            tol=tol,
            max_iter=20_000,
            quadratic=True,
        )[1][-1]
        for tol in (1e-5, 1e-10)
    )
    assert rough == pytest.approx(exact, rel=2e-3)


def test_a_quadratic_is_asked_half_as_often_for_the_same_path():
    calls = [0, 0]

    def counted(which):
        def smooth(Z):
            calls[which] += 1
            return least_squares(Z)

        return smooth

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        results = [
            solve(PENALTIES["l1"].times(0.1), counted(which), quadratic=bool(which), max_iter=50, tol=0)
            for which in (0, 1)
        ]
    np.testing.assert_allclose(results[0][0], results[1][0], rtol=1e-8, atol=1e-10)
    assert calls[1] < 0.6 * calls[0]


def test_a_function_that_is_no_quadratic():
    """Logistic regression with l1, at the minimum: the optimality conditions hold."""
    y = np.sign(B[:, :1])

    def smooth(z):
        margin = y * (X @ z)
        return float(np.logaddexp(0, -margin).mean()), X.T @ (-y / (1 + np.exp(margin))) / len(y)

    z, objectives = proximal_gradient.minimize(
        smooth, PENALTIES["l1"].times(0.05), np.zeros((12, 1)), LIPSCHITZ / 4, tol=1e-14, max_iter=20_000
    )
    gradient = smooth(z)[1]
    np.testing.assert_allclose(gradient[z != 0], -0.05 * np.sign(z[z != 0]), atol=1e-5)
    assert (np.abs(gradient[z == 0]) <= 0.05 + 1e-6).all()
    assert (np.diff(objectives) <= 0).all()
