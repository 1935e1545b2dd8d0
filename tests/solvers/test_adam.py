import numpy as np

from skfactor.solvers.adam import Adam


def test_it_reaches_the_minimum_whatever_the_units():
    weights = [np.zeros(2), np.zeros((1, 2))]
    goal = [np.array([1.0, -2.0]), np.array([[3.0, 0.5]])]
    units = [np.array([1e4, 1.0]), np.array([[1e-4, 1.0]])]
    adam = Adam(weights, 0.05)
    for _ in range(2000):
        adam.step([u * (w - g) for u, w, g in zip(units, weights, goal, strict=True)])
    for w, g in zip(weights, goal, strict=True):
        np.testing.assert_allclose(w, g, atol=1e-2)


def test_the_first_step_is_as_long_as_asked_for():
    weights = [np.zeros(3)]
    Adam(weights, 0.1).step([np.array([1e-3, -5.0, 1e6])])
    np.testing.assert_allclose(weights[0], [-0.1, 0.1, -0.1], rtol=1e-3)
