import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.metrics.pairwise import cosine_similarity
from sklearn.neighbors import kneighbors_graph

import skfactor
from skfactor.datasets import load
from skfactor.metrics import list_length_curve
from skfactor.multilabel import CNMF


@pytest.fixture(scope="module")
def topics():
    """Term counts of 240 short texts, each about one or two of six topics, and the topics."""
    rng = np.random.default_rng(0)
    words = rng.dirichlet(np.full(60, 0.15), 6)
    Y = np.eye(6)[rng.integers(6, size=240)]
    Y[np.arange(120), rng.integers(6, size=120)] = 1
    mixed = Y @ words / Y.sum(axis=1, keepdims=True)
    X = np.array([rng.multinomial(15, p) for p in mixed]).astype(float)
    return X, Y, rng.permutation(240) < 40


def f1_of_hidden(model, Y, labelled):
    return list_length_curve(Y[~labelled], model.transduction_[~labelled]).f1.max()


def test_unlabelled_rows_help(topics):
    """The start, a ridge regression, knows the labelled rows only."""
    X, Y, _ = topics
    before, after = [], []
    for seed in range(4):
        labelled = np.random.default_rng(seed).permutation(240) < 12
        model = CNMF(early_stopping=False).fit(X, Y, labelled=labelled)
        start = model.scorer_.start(model._similar(X).rows)
        before.append(list_length_curve(Y[np.ix_(~labelled, model.scorer_.seen)], start[~labelled]).f1.max())
        after.append(f1_of_hidden(model, Y, labelled))
    assert np.mean(after) > np.mean(before) + 0.03


def test_what_is_not_labelled_is_not_looked_at(topics):
    X, Y, labelled = topics
    model = CNMF().fit(X, Y, labelled=labelled)
    other = CNMF().fit(X, np.where(labelled[:, None], Y, 1 - Y), labelled=labelled)
    np.testing.assert_array_equal(model.transduction_, other.transduction_)


def test_every_way_to_say_what_is_labelled(topics):
    X, Y, labelled = topics
    model = CNMF(max_iter=8).fit(X, Y, labelled=labelled)
    missing = np.where(labelled[:, None], Y, np.nan)
    names = [f"topic {k}" for k in range(6)]
    sets = [
        {names[k] for k in np.flatnonzero(row)} if known else None for row, known in zip(Y, labelled, strict=True)
    ]
    forms = [
        (X, missing, None),
        (pd.DataFrame(X), pd.DataFrame(missing, columns=names), None),
        (sparse.csr_array(X), sparse.csr_array(Y), labelled),
        (X, sets, None),
    ]
    for rows, labels, mask in forms:
        again = clone(model).fit(rows, labels, labelled=mask)
        np.testing.assert_allclose(again.transduction_, model.transduction_, rtol=1e-6)
        assert type(again.transduce()) is type(labels)
        assert type(again.predict(rows)) is type(labels)
    np.testing.assert_array_equal(again.classes_, names)


def test_transduce_keeps_what_was_given(topics):
    X, Y, labelled = topics
    model = CNMF().fit(X, Y, labelled=labelled)
    labels = model.transduce()
    np.testing.assert_array_equal(labels[labelled], Y[labelled])
    assert labels[~labelled].any(axis=1).all()  # every labelled row has a label


def test_labelled_rows_keep_their_ranking(topics):
    X, Y, labelled = topics
    model = CNMF(early_stopping=False, max_iter=100).fit(X, Y, labelled=labelled)
    scores = model.transduction_[labelled]
    lowest = np.where(Y[labelled] > 0, scores, np.inf).min(axis=1)
    highest = np.where(Y[labelled] > 0, -np.inf, scores).max(axis=1)
    assert np.all(lowest > highest)


@pytest.mark.parametrize("start", ["ridge", "neighbours", "random"])
def test_the_objective_falls_from_every_start(topics, start):
    X, Y, labelled = topics
    model = CNMF(start=start, early_stopping=False).fit(X, Y, labelled=labelled)
    assert model.n_iter_ == len(model.objective_)
    assert np.all(np.diff(model.objective_) <= 1e-12 * model.objective_[0])
    np.testing.assert_allclose(model.transduction_.sum(axis=1), 1.0)


def test_the_number_of_updates_ranks_hidden_labels_best(topics):
    X, Y, labelled = topics
    model = CNMF(max_iter=12).fit(X, Y, labelled=labelled)
    assert model.held_out_curve_.shape == (12,)
    assert model.n_iter_ == model.held_out_curve_.argmax() + 1


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_given_similarities_are_those_of_the_rows(topics, form):
    X, Y, labelled = topics
    A = cosine_similarity(X)
    model = CNMF(start="neighbours", max_iter=10).fit(X, Y, labelled=labelled)
    given = CNMF("precomputed", start="neighbours", max_iter=10).fit(form(A), Y, labelled=labelled)
    assert given.n_iter_ == model.n_iter_
    np.testing.assert_allclose(given.transduction_, model.transduction_, rtol=1e-8, atol=1e-10)
    np.testing.assert_allclose(given.label_scores(form(A[:7])), model.label_scores(X[:7]), rtol=1e-8, atol=1e-10)


@pytest.mark.parametrize("form", [np.asarray, sparse.csr_array])
def test_negative_similarities_count_as_none(topics, form):
    X, Y, labelled = topics
    A = np.corrcoef(X)
    assert A.min() < -0.1
    model = CNMF("precomputed", max_iter=5).fit(form(A), Y, labelled=labelled)
    other = CNMF("precomputed", max_iter=5).fit(np.maximum(A, 0), Y, labelled=labelled)
    np.testing.assert_allclose(model.transduction_, other.transduction_, atol=1e-12)
    np.testing.assert_allclose(
        model.label_scores(form(A[:5])), other.label_scores(np.maximum(A[:5], 0)), atol=1e-12
    )


def test_a_graph_of_neighbours_serves(topics):
    X, Y, labelled = topics
    graph = kneighbors_graph(X, 10, metric="cosine", include_self=True)
    model = CNMF("precomputed").fit(graph, Y, labelled=labelled)
    assert f1_of_hidden(model, Y, labelled) > 0.7


def test_new_rows_are_scored_as_if_they_had_been_there(topics):
    X, Y, labelled = topics
    old = np.arange(240) < 200
    model = CNMF(early_stopping=False, max_iter=15).fit(X[old], Y[old], labelled=labelled[old])
    np.testing.assert_allclose(
        model.label_scores(X[old & ~labelled]), model.transduction_[~labelled[old]], atol=0.05
    )
    assert list_length_curve(Y[~old], model.label_scores(X[~old])).f1.max() > 0.75


def test_labels_without_a_labelled_row_score_nothing(topics):
    X, Y, labelled = topics
    Y = Y.copy()
    Y[labelled, 2] = 0
    model = CNMF(max_iter=5).fit(X, Y, labelled=labelled)
    assert not model.transduction_[:, 2].any()
    assert not model.label_scores(X[:5])[:, 2].any()


def test_rows_without_features_get_the_frequent_labels(topics):
    X, Y, labelled = topics
    X = X.copy()
    X[~labelled] = 0
    model = CNMF(max_iter=5).fit(X, Y, labelled=labelled)
    assert np.isfinite(model.transduction_).all()
    assert np.ptp(model.transduction_[~labelled], axis=0).max() < 1e-12


def test_a_single_labelled_row_is_enough_to_run(topics):
    X, Y, _ = topics
    one = np.arange(240) == 3
    model = CNMF(max_iter=3).fit(X, Y, labelled=one)
    assert model.held_out_curve_ is None
    assert model.transduce().shape == Y.shape


def test_save_and_load(topics, tmp_path):
    X, Y, labelled = topics
    model = CNMF(max_iter=5).fit(X, Y, labelled=labelled)
    skfactor.save(model, tmp_path / "cnmf.skf")
    again = skfactor.load(tmp_path / "cnmf.skf")
    np.testing.assert_array_equal(again.predict(X), model.predict(X))
    np.testing.assert_array_equal(again.transduce(), model.transduce())


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"similarity": "euclidean"}, "similarity must be one of"),
        ({"start": "zero"}, "start must be one of"),
        ({"gamma": -1.0}, "gamma"),
        ({"label_weight": -1.0}, "label_weight"),
        ({"ridge": 0.0}, "ridge"),
        ({"max_iter": 0}, "max_iter"),
        ({"similarity": "precomputed"}, r"must be square, got shape \(240, 60\)"),
    ],
)
def test_bad_parameters_are_refused(topics, parameters, message):
    X, Y, labelled = topics
    with pytest.raises(ValueError, match=message):
        CNMF(**parameters).fit(X, Y, labelled=labelled)


def test_negative_features_are_refused(topics):
    X, Y, labelled = topics
    with pytest.raises(ValueError, match="Negative values in data passed to CNMF: column 0"):
        CNMF().fit(X - 1, Y, labelled=labelled)


@pytest.mark.data
@pytest.mark.parametrize("name", ["corel5k", "emotions"])
def test_the_objective_never_rises_on_real_data(name):
    data = load(name)
    X = data.X if sparse.issparse(data.X) else data.X - data.X.min(axis=0)
    X = X[:1500]
    labelled = np.random.default_rng(0).permutation(X.shape[0]) < 100
    model = CNMF(early_stopping=False, max_iter=60, calibration_folds=2)
    model.fit(X, data.Y[:1500], labelled=labelled)
    assert len(model.objective_) == 60
    assert np.all(np.diff(model.objective_) <= 0)
