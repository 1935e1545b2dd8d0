"""Every point of a grid fitted to the same rows: along paths where that is possible, one by one elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skfactor.model_selection.candidates import Candidate, clone_settings, groups, last_step, parted, variant
from skfactor.model_selection.fitted_paths import Rows, fit_along


class FittedPoint(NamedTuple):
    """A point of a grid: its place among them, the fitted model, and the seconds of such a fit."""

    place: int
    model: Any
    seconds: float


def fit_points(estimator: Any, points: Sequence[Mapping[str, Any]], X: Any, y: Any) -> Iterator[FittedPoint]:
    """Fit every point, in whatever order serves.

    A moment method, or a pipeline that ends in one, is solved for all points from one set of fold moments, to the
    figures of `fit`.

    Parameters
    ----------
    estimator : estimator
    points : sequence of dict
        Parameters of the estimator.
    X, y
        As it takes them.

    Yields
    ------
    FittedPoint
    """
    candidates = parted(estimator, points) if len(points) > 1 else None
    last, _ = last_step(estimator)
    if candidates is None or not all(_by_moments(last, candidate, X, y) for candidate in candidates):
        yield from _one_by_one(estimator, points, X, y)
    else:
        yield from _along(estimator, candidates, X, y)


def _by_moments(last: Any, candidate: Candidate, X: Any, y: Any) -> bool:
    return bool(clone(last).set_params(**candidate.moments, **candidate.solver).fits_by_moments(X, y))


def _one_by_one(estimator: Any, points: Sequence[Mapping[str, Any]], X: Any, y: Any) -> Iterator[FittedPoint]:
    for place, point in enumerate(points):
        started = time.perf_counter()
        model = clone(estimator).set_params(**clone_settings(dict(point))).fit(X, y)
        yield FittedPoint(place, model, time.perf_counter() - started)


def _along(estimator: Any, candidates: Sequence[Candidate], X: Any, y: Any) -> Iterator[FittedPoint]:
    """The seconds of a fit are those of the dearest, which found out what the others share."""
    last, prefix = last_step(estimator)
    dearest = 0.0
    for same_features in groups(candidates, "head"):
        started = time.perf_counter()
        head = clone(estimator[:-1]).set_params(**clone_settings(same_features[0].head)) if prefix else None
        made = head.fit_transform(X, y) if head else X
        making = time.perf_counter() - started
        reader = clone(last)
        rows = Rows(*reader._begin(made, y, None, None, positives_needed=True))
        for candidate in same_features:
            variant(last, reader, [candidate.last])._check_parameters(rows.X.shape[1], rows.labels.shape[1])
        for one in fit_along(last, reader, rows, same_features):
            dearest = max(dearest, one.alone + making)
            model = Pipeline([*head.steps, (prefix.removesuffix("__"), one.model)]) if head else one.model
            yield FittedPoint(one.candidate.place, model, dearest)
