import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.metrics import counts
from skfactor.metrics.counts import COUNT_METRICS, CountMetric, count, evaluate, ratio

quick = settings(max_examples=50, deadline=None)
pairs = hnp.array_shapes(min_dims=2, max_dims=2, max_side=6).flatmap(
    lambda shape: st.tuples(*2 * [hnp.arrays(np.int8, shape, elements=st.integers(0, 1))])
)
every_metric = pytest.mark.parametrize("metric", COUNT_METRICS.values(), ids=COUNT_METRICS.keys())


def test_ratio_gives_empty_for_nothing_of_nothing():
    np.testing.assert_array_equal(ratio([1, 0, 0], [2, 0, 3], 1.0), [0.5, 1, 0])


def test_ratio_broadcasts():
    assert ratio(np.ones(3), 2.0, 0.0).tolist() == [0.5, 0.5, 0.5]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        # hits, predicted, positives: (2, 3, 4) | nothing at all | only predicted | only true | all right
        (counts.f1, [4 / 7, 9, 0, 0, 1]),
        (counts.precision, [2 / 3, 9, 0, 0, 1]),
        (counts.recall, [1 / 2, 9, 0, 0, 1]),
        (counts.jaccard, [2 / 5, 9, 0, 0, 1]),
        (counts.exact, [0, 1, 0, 0, 1]),
        (counts.hamming, [3 / 6, 0, 2 / 6, 1 / 6, 0]),
    ],
)
def test_elementary_functions_by_hand(value, expected):
    hits, predicted, positives = np.array([[2, 0, 0, 0, 3], [3, 0, 2, 0, 3], [4, 0, 0, 1, 3]])
    np.testing.assert_allclose(value(hits, predicted, positives, 6, 9), expected)


@every_metric
def test_value_is_elementwise_for_any_shape(metric):
    hits = np.arange(6.0).reshape(2, 3)
    values = metric.value(hits, hits + 1, hits + 2, 10.0, 0.0)
    assert values.shape == (2, 3)
    assert values[1, 2] == metric.value(hits[1, 2], hits[1, 2] + 1, hits[1, 2] + 2, 10.0, 0.0)


@pytest.mark.parametrize(
    ("over", "expected"),
    [
        ("all", ([2], [3], [4], 6)),
        ("label", ([1, 1, 0], [1, 2, 0], [2, 1, 1], 2)),
        ("example", ([1, 1], [2, 1], [2, 2], 3)),
    ],
)
def test_count_by_hand(over, expected):
    *counted, size = count(over, [[1, 0, 1], [1, 1, 0]], [[1, 1, 0], [0, 1, 0]])
    assert (*(part.tolist() for part in counted), size) == expected


def test_weights_enter_the_counts_of_labels_but_not_of_examples():
    Y = [[1, 0], [1, 1]]
    assert count("label", Y, Y, sample_weight=[2, 1]).hits.tolist() == [3, 1]
    assert count("example", Y, Y, sample_weight=[2, 1]).hits.tolist() == [1, 2]


@every_metric
@quick
@given(tables=pairs, weights=st.lists(st.integers(1, 3), min_size=6, max_size=6))
def test_weights_are_repetitions_and_sparse_is_dense(metric, tables, weights):
    true, predicted = tables
    weights = weights[: len(true)]
    weighted = evaluate(metric, sparse.csr_matrix(true), sparse.coo_array(predicted), sample_weight=weights)
    repeated = evaluate(metric, np.repeat(true, weights, axis=0), np.repeat(predicted, weights, axis=0))
    assert weighted == pytest.approx(repeated)


@every_metric
def test_perfect_and_worst(metric):
    Y = np.array([[1, 0], [0, 1], [1, 1]])
    best, worst = (1, 0) if metric.greater_is_better else (0, 1)
    assert evaluate(metric, Y, Y) == best
    assert evaluate(metric, Y[:2], 1 - Y[:2]) == worst


def test_a_metric_of_your_own():
    share = CountMetric("predicted_share", "all", lambda hits, predicted, positives, size, empty: predicted / size)
    assert evaluate(share, [[1, 0]], [[0, 1]]) == 0.5


def test_tables_of_millions_of_columns_stay_sparse():
    Y = sparse.random_array((100_000, 1_000_000), density=1e-8, rng=0, data_sampler=lambda size: np.ones(size))
    assert evaluate(COUNT_METRICS["example_f1"], Y, Y) == 1
    assert evaluate(COUNT_METRICS["micro_f1"], Y, Y) == 1
