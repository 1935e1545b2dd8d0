import numpy as np
import pytest
from scipy import sparse

from skfactor.datasets import MultilabelData, RatingsData

X = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 0.0]])
Y = np.array([[1, 0, 1], [0, 0, 0], [0, 1, 0]])


def test_tables_become_floats_in_canonical_form():
    unsorted = sparse.csr_array((np.array([1, 1, 0]), np.array([2, 0, 1]), np.array([0, 3])), shape=(1, 3))
    data = MultilabelData(X[:1], unsorted)
    assert data.Y.dtype == np.float64
    assert data.Y.indices.tolist() == [0, 2]
    assert unsorted.nnz == 3  # what was passed is left alone


@pytest.mark.parametrize("container", [sparse.csc_array, sparse.coo_matrix, sparse.csr_matrix])
def test_any_sparse_container_becomes_csr_array(container):
    data = MultilabelData(container(X), container(Y))
    assert isinstance(data.X, sparse.csr_array)
    np.testing.assert_array_equal(data.X.toarray(), X)
    np.testing.assert_array_equal(data.Y.toarray(), Y)


def test_repr_says_what_it_is():
    assert repr(MultilabelData(X, Y, name="toy")) == (
        "MultilabelData('toy': 3 rows, 2 features (dense), 3 labels, 1.000 per row)"
    )
    assert "sparse, 50 % filled" in repr(MultilabelData(sparse.csr_array(X), Y))
    half_stars = RatingsData(np.zeros((20, 2), dtype=int), np.arange(20) / 2)
    assert repr(half_stars).endswith("levels 0 0.5 1 1.5 2 2.5 ... 8.5 9 9.5)")


@pytest.mark.parametrize("rows", [[2, 0], np.array([2, 0]), [True, False, True], slice(0, 3, 2)])
def test_subset(rows):
    data = MultilabelData(X, Y, ["a", "b"], ["p", "q", "r"], "toy").subset(rows)
    assert sorted(data.X[:, 0]) == [1, 3]
    assert data.Y.nnz == 3
    assert (data.feature_names, data.name) == (["a", "b"], "toy")


def test_subset_refuses_rows_that_do_not_exist():
    with pytest.raises(IndexError, match="of 3 rows"):
        MultilabelData(X, Y).subset([5])


def test_split():
    train, test = MultilabelData(X, Y, train_idx=[0, 1], test_idx=[2]).split()
    assert (len(train), len(test)) == (2, 1)
    with pytest.raises(ValueError, match=r"toy has no stored split. Make one with"):
        MultilabelData(X, Y, name="toy").split()
    with pytest.raises(ValueError, match="go together"):
        MultilabelData(X, Y, train_idx=[0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((X, Y[:2]), "X has 3, Y has 2 rows"),
        ((X, 2 * Y), "Y must be 1 where .* got 2"),
        ((X[0], Y), "X and Y must be 2-d"),
        ((X, Y, ["a"]), "feature_names has 1 names for 2 columns"),
        ((X, Y, None, ["a"]), "label_names has 1 names for 3 columns"),
    ],
)
def test_refuses_what_does_not_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        MultilabelData(*arguments)


def test_ratings():
    data = RatingsData([["u", "i"], ["u", "j"]], [1, 3], [10, 20], levels=[1, 2, 3], train_idx=[1], test_idx=[0])
    train, test = data.split()
    assert train.pairs.tolist() == [["u", "j"]]
    assert test.timestamps.tolist() == [10]
    assert train.levels.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[1, 2, 3]], [1]), "two columns"),
        (([[1, 2]], [[1]]), "one column"),
        (([[1, 2]], [1, 2]), "pairs has 1, ratings has 2"),
    ],
)
def test_ratings_refuse_what_does_not_fit(arguments, message):
    with pytest.raises(ValueError, match=message):
        RatingsData(*arguments)
