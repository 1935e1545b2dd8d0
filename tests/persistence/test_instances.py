"""Instances return with their attributes, and what is shared comes back shared."""

from __future__ import annotations

import numpy as np
from skfactor._testing import (
    FrozenRule,
    FrozenSlotRule,
    Model,
    Rule,
    SlotRule,
    Slotted,
    Stateful,
    round_trip,
    same,
)
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import LabelBinarizer, StandardScaler
from sklearn.utils.validation import check_is_fitted


def test_slots_return(path):
    rule = SlotRule([1])
    thing = Slotted()
    thing.value, thing._private, thing.other = 1, 2, 3
    rule_again, thing_again = round_trip([rule, thing], path)
    assert rule_again.threshold == [1]
    assert not hasattr(rule_again, "unset")
    assert (thing_again.value, thing_again._private, thing_again.other) == (1, 2, 3)


def test_own_state_is_honoured(path):
    assert round_trip(Stateful([1, 2]), path).numbers == [1, 2]


def test_a_fitted_estimator_returns(path):
    X = np.arange(6.0).reshape(2, 3)
    model = Model(decision=FrozenRule(0.3), random_state=np.random.RandomState(0)).fit(X)
    loaded = round_trip(model, path)
    check_is_fitted(loaded)
    assert type(loaded) is Model
    assert loaded.decision == FrozenRule(0.3)
    assert same(loaded.classes_, model.classes_)
    np.testing.assert_array_equal(loaded.predict(X), model.predict(X))


def test_an_unfitted_estimator_returns_unfitted(path):
    loaded = round_trip(Model(n_components=7), path)
    assert vars(loaded) == vars(Model(n_components=7))


def test_fields_not_saved_become_none(path):
    loaded = round_trip(Model().fit([[1.0]]), path)
    assert loaded.cache_ is None
    assert not hasattr(loaded, "absent_")
    assert round_trip(FrozenSlotRule(scratch=lambda: 0), path) == FrozenSlotRule(scratch=None)


def test_estimators_of_scikit_learn_return(path):
    X = np.random.default_rng(0).normal(size=(30, 4))
    y = np.where(X[:, 0] > 0, "yes", "no")
    pipeline = make_pipeline(StandardScaler(), LogisticRegression()).fit(X, y)
    loaded, binarizer = round_trip((pipeline, LabelBinarizer().fit(y)), path)
    np.testing.assert_array_equal(loaded.predict_proba(X), pipeline.predict_proba(X))
    assert binarizer.transform(["yes"]).tolist() == [[1]]


def test_what_is_shared_is_stored_once_and_comes_back_shared(path):
    array, rule = np.ones((300, 300)), Rule()
    loaded = round_trip({"one": array, "two": [array, rule], "rule": rule}, path)
    assert loaded["one"] is loaded["two"][0]
    assert loaded["rule"] is loaded["two"][1]
    assert path.stat().st_size < 1.1 * array.nbytes
