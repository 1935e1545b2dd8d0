"""OVA, BSVM and LIFT against scikit-learn."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import KMeans
from sklearn.linear_model import LogisticRegression
from sklearn.metrics.pairwise import euclidean_distances
from sklearn.multiclass import OneVsRestClassifier
from sklearn.naive_bayes import BernoulliNB
from sklearn.svm import SVC, LinearSVC

import skfactor
from skfactor.decisions import Threshold
from skfactor.multilabel import BSVM, LIFT, OVA
from skfactor.multilabel.comparators import binary

AT_ZERO = Threshold(value=0.0, min_labels=0)


@pytest.mark.parametrize("loss", ["hinge", "squared_hinge"])
def test_linear_machines_are_those_of_liblinear(problem, loss):
    X, Y = problem
    dual = True if loss == "hinge" else "auto"
    theirs = OneVsRestClassifier(LinearSVC(loss=loss, dual=dual, max_iter=10_000, random_state=0)).fit(X, Y)
    ours = BSVM(loss=loss, decision=AT_ZERO).fit(X, Y)
    np.testing.assert_allclose(ours.label_scores(X), theirs.decision_function(X), atol=1e-10)
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


@pytest.mark.parametrize("kernel", ["rbf", "poly", "sigmoid"])
@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_kernel_machines_are_those_of_libsvm(problem, kernel, form, tmp_path, monkeypatch):
    monkeypatch.setattr(binary, "BLOCK_ENTRIES", 1000)
    X, Y = form(problem[0]), problem[1]
    theirs = OneVsRestClassifier(SVC(kernel=kernel)).fit(X, Y)
    ours = BSVM(kernel=kernel, decision=AT_ZERO).fit(X, Y)
    np.testing.assert_allclose(ours.label_scores(X), theirs.decision_function(X), atol=1e-8)
    skfactor.save(ours, tmp_path / "model.skf")
    np.testing.assert_array_equal(skfactor.load(tmp_path / "model.skf").predict(X), theirs.predict(X))


def test_any_classifier_goes(problem):
    X, Y = problem
    for learner in (BernoulliNB(), LogisticRegression()):
        theirs = OneVsRestClassifier(learner).fit(X, Y)
        scores = OVA(learner).fit(X, Y).label_scores(X)
        agree = theirs.decision_function(X) if hasattr(learner, "decision_function") else theirs.predict_proba(X)
        np.testing.assert_allclose(scores, agree)


@pytest.mark.parametrize("model", [OVA(), OVA(BernoulliNB()), BSVM(), BSVM(kernel="rbf"), LIFT()], ids=repr)
def test_labels_that_all_rows_have_or_none(problem, model):
    X, Y = problem
    Y = np.hstack([Y, np.ones((len(Y), 1), int), np.zeros((len(Y), 1), int)])
    scores = model.fit(X, Y).label_scores(X)
    assert (scores[:, 5] == 1).all()
    assert (scores[:, 6] <= 0).all()
    assert model.predict(X)[:, 5].all()
    assert not model.predict(X)[:, 6].any()


@pytest.mark.parametrize("model", [OVA(), BSVM(), LIFT()], ids=repr)
def test_two_processes_find_what_one_does(problem, model):
    X, Y = problem
    one = model.fit(X, Y).label_scores(X)
    two = model.set_params(n_jobs=2).fit(X, Y).label_scores(X)
    np.testing.assert_array_equal(one, two)
    model.set_params(n_jobs=None)


def test_lift_by_the_book(problem):
    X, Y = problem
    model = LIFT(ratio=0.2, random_state=3).fit(X, Y)
    seed = np.random.RandomState(3).randint(2**31 - 1)
    y = Y[:, 1]
    count = int(np.ceil(0.2 * min(y.sum(), (1 - y).sum())))
    parts = [KMeans(count, n_init=1, random_state=seed).fit(X[y == k]).cluster_centers_ for k in (1, 0)]
    features = euclidean_distances(X, np.concatenate(parts))
    machine = LinearSVC(dual="auto", max_iter=10_000, random_state=0).fit(features, y)
    np.testing.assert_allclose(model.label_scores(X)[:, 1], machine.decision_function(features), atol=1e-8)


def test_wide_indices_are_narrowed(problem):
    X, Y = problem
    wide = sparse.csr_array(X)
    wide.indices, wide.indptr = wide.indices.astype(np.int64), wide.indptr.astype(np.int64)
    for model in (BSVM(), LIFT(), OVA()):
        np.testing.assert_allclose(
            model.fit(wide, Y).label_scores(wide), model.fit(X, Y).label_scores(X), atol=1e-3
        )


def test_what_cannot_be_is_refused(problem):
    for model, message in (
        (BSVM(C=0), "C must be above 0"),
        (BSVM(kernel="cosine"), "kernel must be one of"),
        (BSVM(kernel="rbf", gamma=-1.0), "gamma"),
        (LIFT(ratio=2), "ratio must be"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(*problem)


def test_lift_with_fewer_different_rows_than_means(problem, recwarn):
    X, Y = np.repeat(problem[0][:8], 15, axis=0), problem[1]
    assert np.isfinite(LIFT(ratio=1.0).fit(X, Y).label_scores(X)).all()
    assert not len(recwarn)
