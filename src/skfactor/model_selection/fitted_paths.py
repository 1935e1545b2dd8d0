"""Many settings of a moment method fitted to the same rows, at the price of few fits."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from typing import NamedTuple, cast

from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.factors import Factors
from skfactor.model_selection.candidates import Candidate, Settings, groups, key_of, variant
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.paths import FoldMoments, Solution
from skfactor.solvers.threads import side_by_side


class Rows(NamedTuple):
    """Rows that were read: features (n x D), labels (n x L) and weights (n)."""

    X: Matrix
    labels: sparse.csr_array
    weight: FloatArray

    def part(self, rows: IntArray) -> Rows:
        """Some of them."""
        return Rows(self.X[rows], self.labels[rows], self.weight[rows])


class Fitted(NamedTuple):
    """A candidate as its own fit would have made it, decision rule and all.

    Attributes
    ----------
    candidate : Candidate
    model : MomentClassifier
    solution : Solution
        It serves this candidate and perhaps others, which then follow one another.
    costs : list of (float, int)
        Seconds that were needed for it, and the number of candidates that they were spent on.
    """

    candidate: Candidate
    model: MomentClassifier
    solution: Solution
    costs: list[tuple[float, int]]

    @property
    def share(self) -> float:
        """Its share of the seconds."""
        return sum(seconds / sharers for seconds, sharers in self.costs)

    @property
    def alone(self) -> float:
        """The seconds as if nobody had shared them."""
        return sum(seconds for seconds, _ in self.costs)


def fit_along(
    estimator: MomentClassifier, read: MomentClassifier, train: Rows, candidates: Sequence[Candidate]
) -> Iterator[Fitted]:
    """Fit candidates that differ in the last step alone, in an order in which they have the most in common.

    Parameters
    ----------
    estimator : MomentClassifier
        The last step, unfitted.
    read : MomentClassifier
        One that has read data of this form.
    train : Rows
    candidates : list of Candidate

    Yields
    ------
    Fitted
    """
    for same_moments in groups(candidates, "moments"):
        # A rule that leaves nothing to choose has no calibration folds.
        calibrated = [bool(variant(estimator, read, [one.decision])._rule().given()) for one in same_moments]
        for given in sorted(set(calibrated)):
            same = [one for one, own in zip(same_moments, calibrated, strict=True) if own == given]
            start = time.perf_counter()
            template = variant(estimator, read, [same[0].moments, same[0].decision])
            folds = template.fold_moments(*train)
            moments = time.perf_counter() - start, len(same)
            for fitted in _along(estimator, template, folds, same):
                yield fitted._replace(costs=[moments, *fitted.costs])


def _along(
    estimator: MomentClassifier, template: MomentClassifier, folds: FoldMoments, candidates: Sequence[Candidate]
) -> Iterator[Fitted]:
    """Go along the paths of all calibration folds and of their total at the same time.

    So no more than one solution of each exists, whatever the number of candidates. With it, each candidate's
    decision rule is fitted on the held-out scores, as its own fit would have done. Where a fit solves its folds
    side by side, so does this.
    """
    deciders = groups(candidates, "solver")
    points = [same[0].solver for same in deciders]
    paths = [template.solved_path(folds.without(k), points) for k in folds.held_out.rows]
    paths.append(template.solved_path(folds.total, points))
    tables = [folds.held_out.X[rows] for rows in folds.held_out.rows.values()]
    threads = template._threads(folds.total)
    clock = time.perf_counter()
    while (solutions := side_by_side(lambda path: next(path, None), paths, threads))[-1] is not None:
        *inner, outer = cast("list[Solution]", solutions)
        scorers = [SharedScores(solution, X) for solution, X in zip(inner, tables, strict=True)]
        solving = time.perf_counter() - clock, sum(len(deciders[place]) for place in outer.places)
        for place in outer.places:
            start = time.perf_counter()
            held_out = folds.held_out.with_scores([scorer.of(points[place]) for scorer in scorers])
            scoring = time.perf_counter() - start, len(deciders[place])
            for candidate in deciders[place]:
                start = time.perf_counter()
                model = variant(estimator, template, [candidate.last])
                model.factors_, model.moments_ = outer.of(points[place]), folds.total
                model._decide(held_out)
                yield Fitted(candidate, model, outer, [solving, scoring, (time.perf_counter() - start, 1)])
        clock = time.perf_counter()


class SharedScores:
    """Scores of the same rows by solutions that differ in their rank alone: the codes are made once."""

    def __init__(self, solution: Solution, X: Matrix):
        self.solution, self.X = solution, X
        self.codes = solution.factors.transform(X) if len(solution.places) > 1 else None
        self._last: tuple[str, FloatArray] | None = None

    def of(self, point: Settings) -> FloatArray:
        """Scores (n x L) at one of the points of the solution; those of the last one asked for are kept."""
        key = key_of(point)
        if self._last is None or self._last[0] != key:
            self._last = key, self._scores(self.solution.of(point))
        return self._last[1]

    def _scores(self, factors: Factors) -> FloatArray:
        if self.codes is None:
            return factors.scores(self.X)
        return factors.decode(self.codes[:, : factors.n_components])
