"""LEML's mathematics: derivatives, equality of its ways, what hidden labels may not do, and its memory."""

import tracemalloc

import joblib
import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.datasets import load_iris
from sklearn.exceptions import ConvergenceWarning

from skfactor import Moments
from skfactor.decisions import Threshold
from skfactor.factors import Factors
from skfactor.losses import LOSSES
from skfactor.multilabel import LEML, RidgeBR
from skfactor.multilabel.label_space import leml_entries, leml_kernels
from skfactor.multilabel.label_space.leml import SMOOTH
from skfactor.multilabel.label_space.leml_algebra import Spectrum, balanced, divide
from skfactor.multilabel.label_space.leml_entries import LabelEntries
from skfactor.multilabel.label_space.leml_kernels import curved_products, sampled_products
from skfactor.multilabel.label_space.leml_moments import minimize_on_moments
from skfactor.multilabel.label_space.leml_rows import CentredRows, DecoderStep, EncoderStep, minimize_on_rows

WEIGHT = 0.02


@pytest.fixture
def hidden(problem):
    """Rows, labels, and the pattern of those 60 % of the labels that are known."""
    X, Y = problem
    return X, Y, (np.random.default_rng(1).random(Y.shape) < 0.6).astype(float)


def row_weights(n):
    return np.random.default_rng(2).uniform(0.5, 2.0, n)


def entries_of(loss, Y, pattern, weight):
    labels = sparse.csr_array(Y.astype(float))
    return LabelEntries.of(LOSSES[loss], labels, None if pattern is None else sparse.csr_array(pattern), weight)


def on_rows(X, entries, weight, n_components, loss="squared", **stop):
    moments = Moments.of(X, np.zeros((len(X), 1)), sample_weight=weight).centred("auto")
    features = Spectrum.of_features(moments)
    stop = {"max_iter": 3000, "tol": 1e-13} | stop
    margin = LOSSES[loss].margin
    return minimize_on_rows(X, entries, moments, features, n_components, WEIGHT, margin=margin, **stop)


# ---------------------------------------------------------------- pieces


@pytest.mark.parametrize("vectors", [True, False])
def test_division_undoes_two_products(vectors):
    rng = np.random.default_rng(0)
    A, B = (M @ M.T for M in (rng.normal(size=(6, 4)), rng.normal(size=(3, 3))))
    A = A if vectors else np.diag(A.diagonal())
    left = Spectrum.of(A) if vectors else Spectrum(A.diagonal())
    Z = rng.normal(size=(6, 3))
    assert np.allclose(divide(A @ Z @ B + 0.3 * Z, left, Spectrum.of(B), 0.3), Z)


def test_balancing_keeps_the_product_and_takes_its_trace_norm():
    rng = np.random.default_rng(0)
    U, V = rng.normal(size=(8, 3)), rng.normal(size=(3, 5))
    E, W = balanced(U, V)
    assert np.allclose(E @ W, U @ V)
    assert np.allclose(E.T @ E, W @ W.T)
    assert np.sum(E**2) + np.sum(W**2) == pytest.approx(2 * np.linalg.norm(U @ V, "nuc"))
    other = balanced(-U, -V)
    assert np.allclose(other[0], E)


@pytest.mark.parametrize("loss", SMOOTH)
@pytest.mark.parametrize("known", [True, False])
def test_steps_have_the_derivatives_of_their_function(loss, known, hidden):
    X, Y, pattern = hidden
    weight, rng = row_weights(len(X)), np.random.default_rng(3)
    entries = entries_of(loss, Y, pattern if known else None, weight)
    moments = Moments.of(X, np.zeros((len(X), 1)), sample_weight=weight).centred("auto")
    rows, features = CentredRows(X, moments.centre), Spectrum.of_features(moments)
    U, B = rng.normal(size=(10, 3)), rng.normal(size=(5, 4))
    encoder = EncoderStep(rows, entries.by_row, B, WEIGHT, features)
    decoder = DecoderStep(entries.by_label, np.column_stack([rows.codes(U), np.ones(len(X))]), WEIGHT)
    for function, Z in ((encoder, U), (decoder, B)):
        about, P, step = function.expand(Z), rng.normal(size=Z.shape), 1e-5
        ahead, behind = function.expand(Z + step * P), function.expand(Z - step * P)
        assert about.value == pytest.approx(function.value(Z))
        assert np.sum(about.gradient * P) == pytest.approx((ahead.value - behind.value) / (2 * step), rel=1e-7)
        if loss != "smooth_hinge":  # whose curvature jumps
            change = (ahead.gradient - behind.gradient) / (2 * step)
            assert np.allclose(about.product(P), change, atol=1e-7)
        Q = rng.normal(size=Z.shape)
        for symmetric in (about.product, about.precondition):
            assert np.sum(Q * symmetric(P)) == pytest.approx(np.sum(P * symmetric(Q)))
            assert np.sum(P * symmetric(P)) > 0


def test_for_full_squared_loss_the_preconditioner_is_the_inverse(problem):
    X, Y = problem
    weight = row_weights(len(X))
    moments = Moments.of(X, Y, sample_weight=weight).centred("auto")
    rows, B = CentredRows(X, moments.centre), np.random.default_rng(0).normal(size=(5, 4))
    entries = entries_of("squared", Y, None, weight).by_row
    about = EncoderStep(rows, entries, B, WEIGHT, Spectrum.of_features(moments)).expand(np.zeros((10, 3)))
    P = np.random.default_rng(1).normal(size=(10, 3))
    assert np.allclose(about.precondition(about.product(P)), P)


@pytest.mark.parametrize("block", [7, 2**20])
@pytest.mark.parametrize("loss", SMOOTH)
def test_a_full_pattern_is_the_whole_table(loss, block, problem, monkeypatch):
    monkeypatch.setattr(leml_entries, "BLOCK_ENTRIES", block)
    X, Y = problem
    weight, rng = row_weights(len(X)), np.random.default_rng(0)
    whole, pattern = entries_of(loss, Y, None, weight), entries_of(loss, Y, np.ones(Y.shape), weight)
    A, B, P = rng.normal(size=(len(X), 3)), rng.normal(size=(5, 3)), rng.normal(size=(len(X), 3))
    one, two = whole.by_row.expand(A, B), pattern.by_row.expand(A, B)
    assert one.value == pytest.approx(two.value)
    assert whole.by_label.value(B, A) == pytest.approx(one.value)
    for first, second in [(one.gradient, two.gradient), (one.product(P), two.product(P))]:
        assert np.allclose(first, second)
    assert all(np.allclose(*pair) for pair in zip(one.curvature, two.curvature, strict=True))
    assert np.allclose(whole.mean, pattern.mean)
    codes = rng.normal(size=(len(X), 3))
    codes -= weight @ codes / weight.sum()
    assert np.allclose(whole.linear.T @ codes, pattern.linear.T @ codes)


@pytest.mark.parametrize("threads", [1, 3])
def test_kernels_are_products_over_the_pattern_for_any_number_of_threads(threads, monkeypatch):
    monkeypatch.setattr(leml_kernels, "FEW_ENTRIES", 0)
    monkeypatch.setattr(joblib, "cpu_count", lambda: threads)
    rng = np.random.default_rng(0)
    H = sparse.random_array((50, 20), density=0.2, rng=rng, format="csr")
    A, B = rng.normal(size=(50, 4)), rng.normal(size=(20, 4))
    row, column = H.tocoo().coords
    assert np.allclose(sampled_products(H.indptr, H.indices, A, B), (A @ B.T)[row, column])
    assert np.allclose(curved_products(H.indptr, H.indices, H.data, A, B), (H.toarray() * (A @ B.T)) @ B)


# ---------------------------------------------------------------- the minimum


@pytest.mark.parametrize("n_components", [2, 5])
def test_with_no_label_missing_both_ways_are_one(problem, n_components):
    X, Y = problem
    weight = row_weights(len(X))
    moments = Moments.of(X, Y, sample_weight=weight).centred("auto")
    U, V, by_moments = minimize_on_moments(moments, n_components, WEIGHT, max_iter=3000, tol=1e-13)
    scores = Factors(U, V).uncentred(moments.centre).scores(X)
    for pattern in (None, np.ones(Y.shape)):
        factors, by_rows = on_rows(X, entries_of("squared", Y, pattern, weight), weight, n_components)
        assert by_rows[-1] == pytest.approx(by_moments[-1], rel=1e-10)
        assert np.abs(factors.scores(X) - scores).max() < 1e-6


def test_the_observed_path_of_the_estimator_equals_the_moment_path(problem, monkeypatch):
    X, Y = problem
    by_moments = LEML(3, tol=1e-12).fit(X, Y)
    monkeypatch.setattr("skfactor.multilabel.label_space.leml_missing._unless_full", lambda pattern: pattern)
    by_rows = LEML(3, tol=1e-12).fit(X, Y, observed=np.ones(Y.shape))
    assert not hasattr(by_rows, "moments_")
    assert by_rows.objective_[-1] == pytest.approx(by_moments.objective_[-1], rel=1e-6)
    assert by_rows.decision_.threshold_ == pytest.approx(by_moments.decision_.threshold_, abs=1e-5)
    assert np.array_equal(by_rows.predict(X), by_moments.predict(X))


@pytest.mark.parametrize("loss", SMOOTH)
@pytest.mark.parametrize("known", [True, False])
def test_no_general_minimizer_finds_less(loss, known):
    """Against BFGS from where it ended and from random places, on X as it is and the written objective."""
    rng = np.random.default_rng(4)
    X, weight = rng.normal(size=(30, 4)), row_weights(30)
    Y = (X[:, :3] + rng.normal(size=(30, 3)) > 0.3).astype(float)
    pattern = (rng.random(Y.shape) < 0.7).astype(float) if known else np.ones(Y.shape)
    entry_weight = weight[:, None] * pattern
    entry_weight *= 3 / entry_weight.sum()
    moments = Moments.of(X, Y, sample_weight=weight).centred("std")
    target = 2 * Y - 1 if LOSSES[loss].margin else Y
    Z = (X - moments.centre.mean_x) / moments.centre.scale

    def objective(flat):
        U, V, b = flat[:8].reshape(4, 2), flat[8:14].reshape(2, 3), flat[14:]
        fit = np.sum(entry_weight * LOSSES[loss].value(target, Z @ U @ V + b))
        return fit + WEIGHT * (np.sum(U**2) + np.sum(V**2))

    entries = entries_of(loss, Y, pattern if known else None, weight)
    factors, objectives = on_rows(X, entries, weight, 2, loss)
    V, scores_at_mean = (
        factors.decoder,
        factors.intercept + moments.centre.mean_x @ factors.encoder @ factors.decoder,
    )
    if LOSSES[loss].margin:
        V, scores_at_mean = 2 * V, 2 * scores_at_mean - 1
    found = np.concatenate([(factors.encoder * moments.centre.scale[:, None]).ravel(), V.ravel(), scores_at_mean])
    assert objective(found) == pytest.approx(objectives[-1], rel=1e-6)
    starts = [found, *rng.normal(size=(5, 17))]
    assert objective(found) <= min(minimize(objective, start).fun for start in starts) + 1e-5


@pytest.mark.parametrize("loss", SMOOTH)
def test_the_objective_never_rises(loss, hidden):
    X, Y, pattern = hidden
    for observed in (None, pattern):
        model = LEML(3, loss=loss, tol=1e-8, calibration_folds=2).fit(X, Y, observed=observed)
        assert model.n_iter_ == len(model.objective_) > 2
        assert np.all(np.diff(model.objective_) <= 1e-12)


def test_full_rank_is_trace_norm_regression(problem):
    """Where the rank does not bind: the optimality condition of loss + 2 weight ||W||_* for W = U V."""
    X, Y = problem
    moments = Moments.of(X, Y).centred("auto")
    U, V, _ = minimize_on_moments(moments, 5, 0.2, max_iter=5000, tol=1e-15)
    A, S, B = np.linalg.svd(U @ V, full_matrices=False)
    slope = 2 * (moments.xx(U @ V) - moments.xy()) / (2 * 0.2)
    kept = S / S[0] > 1e-4
    assert 1 < kept.sum() < 5
    assert np.allclose(A[:, kept].T @ slope, -B[kept], atol=1e-3)
    assert np.linalg.norm(slope, 2) < 1 + 1e-3


def test_matrix_free_equals_held(problem):
    X, Y = problem
    held, free = LEML(3, tol=1e-11).fit(X, Y), LEML(3, tol=1e-11, memory_budget=0).fit(X, Y)
    assert np.allclose(held.factors_.scores(X), free.factors_.scores(X), atol=1e-7)


def test_matrix_free_rows_equal_held(hidden):
    X, Y, pattern = hidden
    held = LEML(3, tol=1e-10, calibration_folds=2).fit(X, Y, observed=pattern)
    free = LEML(3, tol=1e-10, calibration_folds=2, memory_budget=0).fit(X, Y, observed=pattern)
    assert np.allclose(held.factors_.scores(X), free.factors_.scores(X), atol=1e-4)


def test_the_ridge_means_the_same_for_any_unit_number_of_rows_and_share_of_labels(problem):
    X, Y = problem
    plain = LEML(3, scale=None, tol=1e-12).fit(X, Y)
    larger = LEML(3, scale=None, tol=1e-12).fit(100 * np.tile(X, (3, 1)), np.tile(Y, (3, 1)))
    assert np.allclose(larger.factors_.scores(100 * X), plain.factors_.scores(X), atol=1e-6)
    twice, half = np.vstack([X, X]), np.vstack([np.ones(Y.shape), np.zeros(Y.shape)])
    some = LEML(3, scale=None, tol=1e-12).fit(twice, np.vstack([Y, Y]), observed=half)
    assert np.allclose(some.factors_.scores(X), plain.factors_.scores(X), atol=1e-6)


# ---------------------------------------------------------------- missing labels


@pytest.mark.parametrize("loss", SMOOTH)
def test_hidden_labels_do_not_influence_the_result(loss, hidden):
    X, Y, pattern = hidden
    other = np.where(pattern > 0, Y, 1 - Y)
    first, second = (LEML(3, loss=loss).fit(X, labels, observed=pattern) for labels in (Y, other))
    assert np.array_equal(first.factors_.scores(X), second.factors_.scores(X))
    assert first.decision_.threshold_ == second.decision_.threshold_
    assert first.decision_.value_ == second.decision_.value_


def ways_of_missing(Y, pattern):
    table = np.where(pattern > 0, Y, np.nan)
    names = list("abcde")
    return {
        "array": (table, None),
        "pandas": (pd.DataFrame(table, columns=names), None),
        "nullable": (pd.DataFrame(table, columns=names).astype("Int64"), None),
        "polars": (pl.DataFrame(dict(zip(names, table.T, strict=True))), None),
        "objects": (np.where(pattern > 0, Y.astype(object), None), None),
        "sparse": (sparse.csr_array(Y * pattern), sparse.csc_matrix(pattern)),
        "bool": (Y, pattern > 0),
        "both": (np.where(pattern[:, :1] > 0, table, Y), np.hstack([np.ones((len(Y), 1)), pattern[:, 1:]])),
    }


@pytest.mark.parametrize("way", ways_of_missing(np.ones((2, 5)), np.eye(2, 5)))
def test_missing_labels_may_be_told_in_many_ways(way, hidden):
    X, Y, pattern = hidden
    if way == "both":  # the first column by NaN, the others by the pattern
        labels, observed = Y.astype(float), pattern.copy()
        labels[pattern[:, 0] == 0, 0], observed[:, 0] = np.nan, 1.0
    else:
        labels, observed = ways_of_missing(Y, pattern)[way]
    expected = LEML(3).fit(X, Y, observed=pattern)
    model = LEML(3).fit(X, labels, observed=observed)
    assert np.allclose(model.factors_.scores(X), expected.factors_.scores(X))
    predicted = model.predict(X)
    assert type(predicted) is type(labels)
    assert predicted.shape == Y.shape


def test_label_sets_take_a_pattern(hidden):
    X, Y, pattern = hidden
    sets = [{f"label {j}" for j in np.flatnonzero(row)} for row in Y]
    model = LEML(3).fit(X, sets, observed=pattern)
    assert np.allclose(model.factors_.scores(X), LEML(3).fit(X, Y, observed=pattern).factors_.scores(X))


def test_sparse_features_are_centred_in_products(hidden):
    X, Y, pattern = hidden
    X = X * (X > 0.5) + 3 * (X < -1)
    dense, thin = (
        LEML(3, scale=None, tol=1e-10).fit(table, Y, observed=pattern) for table in (X, sparse.csr_array(X))
    )
    assert np.allclose(dense.factors_.scores(X), thin.factors_.scores(X), atol=1e-8)


def test_whole_weights_equal_repeated_rows(hidden):
    X, Y, pattern = hidden
    weight = np.random.default_rng(0).integers(0, 3, len(X))
    weighted = on_rows(X, entries_of("logistic", Y, pattern, weight.astype(float)), weight, 3, "logistic")
    rows = np.repeat(np.arange(len(X)), weight)
    repeated = on_rows(
        X[rows],
        entries_of("logistic", Y[rows], pattern[rows], np.ones(len(rows))),
        np.ones(len(rows)),
        3,
        "logistic",
    )
    assert weighted[1][-1] == pytest.approx(repeated[1][-1], rel=1e-9)
    assert np.allclose(weighted[0].scores(X), repeated[0].scores(X), atol=1e-4)


def test_the_threshold_is_chosen_on_known_entries_only(hidden):
    X, Y, pattern = hidden
    model = LEML(3).fit(X, Y, observed=pattern)
    held_out = model._held_out
    assert held_out.known.sum() == pattern.sum()
    assert not np.any(held_out.truth & ~held_out.known)
    expected = Threshold().fit(held_out.scores[held_out.known][:, None], held_out.truth[held_out.known][:, None])
    assert model.decision_.threshold_ == pytest.approx(expected.threshold_)


def test_calibrate_takes_missing_labels(hidden):
    X, Y, pattern = hidden
    model = LEML(3).fit(X[:80], Y[:80], observed=pattern[:80])
    by_pattern = model.calibrate(X[80:], Y[80:], observed=pattern[80:]).decision_.threshold_
    table = np.where(pattern > 0, Y, np.nan)
    assert model.calibrate(X[80:], table[80:]).decision_.threshold_ == by_pattern
    assert model._held_out.known.sum() == pattern[80:].sum()


def test_knowing_what_is_missing_pays():
    """With 8 of 10 positives hidden, against taking them for negatives, on all labels of other rows."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(900, 15))
    Y = (X @ rng.normal(size=(15, 3)) @ rng.normal(size=(3, 12)) + rng.normal(size=(900, 12)) > 2).astype(int)
    seen = (rng.random(Y.shape) < 0.2).astype(float)[:600]
    known = LEML(3, ridge=0.1).fit(X[:600], Y[:600], observed=seen).score(X[600:], Y[600:])
    zeros = LEML(3, ridge=0.1).fit(X[:600], Y[:600] * seen.astype(int)).score(X[600:], Y[600:])
    assert known > zeros + 0.02


def peak_of(work):
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def test_nothing_as_large_as_all_entries_is_formed(monkeypatch):
    """20,000 x 500 labels of which .2 % are known: all of them would take 80 MB as numbers, 10 as truth values."""
    monkeypatch.setattr("skfactor.multilabel.held_out.FIT_ENTRIES", 100_000)
    rng = np.random.default_rng(0)
    n, L = 20_000, 500
    X = sparse.random_array((n, 30), density=0.1, rng=rng, format="csr")
    observed = sparse.random_array((n, L), density=2e-3, rng=rng, format="csr")
    Y = observed.copy()
    Y.data = (rng.random(Y.nnz) < 0.3).astype(float)
    model = LEML(3, ridge=1.0, tol=1e-2, calibration_folds=2)
    model.fit(X[:500], Y[:500], observed=observed[:500])  # compile first
    assert peak_of(lambda: model.fit(X, Y, observed=observed)) < 2 * n * L


def test_full_labels_of_another_loss_go_by_blocks(monkeypatch):
    monkeypatch.setattr(leml_entries, "BLOCK_ENTRIES", 20_000)
    rng = np.random.default_rng(0)
    n, L = 20_000, 200
    X, labels = rng.normal(size=(n, 5)), sparse.random_array((n, L), density=0.01, rng=rng, format="csr") > 0
    entries = LabelEntries.of(LOSSES["logistic"], labels, None, np.ones(n))
    assert peak_of(lambda: on_rows(X, entries, np.ones(n), 2, "logistic", tol=0.1)) < n * L * 8 / 2


# ---------------------------------------------------------------- the estimator


@pytest.mark.parametrize("loss", ["logistic", "smooth_hinge"])
def test_other_losses_classify_as_well_and_centre_at_one_half(loss, problem):
    X, Y = problem
    model = LEML(3, loss=loss).fit(X[:80], Y[:80])
    assert model.score(X[80:], Y[80:]) > RidgeBR().fit(X[:80], Y[:80]).score(X[80:], Y[80:]) - 0.05
    assert np.mean((model.factors_.scores(X) > 0.5) == Y) > 0.85


@pytest.mark.parametrize("loss", SMOOTH)
def test_one_class_per_row(loss):
    X, y = load_iris(return_X_y=True)
    assert LEML(loss=loss).fit(X, y).score(X, y) > 0.8


@pytest.mark.parametrize("loss", ["logistic", "smooth_hinge"])
def test_labels_that_never_or_always_occur_do_no_harm(loss, problem):
    X, Y = problem
    Y = np.column_stack([Y, np.zeros(len(Y), dtype=int), np.ones(len(Y), dtype=int)])
    predicted = LEML(3, loss=loss).fit(X, Y).predict(X)
    assert predicted[:, 5].sum() == 0
    assert predicted[:, 6].all()


def test_a_label_without_any_known_entry_is_not_predicted(hidden):
    X, Y, pattern = hidden
    pattern[:, 4] = 0
    model = LEML(3).fit(X, Y, observed=pattern)
    assert np.all(np.isfinite(model.factors_.scores(X)))
    assert np.abs(model.factors_.scores(X)[:, 4]).max() < 1e-6


def test_one_known_row_is_enough_to_go_on(problem):
    """A fold that has all that is known leaves nothing to the others, whose model then knows nothing."""
    X, Y = problem
    pattern = np.zeros(Y.shape)
    row = int(np.argmax(Y.sum(axis=1)))
    pattern[row] = 1
    scores = LEML(2).fit(X, Y, observed=pattern).factors_.scores(X)
    assert np.allclose(scores[row], Y[row], atol=0.05)


def test_rows_are_added_and_taken_away_by_moments(problem):
    X, Y = problem
    model = LEML(3, tol=1e-12).fit(X[:60], Y[:60]).partial_fit(X[60:], Y[60:])
    assert np.allclose(model.factors_.scores(X), LEML(3, tol=1e-12).fit(X, Y).factors_.scores(X), atol=1e-6)
    model.forget(X[:40], Y[:40])
    assert np.allclose(
        model.factors_.scores(X), LEML(3, tol=1e-12).fit(X[40:], Y[40:]).factors_.scores(X), atol=1e-6
    )


def test_what_moments_cannot_do_is_refused(hidden):
    X, Y, pattern = hidden
    table = np.where(pattern > 0, Y, np.nan)
    logistic = LEML(3, loss="logistic").partial_fit(X, Y)
    for model in (logistic, LEML(3).fit(X, table)):
        for method in (model.partial_fit, model.forget):
            with pytest.raises(ValueError, match="fit anew to all rows together"):
                method(X[:20], Y[:20])
    with pytest.raises(ValueError, match="labels are missing"):
        LEML(3).fit(X, Y).partial_fit(X[:20], table[:20])
    with pytest.raises(ValueError, match="no function of moments"):
        LEML(3, loss="logistic").fit_moments(Moments.of(X, Y))


def test_a_fit_leaves_nothing_of_the_fit_before(hidden):
    X, Y, pattern = hidden
    model = LEML(3).fit(X, Y)
    assert hasattr(model, "moments_")
    model.fit(X, Y, observed=pattern)
    assert not hasattr(model, "moments_")
    assert model.fit(X, Y).moments_.n == len(X)


def test_stopping_early_is_told(problem):
    X, Y = problem
    with pytest.warns(ConvergenceWarning, match="LEML has not converged after 2 iterations"):
        model = LEML(3, max_iter=2, tol=1e-15).fit(X, Y)
    assert model.n_iter_ == 2


@pytest.mark.parametrize(
    ("parameters", "observed", "message"),
    [
        ({"loss": "hinge"}, None, "loss must be one of 'squared', 'logistic', 'smooth_hinge'"),
        ({"ridge": 0}, None, "ridge must be above 0"),
        ({"n_components": 6}, None, "n_components=6 is above n_labels=5"),
        ({"max_iter": 0}, None, "max_iter must be at least 1"),
        ({"tol": -1}, None, "tol must be at least 0"),
        ({}, np.eye(3), r"observed must have the shape of Y, \(120, 5\), got \(3, 3\)"),
        ({}, np.zeros((120, 5)), "no positive entry among those that are known"),
    ],
)
def test_bad_input_is_refused(parameters, observed, message, problem):
    with pytest.raises(ValueError, match=message):
        LEML(**parameters).fit(*problem, observed=observed)
