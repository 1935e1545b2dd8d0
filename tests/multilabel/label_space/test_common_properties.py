"""What holds for every label-space method, however its codes are found."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from skfactor.multilabel import CCA, CPLST, CS, CSSP, FaIE, ReducedRankRidge

METHODS = {
    "CPLST": CPLST(3),
    "ReducedRankRidge": ReducedRankRidge(3),
    "CSSP": CSSP(3),
    "FaIE": FaIE(3),
    "CS": CS(4),
    "CS by correlation": CS(4, decoding="correlation", projection="hadamard"),
    "CCA": CCA(3),
}


@pytest.fixture(params=METHODS)
def model(request):
    return clone(METHODS[request.param]).set_params(ridge=0.1, memory_budget=4.0)


def scores(model, X, Y, of, **options):
    return model.fit(X, Y, **options).factors_.scores(of)


def test_the_order_of_rows_does_not_matter(model, problem):
    X, Y = problem
    order = np.random.default_rng(0).permutation(len(X))
    assert np.allclose(scores(model, X, Y, X), scores(model, X[order], Y[order], X), atol=1e-9)


def test_a_row_twice_is_a_row_of_weight_two(model, problem):
    X, Y = problem
    twice = np.random.default_rng(0).integers(1, 3, len(X))
    repeated = scores(model, np.repeat(X, twice, axis=0), np.repeat(Y, twice, axis=0), X)
    assert np.allclose(repeated, scores(model, X, Y, X, sample_weight=twice.astype(float)), atol=1e-9)


def test_batches_make_the_same_model(model, problem):
    X, Y = problem
    whole = scores(model, X, Y, X)
    batched = clone(model).partial_fit(X[:70], Y[:70]).partial_fit(X[70:], Y[70:])
    assert np.allclose(batched.factors_.scores(X), whole, atol=1e-9)


def test_products_alone_give_the_same_model(model, problem):
    X, Y = problem
    held = scores(model, X, Y, X)
    assert np.allclose(scores(model.set_params(memory_budget=0), X, Y, X), held, atol=1e-8)


def test_sparse_tables_give_the_same_model(model, problem):
    X, Y = problem
    model.set_params(scale="std")
    dense = scores(model, X, Y, X)
    assert np.allclose(scores(model, sparse.csr_array(X), sparse.csr_array(Y), X), dense, atol=1e-9)


def test_single_precision_stays(model, problem):
    X, Y = problem
    assert scores(model, X.astype(np.float32), Y, X.astype(np.float32)).dtype == np.float32


@pytest.mark.parametrize(
    ("wrong", "message"),
    [({"n_components": 6}, "n_components=6 is above n_labels=5"), ({"ridge": -1}, "ridge must be")],
)
def test_parameters_that_cannot_be_are_refused(model, problem, wrong, message):
    model.set_params(**wrong)
    with pytest.raises(ValueError, match=message):
        model.fit(*problem)
