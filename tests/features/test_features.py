import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.gaussian_process.kernels import RBF
from sklearn.metrics import pairwise_distances
from sklearn.pipeline import make_pipeline

from skfactor import load, save
from skfactor.datasets import load as load_data
from skfactor.datasets import make_multilabel
from skfactor.features import BlockScaler, KernelFeatures, LeafFeatures
from skfactor.multilabel import PLST, RidgeBR


@pytest.fixture(scope="module")
def data():
    return make_multilabel(n_samples=120, n_features=10, n_labels=5, random_state=0)


@pytest.mark.parametrize("kind", ["votes", "svd", "leaves"])
def test_saved_and_loaded(data, kind, tmp_path):
    model = make_pipeline(
        LeafFeatures(5, features=kind, n_components=4), KernelFeatures(10), BlockScaler(), RidgeBR()
    )
    model.fit(data.X, data.Y)
    save(model, tmp_path / "model.skf")
    again = load(tmp_path / "model.skf")
    np.testing.assert_array_equal(again.decision_function(data.X), model.decision_function(data.X))


# ---------------------------------------------------------------- kernel


def test_all_rows_as_landmarks_give_the_kernel_itself(data):
    for X, scale in ((data.X, "auto"), (sparse.csr_array(data.X), None), (data.X, None)):
        model = KernelFeatures(n_components=500, width=1.5, scale=scale).fit(X)
        Z = model.transform(X)
        assert Z.shape == (120, 120)
        standard = (data.X - data.X.mean(axis=0)) / data.X.std(axis=0) if scale == "auto" else data.X
        squares = pairwise_distances(standard) ** 2
        median = np.median(squares[np.triu_indices(120, 1)])
        expected = RBF(1.5 * np.sqrt(median / 2))(standard)
        np.testing.assert_allclose(Z @ Z.T, expected, atol=1e-8)


def test_width_follows_the_scale_of_the_data(data):
    one, hundred = (KernelFeatures(30, scale=None).fit(factor * data.X) for factor in (1, 100))
    assert one.gamma_ == pytest.approx(1e4 * hundred.gamma_)
    np.testing.assert_allclose(one.transform(data.X), hundred.transform(100 * data.X))


def test_binary_features_are_left_as_they_are(data):
    binary = (data.X > 0).astype(float)
    assert KernelFeatures(5).fit(binary).scaler_ is None
    assert KernelFeatures(5, scale="std").fit(binary).scaler_ is not None
    assert KernelFeatures(5).fit(np.ones((4, 2))).gamma_ == 1.0


def test_single_precision_stays(data):
    assert KernelFeatures(5).fit_transform(data.X.astype(np.float32)).dtype == np.float32
    assert BlockScaler().fit_transform(data.X.astype(np.float32)).dtype == np.float32


def test_a_kernel_bends_what_ridge_regression_draws_straight():
    data = load_data("digit-tags")
    train, test = data.subset(slice(0, 800)), data.subset(slice(800, 1400))
    plain = RidgeBR().fit(train.X, train.Y).score(test.X, test.Y)
    bent = make_pipeline(KernelFeatures(300), RidgeBR(ridge=0.01, scale=None)).fit(train.X, train.Y)
    assert bent.score(test.X, test.Y) > plain + 0.05


# ---------------------------------------------------------------- blocks


def test_variances_sum_to_the_weight(data):
    for X in (data.X, sparse.csr_array(data.X)):
        Z = BlockScaler(weight=2.5).fit_transform(X)
        dense = Z.toarray() if sparse.issparse(Z) else Z
        assert dense.var(axis=0).sum() == pytest.approx(2.5)
    assert BlockScaler().fit(np.ones((3, 2))).scale_ == 1.0


def test_a_sparse_block_becomes_dense_where_asked(data):
    X = sparse.csr_array(data.X)
    dense = BlockScaler(dense=True).fit_transform(X)
    np.testing.assert_array_equal(dense, BlockScaler().fit_transform(X).toarray())


# ---------------------------------------------------------------- leaves


def test_votes_are_what_the_forest_predicts(data):
    model = LeafFeatures(20, held_out=False, min_samples_leaf=3, random_state=3)
    votes = model.fit_transform(data.X, data.Y)
    leaves, Y = model.forest_.leaves(data.X).toarray(), data.Y.toarray()
    means = (leaves.T @ Y) / leaves.sum(axis=0)[:, None]
    np.testing.assert_allclose(votes, leaves @ means / 20)
    np.testing.assert_allclose(votes, model.transform(data.X))
    indicator = clone(model).set_params(features="leaves").fit_transform(data.X, data.Y)
    np.testing.assert_allclose((indicator @ indicator.T) @ Y, votes)  # the forest as a kernel


def test_weights_are_as_repeated_rows(data):
    options = {"n_estimators": 10, "held_out": False, "min_samples_leaf": 1}
    weight = np.ones(120)
    weight[:20] = 0
    model = LeafFeatures(**options).fit(data.X, data.Y, sample_weight=weight)
    votes = model.transform(data.X[20:])
    np.testing.assert_allclose(votes, data.Y.toarray()[20:], atol=1e-12)  # grown to the end on these rows


@pytest.mark.parametrize(("kind", "regrow"), [("votes", True), ("votes", False), ("svd", True), ("leaves", True)])
def test_training_rows_are_served_by_trees_that_have_not_seen_them(kind, regrow):
    """Labels that are pure chance: features that know them by heart would fit them, honest ones cannot."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(200, 6)), rng.integers(0, 2, size=(200, 1))
    said = {}
    for held_out in (True, False):
        model = LeafFeatures(40, features=kind, n_components=20, held_out=held_out, regrow=regrow, random_state=1)
        classifier = RidgeBR(ridge=1.0, scale=None, random_state=5)
        classifier.fit(model.fit_transform(X, Y), Y)
        scores = classifier._held_out.scores.ravel()
        said[held_out] = abs(np.corrcoef(scores, classifier._held_out.truth.ravel())[0, 1])
    assert said[True] < 0.2
    assert said[False] > 0.6


def test_forms_of_labels_and_threads(data):
    Y = data.Y.toarray()
    sets = [set(np.flatnonzero(row)) for row in Y]
    one = LeafFeatures(8).fit(data.X, Y).transform(data.X)
    np.testing.assert_array_equal(one, LeafFeatures(8, n_jobs=2).fit(data.X, sets).transform(data.X))
    np.testing.assert_array_equal(one, LeafFeatures(8).fit(sparse.csr_array(data.X), Y).transform(data.X))


def test_many_labels_by_their_leading_directions():
    data = make_multilabel(n_samples=150, n_features=20, n_labels=90, random_state=0)
    model = make_pipeline(LeafFeatures(20), PLST(20, ridge=0.1)).fit(data.X, data.Y)
    assert model[0].transform(data.X).shape == (150, 90)


def test_what_cannot_be(data):
    with pytest.raises(ValueError, match="features must be one of 'votes', 'svd', 'leaves'"):
        LeafFeatures(features="vote").fit(data.X, data.Y)
    with pytest.raises(ValueError, match="n_estimators"):
        LeafFeatures(0).fit(data.X, data.Y)
    with pytest.raises(ValueError, match="width must be above 0"):
        KernelFeatures(width=0.0).fit(data.X)
