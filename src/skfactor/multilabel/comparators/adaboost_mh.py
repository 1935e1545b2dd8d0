"""AdaBoostMH: boosted questions about single features, each answered for all labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import in_blocks
from skfactor.multilabel.comparators.traced import Traced


@dataclass(frozen=True)
class StumpScorer:
    """scores = sum over the questions t of high_t where x_f > threshold for the feature f of t, else low_t.

    Attributes
    ----------
    feature, threshold : ndarray of shape (n_questions,)
    low, high : ndarray of shape (n_questions, n_labels)
    objectives : list of float
        Mean exponential loss after each question.
    """

    feature: IntArray
    threshold: FloatArray
    low: FloatArray
    high: FloatArray
    objectives: list[float]

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        step = self.high - self.low
        answered = in_blocks(lambda rows: self._answers(rows) @ step, X, len(self.feature) + step.shape[1])
        return np.asarray(answered + self.low.sum(axis=0))

    def _answers(self, X: Matrix) -> FloatArray:
        asked = X[:, self.feature]
        values = asked.toarray() if sparse.issparse(asked) else asked
        return np.asarray(values > self.threshold, dtype=np.float64)


@dataclass(eq=False, repr=False)
class AdaBoostMH(Traced, LabelClassifier):
    r"""AdaBoost.MH: many simple questions, each chosen for the labels that those before got wrong.

    A question is whether a feature is above a threshold, and its answer adds a number to the score of each label.
    With y of -1 and +1 and scores f, one question after another lowers

        1/(n L) sum_il exp(-y_il f_il)

    as much as one can. For weights D_il, the terms of the sum, and W+ and W- their sums over the rows with one
    answer that have label l and that have not, this is the question of least sum_l sqrt(W+ W-), over both
    answers, and the numbers are 1/2 log(W+ / W-), where 1/(n L) is added to both sums against infinity.

    Weights are as many as entries of Y, dense; of questions there are no more than `n_thresholds` to a feature.

    Parameters
    ----------
    n_estimators : int
        Number of questions.
    n_thresholds : int
        Of a feature with more values, quantiles are tried, so many of them.
    decision, calibration_folds, random_state
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0).

    Attributes
    ----------
    scorer_ : StumpScorer
        The questions, and what their answers add.
    objective_ : ndarray of shape (n_iter_,)
        The mean loss after each question.
    n_iter_ : int
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    R. E. Schapire and Y. Singer, "BoosTexter: a boosting-based system for text categorization", Machine Learning
    39(2/3), 2000.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import AdaBoostMH
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = AdaBoostMH(n_estimators=30).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    n_estimators: int = 200
    n_thresholds: int = 8

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> StumpScorer:
        questions = Questions.of(X, self.n_thresholds)
        D, loss, found, losses = np.full(labels.shape, 1 / np.prod(labels.shape)), 1.0, [], []
        for _ in range(self.n_estimators):
            place, low, high = best_question(questions.answers, labels, D)
            total = reweigh(D, questions.answers[:, [place]].toarray() > 0, labels, low, high)
            loss *= total
            losses.append(loss)
            found.append((questions.feature[place], questions.threshold[place], low, high))
        feature, threshold, lows, highs = (np.array(parts) for parts in zip(*found, strict=True))
        return StumpScorer(feature, threshold, lows, highs, losses)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.n_estimators, "n_estimators", minimum=1, integer=True)
        check_number(self.n_thresholds, "n_thresholds", minimum=1, integer=True)


class Questions(NamedTuple):
    """Of each question: the feature, the threshold, and (n x q, 0 or 1) which rows are above."""

    feature: IntArray
    threshold: FloatArray
    answers: sparse.csc_array

    @classmethod
    def of(cls, X: Matrix, n_thresholds: int) -> Questions:
        """Thresholds between the values of each feature, or at quantiles where these are more.

        A table whose features are constant has one question, which all rows answer with no.
        """
        columns, found, answers = sparse.csc_array(X), [], []
        for d in range(X.shape[1]):
            column = columns[:, [d]].toarray().ravel()
            for threshold in _thresholds(column, n_thresholds):
                found.append((d, threshold))
                answers.append(np.flatnonzero(column > threshold))
        if not found:
            found, answers = [(0, np.inf)], [np.empty(0, dtype=np.int64)]
        feature, threshold = (np.array(parts) for parts in zip(*found, strict=True))
        starts, rows = np.cumsum([0, *map(len, answers)]), np.concatenate(answers)
        table = sparse.csc_array((np.ones(len(rows)), rows, starts), shape=(X.shape[0], len(found)))
        return cls(feature, threshold, table)


def _thresholds(column: FloatArray, count: int) -> FloatArray:
    values = np.unique(column)
    if len(values) <= count + 1:
        return np.asarray((values[:-1] + values[1:]) / 2)
    cuts = np.unique(np.quantile(column, np.linspace(0, 1, count + 2)[1:-1]))
    return np.asarray(cuts[cuts < values[-1]])


def best_question(
    answers: sparse.csc_array, labels: sparse.csr_array, D: FloatArray
) -> tuple[int, FloatArray, FloatArray]:
    """The question of least sum_l sqrt(W+ W-), and what (L) its answers no and yes add."""
    weights = sparse.csr_array(labels.multiply(D))
    yes, yes_with = answers.T @ D, (answers.T @ weights).toarray()
    all_with, everything = weights.sum(axis=0), D.sum(axis=0)
    sums = [all_with - yes_with, everything - all_with - (yes - yes_with), yes_with, yes - yes_with]
    no_with, no_without, yes_with, yes_without = (np.maximum(part, 0.0) for part in sums)  # but for rounding
    place = int(np.argmin((np.sqrt(no_with * no_without) + np.sqrt(yes_with * yes_without)).sum(axis=1)))
    little = 1 / D.size
    low, high = (
        np.log((having[place] + little) / (lacking[place] + little)) / 2
        for having, lacking in ((no_with, no_without), (yes_with, yes_without))
    )
    return place, low, high


def reweigh(D: FloatArray, yes: FloatArray, labels: sparse.csr_array, low: FloatArray, high: FloatArray) -> float:
    """Bring D (n x L), in place, to the loss with a question more, and to the sum 1; return the sum before."""
    D *= np.where(yes, np.exp(high), np.exp(low))
    row, column = labels.nonzero()
    D[row, column] *= np.exp(-2 * np.where(yes[row, 0], high[column], low[column]))
    total = float(D.sum())
    D /= total
    return total
