"""MLSI, MDDM and MLDA against direct computation, and what they share."""

import numpy as np
import pandas as pd
import pytest
from scipy import linalg, sparse
from sklearn.decomposition import PCA
from sklearn.pipeline import make_pipeline

import skfactor
from skfactor import Moments
from skfactor.multilabel import CCA, MDDM, MLDA, MLSI, RidgeBR

REDUCERS = [MLSI(4), MDDM(4), MDDM(4, ridge=0.1), MLDA(4)]
every = pytest.mark.parametrize("reducer", REDUCERS, ids=lambda reducer: repr(reducer))


def leading(A, B, count):
    """Generalized eigenvectors by the general solver, columns of any length and sign."""
    values, vectors = linalg.eig(A, B)
    order = np.argsort(-values.real)[:count]
    return vectors.real[:, order], values.real[order]


def same_directions(E, F):
    cosines = np.sum(E * F, axis=0) / np.linalg.norm(E, axis=0) / np.linalg.norm(F, axis=0)
    np.testing.assert_allclose(np.abs(cosines), 1, atol=1e-8)


def test_mlsi_solves_its_eigenproblem(problem, centred):
    X, Y = problem
    Cxx, Cxy, m = centred
    E = MLSI(3, label_weight=0.9, ridge=0.2).fit(X, Y).encoder_ * X.std(axis=0)[:, None]
    metric = Cxx + 0.2 * m * np.eye(10)
    same_directions(E, leading(0.1 * Cxx @ Cxx + 0.9 * Cxy @ Cxy.T, metric, 3)[0])
    np.testing.assert_allclose(E.T @ metric @ E, np.eye(3), atol=1e-10)


def test_mlsi_without_labels_is_pca(problem):
    X, Y = problem
    E = MLSI(3, label_weight=0, scale=None).fit(X, Y).encoder_
    same_directions(E, PCA(3).fit(X).components_.T)


def test_mddm_has_the_largest_dependence(problem, centred):
    X, Y = problem
    Cxx, Cxy, m = centred
    E = MDDM(3).fit(X, Y).encoder_ * X.std(axis=0)[:, None]
    same_directions(E, leading(Cxy @ Cxy.T, np.eye(10), 3)[0])
    np.testing.assert_allclose(E.T @ E, np.eye(3), atol=1e-10)
    F = MDDM(3, ridge=0.2).fit(X, Y).encoder_ * X.std(axis=0)[:, None]
    metric = Cxx + 0.2 * m * np.eye(10)
    same_directions(F, leading(Cxy @ Cxy.T, metric, 3)[0])
    np.testing.assert_allclose(F.T @ metric @ F, np.eye(3), atol=1e-10)


def test_mlda_separates_the_scatters_of_its_definition(problem):
    X, Y = problem
    X, Y = X[Y.any(axis=1)], Y[Y.any(axis=1)]
    cosines = (Y.T @ Y) / np.linalg.norm(Y, axis=0) / np.linalg.norm(Y, axis=0)[:, None]
    Z = Y @ cosines / Y.sum(axis=1, keepdims=True)
    mean = Z.sum(axis=1) @ X / Z.sum()
    between, within = np.zeros((10, 10)), np.zeros((10, 10))
    for z in Z.T:
        centre = z @ X / z.sum()
        between += z.sum() * np.outer(centre - mean, centre - mean)
        within += (z[:, None] * (X - centre)).T @ (X - centre)
    square = np.trace(between + within) / Z.sum() / 10
    metric = within + 0.2 * square * Z.sum() * np.eye(10)
    model = MLDA(4, ridge=0.2, scale=None).fit(X, Y)
    same_directions(model.encoder_, leading(between, metric, 4)[0])
    np.testing.assert_allclose(model.encoder_.T @ metric @ model.encoder_ / Z.sum(), np.eye(4), atol=1e-8)
    np.testing.assert_allclose(model.mean_, mean)


def test_mlda_leaves_rows_without_labels_out(problem):
    X, Y = problem
    some = Y.any(axis=1)
    np.testing.assert_allclose(MLDA().fit(X, Y).encoder_, MLDA().fit(X[some], Y[some]).encoder_, atol=1e-8)


@every
def test_sparse_and_dense_agree(reducer, problem):
    X, Y = problem
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    dense = reducer.set_params(scale=None).fit_transform(X, Y)
    one = reducer.fit_transform(sparse.csr_array(X), sparse.csr_array(Y))
    np.testing.assert_allclose(one, dense, atol=1e-8)
    reducer.set_params(scale="auto")


@pytest.mark.parametrize("reducer", REDUCERS[:3], ids=repr)
def test_batches_add_up(reducer, problem):
    X, Y = problem
    whole = reducer.fit(X, Y).encoder_
    parts = reducer.__class__(**reducer.get_params()).partial_fit(X[:50], Y[:50]).partial_fit(X[50:], Y[50:])
    np.testing.assert_allclose(parts.encoder_, whole, atol=1e-8)
    both = parts.partial_fit(X[:20] + 1, Y[:20]).forget(X[:20] + 1, Y[:20])
    np.testing.assert_allclose(both.encoder_, whole, atol=1e-8)
    np.testing.assert_allclose(reducer.fit_moments(Moments.of(X, Y)).encoder_, whole, atol=1e-8)


@pytest.mark.parametrize("reducer", REDUCERS, ids=repr)
def test_no_covariance_is_needed_in_memory(reducer, problem):
    X, Y = problem
    held = reducer.fit(X, Y).encoder_
    np.testing.assert_allclose(reducer.set_params(memory_budget=0).fit(X, Y).encoder_, held, atol=1e-6)
    reducer.set_params(memory_budget=4.0)


@pytest.mark.parametrize("reducer", [*REDUCERS, CCA(4)], ids=repr)
def test_it_stands_before_a_classifier(reducer, problem, tmp_path):
    X, Y = problem
    X, Y = pd.DataFrame(X).add_prefix("f"), pd.DataFrame(Y).add_prefix("label")
    model = make_pipeline(reducer, RidgeBR()).fit(X[:80], Y[:80])
    skfactor.save(model, tmp_path / "model.skf")
    predicted = skfactor.load(tmp_path / "model.skf").predict(X[80:])
    pd.testing.assert_frame_equal(predicted, model.predict(X[80:]))
    assert model[:-1].get_feature_names_out()[0] == f"{type(reducer).__name__.lower()}0"
    assert model.score(X[80:], Y[80:]) > 0.6


def test_what_cannot_be_is_refused(problem):
    X, Y = problem
    with pytest.raises(ValueError, match="n_labels - 1=4"):
        MLDA(5).fit(X, Y)
    with pytest.raises(ValueError, match="n_labels=5"):
        MDDM(6).fit(X, Y)
    with pytest.raises(ValueError, match="one only"):
        MLDA().fit(X, Y[:, :1])
    with pytest.raises(TypeError, match="use fit"):
        MLDA().fit_moments(Moments.of(X, Y))
    with pytest.raises(ValueError, match="label_weight"):
        MLSI(label_weight=1.5).fit(X, Y)
