from itertools import permutations

import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.metrics import ndcg_at, one_error, precision_at, propensities, psp_at, recall_at

# Few different scores, so that there are ties.
problems = hnp.array_shapes(min_dims=2, max_dims=2, min_side=2, max_side=5).flatmap(
    lambda shape: st.tuples(
        hnp.arrays(np.int8, shape, elements=st.integers(0, 1)),
        hnp.arrays(np.float64, shape, elements=st.sampled_from([-1.5, 0.0, 0.25, 2.0])),
        hnp.arrays(np.float64, shape[0], elements=st.floats(0.1, 3)),
    )
)
quick = settings(max_examples=50, deadline=None)


def all_stored(scores):
    """Sparse scores that store every label, zeros too."""
    rows, columns = np.indices(scores.shape).reshape(2, -1)
    return sparse.coo_array((scores.ravel(), (rows, columns)), shape=scores.shape)


def gain_by_brute_force(gains, scores, k):
    """Mean gain in the first k places over all orders that sort the scores."""
    orders = [
        list(order) for order in permutations(range(len(scores))) if (np.diff(scores[list(order)]) <= 0).all()
    ]
    return np.mean([gains[order[:k]].sum() for order in orders])


@quick
@given(problem=problems, k=st.integers(1, 6))
def test_ndcg_agrees_with_scikit_learn(problem, k):
    true, scores, weights = problem
    assert ndcg_at(true, scores, k) == pytest.approx(sklearn.metrics.ndcg_score(true, scores, k=k))
    assert ndcg_at(sparse.csc_array(true), all_stored(scores), k, sample_weight=weights) == pytest.approx(
        sklearn.metrics.ndcg_score(true, scores, k=k, sample_weight=weights)
    )


@quick
@given(problem=problems, k=st.integers(1, 6))
def test_precision_recall_and_psp_agree_with_brute_force(problem, k):
    true, scores, weights = problem
    inverse = 1.0 + np.arange(true.shape[1])
    found, gain, best = (
        np.array([gain_by_brute_force(*row, k) for row in zip(gains, order, strict=True)])
        for gains, order in ((true, scores), (true * inverse, scores), (true * inverse, true * inverse))
    )
    positives = true.sum(axis=1)
    expected = {
        precision_at: found / k,
        recall_at: np.divide(found, positives, out=np.zeros(len(true)), where=positives > 0),
    }
    for table in (scores, all_stored(scores)):
        for metric, values in expected.items():
            assert metric(true, table, k, sample_weight=weights) == pytest.approx(
                np.average(values, weights=weights)
            )
        psp = psp_at(sparse.csr_array(true), table, k, 1 / inverse, sample_weight=weights)
        assert psp == pytest.approx((weights @ gain) / (weights @ best) if best.any() else 0.0)


def test_worked_by_hand():
    true, scores = [[1, 0, 1, 1]], [[0.9, 0.8, 0.1, 0.7]]
    assert one_error(true, scores) == 0
    assert precision_at(true, scores, 3) == pytest.approx(2 / 3)
    assert recall_at(true, scores, 3) == pytest.approx(2 / 3)
    assert ndcg_at(true, scores, 2) == pytest.approx(1 / (1 + 1 / np.log2(3)))
    assert psp_at(true, scores, 2, [0.5, 1, 0.25, 0.2]) == pytest.approx(2 / (5 + 4))
    assert psp_at(true, scores, 2, [0.5, 1, 0.25, 0.2], normalize=False) == pytest.approx(2 / 2)


def test_ties_count_with_the_mean_of_their_orders():
    true, equal = [[1, 0, 0, 1]], np.zeros((1, 4))
    assert one_error(true, equal) == 0.5
    assert precision_at(true, equal, 3) == 0.5
    assert recall_at(true, equal, 3) == 0.75


def test_rows_without_a_true_label():
    none, scores = np.zeros((1, 3)), [[0.3, 0.2, 0.1]]
    assert one_error(none, scores) == 1
    assert precision_at(none, scores, 2) == 0
    assert recall_at(none, scores, 2) == 0
    assert recall_at(none, scores, 2, empty=1) == 1
    assert ndcg_at(none, scores, 2) == 0
    assert ndcg_at(none, scores, 2, empty=1) == 1
    assert psp_at(none, scores, 2, np.ones(3)) == 0


def test_more_places_than_labels():
    true, scores = [[1, 1]], [[0.3, 0.2]]
    assert precision_at(true, scores, 4) == 0.5
    assert recall_at(true, scores, 4) == 1
    assert ndcg_at(true, scores, 4) == 1


def test_labels_without_a_stored_score_fill_no_place():
    true = [[1, 0, 1], [0, 1, 0], [1, 0, 0]]
    # Row 0 ranks label 2 (score 0), then label 0 (below 0); row 1 only label 0; row 2 nothing.
    scores = sparse.csr_array((np.array([-1.0, 0.0, 5.0]), ([0, 0, 1], [0, 2, 0])), shape=(3, 3))
    assert one_error(true, scores) == pytest.approx(2 / 3)
    assert precision_at(true, scores, 2) == pytest.approx((1 + 0 + 0) / 3)
    assert recall_at(true, scores, 1) == pytest.approx((1 / 2 + 0 + 0) / 3)
    assert ndcg_at(true, scores, 2) == pytest.approx(1 / 3)


def test_no_stored_score_at_all():
    assert precision_at([[1, 0]], sparse.csr_array((1, 2)), 1) == 0


def test_the_best_few_stored_give_the_same_as_all():
    rng = np.random.default_rng(0)
    true, scores = rng.integers(0, 2, (30, 20)), rng.normal(size=(30, 20))
    best = np.where(scores >= np.sort(scores, axis=1)[:, [-5]], scores, 0)
    propensity = propensities(true)
    for metric in (precision_at, recall_at, ndcg_at):
        assert metric(true, sparse.csr_array(best), 5) == pytest.approx(metric(true, scores, 5))
    assert psp_at(true, sparse.csr_matrix(best), 5, propensity) == pytest.approx(
        psp_at(true, scores, 5, propensity)
    )


def test_millions_of_labels():
    rng = np.random.default_rng(0)
    Y = sparse.random_array((1000, 3_000_000), density=1e-6, rng=rng, data_sampler=lambda size: np.ones(size))
    assert recall_at(Y, Y, 20, empty=1) == 1
    assert psp_at(Y, Y, 20, propensities(Y)) == 1


def test_propensities_by_the_formula():
    Y = np.zeros((100, 2))
    Y[:30, 0] = 1
    C = (np.log(100) - 1) * 2.5**0.55
    expected = [1 / (1 + C * np.exp(-0.55 * np.log(count + 1.5))) for count in (30, 0)]
    np.testing.assert_allclose(propensities(Y), expected)
    np.testing.assert_allclose(propensities(sparse.csr_matrix(Y)), expected)


def test_propensities_of_hardly_any_rows_are_one():
    assert propensities([[1, 0], [0, 1]]).tolist() == [1, 1]


def test_propensities_refuse_parameters_without_meaning():
    with pytest.raises(ValueError, match="b must be above 0"):
        propensities([[1, 0]], b=0)


@pytest.mark.parametrize("k", [0, -1])
def test_no_places_are_refused(k):
    with pytest.raises(ValueError, match="k must be at least 1"):
        precision_at([[1, 0]], [[0.1, 0.2]], k)


@pytest.mark.parametrize("k", [1.5, True, "5"])
def test_what_is_no_number_of_places_is_refused(k):
    with pytest.raises(TypeError, match="k must be a whole number"):
        ndcg_at([[1, 0]], [[0.1, 0.2]], k)


@pytest.mark.parametrize("propensity", [[0.5], [0.5, 0], [0.5, 1.1], [[0.5, 0.5]]])
def test_what_is_no_propensity_is_refused(propensity):
    with pytest.raises(ValueError, match=r"propensity must hold one number .* for each of 2 labels"):
        psp_at([[1, 0]], [[0.1, 0.2]], 1, propensity)
