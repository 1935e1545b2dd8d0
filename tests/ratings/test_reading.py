import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skfactor.ratings.reading import identifier_column, read_pairs, read_ratings

USERS, ITEMS, RATINGS = ["ann", "bob", "ann"], [7, 7, 9], [3, 0, 5]


def as_lists(columns):
    return [column.tolist() for column in columns]


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_frames_by_name_or_by_place(frame):
    named = frame({"rating": RATINGS, "when": [1, 2, 3], "item": ITEMS, "user": USERS})
    placed = frame({"userId": USERS, "movieId": ITEMS, "stars": RATINGS, "when": [1, 2, 3]})
    pairs = frame({"u": USERS, "i": ITEMS})
    for columns in (read_ratings(named), read_ratings(placed), read_ratings(pairs, RATINGS)):
        assert as_lists(columns) == [USERS, ITEMS, RATINGS]


def test_lists_of_mixed_pairs_keep_the_type_of_each_column():
    users, items, ratings = read_ratings(list(zip(USERS, ITEMS, strict=True)), RATINGS)
    assert as_lists((users, items, ratings)) == [USERS, ITEMS, RATINGS]
    assert (users.dtype.kind, items.dtype) == ("U", np.int64)


@pytest.mark.parametrize("form", ["csr", "csc", "coo", "lil", "dok"])
def test_stored_entries_of_a_sparse_matrix_count_even_zeros(form):
    table = sparse.coo_array(([3.0, 0.0, 5.0], ([0, 1, 0], [2, 2, 4])), shape=(3, 5)).asformat(form)
    assert as_lists(read_ratings(table)) == [[0, 0, 1], [2, 4, 2], [3, 5, 0]]
    assert as_lists(read_pairs(table)) == [[0, 0, 1], [2, 4, 2]]


def test_repeated_entries_of_a_sparse_matrix_are_not_added_up():
    table = sparse.coo_array(([3, 4], ([0, 0], [1, 1])), shape=(1, 2))
    assert as_lists(read_ratings(table)) == [[0, 0], [1, 1], [3, 4]]


@pytest.mark.parametrize(
    "column", [[1, 2], [1.0, 2.0], np.array([1, 2], dtype=np.uint8), pd.Series([1, 2], dtype="Int64"), [True, 2]]
)
def test_whole_numbers_become_int64(column):
    found = identifier_column(column, "user")
    assert found.dtype == np.int64
    assert found.tolist() == [1, 2]


@pytest.mark.parametrize(
    "column",
    [["a", "b"], pd.Series(["a", "b"]), pd.Series(["a", "b"], dtype="category"), np.array(["a", "b"], "O")],
)
def test_strings_stay_strings(column):
    assert identifier_column(column, "user").tolist() == ["a", "b"]


@pytest.mark.parametrize(
    ("column", "error", "says"),
    [
        ([1.0, np.nan], ValueError, "Row 1: the user is missing"),
        ([1.0, np.inf], ValueError, "Row 1: the user inf is no whole number"),
        ([1.0, 2.5], ValueError, "Row 1: the user 2.5 is no whole number"),
        (["a", None], ValueError, "Row 1: the user is missing"),
        (["a", float("nan")], ValueError, "Row 1: the user is missing"),
        (np.array(["a", 3], dtype=object), TypeError, r"Row 1: the user is 3 \(int\).*str\(\)"),
        (np.array([3, "a"], dtype=object), TypeError, r"Row 1: the user is 'a' \(str\)"),
        (np.array([1j]), TypeError, "must be whole numbers or strings"),
        ([(1, 2), (3, 4)], ValueError, "one column"),
        (pd.Series([1, None], dtype="Int64"), ValueError, "Row 1: the user is missing"),
    ],
)
def test_what_is_no_identifier(column, error, says):
    with pytest.raises(error, match=says):
        identifier_column(column, "user")


@pytest.mark.parametrize(
    ("pairs", "ratings", "says"),
    [
        ([[1, 2], [1, 3]], [1.0], "2 pairs and 1 ratings"),
        ([[1, 2], [1, 3]], None, "There are no ratings. Pass pairs"),
        ([[1, 2, 3]], [1], r"shape \(1, 3\). Pass pairs"),
        ([1, 2], [1, 2], r"shape \(2,\)"),
        ([[1, 2], [1]], [1, 2], r"shape \(2,\). Pass pairs"),
        ([[1, 2]], [[1]], r"one column, got shape \(1, 1\)"),
        ([[1, 2], [1, 3]], [1, np.nan], "Row 1: the rating is NaN. Leave out"),
        ([[1, 2]], [-np.inf], "Row 0: the rating is infinite"),
        ([[1, 2]], ["good"], "ratings must be numbers.*Map your levels"),
        (np.empty((0, 2), dtype=int), np.empty(0), "nothing to learn"),
        (pd.DataFrame({"user": [1], "item": [2]}), None, "columns"),
        (sparse.csr_array((3, 3)), None, "nothing to learn"),
    ],
)
def test_what_is_no_table_of_ratings(pairs, ratings, says):
    with pytest.raises(ValueError, match=says):
        read_ratings(pairs, ratings)


def test_numbers_in_disguise():
    assert read_ratings([[1, 2]], ["3"])[2].tolist() == [3.0]
    assert read_ratings([[1, 2]], np.array([True]))[2].dtype == np.int64
