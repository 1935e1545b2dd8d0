import numpy as np
import pytest
from sklearn.base import clone

from skfactor.decisions import RULES, LabelThresholds, PredictedCount, Proportional, Threshold, TopK
from skfactor.metrics import macro_f1, micro_f1


@pytest.fixture
def held_out():
    """Scores that tell something of the truth, labels of falling frequency."""
    rng = np.random.default_rng(1)
    truth = rng.random((400, 8)) < np.linspace(0.5, 0.02, 8)
    return truth * 0.5 + rng.normal(scale=0.4, size=truth.shape), truth


@pytest.mark.parametrize("rule", RULES.values())
def test_the_rule_achieves_the_value_that_it_reports(rule, held_out):
    scores, truth = held_out
    fitted = rule(min_labels=0).fit(scores, truth)
    predicted = fitted.predict(scores)
    assert predicted.dtype == bool
    assert fitted.value_ > 0.3
    if rule is not Proportional:  # it does not aim at the metric
        assert micro_f1(truth, predicted) == pytest.approx(fitted.value_)


@pytest.mark.parametrize("rule", RULES.values())
def test_labels_are_those_with_a_positive_margin(rule, held_out):
    scores, truth = held_out
    fitted = rule(min_labels=2).fit(scores, truth)
    assert np.array_equal(fitted.margin(scores) > 0, fitted.predict(scores))


@pytest.mark.parametrize("rule", RULES.values())
def test_min_labels_fills_up_with_the_highest_scores(rule, held_out):
    scores, truth = held_out
    predicted = rule(min_labels=3).fit(scores, truth).predict(scores)
    assert predicted.sum(axis=1).min() >= 3
    assert np.take_along_axis(predicted, np.argsort(-scores, axis=1)[:, :3], axis=1).all()


def test_min_labels_is_one_if_every_row_has_a_label():
    scores = np.array([[0.3, 0.1], [0.2, 0.4], [0.0, 0.1]])
    truth = np.array([[1, 0], [0, 1], [0, 1]], dtype=bool)
    assert Threshold().fit(scores, truth).min_labels_ == 1
    truth[2] = False
    assert Threshold().fit(scores, truth).min_labels_ == 0


def test_the_threshold_is_chosen_knowing_that_every_row_gets_a_label():
    """Alone, .05 would have to be the threshold; with a label for each row it may be higher."""
    scores = np.array([[0.9, 0.8], [0.06, 0.01], [0.5, 0.07]])
    truth = np.array([[1, 1], [1, 0], [1, 0]], dtype=bool)
    rule = Threshold().fit(scores, truth)
    assert rule.value_ == 1.0
    assert np.array_equal(rule.predict(scores), truth)


def test_shrinkage_goes_from_own_to_common_thresholds(held_out):
    scores, truth = held_out
    own = LabelThresholds(shrinkage=0, min_labels=0).fit(scores, truth)
    common = LabelThresholds(shrinkage=1e9, min_labels=0).fit(scores, truth)
    plain = Threshold(min_labels=0).fit(scores, truth)
    assert np.allclose(common.offsets_, plain.threshold_, atol=1e-5)
    assert np.array_equal(common.predict(scores), plain.predict(scores))
    best = own.predict(scores) if own.threshold_ == 0 else scores > own.offsets_
    assert macro_f1(truth, best) >= macro_f1(truth, plain.predict(scores))


def test_proportional_predicts_labels_as_often_as_they_occur(held_out):
    scores, truth = held_out
    predicted = Proportional(min_labels=0).fit(scores, truth).predict(scores)
    assert np.array_equal(predicted.sum(axis=0), truth.sum(axis=0))


def test_proportional_with_labels_that_never_and_always_occur():
    scores = np.array([[0.5, 0.5], [0.2, 0.1]])
    truth = np.array([[False, True], [False, True]])
    rule = Proportional(min_labels=0).fit(scores, truth)
    assert np.array_equal(rule.predict(scores), truth)


def test_top_k_finds_the_number_of_labels():
    rng = np.random.default_rng(0)
    scores = rng.random((50, 6))
    truth = np.argsort(np.argsort(-scores, axis=1), axis=1) < 3
    assert np.array_equal(TopK().fit(scores, truth).predict(scores), truth)
    assert np.array_equal(TopK(k=2).fit(scores, truth).predict(scores).sum(axis=1), np.full(50, 2))


@pytest.fixture
def many_or_few():
    """Scores of rows with many labels and of rows with few, and the labels."""
    rng = np.random.default_rng(0)
    truth = rng.random((200, 6)) < rng.uniform(0.1, 0.9, (200, 1))
    return truth + rng.normal(scale=0.1, size=truth.shape), truth


def test_predicted_count_follows_the_sum_of_the_scores(many_or_few):
    scores, truth = many_or_few
    rule = PredictedCount().fit(scores, truth)
    assert rule.value_ > 0.97
    assert rule.value_ > TopK().fit(scores, truth).value_ + 0.1


def test_predicted_count_does_not_look_at_how_low_the_low_scores_are(many_or_few):
    scores, truth = many_or_few
    padded = np.pad(scores, ((0, 0), (0, 50)), constant_values=-1.0)  # labels that no row has
    rule = PredictedCount().fit(padded, np.pad(truth, ((0, 0), (0, 50))))
    expected = rule.predict(padded)
    assert np.mean(expected[:, :6] == truth) > 0.97
    assert np.array_equal(rule.predict(np.where(padded < rule.floor_, padded - 0.2, padded)), expected)


def test_equal_scores_go_to_the_first_label():
    scores = np.array([[0.5, 0.5, 0.5], [0.1, 0.5 + 1e-15, 0.5]])
    assert np.array_equal(TopK(k=1).preset(-0.5, 1).predict(scores), [[1, 0, 0], [0, 1, 0]])


def test_a_given_value_is_not_chosen_anew(held_out):
    assert Threshold(value=0.7).fit(*held_out).threshold_ == 0.7


@pytest.mark.parametrize("rule", RULES.values())
def test_a_rule_is_much_the_same_on_a_sample_of_the_entries(rule, held_out):
    scores, truth = held_out
    known = np.random.default_rng(2).random(truth.shape) < 0.4
    whole, part = rule().fit(scores, truth), rule().fit(scores, truth & known, known=known)
    everything = rule().fit(scores, truth, known=np.ones_like(truth))
    assert np.array_equal(everything.predict(scores), whole.predict(scores))
    blind = rule().fit(scores, truth & known)
    reached = [micro_f1(truth, fitted.predict(scores)) for fitted in (whole, part, blind)]
    assert reached[1] > reached[0] - 0.05
    # Thresholds of single labels are fitted to their own F1, which may do the common one good or harm.
    assert reached[1] >= reached[2] or rule is LabelThresholds


def test_proportional_leaves_out_a_label_of_which_nothing_is_known(held_out):
    scores, truth = held_out
    known = np.ones_like(truth)
    known[:, 0] = False
    predicted = Proportional(min_labels=0).fit(scores, truth & known, known=known).predict(scores)
    assert np.array_equal(predicted.sum(axis=0), (truth & known).sum(axis=0))


def test_rules_are_cloned_and_shown_like_estimators():
    rule = LabelThresholds(metric="macro_f1", shrinkage=5)
    assert clone(rule).get_params() == {"metric": "macro_f1", "min_labels": "auto", "shrinkage": 5}
    assert "shrinkage=5" in repr(rule)


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (Threshold(metric="f1"), "metric must be one of 'micro_f1'"),
        (Threshold(min_labels=-1), "min_labels must be at least 0"),
        (Threshold(value="high"), "value must be a number"),
        (TopK(k=0), "k must be at least 1"),
        (LabelThresholds(shrinkage=-1), "shrinkage must be at least 0"),
    ],
)
def test_bad_parameters_are_named(rule, message, held_out):
    with pytest.raises((TypeError, ValueError), match=message):
        rule.fit(*held_out)
