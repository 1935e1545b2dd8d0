"""Test parts of ratings, as `skfactor rate evaluate` names them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from skfactor.cli.options import choose

if TYPE_CHECKING:
    from skfactor.datasets import RatingsData


class Parts(NamedTuple):
    """Ratings to learn from (None: the model is fitted), to fold in afterwards (None: none), and to test on."""

    train: RatingsData | None
    given: RatingsData | None
    test: RatingsData


class Protocol(NamedTuple):
    """The rounds of an evaluation, how many they are, and in words."""

    words: str
    rounds: Iterable[Parts]
    total: int = 1


#: What each is, with K for the number of rounds and k for the ratings of each user.
PROTOCOLS = {
    "folds": "{folds} random folds",
    "weak": "weak generalization, one rating of each user, {folds} times",
    "strong": "strong generalization, a tenth of the users, {folds} times",
    "leave-k-out": "{k} ratings of each user, {folds} times",
    "time": "the last fifth in {folds} part(s), each predicted from all before",
    "split": "the data set's own split",
}


def parts_of(data: RatingsData, protocol: str | None, folds: int | None, k: int, seed: int) -> Protocol:
    """Test parts out of one set of ratings."""
    name = choose(protocol or "folds", PROTOCOLS, "There is no protocol")
    count = folds or {"time": 1, "weak": 3, "strong": 3, "leave-k-out": 3, "split": 1}.get(name, 5)
    words = PROTOCOLS[name].format(folds=count, k=k) + (f", seed {seed}" if name not in ("time", "split") else "")
    if name == "split":
        return Protocol(words, [_whole(*data.split())])
    if name == "strong":
        return Protocol(words, _strong(data, count, seed), count)
    times = data.timestamps if name == "time" else None
    return Protocol(words, _split(data, _splitter(name, count, k, seed), times), count)


def _whole(train: RatingsData, test: RatingsData) -> Parts:
    return Parts(train, None, test)


def _splitter(name: str, count: int, k: int, seed: int) -> Any:
    from sklearn.model_selection import KFold

    from skfactor.model_selection import LeaveKOut, TimeOrdered, WeakGeneralization

    if name == "folds":
        return KFold(count, shuffle=True, random_state=seed)
    if name == "time":
        return TimeOrdered(test_size=0.2 / count, n_splits=count)
    if name == "weak":
        return WeakGeneralization(n_splits=count, random_state=seed)
    return LeaveKOut(k=k, n_splits=count, random_state=seed)


def _split(data: RatingsData, splitter: Any, times: Any) -> Iterator[Parts]:
    for train, test in splitter.split(data.pairs, groups=times):
        yield Parts(data.subset(train), None, data.subset(test))


def _strong(data: RatingsData, count: int, seed: int) -> Iterator[Parts]:
    from skfactor.model_selection import StrongGeneralization

    for rows in StrongGeneralization(n_splits=count, random_state=seed).newcomers(data.pairs):
        yield Parts(*map(data.subset, rows))
