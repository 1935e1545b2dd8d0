"""One trial of a tournament: an entrant on some rows, judged by the held-out scores of its own calibration."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import ParameterGrid, ParameterSampler, cross_val_score

from skfactor.decisions import RULES, DecisionRule
from skfactor.metrics.counts import COUNT_METRICS
from skfactor.model_selection.auto_grids import auto_grid
from skfactor.model_selection.entrants import Entrant, seeded
from skfactor.model_selection.feature_room import FeatureRoom
from skfactor.model_selection.fitted_points import fit_points


@dataclass(frozen=True)
class Standing:
    """What an entrant reached when it was tried last.

    Attributes
    ----------
    entrant : Entrant
    rows : int
        It was fitted to so many.
    value : float
        The metric on held-out training scores, of the best point; NaN if there is none.
    params : dict
        That point; of a committee, the votes of its members.
    tried : list of (dict, float)
        All points with their values.
    seconds : float
        As if nobody had shared its features.
    model : estimator or None
        Fitted to those rows.
    reason : str
        Why it was not tried, or not on more rows.
    """

    entrant: Entrant
    rows: int = 0
    value: float = float("nan")
    params: Mapping[str, Any] = field(default_factory=dict)
    tried: Sequence[tuple[Mapping[str, Any], float]] = ()
    seconds: float = 0.0
    model: Any = None
    reason: str = ""

    @property
    def name(self) -> str:
        """Of the entrant."""
        return self.entrant.name


@dataclass(frozen=True)
class Judge:
    """How entrants are fitted and compared.

    Attributes
    ----------
    metric : str
    n_iter : int
        Points of a grid at most.
    n_jobs : int or None
    random_state : int
    """

    metric: str
    n_iter: int
    n_jobs: int | None
    random_state: int

    @property
    def rule(self) -> DecisionRule:
        """The decision rule of everyone, unfitted."""
        return RULES["label_thresholds" if self.metric == "macro_f1" else "threshold"](metric=self.metric)

    @property
    def sign(self) -> int:
        """-1 if less of the metric is better."""
        return 1 if COUNT_METRICS[self.metric].greater_is_better else -1

    def order(self, standing: Standing) -> tuple[int, float]:
        """A key by which standings are sorted: most rows first, then the best value."""
        return -standing.rows, -self.sign * standing.value if standing.rows else 0.0

    def tried(self, entrant: Entrant, room: FeatureRoom) -> Standing:
        """The best point of an entrant on the rows of a room."""
        made = room.features(entrant.blocks)
        started = time.perf_counter()
        method = seeded(entrant, self.random_state, self.n_jobs, self.rule)
        points = self._points(entrant, method, made, room.y)
        fitted, best, tried = None, -np.inf, []
        for one in fit_points(method, points, made, room.y):
            value = held_out_value(one.model, made, room.y)
            tried.append((points[one.place], value))
            if self.sign * value > best:
                fitted, best = one, self.sign * value
        if fitted is None:
            raise ValueError("no point has a finite value on held-out rows.")
        seconds = time.perf_counter() - started + room.seconds(entrant.blocks)
        model = room.assembled(entrant.blocks, fitted.model)
        return Standing(entrant, room.n, self.sign * best, points[fitted.place], tried, seconds, model)

    def _points(self, entrant: Entrant, method: Any, X: Any, y: Any) -> list[dict[str, Any]]:
        """What is tried of the grid of an entrant."""
        grid = entrant.grid
        if isinstance(grid, str):
            grid = auto_grid(method, X, y) if hasattr(method, "tuned") else {}
        points = ParameterGrid(grid)
        if len(points) <= self.n_iter:
            return list(points)
        return list(ParameterSampler(grid, self.n_iter, random_state=self.random_state))


def held_out_value(model: Any, X: Any, y: Any) -> float:
    """The metric of a fitted decision rule, on the held-out training scores that it was fitted on.

    Where each row has one class, nothing was calibrated: then it is the accuracy in three folds.
    """
    value = getattr(model.decision_, "value_", None)
    return float(cross_val_score(clone(model), X, y, cv=3).mean() if value is None else value)
