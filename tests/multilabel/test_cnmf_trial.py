import numpy as np
import pytest
from scipy import sparse

from skfactor.metrics import list_length_curve
from skfactor.multilabel.cnmf_descent import Descent
from skfactor.multilabel.cnmf_trial import hide_folds
from skfactor.multilabel.similarity import Similarity


@pytest.fixture
def problem():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.poisson(0.4, (60, 30)).astype(float))
    labelled = rng.permutation(60) < 20
    labels = sparse.csr_array((rng.random((60, 5)) < 0.4) * labelled[:, None].astype(float))
    return Similarity.cosine(X), labels, labelled


def watched(problem, **options):
    begun = []

    def begin(similarity, labels, labelled):
        begun.append((labels, labelled))
        rng = np.random.RandomState(0)
        known = labels[labelled].toarray()
        return Descent.begin(similarity, known, labelled, gamma=2.0, C=1.0, start="ridge", ridge=1.0, rng=rng)

    settings = {"n_folds": 4, "max_iter": 6, "tol": 0.0, "every_update": True} | options
    return hide_folds(*problem, begin, rng=np.random.RandomState(0), **settings), begun


def test_each_fold_is_hidden_once(problem):
    hidden, begun = watched(problem)
    assert hidden.scores.shape == (6, 20, 5)
    assert hidden.truth.shape == (20, 5)
    assert hidden.truth.sum() == problem[1].sum()
    assert [labelled.sum() for _, labelled in begun] == [15] * 4
    assert sum(20 - labelled.sum() for _, labelled in begun) == 20


def test_curve_is_that_of_each_update_and_held_out_scores_are_those_chosen(problem):
    hidden, _ = watched(problem)
    best = [list_length_curve(hidden.truth, scores).f1.max() for scores in hidden.scores]
    np.testing.assert_allclose(hidden.curve(), best)
    chosen = hidden.after(3, np.random.RandomState(0))
    np.testing.assert_array_equal(chosen.scores, hidden.scores[2])
    np.testing.assert_array_equal(chosen.truth, hidden.truth.toarray() > 0)


def test_only_the_last_update_is_kept_if_that_is_enough(problem):
    every, _ = watched(problem)
    last, _ = watched(problem, every_update=False)
    assert last.scores.shape == (1, 20, 5)
    np.testing.assert_array_equal(last.scores[0], every.scores[-1])


def test_where_a_descent_ends_early_the_last_scores_are_repeated(problem):
    hidden, _ = watched(problem, tol=1.0)
    np.testing.assert_array_equal(hidden.scores[1], hidden.scores[5])
    assert np.any(hidden.scores[0] != hidden.scores[1])


def test_unlabelled_rows_and_scores_are_bounded(problem, monkeypatch):
    monkeypatch.setattr("skfactor.multilabel.cnmf_trial.UNLABELLED", 10)
    monkeypatch.setattr("skfactor.multilabel.cnmf_trial.FIT_ENTRIES", 6 * 5 * 4 * 2)
    hidden, begun = watched(problem)
    assert all(len(labelled) == 30 for _, labelled in begun)
    assert hidden.scores.shape == (6, 8, 5)


def test_a_single_labelled_row_is_not_hidden(problem):
    similarity, labels, _ = problem
    one = np.arange(60) == 7
    hidden, begun = watched((similarity, labels, one))
    assert not begun
    assert hidden.scores.shape == (6, 0, 5)
