"""ExtraTrees, RandomForest and ML-DT against scikit-learn."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.ensemble import (
    ExtraTreesClassifier,
    ExtraTreesRegressor,
    RandomForestClassifier,
    RandomForestRegressor,
)
from sklearn.tree import DecisionTreeClassifier

import skfactor
from skfactor.datasets import make_multilabel
from skfactor.decisions import Threshold
from skfactor.multilabel import MLDT, ExtraTrees, RandomForest

HALF = Threshold(value=0.5, min_labels=0)
PAIRS = [
    (ExtraTrees(30), ExtraTreesRegressor(30, max_features="sqrt", random_state=0)),
    (ExtraTrees(20, 0.5, 3), ExtraTreesRegressor(20, max_features=0.5, min_samples_leaf=3, random_state=0)),
    (RandomForest(30), RandomForestRegressor(30, max_features="sqrt", random_state=0)),
    (RandomForest(10, None), RandomForestRegressor(10, max_features=None, random_state=0)),
    (MLDT(), DecisionTreeClassifier(criterion="entropy", min_samples_leaf=5, random_state=0)),
    (MLDT(1, 2), DecisionTreeClassifier(criterion="entropy", max_depth=2, random_state=0)),
]
EVERY = [ExtraTrees(20), RandomForest(20), MLDT()]


@pytest.fixture
def rows(problem):
    """Rows in single precision, in which trees compare, their labels, and new rows."""
    X = np.float32(problem[0])
    return X, problem[1], X + np.random.default_rng(0).normal(scale=0.2, size=X.shape).astype(np.float32)


def shares(model, X):
    """P(y_j = 1) by scikit-learn (n x L), whose classifiers have a table for each label."""
    found = model.predict_proba(X) if hasattr(model, "predict_proba") else model.predict(X)
    return np.stack([share[:, 1] for share in found], axis=1) if isinstance(found, list) else found


@pytest.mark.parametrize(("ours", "theirs"), PAIRS, ids=repr)
def test_scores_are_those_of_scikit_learn(rows, ours, theirs):
    X, Y, new = rows
    expected = shares(theirs.fit(X, Y), new)
    ours.set_params(decision=HALF).fit(X, Y)
    np.testing.assert_allclose(ours.label_scores(new), expected, atol=1e-12)
    clear = np.abs(expected - 0.5) > 1e-9
    np.testing.assert_array_equal(ours.predict(new)[clear], (expected > 0.5)[clear])


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (ExtraTrees(200), ExtraTreesClassifier(200, random_state=0)),
        (RandomForest(200), RandomForestClassifier(200, random_state=0)),
    ],
    ids=repr,
)
def test_classifiers_grow_the_same_forests(rows, ours, theirs):
    """But for cuts that are equally good, where rounding decides."""
    X, Y, new = rows
    expected = shares(theirs.fit(X, Y), new)
    assert np.abs(ours.fit(X, Y).label_scores(new) - expected).mean() < 0.02


def test_the_first_question_tells_most(problem):
    """By trying all of them."""
    X, Y = np.float32(problem[0]), problem[1]

    def entropy(rows):
        p = np.clip(Y[rows].mean(axis=0), 1e-12, 1 - 1e-12)
        return -rows.sum() * np.sum(p * np.log(p) + (1 - p) * np.log(1 - p))

    left = [(d, X[:, d] <= x) for d in range(10) for x in np.sort(X[:, d])[:-1]]
    best = min(left, key=lambda question: entropy(question[1]) + entropy(~question[1]))
    forest = MLDT(1, 1).fit(X, Y).scorer_.forest
    assert forest.feature[0] == best[0]
    np.testing.assert_array_equal(X[:, best[0]] <= forest.threshold[0], best[1])


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_sparse_dense_threads_and_files(problem, model, tmp_path):
    X, Y = problem
    X = np.float32(np.where(np.abs(X) > 0.7, X, 0.0))
    thin = sparse.csr_array(X)
    scores = model.fit(thin, sparse.csr_array(Y)).label_scores(thin)
    if "n_jobs" in model.get_params():
        model.set_params(n_jobs=2)
    np.testing.assert_array_equal(model.fit(X, Y).label_scores(X), scores)
    skfactor.save(model, tmp_path / "model.skf")
    np.testing.assert_array_equal(skfactor.load(tmp_path / "model.skf").predict(X), model.predict(X))


@pytest.mark.parametrize("model", EVERY, ids=repr)
def test_held_out_scores_are_honest(model):
    """Labels that are pure chance: on its own rows a forest is right, on others it cannot be."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(200, 6)), rng.integers(0, 2, size=(200, 2))
    model.fit(X, Y)
    held = model._held_out
    assert abs(np.corrcoef(held.scores.ravel(), held.truth.ravel())[0, 1]) < 0.2
    assert np.corrcoef(model.label_scores(X).ravel(), Y.ravel())[0, 1] > 0.4


@pytest.mark.parametrize("forest", [ExtraTrees, RandomForest])
def test_many_labels_by_their_leading_directions(forest):
    data = make_multilabel(n_samples=300, n_features=20, n_labels=90, random_state=0)
    model = forest(20).fit(data.X, data.Y)
    assert model.label_scores(data.X).shape == (300, 90)
    assert model.scorer_.votes.nnz <= 20 * data.Y.nnz
    assert model.score(data.X, data.Y) > 0.8


def test_what_cannot_be_is_refused(problem):
    for model, message in (
        (ExtraTrees(0), "n_estimators must be at least 1"),
        (RandomForest(max_features="most"), 'max_features must be "sqrt", "log2"'),
        (RandomForest(max_features=11), "max_features"),
        (ExtraTrees(max_features=1.5), "max_features"),
        (ExtraTrees(min_samples_leaf=0), "min_samples_leaf"),
        (MLDT(max_depth=0), "max_depth"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(*problem)
