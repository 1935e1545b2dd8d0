"""Scores of many settings of a moment method on one training and test part, at the price of few fits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.model_selection.candidates import Candidate, Settings, groups, variant
from skfactor.model_selection.measures import Measure, Test
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.paths import FoldMoments, Solution


class Reached(NamedTuple):
    """What one candidate reaches on one split, or the error that it met with."""

    place: int
    values: dict[str, float]
    fit_seconds: float
    score_seconds: float
    error: Exception | None = None


class Rows(NamedTuple):
    """Rows that were read: features (n x D), labels (n x L) and weights (n)."""

    X: Matrix
    labels: sparse.csr_array
    weight: FloatArray

    def part(self, rows: IntArray) -> Rows:
        """Some of them."""
        return Rows(self.X[rows], self.labels[rows], self.weight[rows])


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
    for same_moments in groups(usable, "moments"):
        # A rule that leaves nothing to choose has no calibration folds.
        calibrated = [bool(variant(estimator, read, [one.decision])._rule().given()) for one in same_moments]
        for given in sorted(set(calibrated)):
            same = [one for one, own in zip(same_moments, calibrated, strict=True) if own == given]
            start = time.perf_counter()
            template = variant(estimator, read, [same[0].moments, same[0].decision])
            folds = template.fold_moments(*train)
            setup = (time.perf_counter() - start) / len(same)
            path = _along(estimator, template, folds, X_test, test, same, measures)
            reached += [one._replace(fit_seconds=one.fit_seconds + setup) for one in path]
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


def _along(
    estimator: MomentClassifier,
    template: MomentClassifier,
    folds: FoldMoments,
    X_test: Matrix,
    test: Test,
    candidates: Sequence[Candidate],
    measures: Mapping[str, Measure],
) -> Iterator[Reached]:
    """Go along the paths of all calibration folds and of their total at the same time.

    So no more than one solution of each exists, whatever the number of candidates. With it, each candidate's
    decision rule is fitted on the held-out scores, as its own fit would have done.
    """
    deciders = groups(candidates, "solver")
    points = [same[0].solver for same in deciders]
    paths = [template.solved_path(folds.without(k), points) for k in folds.held_out.rows]
    paths.append(template.solved_path(folds.total, points))
    clock = time.perf_counter()
    for solutions in zip(*paths, strict=True):
        served = solutions[-1].places
        tables = [folds.held_out.X[rows] for rows in folds.held_out.rows.values()]
        scorers = [_Along(solution, X) for solution, X in zip(solutions, [*tables, X_test], strict=True)]
        shared = (time.perf_counter() - clock) / sum(len(deciders[place]) for place in served)
        for place in served:
            start = time.perf_counter()
            *inner, scores = [scorer.scores(points[place]) for scorer in scorers]
            held_out = folds.held_out.with_scores(inner)
            common = shared + (time.perf_counter() - start) / len(deciders[place])
            for candidate in deciders[place]:
                start = time.perf_counter()
                model = variant(estimator, template, [candidate.last])
                model.factors_, model.moments_ = scorers[-1].of(points[place]), folds.total
                model._decide(held_out)
                decided = time.perf_counter()
                margin = model.decision_.margin(scores)
                values = {name: one.value(model, scores, margin, test) for name, one in measures.items()}
                yield Reached(candidate.place, values, common + decided - start, time.perf_counter() - decided)
        clock = time.perf_counter()


class _Along:
    """Scores of the same rows by solutions that differ in their rank alone: the codes are made once."""

    def __init__(self, solution: Solution, X: Matrix):
        self.of, self.X = solution.of, X
        self.codes = solution.factors.transform(X) if len(solution.places) > 1 else None

    def scores(self, point: Settings) -> FloatArray:
        factors = self.of(point)
        if self.codes is None:
            return factors.scores(self.X)
        return factors.decode(self.codes[:, : factors.n_components])
