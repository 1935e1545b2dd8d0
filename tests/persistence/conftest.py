"""Things to save and what compares them, in a module of skfactor that only tests have: files name nothing else."""

from __future__ import annotations

import json
import os
import sys
import types
import zipfile
from dataclasses import dataclass, field
from enum import Enum, Flag
from typing import Any, NamedTuple

import numpy as np
import pytest
from sklearn.base import BaseEstimator
from sklearn.preprocessing import MultiLabelBinarizer

import skfactor
from skfactor.persistence import load, save

HOME = "skfactor._testing"


def at_home(thing: Any) -> Any:
    """Make a class or function of this file one of the module `skfactor._testing`."""
    home = sys.modules.setdefault(HOME, types.ModuleType(HOME))
    thing.__module__ = HOME
    thing.__qualname__ = thing.__name__
    setattr(home, thing.__name__, thing)
    return thing


@at_home
@dataclass
class Rule:
    threshold: Any = 0.5
    extra: list[Any] = field(default_factory=list)


@at_home
@dataclass(frozen=True)
class FrozenRule:
    threshold: Any = 0.5


@at_home
@dataclass(slots=True)
class SlotRule:
    threshold: Any = 0.5
    unset: Any = field(init=False)


@at_home
@dataclass(frozen=True, slots=True)
class FrozenSlotRule:
    threshold: Any = 0.5
    scratch: Any = "scratch"
    _not_saved = ("scratch",)


@at_home
class Pair(NamedTuple):
    left: Any
    right: Any


@at_home
class Colour(Enum):
    RED = "red"
    PAIR = (1, 2)


@at_home
class Access(Flag):
    READ = 1
    WRITE = 2


@at_home
def halve(values: Any) -> Any:
    return values / 2


@at_home
class Stateful:
    """Writes and reads its own state, which is no dict."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers

    def __getstate__(self) -> Any:
        return ("numbers", self.numbers)

    def __setstate__(self, state: Any) -> None:
        self.numbers = state[1]


@at_home
class Slotted:
    __slots__ = ("__dict__", "_private", "value")


@at_home
class ListLike(list[int]):
    pass


@at_home
class Remade:
    def __reduce__(self) -> Any:
        return os.getcwd, ()


@at_home
class Model(BaseEstimator):
    _not_saved = ("cache_", "absent_")

    def __init__(self, n_components: Any = 2, decision: Any = None, random_state: Any = None) -> None:
        self.n_components = n_components
        self.decision = decision
        self.random_state = random_state

    def fit(self, X: Any) -> Model:
        self.coef_ = np.asarray(X) * 2.0
        self.classes_ = np.array(["sea", "snow", 3], dtype=object)
        self.cache_ = lambda: self
        self.labels_ = MultiLabelBinarizer().fit([["a"], ["b"]])
        return self

    def predict(self, X: Any) -> Any:
        return np.asarray(X) @ self.coef_.T


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.skf"


@at_home
def round_trip(value, path, **options):
    save(value, path, **options)
    return load(path)


@at_home
def same(left, right):
    """Whether two values are equal and of equal types, down to the innermost."""
    if type(left) is not type(right):
        return False
    if isinstance(left, np.ndarray):
        equal_kind = left.dtype == right.dtype and left.shape == right.shape
        if left.dtype == object:
            return equal_kind and all(map(same, left.ravel(), right.ravel()))
        return equal_kind and left.tobytes() == right.tobytes()
    if isinstance(left, np.generic):
        return left.dtype == right.dtype and left.tobytes() == right.tobytes()
    if isinstance(left, list | tuple):
        return len(left) == len(right) and all(map(same, left, right))
    if isinstance(left, dict):
        return same(list(left), list(right)) and same(list(left.values()), list(right.values()))
    if isinstance(left, float):
        return left == right or (left != left and right != right)
    return left == right


@at_home
def craft(path, *nodes, **changes):
    """Write a file whose nodes are these and whose model is the last of them."""
    tree = {"format": 1, "skfactor": skfactor.__version__, "nodes": nodes, "model": {"node": len(nodes) - 1}}
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", json.dumps(tree | changes))
