"""Models from moments against dense linear algebra on the data itself, however the data came."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from skfactor import Moments
from skfactor.multilabel import PLST, RidgeBR


def direct_ridge(X, Y, weight, ridge, rank=None):
    """Encoder times decoder and intercept from the data itself, by dense linear algebra."""
    total = weight.sum()
    mean_x, mean_y = weight @ X / total, weight @ Y / total
    root = np.sqrt(weight / total)[:, None]
    A, B = root * (X - mean_x), root * (Y - mean_y)
    V = np.eye(Y.shape[1]) if rank is None else np.linalg.svd(B, full_matrices=False)[2][:rank].T
    shift = ridge * np.mean(np.sum(A**2, axis=0))
    stacked = np.vstack([A, np.sqrt(shift) * np.eye(X.shape[1])])
    goal = np.vstack([B @ V, np.zeros((X.shape[1], V.shape[1]))])
    W = np.linalg.lstsq(stacked, goal, rcond=None)[0] @ V.T
    return W, mean_y - mean_x @ W


WAYS = {
    "dense": lambda model, X, Y, w: model.fit(X, Y, sample_weight=w),
    "sparse": lambda model, X, Y, w: model.fit(sparse.csr_array(X), sparse.csc_matrix(Y), sample_weight=w),
    "batched": lambda model, X, Y, w: (
        model.partial_fit(X[:50], Y[:50], sample_weight=w[:50])
        .partial_fit(X[50:90], Y[50:90], sample_weight=w[50:90])
        .partial_fit(X[90:], Y[90:], sample_weight=w[90:])
    ),
    "forgotten and learned again": lambda model, X, Y, w: (
        model.fit(X, Y, sample_weight=w)
        .forget(X[:40], Y[:40], sample_weight=w[:40])
        .partial_fit(X[:40], Y[:40], sample_weight=w[:40])
    ),
    "from moments of batches": lambda model, X, Y, w: model.fit_moments(
        Moments.of([(X[rows], sparse.csr_array(Y[rows]), w[rows]) for rows in (slice(0, 70), slice(70, None))])
    ),
    "matrix-free": lambda model, X, Y, w: model.set_params(memory_budget=0).fit(X, Y, sample_weight=w),
}
METHODS = {"RidgeBR": (RidgeBR(ridge=0.1, scale=None), None), "PLST": (PLST(3, ridge=0.1, scale=None), 3)}


WEIGHTS = {"weighted": lambda n: np.random.default_rng(1).uniform(0.5, 2.0, n), "unweighted": np.ones}


def error(fitted, X, Y, weight, rank):
    """The largest difference of the scores from those of `direct_ridge`."""
    W, intercept = direct_ridge(X, Y, weight, 0.1, rank)
    return np.abs(fitted.factors_.scores(X) - (X @ W + intercept)).max()


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("weights", WEIGHTS)
@pytest.mark.parametrize("method", METHODS)
def test_it_equals_a_direct_computation_on_the_data(way, weights, method, problem):
    X, Y = problem
    weight = WEIGHTS[weights](len(X))
    model, rank = METHODS[method]
    assert error(WAYS[way](clone(model), X, Y, weight), X, Y, weight, rank) < 1e-8


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
@pytest.mark.parametrize("method", METHODS)
def test_it_does_so_with_more_features_than_rows_and_no_room_for_a_covariance(form, method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 150)) * (rng.random((80, 150)) < 0.2)
    Y = (X[:, :5] + rng.normal(scale=0.5, size=(80, 5)) > 0).astype(float)
    model, rank = METHODS[method]
    model = clone(model).set_params(memory_budget=8 * 8 * 100**2 / 2**30)
    weight = WEIGHTS["weighted"](80)
    assert error(model.fit(form(X), Y, sample_weight=weight), X, Y, weight, rank) < 1e-8
