"""ANMF and MNMF against scikit-learn's factorization and SciPy's nonnegative least squares."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import nnls
from sklearn.decomposition import NMF

from skfactor.multilabel import ANMF, MNMF


@pytest.fixture
def positive():
    """Rows that are nonnegative sums of six parts, each with features and labels of its own."""
    rng = np.random.default_rng(0)
    H = rng.random((150, 6)) * (rng.random((150, 6)) < 0.4)
    X = H @ rng.random((6, 20)) + 0.01 * rng.random((150, 20))
    return X, (H @ np.repeat(np.eye(6), 2, axis=1) > 0.3).astype(int)


def projected(scorer, x):
    return nnls(scorer.basis.T, x)[0]


@pytest.mark.parametrize("model", [ANMF(6), MNMF(6)], ids=repr)
def test_rows_are_projected_on_the_basis(model, positive):
    X, Y = positive
    scorer = model.fit(X, Y).scorer_
    for x, scores in zip(X[:20], model.label_scores(X[:20]), strict=True):
        np.testing.assert_allclose(scores, projected(scorer, x) @ scorer.label_basis, atol=1e-7)
    assert scorer.basis.min() >= 0
    assert scorer.label_basis.min() >= 0


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
def test_anmf_factorizes_the_labels_and_then_fits_the_features(positive):
    X, Y = positive
    model = ANMF(6, random_state=0).fit(X, Y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    theirs = NMF(6, max_iter=200, tol=1e-4, random_state=seed)
    H = theirs.fit_transform(Y.astype(float))
    np.testing.assert_allclose(model.scorer_.label_basis, theirs.components_, rtol=1e-5, atol=1e-8)
    for d in (0, 7):
        np.testing.assert_allclose(model.scorer_.basis[:, d], nnls(H, X[:, d])[0], atol=1e-5)


@pytest.mark.filterwarnings("ignore:Maximum number of iterations")
def test_mnmf_factorizes_both_side_by_side(positive):
    X, Y = positive
    model = MNMF(8, label_weight=0.3, random_state=0).fit(X, Y)
    seed = np.random.RandomState(0).randint(2**31 - 1)
    theirs = NMF(8, max_iter=200, tol=1e-4, random_state=seed).fit(np.hstack([0.7 * X, 0.3 * Y]))
    np.testing.assert_allclose(model.scorer_.basis, theirs.components_[:, :20] / 0.7, rtol=1e-4, atol=1e-5)
    np.testing.assert_allclose(model.scorer_.label_basis, theirs.components_[:, 20:] / 0.3, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("model", [ANMF(12), MNMF(12)], ids=repr)
def test_parts_are_recognized_dense_or_sparse(model, positive):
    X, Y = positive
    assert model.fit(X[:100], Y[:100]).score(X[100:], Y[100:]) > 0.75
    dense = model.label_scores(X)
    thin = sparse.csr_array(X)
    model.fit(thin[:100], sparse.csr_array(Y[:100]))
    np.testing.assert_allclose(model.label_scores(thin), dense, atol=1e-3)


def test_what_cannot_be_is_refused(positive):
    X, Y = positive
    with pytest.raises(ValueError, match="column 0 has -1"):
        ANMF().fit(X - np.eye(150, 20) * (1 + X), Y)
    with pytest.raises(ValueError, match="label_weight"):
        MNMF(label_weight=1.0).fit(X, Y)
