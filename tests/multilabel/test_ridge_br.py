import numpy as np
from sklearn.linear_model import Ridge

from skfactor.multilabel import RidgeBR


def test_it_is_scikit_learns_ridge(problem):
    X, Y = problem
    model = RidgeBR(ridge=0.2, scale=None).fit(X, Y)
    alpha = 0.2 * len(X) * X.var(axis=0).mean()
    assert np.allclose(model.factors_.scores(X), Ridge(alpha).fit(X, Y).predict(X), atol=1e-10)


def test_the_ridge_means_the_same_for_any_unit_and_number_of_rows(problem):
    X, Y = problem
    model = RidgeBR(scale=None).fit(X, Y)
    for other in (
        RidgeBR(scale=None).fit(1000 * X, Y),
        RidgeBR(scale=None).fit(np.tile(X, (3, 1)), np.tile(Y, (3, 1))),
    ):
        factor = 1000 if other.factors_.encoder.max() < 0.01 else 1
        assert np.allclose(other.factors_.encoder * factor, model.factors_.encoder)


def test_scaling_undoes_mixed_units(problem):
    X, Y = problem
    units = np.geomspace(1e-3, 1e3, 10)
    assert np.allclose(
        RidgeBR().fit(X * units, Y).factors_.scores(X * units), RidgeBR().fit(X, Y).factors_.scores(X)
    )


def test_without_ridge_it_is_least_squares(problem):
    X, Y = problem
    expected = np.linalg.lstsq(np.hstack([X, np.ones((120, 1))]), Y, rcond=None)[0]
    assert np.allclose(RidgeBR(ridge=0).fit(X, Y).factors_.scores(X), X @ expected[:-1] + expected[-1])
