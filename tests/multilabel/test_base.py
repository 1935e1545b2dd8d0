"""What the template gives to every method, shown on RidgeBR and PLST."""

import inspect
import pickle
import warnings

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from threadpoolctl import threadpool_info, threadpool_limits

import skfactor
from skfactor import Moments, multilabel
from skfactor.decisions import Threshold, TopK
from skfactor.metrics import micro_f1
from skfactor.multilabel import CS, PLST, MomentClassifier, RidgeBR

METHODS = [
    method
    for method in (getattr(multilabel, name) for name in multilabel.__all__)
    if inspect.isclass(method) and issubclass(method, MomentClassifier) and not inspect.isabstract(method)
]
XS = np.random.default_rng(5).normal(size=(20, 10))


def test_the_score_is_micro_f1(problem):
    X, Y = problem
    model = RidgeBR().fit(X[:80], Y[:80])
    assert model.score(X[80:], Y[80:]) == pytest.approx(micro_f1(Y[80:], model.predict(X[80:])))
    assert model.score(X[80:], Y[80:]) > 0.7


def test_labels_are_predicted_where_the_decision_is_above_zero(problem):
    X, Y = problem
    model = RidgeBR().fit(X, Y)
    assert np.array_equal(model.predict(X) > 0, model.decision_function(X) > 0)
    assert np.allclose(
        model.decision_function(XS), model.factors_.scores(XS) - model.decision_.threshold_, atol=1e-6
    )


def test_the_threshold_is_chosen_on_held_out_scores(problem):
    """With as many features as rows the training scores say nothing, the held-out ones do."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(60, 100)), (rng.random((60, 4)) < 0.2).astype(int)
    model = RidgeBR(ridge=1e-3).fit(X, Y)
    assert micro_f1(Y, (model.factors_.scores(X) > 0.5).astype(int)) == 1.0
    assert model.decision_.value_ < 0.6


def test_calibration_scores_each_row_by_a_model_of_the_others(problem):
    """The fold models from subtracted moments are those fitted to the other rows."""
    X, Y = problem
    model = RidgeBR(ridge=0.1, scale=None, calibration_folds=3, random_state=1).fit(X, Y)
    from sklearn.model_selection import KFold

    folds = list(KFold(3, shuffle=True, random_state=np.random.RandomState(1)).split(X))
    expected = np.vstack(
        [RidgeBR(ridge=0.1, scale=None).fit(X[rest], Y[rest]).factors_.scores(X[rows]) for rest, rows in folds]
    )
    assert np.allclose(model._held_out.scores, expected)


def test_partial_fit_keeps_a_bounded_sample_of_scores(problem, monkeypatch):
    monkeypatch.setattr("skfactor.multilabel.classifier.KEPT_ENTRIES", 5 * 30)
    X, Y = problem
    model = RidgeBR()
    for start in range(0, 120, 24):
        model.partial_fit(X[start : start + 24], Y[start : start + 24])
    assert len(model._held_out) == 30
    assert same_scores(model, RidgeBR().fit(X, Y))


def same_scores(a, b):
    return np.allclose(a.factors_.scores(XS), b.factors_.scores(XS), atol=1e-8)


def test_many_scores_are_sampled_for_calibration(problem, monkeypatch):
    monkeypatch.setattr("skfactor.multilabel.held_out.FIT_ENTRIES", 5 * 40)
    X, Y = problem
    assert 30 <= len(RidgeBR().fit(X, Y)._held_out) <= 40


def test_forgetting_rows_equals_never_having_seen_them(problem):
    X, Y = problem
    assert same_scores(RidgeBR().fit(X, Y).forget(X[:30], Y[:30]), RidgeBR().fit(X[30:], Y[30:]))


def test_fitting_moments_equals_fitting_the_rows(problem):
    X, Y = problem
    moments = Moments.of([(X[:50], Y[:50]), (X[50:], Y[50:])], label_names=list("abcde"))
    model = PLST(3).fit_moments(moments)
    assert same_scores(model, PLST(3).fit(X, Y))
    assert model.classes_.tolist() == list("abcde")
    assert (model.decision_.threshold_, model.decision_.min_labels_) == (0.5, 0)


def test_moments_are_calibrated_on_rows_given_with_them(problem):
    X, Y = problem
    model = RidgeBR().fit_moments(Moments.of(X[:80], Y[:80]), held_out=(X[80:], Y[80:]))
    expected = Threshold().fit(model.factors_.scores(X[80:]), Y[80:] > 0)
    assert model.decision_.threshold_ == expected.threshold_


def test_moments_with_feature_names_ask_for_frames(problem):
    X, Y = problem
    frame = pd.DataFrame(X, columns=[f"f{j}" for j in range(10)])
    model = RidgeBR().fit_moments(Moments.of(frame, Y))
    assert model.feature_names_in_.tolist() == list(frame.columns)
    with pytest.raises(ValueError, match="feature names should match"):
        model.predict(frame[frame.columns[::-1]])


@pytest.mark.parametrize("library", [pd, pl])
def test_frames_bring_names_in_and_out(problem, library):
    X, Y = problem
    names, labels = [f"f{j}" for j in range(10)], list("abcde")
    X_frame = library.DataFrame(dict(zip(names, X.T, strict=True)))
    Y_frame = library.DataFrame(dict(zip(labels, Y.T, strict=True)))
    model = RidgeBR().fit(X_frame, Y_frame)
    assert model.feature_names_in_.tolist() == names
    assert model.classes_.tolist() == labels
    predicted = model.predict(X_frame)
    assert isinstance(predicted, library.DataFrame)
    assert list(predicted.columns) == labels
    assert set(model.predict_top(X_frame, 2).ravel()) <= set(labels)


def test_label_sets_come_back_as_sets(problem):
    X, Y = problem
    sets = [{f"label {j}" for j in np.flatnonzero(row)} for row in Y]
    model = RidgeBR().fit(X, sets)
    predicted = model.predict(X)
    assert isinstance(predicted[0], set)
    expected = RidgeBR().fit(X, Y).predict(X)
    assert [len(row) for row in predicted] == expected.sum(axis=1).tolist()
    assert model.score(X, sets) == pytest.approx(RidgeBR().fit(X, Y).score(X, Y))


def test_sparse_labels_are_never_made_dense(problem):
    X, Y = problem
    predicted = RidgeBR().fit(sparse.csr_array(X), sparse.csr_matrix(Y)).predict(sparse.csr_array(X))
    assert isinstance(predicted, sparse.csr_matrix)
    assert np.array_equal(predicted.toarray(), RidgeBR(scale=None).fit(X, Y).predict(X))


def test_one_class_per_row_is_predicted_by_the_highest_score():
    X, y = load_iris(return_X_y=True)
    names = np.array(["setosa", "versicolor", "virginica"])[y]
    model = RidgeBR().fit(X, names)
    assert model.score(X, names) == np.mean(model.predict(X) == names) > 0.8
    assert np.array_equal(model.classes_[model.decision_function(X).argmax(axis=1)], model.predict(X))


def test_top_labels_are_the_highest_scores(problem):
    X, Y = problem
    model = RidgeBR().fit(X, Y)
    labels, scores = model.predict_top(X, 2, return_scores=True)
    assert np.array_equal(labels, np.argsort(-model.factors_.scores(X), axis=1)[:, :2])
    assert np.allclose(scores, np.sort(model.factors_.scores(X), axis=1)[:, ::-1][:, :2])
    with pytest.raises(ValueError, match="k must be at least 1 and at most 5"):
        model.predict_top(X, 6)


def test_rules_can_be_named_or_given(problem):
    X, Y = problem
    assert RidgeBR(decision=TopK(k=2)).fit(X, Y).predict(X).sum(axis=1).tolist() == [2] * 120
    rule = Threshold(value=0.4)
    assert RidgeBR(decision=rule).fit(X, Y).decision_.threshold_ == 0.4
    assert not hasattr(rule, "threshold_")
    assert RidgeBR(decision="proportional").fit(X, Y).predict(X).any()


def test_calibrate_chooses_anew(problem):
    X, Y = problem
    model = RidgeBR().fit(X, Y)
    before = model.decision_.threshold_
    assert model.calibrate(X[:30], 1 - Y[:30]).decision_.threshold_ != before


def test_it_works_within_scikit_learn(problem):
    X, Y = problem
    search = GridSearchCV(PLST(), {"n_components": [1, 5], "ridge": [0.1, 1.0]}, cv=3).fit(X, Y)
    assert search.best_params_["n_components"] == 5
    assert cross_val_score(make_pipeline(StandardScaler(), RidgeBR()), X, Y, cv=3).mean() > 0.7
    assert PLST(2).set_output(transform="pandas").fit(X, Y).transform(X).columns.tolist() == ["plst0", "plst1"]


def test_fitting_twice_is_fitting_once(problem):
    X, Y = problem
    model = RidgeBR().fit(X[:50, :4], Y[:50, :2]).fit(X, Y)
    assert same_scores(model, RidgeBR().fit(X, Y))


@pytest.mark.parametrize("copy", [lambda m, _: pickle.loads(pickle.dumps(m)), lambda m, path: saved(m, path)])
def test_a_stored_model_predicts_and_learns_on(problem, tmp_path, copy):
    X, Y = problem
    model = PLST(3).fit(X[:80], [set(np.flatnonzero(row).tolist()) for row in Y[:80]])
    again = copy(model, tmp_path / "model.skf")
    assert again.predict(X) == model.predict(X)
    more = [set(np.flatnonzero(row).tolist()) for row in Y[80:]]
    again.partial_fit(X[80:], more)
    assert same_scores(again, model.partial_fit(X[80:], more))
    assert again.decision_.threshold_ == model.decision_.threshold_


def saved(model, path):
    skfactor.save(model, path)
    return skfactor.load(path)


NAN = np.array([[0.0, 1.0], [2.0, np.nan], [1.0, 3.0]])
TWO = np.array([[1, 0], [0, 1], [1, 1]])


@pytest.mark.parametrize(
    ("model", "X", "Y", "message"),
    [
        (RidgeBR(), NAN, TWO, r"Input X contains NaN \(row 1, column 1\)"),
        (RidgeBR(), TWO + np.inf, TWO, "Input X contains"),
        (RidgeBR(), TWO, TWO * 2, "must be binary .* got 2 in row 0, column 0"),
        (RidgeBR(), TWO, TWO[:2], "X has 3, y has 2 rows"),
        (RidgeBR(), TWO, TWO * 0, "no positive entry"),
        (RidgeBR(), TWO[:0], TWO[:0], "0 sample"),
        (PLST(2), TWO, [set(), set(), set()], "Y has no label at all"),
        (RidgeBR(ridge=-1), TWO, TWO, "ridge must be at least 0, got -1"),
        (RidgeBR(scale="max"), TWO, TWO, "scale must be one of"),
        (RidgeBR(decision="best"), TWO, TWO, "decision must be one of 'threshold', 'label_thresholds'"),
        (RidgeBR(calibration_folds=1), TWO, TWO, "calibration_folds must be at least 2"),
        (RidgeBR(memory_budget="1 GB"), TWO, TWO, "memory_budget must be a number"),
        (PLST(3), TWO, TWO, r"n_components=3 is above n_labels=2, the largest rank there is"),
        (PLST(0), TWO, TWO, "n_components must be at least 1"),
        (PLST(1.5), TWO, TWO, "n_components must be a whole number"),
    ],
)
def test_bad_input_is_refused_before_any_work(model, X, Y, message):
    with pytest.raises((TypeError, ValueError), match=message):
        model.fit(X, Y)
    assert not hasattr(model, "factors_")


def test_a_refused_batch_changes_nothing(problem):
    X, Y = problem
    sets = [{f"label {j}" for j in np.flatnonzero(row)} for row in Y]
    model = RidgeBR().fit(X, sets)
    before = model.decision_function(XS)
    with pytest.raises(ValueError, match="unseen label 'new'"):
        model.partial_fit(X[:2], [{"new"}, {"label 1"}])
    with pytest.raises(ValueError, match="are not those of the first call"):
        model.partial_fit(X[:2], [{"label 1"}, {"label 2"}], classes=["label 1", "label 2"])
    with pytest.raises(ValueError, match="no part of the others"):
        model.forget(X[:30] * 100, sets[:30])
    with pytest.raises(ValueError, match="expecting 10 features"):
        model.partial_fit(X[:2, :3], sets[:2])
    assert np.array_equal(model.decision_function(XS), before)


def test_moments_have_to_be_of_labels(problem):
    X, Y = problem
    with pytest.raises(TypeError, match=r"must be made by skfactor\.Moments\.of, got tuple"):
        RidgeBR().fit_moments((X, Y))
    with pytest.raises(ValueError, match=r"not binary \(column 0\)"):
        RidgeBR().fit_moments(Moments.of(X, 2 * Y))


def test_labels_that_come_later_are_named_first(problem):
    X, Y = problem
    sets = [{"ab"[j] for j in np.flatnonzero(row[:2])} for row in Y]
    model = RidgeBR().partial_fit(X[:40], sets[:40], classes=["a", "b", "c"])
    model.partial_fit(X[40:], [row | {"c"} for row in sets[40:]])
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert any("c" in row for row in model.predict(X))


def test_a_first_batch_of_one_row_is_taken():
    model = RidgeBR().partial_fit([[1.0, 2.0]], [[1, 0]]).partial_fit([[2.0, 1.0], [3.0, 3.0]], [[0, 1], [1, 1]])
    assert model.moments_.n == 3


def test_parameters_survive_cloning():
    model = PLST(3, ridge=2.0, decision=TopK(k=1), scale=None, calibration_folds=4, memory_budget=1.0)
    assert clone(model).get_params() | {"decision": 0} == model.get_params() | {"decision": 0}


@pytest.mark.parametrize("method", METHODS)
def test_folds_solved_side_by_side_are_as_one_after_the_other(method, problem):
    exact = {"tol": 1e-8} if "tol" in method().get_params() else {}
    rules, limits = list(warnings.filters), threads()
    fitted = []
    for count in (1, 2):
        with threadpool_limits(count, user_api="blas"):
            fitted.append(method(**exact).fit(*problem))
    one, other = fitted
    assert np.allclose(one.label_scores(problem[0]), other.label_scores(problem[0]), atol=1e-6)
    assert one.decision_.threshold_ == pytest.approx(other.decision_.threshold_, abs=1e-6)
    assert warnings.filters == rules
    assert threads() == limits


def threads():
    return [(library["filepath"], library["num_threads"]) for library in threadpool_info()]


def test_folds_are_solved_one_after_the_other_where_they_would_meet(problem):
    model = PLST().fit(*problem)
    with threadpool_limits(2, user_api="blas"):
        assert model._threads(model.moments_) == 2
        for other in (PLST(memory_budget=1e-6), PLST(random_state=np.random.RandomState(0)), CS()):
            assert other._threads(model.moments_) == 1
