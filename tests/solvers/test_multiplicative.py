import numpy as np

from skfactor.solvers import multiplicative, nnls

rng = np.random.default_rng(0)


def test_zero_over_zero_is_zero_and_nothing_becomes_infinite():
    Z = multiplicative.updated(np.array([1.0, 2.0, 0.0]), np.array([0.0, 4.0, 1.0]), np.array([0.0, 2.0, 1.0]))
    np.testing.assert_array_equal(Z, [0.0, 4.0, 0.0])


def test_two_blocks_fall_together_and_stay_nonnegative():
    A = rng.random((20, 3)) @ rng.random((3, 15)) + 0.1 * rng.random((20, 15))
    (W, H), objectives = multiplicative.minimize(
        [lambda W, H: (A @ H.T, W @ (H @ H.T)), lambda W, H: (W.T @ A, W.T @ W @ H)],
        lambda W, H: float(np.sum((A - W @ H) ** 2)),
        (rng.random((20, 3)), rng.random((3, 15))),
        tol=1e-7,
        max_iter=5000,
    )
    assert (np.diff(objectives) <= 1e-12 * objectives[0]).all()
    assert min(W.min(), H.min()) >= 0
    assert objectives[-1] < 0.01 * np.sum(A**2)


def test_one_block_ends_in_the_nonnegative_least_squares_solution():
    U = rng.random((30, 4))
    B = U @ rng.random((4, 6))
    (V,), _ = multiplicative.minimize(
        [lambda V: (U.T @ B, U.T @ U @ V)],
        lambda V: float(np.sum((B - U @ V) ** 2) + 1),
        (np.ones((4, 6)),),
        tol=0,
        max_iter=20_000,
    )
    np.testing.assert_allclose(V, nnls.solve(U.T @ U, B.T @ U).T, atol=1e-4)
