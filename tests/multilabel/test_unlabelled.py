import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skfactor.multilabel.unlabelled import labelled_rows, learnable, take_rows

KNOWN = np.array([True, False, True])
TABLE = np.array([[1.0, 0.0], [np.nan, np.nan], [0.0, 1.0]])


@pytest.mark.parametrize(
    "y",
    [
        TABLE,
        TABLE.tolist(),
        pd.DataFrame(TABLE, columns=["a", "b"]),
        pl.DataFrame(TABLE, schema=["a", "b"]),
        [{"a"}, None, {"b"}],
        [("a", "b"), None, ()],
        np.array([0.0, np.nan, 1.0]),
        np.array(["x", None, "y"], dtype=object),
    ],
    ids=["array", "list", "pandas", "polars", "sets", "tuples", "classes", "names"],
)
def test_rows_that_are_marked_are_found_and_left_out(y):
    np.testing.assert_array_equal(labelled_rows(y), KNOWN)
    taken = take_rows(y, KNOWN)
    assert type(taken) is type(y)
    assert len(taken) == 2


def test_a_mask_says_so_whatever_is_there():
    Y = sparse.csr_matrix(np.eye(3))
    np.testing.assert_array_equal(labelled_rows(Y, KNOWN), KNOWN)
    taken = take_rows(Y, KNOWN)
    assert isinstance(taken, sparse.csr_matrix)
    np.testing.assert_array_equal(taken.toarray(), np.eye(3)[[0, 2]])


def test_everything_labelled_is_not_copied():
    Y = np.eye(3)
    assert take_rows(Y, labelled_rows(Y)) is Y


def test_half_known_rows_are_refused():
    with pytest.raises(ValueError, match=r"Row 1 of y has NaN for some labels only.*LEML"):
        labelled_rows(np.array([[1.0, 0.0], [np.nan, 0.0]]))


@pytest.mark.parametrize("mask", [[1, 0, 1], [True, False], "yes"])
def test_bad_masks_are_refused(mask):
    with pytest.raises(ValueError, match="labelled must be a mask of 3 truth values"):
        labelled_rows(np.eye(3), mask)


def test_nothing_labelled_is_refused():
    with pytest.raises(ValueError, match="at least one has to be known"):
        labelled_rows(np.full((3, 2), np.nan))


def test_no_y_is_refused():
    with pytest.raises(ValueError, match="requires y to be passed"):
        learnable(None)
