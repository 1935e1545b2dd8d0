"""Tournament: every method, with its features and parameters, under one time budget."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import _safe_indexing, indexable

from skfactor._validation import IntArray, check_choice, check_number, check_same_rows
from skfactor.metrics.counts import COUNT_METRICS
from skfactor.model_selection.candidates import last_step
from skfactor.model_selection.committee import Committee, committee_of
from skfactor.model_selection.entrants import Entrant, named_entrants, usual_entrants
from skfactor.model_selection.feature_room import FeatureRoom
from skfactor.model_selection.measures import measures_of
from skfactor.model_selection.trials import Judge, Standing
from skfactor.model_selection.using_best import UsesBest
from skfactor.multilabel import RidgeBR
from skfactor.multilabel.targets import learn_targets

#: Each rung has so many times the rows of the one before; the first has no fewer than so many.
GROWTH, FIRST_ROWS = 3, 150
#: Entrants that stay, however few there are, and those of the last round that may be in the committee.
LEAST, CANDIDATES = 6, 8


class Clock:
    """What there is of the time; the rounds that are to come have equal parts of what is left."""

    def __init__(self, limit: float | None):
        self.end = self.end_of_round = math.inf if limit is None else time.monotonic() + limit

    def begin_round(self, to_come: int) -> None:
        """Begin the first of the rounds that are to come."""
        now = time.monotonic()
        self.end_of_round = now + (self.end - now) / to_come

    def allows(self, seconds: float) -> bool:
        """Whether so much can be spent in this round."""
        return time.monotonic() + seconds <= self.end_of_round


class Tournament(UsesBest, ClassifierMixin, MetaEstimatorMixin, BaseEstimator):
    """The best of all methods, features and parameters: at the price of about one calibrated fit of each.

    Every point of every grid is judged by the held-out scores that its own calibration makes anyway. So no further
    folds are needed, and the winner is fitted already. Successive halving saves most of the rest: all entrants
    meet on few rows, the better half on three times as many, and so on; the last round has all rows.

    The value of the winner is the best of many and so a little too good: `nested_cross_validate` tells what it is
    worth.

    Parameters
    ----------
    entrants : "all", list of str or list of Entrant
        Who takes part; names are those of methods, or of ridge regression on richer features, as "RidgeBR on
        kernel + leaves".
    metric : str
        What decides, and what decision rules are fitted for: a name in `skfactor.metrics.counts.COUNT_METRICS`.
    time_limit : float, optional
        Seconds, of which every round may use its part. No fit is begun that is expected to take longer than that,
        by what it took on fewer rows; one that has begun is not interrupted. The quickest entrant is fitted
        anyway.
    n_iter : int
        Points of a grid that are tried; if it has more, they are drawn.
    committee : int
        Votes of the committee that the best elect at the end (see `Committee`); 0 for none. It wins only if its
        held-out value is higher than that of each of its members.
    n_jobs : int, optional
        For methods that have it.
    random_state : int
        Draws rows and points, and goes to all methods.

    Attributes
    ----------
    standings_ : list of Standing
        Best first: those that were fitted to all rows before those that were not.
    best_ : Standing
    best_estimator_ : estimator
        A classifier, or a pipeline of features and a classifier, fitted to all rows.
    best_params_ : dict
        Name of the entrant, and its parameters.
    best_score_ : float

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import Tournament
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> contest = Tournament(["RidgeBR", "PLST", "RidgeBR on kernel"]).fit(data.X, data.Y)
    >>> contest.best_score_ >= max(standing.value for standing in contest.standings_)
    True
    >>> contest.predict(data.X).shape
    (300, 8)
    """

    def __init__(
        self,
        entrants: Any = "all",
        *,
        metric: str = "micro_f1",
        time_limit: float | None = None,
        n_iter: int = 24,
        committee: int = 8,
        n_jobs: int | None = None,
        random_state: int = 0,
    ):
        self.entrants = entrants
        self.metric = metric
        self.time_limit = time_limit
        self.n_iter = n_iter
        self.committee = committee
        self.n_jobs = n_jobs
        self.random_state = random_state

    # ---------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any) -> Self:
        """Hold the tournament.

        Parameters
        ----------
        X, y
            As the classifiers take them; several labels for each row.

        Returns
        -------
        self
        """
        for _ in self.rounds(X, y):
            pass
        return self

    def rounds(self, X: Any, y: Any) -> Iterator[Standing]:
        """Hold the tournament, and yield each standing as it comes; after the last one, this is fitted."""
        self._check()
        X = X if hasattr(X, "iloc") else RidgeBR()._read_features(X, reset=True)
        n_labels = len(learn_targets(y).names)
        check_same_rows(X=X, y=y)
        X, y = indexable(X, y)
        clock = Clock(self.time_limit)
        standings = [Standing(entrant) for entrant in self._entrants(X, n_labels)]
        out: list[Standing] = []
        rungs = self._rungs(X.shape[0], len(standings))
        for number, rows in enumerate(rungs, start=1):
            if not standings:
                break
            room = FeatureRoom(_safe_indexing(X, rows), _safe_indexing(y, rows), self.random_state, self.n_jobs)
            clock.begin_round(len(rungs) - number + 1)
            tried, quickest = [], min(standings, key=lambda standing: standing.seconds)
            for standing in standings:
                tried.append(self._tried(standing, room, clock, anyway=standing is quickest))
                yield tried[-1]
            standings, left = self._parted(tried, everyone=number == len(rungs))
            out += left
        self._end([*standings, *out])

    @property
    def _judge(self) -> Judge:
        return Judge(self.metric, self.n_iter, self.n_jobs, self.random_state)

    def trials(self, X: Any, y: Any) -> int:
        """How many standings `rounds` yields for these rows, if every entrant can be fitted."""
        entrants, total = len(self._entrants(X, len(learn_targets(y).names))), 0
        for _ in self._rungs(X.shape[0], entrants):
            total += entrants
            entrants = min(entrants, _stay(entrants))
        return total

    def _check(self) -> None:
        check_choice(self.metric, "metric", COUNT_METRICS)
        check_number(self.n_iter, "n_iter", minimum=1, integer=True)
        check_number(self.committee, "committee", minimum=0, integer=True)
        if self.time_limit is not None:
            check_number(self.time_limit, "time_limit", above=0)

    def _entrants(self, X: Any, n_labels: int) -> list[Entrant]:
        if isinstance(self.entrants, str):
            check_choice(self.entrants, "entrants", ("all",))
            return usual_entrants(X, n_labels)
        named = [one for one in self.entrants if isinstance(one, str)]
        return [*named_entrants(named, X), *(one for one in self.entrants if not isinstance(one, str))]

    def _rungs(self, n: int, entrants: int) -> list[IntArray]:
        """Rows of each round: a sample that grows to all of them, or all at once for few entrants."""
        sizes = [n]
        while sizes[0] >= GROWTH * FIRST_ROWS and entrants > LEAST:
            sizes.insert(0, sizes[0] // GROWTH)
        order = np.random.RandomState(self.random_state).permutation(n)
        return [np.sort(order[:size]) for size in sizes]

    def _parted(self, tried: list[Standing], *, everyone: bool) -> tuple[list[Standing], list[Standing]]:
        """Those that go on, the better half, best first; and those that do not."""
        able = sorted((one for one in tried if not one.reason), key=self._judge.order)
        keep = len(able) if everyone else _stay(len(able))
        halved = [replace(one, model=None, reason="others were better") for one in able[keep:]]
        return able[:keep], [*halved, *(one for one in tried if one.reason)]

    def _end(self, standings: list[Standing]) -> None:
        ordered = sorted(standings, key=self._judge.order)
        fitted = [one for one in ordered if one.model is not None]
        if not fitted:
            raise ValueError("No entrant could be fitted: " + "; ".join(f"{s.name}: {s.reason}" for s in ordered))
        together = self._committee([one for one in fitted if one.rows == fitted[0].rows])
        self.standings_ = sorted([*together, *ordered], key=self._judge.order)
        self.best_ = next(one for one in self.standings_ if one.model is not None)
        self.best_estimator_, self.best_score_ = self.best_.model, self.best_.value
        self.best_params_ = {"entrant": self.best_.name, **self.best_.params}

    def _tried(self, standing: Standing, room: FeatureRoom, clock: Clock, *, anyway: bool) -> Standing:
        """The standing of an entrant after one more round, if there is time for it, or `anyway`."""
        expected = standing.seconds * room.n / max(standing.rows, 1)
        if not (anyway or clock.allows(expected)):
            needed = f"{room.n} rows would take some {expected:.0f} s" if standing.rows else "others came first"
            return replace(standing, reason=f"no time: {needed}")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ConvergenceWarning)
                return self._judge.tried(standing.entrant, room)
        except (ValueError, TypeError, ArithmeticError, MemoryError, RuntimeError) as error:
            return replace(standing, reason=f"{type(error).__name__}: {error}")

    def _committee(self, fitted: list[Standing]) -> list[Standing]:
        """The committee of the best, if it is better than each of them."""
        if not self.committee or last_step(fitted[0].model)[0]._targets.exclusive:
            return []
        started = time.perf_counter()
        made = committee_of(
            [one.model for one in fitted[:CANDIDATES]], self._judge.rule, self.committee, self._judge.sign
        )
        if made is None:
            return []
        names = {id(one.model): one.name for one in fitted}
        scorer: Any = made.scorer_
        members = {names[id(model)]: votes for votes, model in zip(made.weights or (), scorer.models, strict=True)}
        seconds = time.perf_counter() - started + sum(one.seconds for one in fitted if one.name in members)
        entrant = Entrant("committee", made)
        return [Standing(entrant, fitted[0].rows, made.decision_.value_, members, (), seconds, made)]

    def score(self, X: Any, y: Any) -> float:
        """The metric that decided, of the winner; for a 1-d y, that is accuracy."""
        if last_step(self._best())[0]._targets.exclusive:
            return float(self._best().score(X, y))
        return float(measures_of(self.metric)["score"].scorer(self._best(), X, y))

    @property
    def _like(self) -> Any:
        return Committee()

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_label = True
        tags.target_tags.multi_output = True
        tags.input_tags.sparse = True
        return tags


def _stay(entrants: int) -> int:
    """How many go on to the next round: the better half, and never very few."""
    return max(LEAST, -(-entrants // 2))
