"""Ridge systems of data with more features than rows, whose covariance is not kept."""

import numpy as np
import pytest
from scipy import sparse

from skfactor import Moments
from skfactor.moments.gram import CentredRows

ROWS, FEATURES, LABELS = 40, 90, 4
#: In GiB: enough for a matrix of rows by rows, not for one of features by features.
BUDGET = 8 * 60**2 / 2**30


@pytest.fixture
def wide():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(ROWS, FEATURES)) * (rng.random((ROWS, FEATURES)) < 0.3)
    return X, (rng.random((ROWS, LABELS)) < 0.4).astype(float), rng.uniform(0.5, 2.0, ROWS)


def moments_of(wide, form=np.asarray, budget=BUDGET):
    X, Y, w = wide
    return Moments.of([(form(X[:25]), Y[:25], w[:25]), (form(X[25:]), Y[25:], w[25:])], memory_budget=budget)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("scale", [None, "std"])
def test_the_rows_are_a_root_of_the_covariance(wide, form, scale):
    moments = moments_of(wide, form)
    rows, centred = CentredRows(moments.second, moments.centre(scale)), moments.centred(scale)
    A = rows.times(np.eye(FEATURES))
    assert np.allclose(A.T @ A, centred.xx(np.eye(FEATURES)))
    assert np.allclose(rows.transposed_times(np.eye(ROWS)), A.T)
    assert np.allclose(rows.gram(), A @ A.T)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("ridge", [1e-6, 1e-3, 1.0])
def test_it_solves_what_the_covariance_does(wide, form, ridge):
    held, free = moments_of(wide, form, 4.0).centred(), moments_of(wide, form).centred()
    expected = held.solve_ridge(ridge, held.xy())
    assert free.held is None
    assert np.abs(free.solve_ridge(ridge, free.xy()) - expected).max() < 1e-8 * np.abs(expected).max()


def conjugate_gradients_are_used(monkeypatch, moments):
    used = []
    monkeypatch.setattr(
        "skfactor.moments.centred.solve_positive_definite", lambda product, B, diagonal: used.append(1) or B
    )
    moments.centred().solve_ridge(0.1, np.ones((moments.n_features, 1)))
    return bool(used)


def test_it_serves_where_rows_are_few_and_none_was_taken_away(wide, monkeypatch):
    X, Y, _ = wide
    whole, part = moments_of(wide), Moments.of(X[:25], Y[:25], memory_budget=BUDGET)
    assert not conjugate_gradients_are_used(monkeypatch, whole)
    assert conjugate_gradients_are_used(monkeypatch, whole - part)
    assert conjugate_gradients_are_used(monkeypatch, moments_of(wide, budget=0.0))


def test_rows_added_and_taken_away_again_are_forgotten(wide, monkeypatch):
    X, Y, _ = wide
    whole, part = moments_of(wide), Moments.of(X[:25], Y[:25], memory_budget=BUDGET)
    again = whole + part + part - part
    assert len(again.second.parts) == 2
    assert len((again - part).second.parts) == 1
    assert not conjugate_gradients_are_used(monkeypatch, again - part)


def test_a_shift_that_is_lost_in_rounding_leaves_it_to_conjugate_gradients(wide, monkeypatch):
    def refuse(*_, **__):
        raise np.linalg.LinAlgError("not positive definite")

    monkeypatch.setattr("skfactor.moments.gram.linalg.cho_factor", refuse)
    assert conjugate_gradients_are_used(monkeypatch, moments_of(wide))
