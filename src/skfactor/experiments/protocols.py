"""Which rows are learned from and which are tested on, by the name of a protocol."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.model_selection import KFold, ShuffleSplit

from skfactor._validation import IntArray
from skfactor.datasets import MultilabelData, RatingsData, folds
from skfactor.model_selection import StrongGeneralization, WeakGeneralization

#: Of the protocols of ratings: how often, and how many users of MovieLens 1M the thesis holds out whole.
RUNS, STRONG_USERS = 3, 1040
PROTOCOLS = "K-fold, split, shares (ratings: 80/20), weak or strong (generalization)"
_FOLDS = re.compile(r"(\d+)-fold")


@dataclass(frozen=True)
class Part:
    """Rows to learn from, rows to test on, and (of users who are new) ratings to fold in."""

    train: IntArray
    test: IntArray
    given: IntArray = field(default_factory=lambda: np.empty(0, dtype=np.int64))


def count(protocol: str) -> int:
    """How many parts a protocol has.

    >>> count("5-fold"), count("split"), count("weak")
    (5, 1, 3)
    """
    found = _FOLDS.fullmatch(protocol)
    if found and int(found[1]) > 1:
        return int(found[1])
    if protocol == "split":
        return 1
    if protocol in _RATINGS:
        return RUNS
    raise ValueError(f"There is no protocol {protocol!r}. Choose from {PROTOCOLS}.")


def check(protocol: str, *, ratings: bool) -> None:
    """Refuse a protocol that there is not, or that is for the other kind of data."""
    count(protocol)
    if (protocol in _RATINGS) != ratings:
        fitting = ", ".join(_RATINGS) if ratings else "K-fold, split"
        raise ValueError(f"The protocol {protocol} does not fit this kind of data. Choose from {fitting}.")


def part(protocol: str, data: MultilabelData | RatingsData, fold: int) -> Part:
    """The rows of one part, from 1.

    Folds are those that were published for the data set (their first repetition) if there are any; else, like all
    that is random here, they are drawn with the fold, or 0, as seed.
    """
    if protocol in _RATINGS:
        assert isinstance(data, RatingsData)
        return _RATINGS[protocol](data.pairs, fold)
    if protocol == "split":
        if data.train_idx is None or data.test_idx is None:
            raise ValueError(f"{data.name} has no published split. Choose another protocol, such as 5-fold.")
        return Part(data.train_idx, data.test_idx)
    place = _folds(data.name, count(protocol), len(data))
    return Part(np.flatnonzero(place != fold), np.flatnonzero(place == fold))


def inner_part(protocol: str, pairs: Any, rows: IntArray) -> Part:
    """Rows of a training part of ratings that choose among candidates, as the protocol tests."""
    if protocol == "shares":
        train, test = next(ShuffleSplit(1, test_size=0.1, random_state=0).split(rows))
    else:
        train, test = next(WeakGeneralization(n_splits=1, random_state=0).split(pairs[rows]))
    return Part(rows[train], rows[test])


def _folds(name: str, k: int, n: int) -> IntArray:
    try:
        published: IntArray = folds(name, k)[:, 0]
        if len(published) == n:
            return published
    except FileNotFoundError:
        pass
    if n < k:
        raise ValueError(f"{name} has {n} rows, too few for {k} folds.")
    place = np.empty(n, dtype=np.int64)
    for fold, (_, test) in enumerate(KFold(k, shuffle=True, random_state=0).split(place), start=1):
        place[test] = fold
    return place


def _shares(pairs: Any, run: int) -> Part:
    return Part(*next(ShuffleSplit(1, test_size=0.2, random_state=run).split(pairs)))


def _weak(pairs: Any, run: int) -> Part:
    return Part(*next(WeakGeneralization(n_splits=1, random_state=run).split(pairs)))


def _strong(pairs: Any, run: int) -> Part:
    splitter = StrongGeneralization(test_users=STRONG_USERS, n_splits=1, random_state=run)
    train, given, test = next(splitter.newcomers(pairs))
    return Part(train, test, given)


_RATINGS: dict[str, Callable[[Any, int], Part]] = {"shares": _shares, "weak": _weak, "strong": _strong}
