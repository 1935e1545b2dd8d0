import numpy as np
import pytest
from scipy import sparse

from skfactor.metrics import list_length_curve, micro_f1, micro_precision, micro_recall


@pytest.fixture
def ranked():
    rng = np.random.default_rng(0)
    return (rng.random((40, 9)) < 0.3).astype(int), rng.normal(size=(40, 9))


def test_each_length_is_the_micro_average_of_that_many_labels(ranked):
    Y, scores = ranked
    curve = list_length_curve(Y, scores)
    places = np.argsort(np.argsort(-scores, axis=1), axis=1)
    for k in curve.length:
        predicted = (places < k).astype(int)
        assert curve.precision[k - 1] == pytest.approx(micro_precision(Y, predicted))
        assert curve.recall[k - 1] == pytest.approx(micro_recall(Y, predicted))
        assert curve.f1[k - 1] == pytest.approx(micro_f1(Y, predicted))


def test_ties_count_with_the_mean_over_their_orders(ranked):
    Y, scores = ranked
    coarse = np.round(scores)
    rng = np.random.default_rng(1)
    broken = [list_length_curve(Y, coarse + 1e-6 * rng.random(coarse.shape)).precision for _ in range(2000)]
    np.testing.assert_allclose(list_length_curve(Y, coarse).precision, np.mean(broken, axis=0), atol=5e-3)


def test_weights_count_rows_repeatedly_and_sparse_input_is_the_same(ranked):
    Y, scores = ranked
    weight = np.random.default_rng(2).integers(0, 3, len(Y))
    curve = list_length_curve(sparse.csr_array(Y), scores, sample_weight=weight, max_length=4)
    again = list_length_curve(np.repeat(Y, weight, axis=0), np.repeat(scores, weight, axis=0), max_length=4)
    assert len(curve.f1) == 4
    np.testing.assert_allclose(curve.f1, again.f1)


def test_recall_ends_at_one(ranked):
    assert list_length_curve(*ranked).recall[-1] == pytest.approx(1.0)


def test_no_true_label_is_zero_throughout():
    curve = list_length_curve([[0, 0]], [[0.3, 0.2]])
    assert not curve.precision.any()
    assert not curve.recall.any()
    assert not curve.f1.any()


def test_bad_lengths_are_refused(ranked):
    with pytest.raises(ValueError, match="max_length must be at least 1 and at most 9"):
        list_length_curve(*ranked, max_length=10)
