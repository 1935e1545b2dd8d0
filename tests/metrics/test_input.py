import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skfactor.metrics import micro_f1, precision_at
from skfactor.metrics._input import indicator_table, score_table

Y = np.array([[1, 0, 1], [0, 0, 1]])


@pytest.mark.parametrize(
    "convert",
    [
        np.ndarray.tolist,
        lambda Y: Y.astype(bool),
        lambda Y: Y.astype(np.uint8),
        lambda Y: Y.astype(np.float16),
        lambda Y: Y.astype(object),
        np.asfortranarray,
        pd.DataFrame,
        pl.DataFrame,
        sparse.csr_matrix,
        sparse.csr_array,
        sparse.csc_array,
        sparse.coo_array,
        sparse.lil_array,
        sparse.dok_array,
        lambda Y: sparse.csr_array(Y.astype(bool)),
    ],
)
def test_every_container_gives_the_same_table(convert):
    np.testing.assert_array_equal(indicator_table(convert(Y), "Y").toarray(), Y)


def test_stored_zeros_are_dropped_without_touching_the_input():
    stored = sparse.csr_array((np.array([1.0, 0.0]), ([0, 1], [0, 1])), shape=(2, 2))
    assert indicator_table(stored, "Y").nnz == 1
    assert stored.nnz == 2


def test_entries_stored_twice_are_summed_without_touching_the_input():
    twice = sparse.csr_array((np.ones(2), np.array([1, 1]), np.array([0, 2])), shape=(1, 3))
    with pytest.raises(ValueError, match=r"Y must hold 0 and 1 only, got 2 \(row 0, column 1\)"):
        indicator_table(twice, "Y")
    assert twice.nnz == 2


def test_stored_zeros_are_scores():
    stored = sparse.coo_array((np.array([0.0, -1.0]), ([0, 0], [2, 1])), shape=(1, 3))
    assert score_table(stored).nnz == 2


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array, sparse.csc_array])
@pytest.mark.parametrize("value", [2.0, -1.0, 0.5])
def test_other_values_are_refused_with_their_place(convert, value):
    wrong = Y.astype(float)
    wrong[1, 1] = value
    with pytest.raises(ValueError, match=rf"Y_pred must hold 0 and 1 only, got {value:g} \(row 1, column 1\)"):
        micro_f1(Y, convert(wrong))


@pytest.mark.parametrize("convert", [np.asarray, sparse.csr_array])
def test_missing_values_are_refused_with_their_place(convert):
    wrong = Y.astype(float)
    wrong[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"Y_true contains NaN \(row 1, column 2\)"):
        micro_f1(convert(wrong), Y)
    with pytest.raises(ValueError, match=r"scores contains NaN \(row 1, column 2\)"):
        precision_at(Y, convert(wrong), 1)


def test_shapes_are_named():
    with pytest.raises(ValueError, match=r"Y_true has shape \(2, 3\), Y_pred has shape \(2, 2\)"):
        micro_f1(Y, Y[:, :2])
    with pytest.raises(ValueError, match=r"Y_true has shape \(2, 3\), scores has shape \(1, 3\)"):
        precision_at(Y, Y[:1], 1)


@pytest.mark.parametrize("wrong", [[1, 0], np.ones((0, 3)), np.ones((2, 0)), 1, np.ones((1, 1, 1))])
def test_what_is_no_table_is_refused(wrong):
    with pytest.raises(ValueError, match="Y_true must be a table of samples x labels"):
        micro_f1(wrong, wrong)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1], "shape"),
        ([[1, 1]], "shape"),
        ([1, -1], "nonnegative"),
        ([0, 0], "nonnegative"),
        ([1, np.nan], "NaN"),
    ],
)
def test_wrong_weights_are_refused(weights, message):
    with pytest.raises(ValueError, match=f"sample_weight.*{message}"):
        micro_f1(Y, Y, sample_weight=weights)
