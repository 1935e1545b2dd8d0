import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.metrics import average_precision, coverage, ranking_loss

# Few different scores, so that there are ties.
problems = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=6).flatmap(
    lambda shape: st.tuples(
        hnp.arrays(np.int8, shape, elements=st.integers(0, 1)),
        hnp.arrays(np.float64, shape, elements=st.sampled_from([-1.5, 0.0, 0.25, 2.0])),
        hnp.arrays(np.float64, shape[0], elements=st.floats(0.1, 3)),
    )
)
every_metric = pytest.mark.parametrize("metric", [average_precision, coverage, ranking_loss])


def coverage_from_one(Y_true, scores, sample_weight=None):
    """scikit-learn's depth, which starts at 1, less 1 where there is a true label."""
    weights = np.ones(len(Y_true)) if sample_weight is None else sample_weight
    theirs = sklearn.metrics.coverage_error(Y_true, scores, sample_weight=sample_weight)
    return theirs - np.average(Y_true.any(axis=1), weights=weights)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (average_precision, sklearn.metrics.label_ranking_average_precision_score),
        (ranking_loss, sklearn.metrics.label_ranking_loss),
        (coverage, coverage_from_one),
    ],
)
@settings(max_examples=80, deadline=None)
@given(problem=problems)
def test_agrees_with_scikit_learn(ours, theirs, problem):
    true, scores, weights = problem
    assert ours(true, scores) == pytest.approx(theirs(true, scores))
    assert ours(sparse.csr_matrix(true), scores, sample_weight=weights) == pytest.approx(
        theirs(true, scores, sample_weight=weights)
    )


def test_worked_by_hand():
    true, scores = [[1, 0, 1, 0]], [[0.3, 0.9, 0.8, 0.1]]
    assert coverage(true, scores) == 2
    assert coverage(true, scores, normalize=True) == 0.5
    assert ranking_loss(true, scores) == 2 / 4
    assert average_precision(true, scores) == pytest.approx((1 / 2 + 2 / 3) / 2)


def test_ties_are_the_worst_case():
    true, equal = [[1, 0, 0]], np.zeros((1, 3))
    assert coverage(true, equal) == 2
    assert ranking_loss(true, equal) == 1
    assert average_precision(true, equal) == pytest.approx(1 / 3)


def test_rows_without_a_true_label():
    none, scores = np.zeros((1, 3)), [[0.3, 0.2, 0.1]]
    assert coverage(none, scores) == 0
    assert ranking_loss(none, scores) == 0
    assert average_precision(none, scores) == 1
    assert average_precision(none, scores, empty=0) == 0


def test_rows_with_all_labels_true():
    every, scores = np.ones((1, 3)), [[0.3, 0.2, 0.1]]
    assert coverage(every, scores) == 2
    assert ranking_loss(every, scores) == 0
    assert average_precision(every, scores) == 1


@every_metric
def test_weight_zero_leaves_a_row_out(metric):
    true, scores = np.array([[1, 0, 1], [0, 0, 0]]), np.array([[0.1, 0.2, 0.3], [0.3, 0.2, 0.1]])
    assert metric(true, scores, sample_weight=[1, 0]) == metric(true[:1], scores[:1])


@every_metric
def test_only_the_order_of_the_scores_matters(metric):
    rng = np.random.default_rng(0)
    true, scores = rng.integers(0, 2, (20, 7)), rng.normal(size=(20, 7))
    assert metric(true, scores) == metric(true, np.exp(5 * scores) + 3)


@every_metric
def test_unsigned_scores(metric):
    assert metric([[1, 0, 1]], np.array([[2, 0, 1]], dtype=np.uint8)) == metric([[1, 0, 1]], [[2.0, 0.0, 1.0]])


@every_metric
def test_sparse_scores_are_refused(metric):
    with pytest.raises(ValueError, match="scores must be dense"):
        metric([[1, 0]], sparse.csr_array([[0.5, 0.2]]))
