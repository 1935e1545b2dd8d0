"""AdaBoostMH: its questions by trying all of them, its loss from the scores."""

import numpy as np
import pytest
from scipy import sparse

import skfactor
from skfactor.decisions import Threshold
from skfactor.multilabel import AdaBoostMH
from skfactor.multilabel.comparators.adaboost_mh import Questions


def by_hand(X, Y, rounds):
    """A loop per question, answer, label and row; every threshold is tried."""
    n, L = Y.shape
    signs, D, total = 2 * Y - 1, np.full((n, L), 1 / (n * L)), np.zeros((n, L))
    for _ in range(rounds):
        best = np.inf, None
        for d in range(X.shape[1]):
            values = np.unique(X[:, d])
            for threshold in (values[:-1] + values[1:]) / 2:
                h, Z = np.zeros((n, L)), 0.0
                for answer in (X[:, d] > threshold, X[:, d] <= threshold):
                    for label in range(L):
                        having = D[answer & (Y[:, label] == 1), label].sum()
                        lacking = D[answer & (Y[:, label] == 0), label].sum()
                        Z += np.sqrt(having * lacking)
                        h[answer, label] = np.log((having + 1 / (n * L)) / (lacking + 1 / (n * L))) / 2
                if best[0] - 1e-12 > Z:
                    best = Z, h
        total += best[1]
        D = D * np.exp(-signs * best[1])
        D /= D.sum()
    return total


def test_scores_are_those_of_the_paper(problem):
    X, Y = problem[0][:25, :3], problem[1][:25, :3]
    model = AdaBoostMH(8, n_thresholds=30, decision=Threshold(value=0.0, min_labels=0)).fit(X, Y)
    expected = by_hand(X, Y, 8)
    np.testing.assert_allclose(model.label_scores(X), expected, atol=1e-9)
    np.testing.assert_array_equal(model.predict(X), expected > 0)


def test_the_loss_is_that_of_the_scores_and_falls(problem):
    X, Y = problem
    model = AdaBoostMH(60).fit(X, Y)
    assert (np.diff(model.objective_) < 0).all()
    assert model.objective_[-1] == pytest.approx(np.exp(-(2 * Y - 1) * model.label_scores(X)).mean())
    assert model.n_iter_ == 60


def test_thresholds_part_the_rows_evenly():
    column = np.random.default_rng(0).normal(size=(900, 1))
    answers = Questions.of(column, 8).answers
    np.testing.assert_allclose(answers.sum(axis=0), np.arange(800, 0, -100), atol=1)
    assert Questions.of(np.ones((5, 2)), 8).answers.nnz == 0
    three = Questions.of(sparse.csr_array([[0.0, 1.0], [0.0, 2.0], [4.0, 2.0]]), 8)
    np.testing.assert_array_equal(three.threshold, [2.0, 1.5])
    np.testing.assert_array_equal(three.feature, [0, 1])


def test_sparse_dense_and_files(problem, tmp_path):
    X, Y = problem
    X = np.where(np.abs(X) > 0.7, X, 0.0)
    scores = AdaBoostMH(20).fit(X, Y).label_scores(X)
    thin = sparse.csr_array(X)
    model = AdaBoostMH(20).fit(thin, sparse.csr_array(Y))
    np.testing.assert_allclose(model.label_scores(thin), scores, atol=1e-9)
    skfactor.save(model, tmp_path / "model.skf")
    np.testing.assert_array_equal(
        skfactor.load(tmp_path / "model.skf").label_scores(thin), model.label_scores(thin)
    )


def test_what_cannot_be_is_refused(problem):
    for model, name in ((AdaBoostMH(0), "n_estimators"), (AdaBoostMH(n_thresholds=0), "n_thresholds")):
        with pytest.raises(ValueError, match=f"{name} must be at least 1"):
            model.fit(*problem)
