"""LLSF against scikit-learn where it is a lasso or a ridge, and against its optimality conditions."""

import numpy as np
import pytest
from sklearn.linear_model import Lasso

from skfactor import Moments
from skfactor.multilabel import LLSF, RidgeBR
from skfactor.multilabel.comparators.llsf import dissimilarities


def test_without_links_each_label_is_a_lasso(problem):
    X, Y = problem
    root = np.sqrt(np.mean((X - X.mean(axis=0)) ** 2))
    ours = LLSF(link_weight=0, sparsity=0.05, tol=1e-12, scale=None).fit(X, Y)
    theirs = Lasso(0.05 * root, tol=1e-10).fit(X, Y)
    np.testing.assert_allclose(ours.factors_.encoder, theirs.coef_.T, atol=1e-5)
    np.testing.assert_allclose(ours.label_scores(X), theirs.predict(X), atol=1e-4)
    assert (ours.factors_.encoder == 0).sum() == (theirs.coef_ == 0).sum() > 0


def test_without_sparsity_it_solves_a_sylvester_equation(problem):
    """Where the gradient is 0, Cxx W + link W R = Cxy."""
    X, Y = problem
    model = LLSF(link_weight=0.2, sparsity=0, tol=1e-14, max_iter=20_000, scale=None).fit(X, Y)
    moments = Moments.of(X, Y).centred()
    R = 0.2 * moments.mean_square * dissimilarities(moments)
    W = model.factors_.encoder
    np.testing.assert_allclose(moments.xx(W) + W @ R, moments.xy(), atol=1e-6)


def test_dissimilarities_are_those_of_the_paper_but_for_a_diagonal(problem):
    X, Y = problem
    R = dissimilarities(Moments.of(X, Y).centred())
    lengths = np.linalg.norm(Y, axis=0)
    paper = 1 - (Y.T @ Y) / np.outer(lengths, lengths)
    np.testing.assert_allclose(R - np.diag(np.diag(R)), paper, atol=1e-12)
    np.testing.assert_allclose(np.diag(R), R[0, 0])
    assert np.linalg.eigvalsh(R)[0] == pytest.approx(0, abs=1e-12)


def test_it_falls_and_ends_with_more_features_than_rows(problem):
    X, Y = problem
    wide = np.hstack([X, np.random.default_rng(0).normal(size=(120, 300))])
    model = LLSF(link_weight=0.5, sparsity=0.05).fit(wide, Y)
    assert (np.diff(model.objective_) <= 0).all()
    assert model.n_iter_ < 2000
    used = (model.factors_.encoder != 0).mean(axis=1)
    assert used[:10].mean() > 2 * used[10:].mean()


def test_little_of_both_penalties_is_least_squares(problem):
    X, Y = problem
    close = LLSF(link_weight=0, sparsity=1e-9, tol=1e-14, max_iter=20_000).fit(X, Y).label_scores(X)
    np.testing.assert_allclose(close, RidgeBR(ridge=0).fit(X, Y).label_scores(X), atol=1e-5)
