"""What cannot be stored is refused, with its place in the model."""

from __future__ import annotations

import os
from enum import Enum

import numpy as np
import pytest
from skfactor._testing import FrozenSlotRule, ListLike, Model, Remade, Rule, SlotRule
from sklearn.ensemble import RandomForestClassifier
from sklearn.preprocessing import FunctionTransformer

from skfactor.persistence import save


class Stranger:
    pass


def local_function():
    return 0


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (lambda: 0, "decision.threshold: cannot store a function <lambda>"),
        (local_function, "decision.threshold: cannot store a function local_function"),
        (np.mean, "decision.threshold: cannot store"),
        (np.log, "decision.threshold: cannot store an instance of numpy.ufunc"),
        (Stranger(), r"decision.threshold: cannot store an instance of \S*Stranger"),
        (Stranger, "decision.threshold: cannot store a class Stranger"),
        (os, "decision.threshold: cannot store an instance of builtins.module"),
        ([1, {"a": {2: open}}], r"decision.threshold\[1\]\['a'\]\[2\]: cannot store"),
        (np.array([1, len], dtype=object), r"decision.threshold\[1\]: cannot store"),
        (SlotRule(len), "decision.threshold.threshold: cannot store"),
        (FrozenSlotRule(len), "decision.threshold.threshold: cannot store"),
        (ListLike([1]), "decision.threshold: cannot store .*ListLike: it is more than its attributes"),
        (Remade(), "decision.threshold: cannot store .*Remade: it is more than its attributes"),
        (np.ma.array([1], mask=[True]), "decision.threshold: cannot store .*MaskedArray"),
        (np.zeros(1, dtype=[("a", object)]), "decision.threshold: cannot store an instance of numpy.ndarray"),
        (np.dtype("(2,)f8"), "decision.threshold: cannot store the dtype"),
        (np.random.Generator(np.random.Philox(0)), "decision.threshold: cannot store a Philox generator"),
        (Enum("Own", ["A"]).A, "decision.threshold: cannot store the member"),
    ],
    ids=lambda value: value if isinstance(value, str) else type(value).__name__,
)
def test_the_message_names_the_place(value, message, tmp_path):
    with pytest.raises(TypeError, match=message):
        save(Model(decision=Rule(value)), tmp_path / "model.skf")
    assert not list(tmp_path.iterdir())


def test_the_message_for_the_model_itself(path):
    with pytest.raises(TypeError, match=r"the model itself: cannot store an instance of .*Stranger"):
        save(Stranger(), path)


def test_compiled_parts_of_scikit_learn_are_refused_with_their_place(path):
    forest = RandomForestClassifier(n_estimators=1).fit([[0.0], [1.0]], [0, 1])
    with pytest.raises(TypeError, match=r"estimators_\[0\]\.tree_: cannot store .*Tree"):
        save(forest, path)
    with pytest.raises(TypeError, match="func: cannot store"):
        save(FunctionTransformer(np.log), path)


def test_cycles_are_refused(path):
    rule = Rule()
    rule.extra.append(rule)
    with pytest.raises(ValueError, match=r"extra\[0\]: cannot store a Rule that contains itself"):
        save(rule, path)
    assert not path.exists()
