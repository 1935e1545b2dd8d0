"""Scores of many settings of a moment method on one training and test part, at the price of few fits."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skfactor._validation import Matrix
from skfactor.model_selection.candidates import Candidate, variant
from skfactor.model_selection.fitted_paths import Rows, SharedScores, fit_along
from skfactor.model_selection.measures import Measure, Test
from skfactor.multilabel.base import MomentClassifier


class Reached(NamedTuple):
    """What one candidate reaches on one split, or the error that it met with."""

    place: int
    values: dict[str, float]
    fit_seconds: float
    score_seconds: float
    error: Exception | None = None


def reach(
    estimator: MomentClassifier,
    read: MomentClassifier,
    train: Rows,
    X_test: Matrix,
    test: Test,
    candidates: Sequence[Candidate],
    measures: Mapping[str, Measure],
) -> list[Reached]:
    """Score candidates that differ in the last step alone.

    Parameters
    ----------
    estimator : MomentClassifier
        The last step, unfitted.
    read : MomentClassifier
        One that has read data of this form.
    train : Rows
    X_test : table
        Features of the test rows, as the last step reads them.
    test : Test
    candidates : list of Candidate
    measures : dict of Measure
    """
    usable, reached = _checked(estimator, read, train, candidates)
    scorer: SharedScores | None = None
    for fitted in fit_along(estimator, read, train, usable):
        start = time.perf_counter()
        if scorer is None or scorer.solution is not fitted.solution:
            scorer = SharedScores(fitted.solution, X_test)
        scores = scorer.of(fitted.candidate.solver)
        margin = fitted.model.decision_.margin(scores)
        values = {name: one.value(fitted.model, scores, margin, test) for name, one in measures.items()}
        reached.append(Reached(fitted.candidate.place, values, fitted.share, time.perf_counter() - start))
    return reached


def _checked(
    estimator: MomentClassifier, read: MomentClassifier, train: Rows, candidates: Sequence[Candidate]
) -> tuple[list[Candidate], list[Reached]]:
    """Candidates whose parameters can be, and what is to be said of the others."""
    usable, failed = [], []
    for candidate in candidates:
        try:
            variant(estimator, read, [candidate.last])._check_parameters(train.X.shape[1], train.labels.shape[1])
            usable.append(candidate)
        except (ValueError, TypeError) as error:
            failed.append(Reached(candidate.place, {}, 0.0, 0.0, error))
    return usable, failed
