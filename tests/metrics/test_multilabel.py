import inspect
from functools import partial

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.metrics import multilabel
from skfactor.metrics.counts import COUNT_METRICS

#: The function of scikit-learn with the same definition. Its `zero_division` is our `empty` for F1 and
#: Jaccard; for precision and recall the two are the same at 0 only.
THEIRS = {
    **{
        f"{group}_{kind}": partial(getattr(sklearn.metrics, f"{kind}_score"), average=average, zero_division=0)
        for group, average in {"micro": "micro", "macro": "macro", "example": "samples"}.items()
        for kind in ("f1", "precision", "recall")
    },
    "accuracy": partial(sklearn.metrics.jaccard_score, average="samples", zero_division=0),
    "subset_accuracy": sklearn.metrics.accuracy_score,
    "hamming_loss": sklearn.metrics.hamming_loss,
}

tables = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6).flatmap(
    lambda shape: st.tuples(
        *2 * [hnp.arrays(np.int8, shape, elements=st.integers(0, 1))],
        hnp.arrays(np.float64, shape[0], elements=st.floats(0.1, 3)),
    )
)


@pytest.mark.parametrize("name", COUNT_METRICS)
@settings(max_examples=40, deadline=None)
@given(data=tables)
def test_agrees_with_scikit_learn(name, data):
    true, predicted, weights = data
    ours = getattr(multilabel, name)
    options = {"empty": 0} if "empty" in inspect.signature(ours).parameters else {}
    assert ours(true, predicted, **options) == pytest.approx(THEIRS[name](true, predicted))
    assert ours(sparse.csc_array(true), predicted, **options, sample_weight=weights) == pytest.approx(
        THEIRS[name](true, predicted, sample_weight=weights)
    )


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("example_f1", sklearn.metrics.f1_score), ("accuracy", sklearn.metrics.jaccard_score)],
)
@settings(max_examples=40, deadline=None)
@given(data=tables)
def test_empty_rows_count_one_by_default(name, theirs, data):
    true, predicted, _ = data
    expected = theirs(true, predicted, average="samples", zero_division=1)
    assert getattr(multilabel, name)(true, predicted) == pytest.approx(expected)


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_the_registry_has_the_same_default(name):
    parameters = inspect.signature(getattr(multilabel, name)).parameters
    if "empty" in parameters:
        assert parameters["empty"].default == COUNT_METRICS[name].empty


def test_worked_by_hand():
    true = [[1, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    predicted = [[1, 0, 1, 0], [0, 0, 1, 0], [0, 0, 0, 0]]
    assert multilabel.micro_f1(true, predicted) == pytest.approx(2 / 3)
    assert multilabel.macro_f1(true, predicted) == pytest.approx((1 + 0 + 2 / 3 + 0) / 4)
    assert multilabel.macro_f1(true, predicted, empty=1) == pytest.approx((1 + 0 + 2 / 3 + 1) / 4)
    assert multilabel.example_f1(true, predicted) == pytest.approx((1 / 2 + 1 + 1) / 3)
    assert multilabel.accuracy(true, predicted) == pytest.approx((1 / 3 + 1 + 1) / 3)
    assert multilabel.accuracy(true, predicted, empty=0) == pytest.approx((1 / 3 + 1 + 0) / 3)
    assert multilabel.subset_accuracy(true, predicted) == pytest.approx(2 / 3)
    assert multilabel.hamming_loss(true, predicted) == pytest.approx(2 / 12)


def test_predicting_nothing_earns_no_precision():
    true, nothing = [[1, 0], [0, 0]], [[0, 0], [0, 0]]
    assert multilabel.example_precision(true, nothing) == 0.5
    assert multilabel.example_recall(nothing, true) == 0.5
    assert multilabel.macro_precision(true, nothing, empty=1) == 0.5


def test_a_table_without_any_label():
    nothing = np.zeros((2, 3))
    assert multilabel.micro_f1(nothing, nothing) == 0
    assert multilabel.micro_f1(nothing, nothing, empty=1) == 1
    assert multilabel.subset_accuracy(nothing, nothing) == 1
    assert multilabel.hamming_loss(nothing, nothing) == 0


def test_one_label():
    assert multilabel.macro_f1([[1], [0]], [[1], [1]]) == pytest.approx(2 / 3)
