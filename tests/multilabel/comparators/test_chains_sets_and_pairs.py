"""ClassifierChains, RAkEL and CalibratedRanking against scikit-learn and by hand."""

from itertools import combinations

import numpy as np
import pytest
from scipy import sparse
from sklearn.linear_model import LogisticRegression
from sklearn.multioutput import ClassifierChain
from sklearn.naive_bayes import GaussianNB
from sklearn.svm import LinearSVC

import skfactor
from skfactor.decisions import Threshold
from skfactor.multilabel import OVA, CalibratedRanking, ClassifierChains, RAkEL
from skfactor.multilabel.comparators import binary
from skfactor.multilabel.comparators.rakel import draw_labelsets

ZERO, HALF = (Threshold(value=value, min_labels=0) for value in (0.0, 0.5))
EVERY = [
    ClassifierChains(n_chains=2),
    RAkEL(),
    RAkEL(overlapping=False),
    CalibratedRanking(),
    CalibratedRanking(voting="soft"),
]


@pytest.mark.parametrize("learner", [LogisticRegression(), GaussianNB(), LinearSVC(random_state=0)], ids=repr)
def test_a_chain_is_that_of_scikit_learn(problem, learner):
    X, Y = problem
    theirs = ClassifierChain(learner, order=[0, 1, 2, 3, 4]).fit(X, Y)
    ours = ClassifierChains(learner, decision=ZERO if hasattr(learner, "decision_function") else HALF).fit(X, Y)
    name = "decision_function" if hasattr(learner, "decision_function") else "predict_proba"
    np.testing.assert_allclose(ours.label_scores(X), getattr(theirs, name)(X))
    np.testing.assert_array_equal(ours.predict(X), theirs.predict(X))


def test_an_ensemble_is_the_mean_of_its_chains(problem):
    X, Y = problem
    model = ClassifierChains(n_chains=3, order="random", random_state=1).fit(X, Y)
    orders = model.scorer_.orders
    assert len({tuple(order) for order in orders}) == 3
    singles = [
        ClassifierChain(LogisticRegression(max_iter=1000), order=list(order)).fit(X, Y).decision_function(X)
        for order in orders
    ]
    np.testing.assert_allclose(model.label_scores(X), np.mean(singles, axis=0), atol=1e-10)


def test_one_set_of_all_labels_is_the_powerset(problem):
    X, Y = problem
    names, y = np.unique(Y, axis=0, return_inverse=True)
    expected = LogisticRegression(max_iter=1000).fit(X, y).predict_proba(X) @ names
    np.testing.assert_allclose(RAkEL(labelset_size=9).fit(X, Y).label_scores(X), expected, atol=1e-10)


def test_sets_of_one_label_are_binary_relevance(problem):
    X, Y = problem
    model = RAkEL(GaussianNB(), labelset_size=1).fit(X, Y)
    np.testing.assert_allclose(model.label_scores(X), OVA(GaussianNB()).fit(X, Y).label_scores(X), atol=1e-10)


def test_scores_are_the_mean_over_the_sets_by_hand(problem):
    X, Y = problem
    model = RAkEL(LinearSVC(random_state=0), labelset_size=2, n_labelsets=6).fit(X, Y)
    votes = [[] for _ in range(5)]
    for powerset in model.scorer_.sets:
        names, y = np.unique(Y[:, powerset.labels], axis=0, return_inverse=True)
        # scikit-learn numbers classes in their order, and so do the subsets here, from the last label on
        order = np.lexsort(names.T)
        y = np.argsort(order)[y]
        found = names[order][LinearSVC(random_state=0).fit(X, y).predict(X)]
        for place, label in enumerate(powerset.labels):
            votes[label].append(found[:, place])
    np.testing.assert_allclose(model.label_scores(X), np.transpose([np.mean(v, axis=0) for v in votes]))


@pytest.mark.parametrize(("n_labels", "size", "count"), [(7, 3, 14), (7, 3, 0), (4, 3, 99), (5, 5, 3), (6, 1, 12)])
def test_labelsets_are_different_and_leave_no_label_out(n_labels, size, count):
    sets = draw_labelsets(n_labels, size, count, 0)
    parts = -(-n_labels // size)
    assert len({tuple(chosen) for chosen in sets}) == len(sets) >= min(count, parts)
    assert sorted(np.concatenate(sets[:parts])) == list(range(n_labels))
    assert all(len(chosen) == size for chosen in sets[parts:])
    assert max(map(len, sets)) <= size
    if count == 0:
        assert len(sets) == parts


@pytest.mark.parametrize("voting", ["hard", "soft"])
def test_votes_of_all_pairs_by_hand(problem, voting):
    X, Y = problem
    whole = np.hstack([Y, np.full((len(Y), 1), -1)])
    votes = np.zeros((len(Y), 6))
    for j, k in combinations(range(6), 2):
        rows = np.ones(len(Y), bool) if k == 5 else Y[:, j] != Y[:, k]
        learner = LogisticRegression(max_iter=1000).fit(X[rows], whole[rows, j])
        share = learner.predict(X) if voting == "hard" else learner.predict_proba(X)[:, 1]
        votes[:, j] += share
        votes[:, k] += 1 - share
    model = CalibratedRanking(voting=voting, decision=ZERO).fit(X, Y)
    np.testing.assert_allclose(model.label_scores(X), votes[:, :5] - votes[:, 5:], atol=1e-10)
    np.testing.assert_array_equal(model.predict(X), votes[:, :5] > votes[:, 5:])


def test_labels_that_no_row_tells_apart_share_their_votes(problem):
    X, Y = problem
    scores = CalibratedRanking().fit(X, np.hstack([Y, Y[:, :1]])).label_scores(X)
    np.testing.assert_array_equal(scores[:, 0], scores[:, 5])


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_sparse_dense_processes_blocks_and_files(problem, model, tmp_path, monkeypatch):
    X, Y = problem
    Y = np.hstack([Y, np.ones((len(Y), 1), int), np.zeros((len(Y), 1), int)])
    scores = model.fit(X, Y).label_scores(X)
    assert model.predict(X)[:, 5].all()
    assert not model.predict(X)[:, 6].any()
    monkeypatch.setattr(binary, "BLOCK_ENTRIES", 100)
    thin = sparse.csr_array(X)
    model.set_params(n_jobs=2).fit(thin, sparse.csr_array(Y))
    model.set_params(n_jobs=None)
    np.testing.assert_allclose(model.label_scores(thin), scores, atol=1e-6)
    skfactor.save(model, tmp_path / "model.skf")
    np.testing.assert_array_equal(
        skfactor.load(tmp_path / "model.skf").label_scores(thin), model.label_scores(thin)
    )


def test_what_cannot_be_is_refused(problem):
    for model, message in (
        (ClassifierChains(n_chains=0), "n_chains must be at least 1"),
        (ClassifierChains(order="best"), "order must be one of 'given', 'random'"),
        (RAkEL(labelset_size=63), "labelset_size must be at least 1 and at most 62"),
        (RAkEL(n_labelsets=0), "n_labelsets must be at least 1"),
        (CalibratedRanking(voting="loud"), "voting must be one of 'hard', 'soft'"),
        (CalibratedRanking(LinearSVC(), voting="soft"), "needs probabilities"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(*problem)
