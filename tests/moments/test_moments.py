import itertools

import numpy as np
import pandas as pd
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from skfactor import Moments

MATRICES = ("Sxx", "Sxy", "Syy")


def assert_same(a: Moments, b: Moments, rtol: float = 1e-10) -> None:
    assert a.n == pytest.approx(b.n)
    assert np.allclose(a.sum_x, b.sum_x, rtol, 1e-10)
    assert np.allclose(a.sum_y, b.sum_y, rtol, 1e-10)
    for name in MATRICES:
        assert np.allclose(getattr(a.second, name), getattr(b.second, name), rtol, 1e-9), name


def test_they_are_the_sums_that_they_say(table):
    X, Y, w = table
    moments = Moments.of(X, Y, sample_weight=w)
    assert moments.n == w.sum()
    assert np.allclose(moments.sum_x, w @ X)
    assert np.allclose(moments.sum_y, w @ Y)
    assert np.allclose(moments.second.Sxx, X.T @ np.diag(w) @ X)
    assert np.allclose(moments.second.Sxy, X.T @ np.diag(w) @ Y)
    assert np.allclose(moments.second.Syy, Y.T @ np.diag(w) @ Y)


FORMS = {
    "dense": np.asarray,
    "fortran": np.asfortranarray,
    "csr matrix": sparse.csr_matrix,
    "csc array": sparse.csc_array,
    "coo array": sparse.coo_array,
    "pandas": pd.DataFrame,
    "polars": pl.DataFrame,
    "list": lambda table: table.tolist(),
}


@pytest.mark.parametrize(("x_form", "y_form"), list(itertools.product(FORMS, FORMS)))
def test_every_form_of_table_gives_the_same(x_form, y_form, table):
    X, Y, w = table
    other = Moments.of(FORMS[x_form](X), FORMS[y_form](Y), sample_weight=w)
    assert_same(other, Moments.of(X, Y, sample_weight=w))


@given(cuts=st.lists(st.integers(1, 59), max_size=4, unique=True), seed=st.integers(0, 99))
@settings(max_examples=25, deadline=None)
def test_moments_of_parts_add_up_whatever_the_parts(cuts, seed):
    rng = np.random.default_rng(seed)
    X, Y = rng.normal(size=(60, 5)), rng.integers(0, 2, (60, 3))
    bounds = [0, *sorted(cuts), 60]
    batches = [(X[a:b], Y[a:b]) for a, b in itertools.pairwise(bounds)]
    whole = Moments.of(X, Y)
    assert_same(Moments.merge(Moments.of(*batch) for batch in batches), whole)
    assert_same(Moments.of(batch for batch in batches), whole)
    assert_same(Moments.merge(Moments.of(*batch) for batch in batches[::-1]), whole)


def test_taking_away_undoes_adding(table):
    X, Y, w = table
    first, rest = Moments.of(X[:20], Y[:20], sample_weight=w[:20]), Moments.of(X[20:], Y[20:])
    assert_same(first + rest - rest, first)


def test_weight_two_is_the_row_twice(table):
    X, Y, w = table
    rows = np.repeat(np.arange(len(X)), w.astype(int))
    assert_same(Moments.of(X, Y, sample_weight=w), Moments.of(X[rows], Y[rows]))


def test_batches_may_bring_weights(table):
    X, Y, w = table
    batches = [(X[:30], Y[:30], w[:30]), (sparse.csr_array(X[30:]), Y[30:], w[30:])]
    assert_same(Moments.of(batches), Moments.of(X, Y, sample_weight=w))


def test_single_precision_is_summed_in_double():
    X = np.full((4_000, 1), 0.1, dtype=np.float32)
    moments = Moments.of(X, np.ones((4_000, 1)))
    assert moments.sum_x[0] == pytest.approx(4_000 * float(np.float32(0.1)), rel=1e-12)
    assert moments.second.Sxx[0, 0] == pytest.approx(4_000 * float(np.float32(0.1)) ** 2, rel=1e-12)


def test_long_tables_are_read_in_slices(monkeypatch, table):
    monkeypatch.setattr("skfactor.moments.tables.BLOCK_BYTES", 8 * 7 * 4)
    X, Y, w = table
    assert_same(Moments.of(X, Y, sample_weight=w), Moments.of(sparse.csr_array(X), Y, sample_weight=w))


def test_the_data_is_left_alone(table):
    X, Y, w = (values.copy() for values in table)
    for values in (X, Y, w):
        values.flags.writeable = False
    Moments.of(X, Y, sample_weight=w)


def test_names_come_from_frames_and_are_compared(table):
    X, Y, _ = table
    X, Y = pd.DataFrame(X, columns=list("abcdefg")), pd.DataFrame(Y, columns=list("wxyz"))
    moments = Moments.of(X, Y)
    assert moments.feature_names == tuple("abcdefg")
    assert moments.label_names == tuple("wxyz")
    with pytest.raises(ValueError, match="label_names: column 0 is 'w' and 'z'"):
        moments + Moments.of(X, Y[list("zyxw")])


@pytest.mark.parametrize("budget", [1.0, 0.0])
def test_forms_of_memory_answer_alike(budget, table):
    X, Y, w = table
    rng = np.random.default_rng(1)
    V, W = rng.normal(size=(7, 3)), rng.normal(size=(4, 2))
    moments = Moments.of(sparse.csr_array(X), sparse.csr_array(Y), sample_weight=w, memory_budget=budget)
    Xw = X * w[:, None]
    assert np.allclose(moments.second.xx(V), Xw.T @ (X @ V))
    assert np.allclose(moments.second.xy(W), Xw.T @ (Y @ W))
    assert np.allclose(moments.second.yx(V), Y.T @ (Xw @ V))
    assert np.allclose(moments.second.yy(W), (Y * w[:, None]).T @ (Y @ W))
    assert np.allclose(moments.second.diagonal_xx(), (Xw * X).sum(axis=0))
    assert np.allclose(moments.second.diagonal_yy(), (Y * Y * w[:, None]).sum(axis=0))


def test_streamed_moments_add_and_subtract(table):
    X, Y, _ = table
    V = np.eye(7)
    parts = [Moments.of(X[rows], Y[rows], memory_budget=0) for rows in (slice(0, 20), slice(20, 60))]
    whole = Moments.of(X, Y)
    assert np.allclose((parts[0] + parts[1]).second.xx(V), whole.second.Sxx)
    assert np.allclose((parts[0] + parts[1] - parts[0]).second.xx(V), X[20:].T @ X[20:])


def test_streamed_batches_are_gone_through_again(table):
    X, Y, _ = table
    batches = [(X[:20], Y[:20]), (X[20:], Y[20:])]
    moments = Moments.of(batches, memory_budget=0)
    assert np.allclose(moments.second.xx(np.eye(7)), X.T @ X)
    with pytest.raises(ValueError, match="which a generator cannot: pass a list"):
        Moments.of((batch for batch in batches), memory_budget=0)


@pytest.mark.parametrize("budget", [1.0, 0.0])
def test_dask_arrays_are_taken_by_chunks(budget, table):
    dask = pytest.importorskip("dask.array")
    X, Y, w = table
    lazy = dask.from_array(X, chunks=(25, 4)), dask.from_array(Y, chunks=(10, 2)), dask.from_array(w, chunks=30)
    for rest in (lazy[1:], (Y, w)):
        moments = Moments.of(lazy[0], rest[0], sample_weight=rest[1], memory_budget=budget)
        expected = Moments.of(X, Y, sample_weight=w)
        assert moments.n == pytest.approx(expected.n)
        assert np.allclose(moments.sum_x, expected.sum_x)
        assert np.allclose(moments.second.xx(np.eye(7)), expected.second.Sxx)
        assert np.allclose(moments.second.xy(np.eye(4)), expected.second.Sxy)
    with pytest.raises(ValueError, match=r"call X\.compute_chunk_sizes"):
        Moments.of(lazy[0][lazy[2] > 0], Y[w > 0])
    with pytest.raises(ValueError, match="X has 60, Y has 59 rows"):
        Moments.of(lazy[0], Y[1:])


def test_binary_features_are_recognized(table):
    X, Y, _ = table
    assert Moments.of((X > 0).astype(float), Y).binary
    assert not Moments.of(X, Y).binary


BAD = np.array([[1.0, 2.0], [np.nan, 1.0]])
ONES = np.ones((2, 1))


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((BAD, ONES), ValueError, r"Input X contains NaN \(row 1, column 0\)"),
        ((sparse.csr_array(BAD), ONES), ValueError, r"Input X contains NaN \(row 1, column 0\)"),
        ((np.ones((2, 2)), ONES * np.inf), ValueError, r"Input Y contains infinity \(row 0, column 0\)"),
        ((np.ones((3, 2)), ONES), ValueError, "X has 3, Y has 2 rows"),
        ((np.ones((0, 2)), np.ones((0, 1))), ValueError, "at least one row"),
        ((np.ones((2, 2)), ONES, [1, -1]), ValueError, "must not be negative, got -1 in row 1"),
        ((np.ones((2, 2)), ONES, [1]), ValueError, "sample_weight has 1"),
        ((np.array([["a", "b"]]), ONES[:1]), ValueError, "X must be a 2-d table of real numbers"),
        ((np.ones((2, 2)),), TypeError, "needs Y beside X"),
        (([],), ValueError, "got no batch"),
        (([(np.ones((2, 2)), ONES), (np.ones((2, 3)), ONES)],), ValueError, "X must have 2 columns, got 3"),
        (([(np.ones((2, 2)), ONES), (BAD, ONES)],), ValueError, r"Batch 1 .* X contains NaN \(row 1, column 0\)"),
        (
            (np.array([[1.0, 1e200], [2.0, 1.0]]), ONES),
            ValueError,
            "in column 1 whose squares overflow",
        ),
        (([np.ones((2, 2))],), TypeError, r"Batch 0 must be a pair \(X, Y\)"),
    ],
)
def test_bad_input_is_refused_with_its_place(arguments, error, message):
    X, Y, weight = (*arguments, None, None)[:3]
    with pytest.raises(error, match=message):
        Moments.of(X, Y, sample_weight=weight)


def test_names_must_fit(table):
    X, Y, _ = table
    with pytest.raises(ValueError, match="feature_names has 1 names for 7 columns"):
        Moments.of(X, Y, feature_names=["a"])


def test_combinations_that_make_no_sense_are_refused(table):
    X, Y, _ = table
    whole, part = Moments.of(X, Y), Moments.of(X[:10], Y[:10])
    with pytest.raises(ValueError, match="leaves none"):
        part - part
    with pytest.raises(ValueError, match="no part of the others"):
        whole - Moments.of(X[:10] * 100, Y[:10])
    with pytest.raises(ValueError, match="n_features: 7 and 6"):
        whole + Moments.of(X[:, :6], Y)
    with pytest.raises(ValueError, match="different memory budgets"):
        whole + Moments.of(X, Y, memory_budget=0)
    with pytest.raises(TypeError, match="combine with Moments, got int"):
        whole + 3
    with pytest.raises(ValueError, match="merge got no moments"):
        Moments.merge([])
