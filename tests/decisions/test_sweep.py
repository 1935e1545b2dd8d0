"""The sweep against brute force over every possible threshold, for every count metric."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skfactor.decisions import best_threshold, label_thresholds
from skfactor.metrics.counts import COUNT_METRICS, evaluate


def problem(seed: int, ties: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    n, L = rng.integers(1, 7), rng.integers(1, 5)
    scores = rng.integers(0, 4, (n, L)) / 4 if ties else rng.normal(size=(n, L))
    return scores, rng.random((n, L)) < 0.4, rng.integers(1, 4, n).astype(float)


def brute_force(scores, truth, metric, weight):
    cuts = np.concatenate([[-np.inf], np.unique(scores)])
    sign = 1 if metric.greater_is_better else -1
    return max(sign * evaluate(metric, truth, scores > cut, sample_weight=weight) for cut in cuts) * sign


@pytest.mark.parametrize("name", COUNT_METRICS)
@given(seed=st.integers(0, 10_000), ties=st.booleans(), weighted=st.booleans())
@settings(max_examples=40, deadline=None)
def test_no_threshold_is_better(name, seed, ties, weighted):
    scores, truth, weight = problem(seed, ties)
    weight = weight if weighted else np.ones(len(scores))
    metric = COUNT_METRICS[name]
    threshold, value = best_threshold(scores, truth, metric, weight)
    assert value == pytest.approx(brute_force(scores, truth, metric, weight))
    assert value == pytest.approx(evaluate(metric, truth, scores > threshold, sample_weight=weight))


@pytest.mark.parametrize("name", ["micro_f1", "hamming_loss", "micro_recall"])
def test_unknown_entries_do_not_count(name):
    """For metrics over everything at once, what is known may as well be one column."""
    rng = np.random.default_rng(0)
    scores, truth, known = rng.normal(size=(30, 4)), rng.random((30, 4)) < 0.4, rng.random((30, 4)) < 0.6
    weight, metric = rng.integers(1, 4, 30).astype(float), COUNT_METRICS[name]
    expected = best_threshold(
        scores[known][:, None], truth[known][:, None], metric, np.repeat(weight, 4).reshape(30, 4)[known]
    )
    assert best_threshold(scores, truth & known, metric, weight, known) == pytest.approx(expected)


@pytest.mark.parametrize("name", COUNT_METRICS)
def test_unknown_entries_may_have_any_score(name):
    rng = np.random.default_rng(1)
    scores, truth, known = rng.normal(size=(30, 4)), rng.random((30, 4)) < 0.4, rng.random((30, 4)) < 0.6
    other = np.where(known, scores, rng.normal(size=(30, 4)))
    first, second = (best_threshold(s, truth & known, COUNT_METRICS[name], None, known) for s in (scores, other))
    assert first == second
    everything = np.ones((30, 4), dtype=bool)
    assert best_threshold(scores, truth, COUNT_METRICS[name], None, everything) == pytest.approx(
        best_threshold(scores, truth, COUNT_METRICS[name])
    )


def test_whole_weights_equal_repeated_rows():
    scores, truth, weight = problem(3, ties=False)
    rows = np.repeat(np.arange(len(scores)), weight.astype(int))
    for metric in COUNT_METRICS.values():
        weighted = best_threshold(scores, truth, metric, weight)
        assert weighted == pytest.approx(best_threshold(scores[rows], truth[rows], metric))


def test_infinite_scores_are_predicted_at_any_threshold():
    scores = np.array([[np.inf, 0.2], [np.inf, 0.9]])
    truth = np.array([[False, False], [False, True]])
    threshold, value = best_threshold(scores, truth, COUNT_METRICS["micro_f1"])
    assert 0.2 <= threshold < 0.9
    assert value == pytest.approx(0.5)


def test_the_cut_lies_halfway():
    scores, truth = np.array([[0.9, 0.5, 0.1]]), np.array([[True, True, False]])
    assert best_threshold(scores, truth, COUNT_METRICS["micro_f1"])[0] == pytest.approx(0.3)


def test_close_scores_are_parted_unless_they_differ_by_rounding():
    low, high = 0.1, 0.1 + 1e-12
    threshold, value = best_threshold(
        np.array([[low, high]]), np.array([[False, True]]), COUNT_METRICS["micro_f1"]
    )
    assert low <= threshold < high
    assert value == 1.0
    _, value = best_threshold(
        np.array([[low, np.nextafter(low, 1)]]), np.array([[False, True]]), COUNT_METRICS["micro_f1"]
    )
    assert value == pytest.approx(2 / 3)


def test_each_label_gets_the_best_cut_of_its_column():
    rng = np.random.default_rng(0)
    scores, truth = rng.normal(size=(30, 3)), rng.random((30, 3)) < 0.3
    metric = COUNT_METRICS["micro_f1"]
    for k, threshold in enumerate(label_thresholds(scores, truth, metric)):
        achieved = evaluate(metric, truth[:, [k]], scores[:, [k]] > threshold)
        assert achieved == pytest.approx(brute_force(scores[:, [k]], truth[:, [k]], metric, np.ones(30)))
