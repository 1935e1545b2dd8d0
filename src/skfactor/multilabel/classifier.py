"""The template of all multi-label classifiers: labels in any form, calibrated decisions, predictions in that form.

A method supplies `_fit_scorer(X, labels, weight)`, which makes what scores rows; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassifierMixin, clone
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._arrays import as_numpy
from skfactor._validation import (
    FloatArray,
    IntArray,
    Matrix,
    check_choice,
    check_number,
)
from skfactor.decisions import RULES, DecisionRule, TopK
from skfactor.factors import score_blocks, top_of
from skfactor.metrics import micro_f1
from skfactor.multilabel.held_out import KEPT_ENTRIES, HeldOut, HeldOutRows
from skfactor.multilabel.held_out import Scorer as Scorer
from skfactor.multilabel.reading import LabelReader


# A dataclass without equality or repr of its own: scikit-learn reads parameters from the signature of __init__,
# which methods inherit so that each writes down its own parameters only.
@dataclass(eq=False, repr=False, kw_only=True)
class LabelClassifier(ClassifierMixin, LabelReader, ABC):
    """Base of the multi-label classifiers.

    Parameters
    ----------
    decision : str or DecisionRule
        How scores become labels: a name in `skfactor.decisions.RULES`, or a rule with parameters of your own.
        It is fitted on held-out scores of the training rows, unless it leaves nothing to choose.
    calibration_folds : int
        Number of folds that make the held-out scores, each by a model of the others.
    random_state : int, RandomState instance or None
        Draws the folds, and whatever else a method draws.

    Attributes
    ----------
    scorer_ : object
        What was learned: `scorer_.scores(X)` are the scores of rows.
    decision_ : DecisionRule
        The fitted rule.
    classes_ : ndarray of shape (n_labels,)
        Label names: columns of Y if it was a frame, the labels if Y was a list of label sets or 1-d.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.
    """

    #: What `decision` may name.
    rules: ClassVar[Mapping[str, type[DecisionRule]]] = RULES

    decision: str | DecisionRule = "threshold"
    calibration_folds: int = 5
    random_state: Any = 0

    @abstractmethod
    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Scorer:
        """Learn from checked rows: X (n x D, dense or CSR), labels (n x L, 0/1) and weights (n).

        It is called for the training rows of every calibration fold, where a label may have no positive row or
        no negative one, and at last for all rows.
        """

    # ---------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            A 1-d y is a multiclass problem; its highest score is predicted.

        Returns
        -------
        self
        """
        return self._fit(X, y)

    def calibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the decision rule anew, on rows that the model was not fitted to.

        Parameters
        ----------
        X, y
            As in `fit`.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        self._decide(HeldOut.of(as_numpy(self._fitted.scores(X)).astype(np.float64), labels, weight, rng))
        return self

    def _fit(
        self,
        X: Any,
        y: Any,
        classes: Sequence[Any] | None = None,
        sample_weight: Any = None,
    ) -> Self:
        return self._learn(*self._begin(X, y, classes, sample_weight, positives_needed=True))

    def _learn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        """Fit model and decision rule to rows that were read."""
        rng = check_random_state(self.random_state)
        held_out = self._held_out_scores(X, labels, weight, self._folds(X.shape[0], rng), rng)
        self.scorer_ = self._fit_scorer(X, labels, weight)
        self._decide(held_out)
        return self

    def _held_out_scores(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        folds: list[IntArray],
        rng: np.random.RandomState,
    ) -> HeldOut:
        """Scores of all training rows, each by a model that had not seen it: here by a fit for every fold."""

        def without(k: int) -> Scorer:
            rest = np.setdiff1d(np.arange(X.shape[0]), folds[k])
            return self._fit_scorer(X[rest], labels[rest], weight[rest])

        return self._score_folds(X, labels, weight, folds, rng, without)

    def _folds(self, n: int, rng: np.random.RandomState) -> list[IntArray]:
        count = min(self.calibration_folds, n)
        if self._targets.exclusive or count < 2 or self._rule().given():
            return [np.arange(n)]  # no fold is held out
        return [rows for _, rows in KFold(count, shuffle=True, random_state=rng).split(np.empty(n))]

    def _score_folds(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        folds: list[IntArray],
        rng: np.random.RandomState,
        without: Callable[[int], Scorer],
        observed: sparse.csr_array | None = None,
    ) -> HeldOut:
        """Score (a sample of) each fold k by `without(k)`, a model of the others."""
        return HeldOutRows.draw(X, labels, weight, folds, rng, observed).scored(without)

    def _rule(self) -> DecisionRule:
        return self.rules[self.decision]() if isinstance(self.decision, str) else clone(self.decision)

    def _decide(self, held_out: HeldOut) -> None:
        """Fit the decision rule, and keep a bounded sample of what it was fitted on."""
        rule = self._rule()
        self._held_out = held_out.bounded(KEPT_ENTRIES)
        if self._targets.exclusive:
            self.decision_ = TopK(k=1).preset(-0.5, 1)
        elif given := rule.given():
            self.decision_ = given
        elif len(held_out) < 2:
            self.decision_ = RULES["threshold"]().preset(0.5, 0)
        else:
            known = None if held_out.known.all() else held_out.known
            self.decision_ = rule.fit(held_out.scores, held_out.truth, held_out.weight, known)

    # ---------------------------------------------------------------- using

    @property
    def _fitted(self) -> Scorer:
        """What scores rows."""
        scorer: Scorer = self.scorer_
        return scorer

    def label_scores(self, X: Any) -> FloatArray:
        """Scores of all labels as the method makes them, before the decision rule.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
        """
        check_is_fitted(self)
        return self._fitted.scores(self._read_features(X))

    def decision_function(self, X: Any) -> FloatArray:
        """Scores of all labels, less what the decision rule asks for: labels are predicted above 0.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            For a 1-d y, the scores as they are, or, for two classes, of shape (n_samples,) and above 0 for the
            second.
        """
        scores: FloatArray = as_numpy(self.label_scores(X))
        if not self._targets.exclusive:
            return self.decision_.margin(scores)
        return scores if scores.shape[1] > 2 else scores[:, 1] - scores[:, 0]

    def predict(self, X: Any) -> Any:
        """Labels, in the type that Y had in `fit`.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        array, sparse matrix or array, data frame, list of label sets, or (for a 1-d y) array of classes
        """
        check_is_fitted(self)
        return self._targets.decode(self._predicted(self._read_features(X)), getattr(X, "index", None))

    def predict_top(self, X: Any, k: int = 5, *, return_scores: bool = False) -> Any:
        """The k labels of highest score, best first.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame
        k : int
        return_scores : bool

        Returns
        -------
        ndarray of shape (n_samples, k)
            Label names; with `return_scores`, a pair of them and their scores.
        """
        check_is_fitted(self)
        check_number(k, "k", minimum=1, maximum=len(self.classes_), integer=True)
        found = [top_of(scores, k) for scores in self._blocks(self._read_features(X))]
        columns, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return (self.classes_[columns], scores) if return_scores else self.classes_[columns]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Micro-averaged F1 of the predicted labels; for a 1-d y, that is accuracy.

        Parameters
        ----------
        X, y
            As in `fit`.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        float
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        return micro_f1(labels, self._predicted(X), sample_weight=weight)

    def _blocks(self, X: Matrix) -> Any:
        """Scores of a few rows at a time."""
        return (as_numpy(scores) for _, scores in score_blocks(self._fitted.scores, X, len(self.classes_)))

    def _predicted(self, X: Matrix) -> sparse.csr_array:
        blocks = [sparse.csr_array(self.decision_.predict(scores)) for scores in self._blocks(X)]
        return sparse.csr_array(sparse.vstack(blocks, format="csr"))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if not isinstance(self.decision, DecisionRule):
            check_choice(self.decision, "decision", self.rules)
        check_number(self.calibration_folds, "calibration_folds", minimum=2, integer=True)

    def _no_rows(self) -> HeldOut:
        L = len(self.classes_)
        nothing = np.empty((0, L), dtype=bool)
        return HeldOut(np.empty((0, L)), nothing, np.empty(0), np.empty(0), nothing)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        return tags
