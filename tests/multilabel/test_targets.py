import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse
from sklearn.exceptions import DataConversionWarning

from skfactor.multilabel.targets import Classes, Indicator, LabelSets, learn_targets

TABLE = np.array([[1, 0, 1], [0, 0, 1], [0, 1, 0]])
NAMES = ["red", "green", "blue"]
SETS = [{"red", "blue"}, {"blue"}, set()]

FORMS = [
    TABLE,
    TABLE.astype(bool),
    TABLE.astype(np.float32),
    sparse.csr_matrix(TABLE),
    sparse.csc_matrix(TABLE),
    sparse.csr_array(TABLE),
    sparse.coo_array(TABLE.astype(np.int8)),
    sparse.dok_array(TABLE),
    sparse.lil_matrix(TABLE),
    pd.DataFrame(TABLE, columns=NAMES),
    pd.DataFrame(TABLE, columns=[3, 5, 7]),
    pd.DataFrame(TABLE, columns=NAMES).astype(bool),
    pl.DataFrame(TABLE, schema=NAMES),
    SETS,
    [tuple(row) for row in SETS],
    [frozenset(row) for row in SETS],
    [sorted(row) for row in SETS],
    np.array([0, 2, 1]),
    np.array(["b", "c", "a"]),
]


def equal(a, b):
    if sparse.issparse(a):
        return a.dtype == b.dtype and not (a != b).nnz
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and np.array_equal(a, b)
    return a.equals(b) if hasattr(a, "equals") else [set(row) for row in a] == [set(row) for row in b]


@pytest.mark.parametrize("Y", FORMS, ids=lambda Y: f"{type(Y).__name__}")
def test_what_comes_in_goes_out(Y):
    targets = learn_targets(Y)
    back = targets.decode(targets.encode(Y))
    assert type(back) is type(Y)
    assert equal(Y, back)
    if sparse.issparse(Y):
        assert back.format == Y.format
    if isinstance(Y, list):
        assert type(back[0]) is type(Y[0])


@pytest.mark.parametrize("Y", FORMS[:17], ids=lambda Y: f"{type(Y).__name__}")
def test_the_indicator_is_sparse_and_binary(Y):
    indicator = learn_targets(Y).encode(Y)
    assert isinstance(indicator, sparse.csr_array)
    assert indicator.dtype == np.float64
    assert set(indicator.data) == {1.0}


def test_frames_and_sets_name_the_labels():
    assert learn_targets(pd.DataFrame(TABLE, columns=NAMES)).names.tolist() == NAMES
    assert learn_targets([*SETS, {"green"}]).names.tolist() == sorted(NAMES)
    assert learn_targets(TABLE).names.tolist() == [0, 1, 2]
    assert learn_targets(TABLE, NAMES).names.tolist() == NAMES


def test_predicted_frames_have_the_index_of_the_features():
    targets = learn_targets(pd.DataFrame(TABLE, columns=NAMES))
    back = targets.decode(sparse.csr_array(TABLE.astype(float)), pd.Index(["x", "y", "z"]))
    assert back.index.tolist() == ["x", "y", "z"]


def test_lists_of_zeros_and_ones_are_an_indicator_unless_ragged():
    assert isinstance(learn_targets([[0, 1], [1, 0]]), Indicator)
    assert isinstance(learn_targets([[0, 1], [1]]), LabelSets)
    assert isinstance(learn_targets([(0, 1), (1, 0)]), LabelSets)


@pytest.mark.parametrize(
    "column",
    [
        pd.Series([["a"], ["b", "c"]]),
        pd.Series([np.array(["a"]), np.array(["b", "c"])]),
        pl.Series([["a"], ["b", "c"]]),
        np.array([["a"], ["b", "c"]], dtype=object),
        [np.array(["a"]), np.array(["b", "c"])],
    ],
    ids=["pandas", "pandas of arrays", "polars", "array of objects", "list of arrays"],
)
def test_columns_of_lists_are_label_sets(column):
    targets = learn_targets(column)
    assert isinstance(targets, LabelSets)
    assert targets.decode(targets.encode(column)) == [["a"], ["b", "c"]]


def test_whole_numbers_as_column_names_stay_such():
    assert learn_targets(pd.DataFrame(TABLE, columns=[3, 5, 7])).names.tolist() == [3, 5, 7]


def test_a_column_of_classes_is_flattened_with_a_warning():
    with pytest.warns(DataConversionWarning, match="column-vector"):
        assert isinstance(learn_targets(np.array([[0], [2], [1]])), Classes)
    assert isinstance(learn_targets(np.array([[0], [1], [1]])), Indicator)


def test_labels_of_any_type_can_be_named():
    targets = learn_targets([{1, "a"}, {("x", 2)}])
    assert targets.decode(targets.encode([{("x", 2)}])) == [{("x", 2)}]


def test_repeated_labels_count_once():
    targets = learn_targets([("a", "a"), ("b",)])
    assert targets.encode([("a", "a")]).sum() == 1


@pytest.mark.parametrize(
    ("Y", "message"),
    [
        (None, "requires y to be passed"),
        (np.array([[0, 2], [1, 0]]), "must be binary .* got 2 in row 0, column 1"),
        (sparse.csr_array([[0, 1], [-1, 0]]), "must be binary .* got -1 in row 1, column 0"),
        (np.array([[0, np.nan], [1, 0]]), r"Input Y contains NaN \(row 0, column 1\). Leave out rows"),
        (np.array([0.5, 1.7, 2.2]), "Unknown label type: continuous"),
        (np.array([1, 1, 1]), "one class only"),
        ([], "y is empty"),
        (np.array(["a", None, "b"], dtype=object), r"Input y contains None \(row 1\)"),
        (pd.DataFrame(TABLE).astype("Int64").replace(1, pd.NA), r"Input Y contains NaN \(row 0, column 0\)"),
        (pd.DataFrame({"a": ["yes", "no"], "b": ["no", "no"]}), r"must be binary \(0 or 1\): could not convert"),
        (pd.Series([["a"], None, ["b"]]), "Row 1 of Y is None, where others are sets"),
        (np.zeros((2, 2, 2)), "got 3-d"),
    ],
)
def test_what_cannot_be_labels_is_refused(Y, message):
    with pytest.raises(ValueError, match=message):
        learn_targets(Y).encode(Y)


def test_later_labels_must_be_known():
    sets, frame = learn_targets(SETS), learn_targets(pd.DataFrame(TABLE, columns=NAMES))
    with pytest.raises(ValueError, match=r"Row 1 of Y has the unseen label 'pink'.*classes="):
        sets.encode([{"red"}, {"pink"}])
    with pytest.raises(ValueError, match=r"unseen labels \['pink'\]"):
        frame.encode(pd.DataFrame([[1]], columns=["pink"]))
    with pytest.raises(ValueError, match="another order"):
        frame.encode(pd.DataFrame(TABLE, columns=NAMES[::-1]))
    with pytest.raises(ValueError, match=r"Y was a list of label sets in fit.*got ndarray"):
        sets.encode(TABLE)
    with pytest.raises(ValueError, match="3 label columns, got shape"):
        learn_targets(TABLE).encode(TABLE[:, :2])
    with pytest.raises(ValueError, match="Row 1 of y has the unseen class 7"):
        learn_targets([0, 1]).encode([0, 7])


def test_as_many_names_as_columns():
    with pytest.raises(ValueError, match="2 label names for the 3 columns"):
        learn_targets(TABLE, ["a", "b"])
