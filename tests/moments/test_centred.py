import numpy as np
import pytest
from scipy import sparse

from skfactor import Moments


@pytest.fixture(params=[4.0, 0.0], ids=["held", "streamed"])
def budget(request):
    return request.param


def covariances(X, Y, w, scale):
    X, Y = X - w @ X / w.sum(), Y - w @ Y / w.sum()
    X = X / np.sqrt(w @ X**2 / w.sum()) if scale else X
    root = np.sqrt(w / w.sum())[:, None]
    X, Y = X * root, Y * root
    return X.T @ X, X.T @ Y, Y.T @ Y


@pytest.mark.parametrize("scale", [None, "std"])
def test_they_are_covariances_of_centred_and_scaled_data(scale, budget, table):
    X, Y, w = table
    moments = Moments.of(X, Y, sample_weight=w, memory_budget=budget).centred(scale)
    Cxx, Cxy, Cyy = covariances(X, Y, w, scale)
    assert np.allclose(moments.xx(np.eye(7)), Cxx)
    assert np.allclose(moments.xy(), Cxy)
    assert np.allclose(moments.yx(np.eye(7)), Cxy.T)
    assert np.allclose(moments.yy(np.eye(4)), Cyy)
    assert moments.mean_square == pytest.approx(np.trace(Cxx) / 7)


@pytest.mark.parametrize("ridge", [1e-3, 0.5, 20.0])
def test_ridge_systems_are_solved(ridge, budget, table):
    X, Y, w = table
    moments = Moments.of(X, Y, sample_weight=w, memory_budget=budget).centred()
    Cxx, Cxy, _ = covariances(X, Y, w, None)
    expected = np.linalg.solve(Cxx + ridge * np.trace(Cxx) / 7 * np.eye(7), Cxy)
    assert np.allclose(moments.solve_ridge(ridge, moments.xy()), expected, atol=1e-9)


def test_all_ways_to_solve_agree(table):
    X, Y, _ = table
    one, other = Moments.of(X, Y).centred(), Moments.of(X, Y).centred()
    assert other.eigh_x[0].shape == (7,)  # from here on it is used
    assert np.allclose(one.solve_ridge(0.1, one.xy()), other.solve_ridge(0.1, other.xy()))


def test_without_ridge_the_shortest_solution_is_found(table):
    X, Y, _ = table
    X = np.hstack([X, X[:, :2], np.ones((60, 1))])  # rank 7 of 10
    moments = Moments.of(X, Y).centred()
    expected = np.linalg.lstsq(X - X.mean(axis=0), Y - Y.mean(axis=0), rcond=None)[0]
    assert np.allclose(moments.solve_ridge(0.0, moments.xy()), expected)


def test_eigenvalues_fall_and_are_not_negative(table):
    X, Y, _ = table
    values, vectors = Moments.of(np.hstack([X, X]), Y).centred().eigh_x
    assert np.all(np.diff(values) <= 0)
    assert values.min() >= 0
    assert np.allclose(vectors.T @ vectors, np.eye(14))


def test_the_eigendecomposition_is_made_once(table):
    moments = Moments.of(*table[:2]).centred()
    assert moments.eigh_x is moments.eigh_x


def test_leading_label_directions(budget, table):
    X, Y, _ = table
    values, vectors = Moments.of(X, Y, memory_budget=budget).centred().leading_y(2)
    expected = np.linalg.eigh(np.cov(Y.T, bias=True))
    assert np.allclose(values, expected[0][::-1][:2])
    assert np.allclose(np.abs(vectors.T @ expected[1][:, ::-1][:, :2]), np.eye(2), atol=1e-8)


def test_auto_scales_dense_numbers_only(table):
    X, Y, _ = table
    assert not np.allclose(Moments.of(X, Y).centred("auto").centre.scale, 1)
    for other in (sparse.csr_array(X), X > 0):
        assert np.array_equal(Moments.of(other, Y).centred("auto").centre.scale, np.ones(7))


@pytest.mark.parametrize("scale", [None, "std"])
def test_units_make_mean_variances_one(scale, budget, table):
    X, Y, w = table
    plain = Moments.of(X, Y, sample_weight=w, memory_budget=budget).centred(scale)
    moments = Moments.of(X, Y, sample_weight=w, memory_budget=budget).centred(scale, units=True)
    x_unit, y_unit = moments.centre.scale[0] / plain.centre.scale[0], moments.centre.unit_y
    assert moments.mean_square == pytest.approx(1)
    assert np.trace(moments.yy(np.eye(4))) == pytest.approx(4)
    assert np.allclose(moments.xx(np.eye(7)) * x_unit**2, plain.xx(np.eye(7)))
    assert np.allclose(moments.xy() * x_unit * y_unit, plain.xy())
    assert np.allclose(moments.yx(np.eye(7)), moments.xy().T)


def test_constant_features_are_not_scaled(table):
    X, Y, _ = table
    X = np.hstack([X, np.full((60, 1), 1e6)])
    assert Moments.of(X, Y).centred("std").centre.scale[-1] == 1


def test_an_unknown_scale_is_refused(table):
    with pytest.raises(ValueError, match="scale must be one of 'auto', 'std', None, got 'minmax'"):
        Moments.of(*table[:2]).centred("minmax")


def test_what_needs_matrices_says_so_where_there_are_none(table):
    with pytest.raises(ValueError, match="Raise memory_budget"):
        _ = Moments.of(*table[:2], memory_budget=0).centred().eigh_x
