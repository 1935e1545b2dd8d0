"""The template of all methods that are solved from moments.

A method supplies `solve(moments) -> Factors` and its parameters; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    TransformerMixin,
    clone,
)
from sklearn.model_selection import KFold
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted, validate_data

from skfactor._validation import (
    FloatArray,
    IntArray,
    Matrix,
    check_choice,
    check_finite,
    check_number,
    check_same_rows,
)
from skfactor.decisions import RULES, DecisionRule, TopK
from skfactor.factors import Factors, top_of
from skfactor.metrics import micro_f1
from skfactor.moments import MEMORY_BUDGET, CentredMoments, Moments, Scale
from skfactor.multilabel.held_out import FIT_ENTRIES, KEPT_ENTRIES, HeldOut
from skfactor.multilabel.targets import Indicator, Targets, learn_targets


# A dataclass without equality or repr of its own: scikit-learn reads parameters from the signature of __init__,
# which methods inherit so that each writes down its own parameters only.
@dataclass(eq=False, repr=False, kw_only=True)
class MomentClassifier(ClassNamePrefixFeaturesOutMixin, TransformerMixin, ClassifierMixin, BaseEstimator, ABC):
    """Base of the linear multi-label classifiers that depend on the data through its moments only.

    Parameters
    ----------
    scale : {"auto", "std"} or None
        Whether features are divided by their standard deviation. It is done on the moments, and the encoder
        absorbs it. "auto" does so for dense real-valued data.
    decision : str or DecisionRule
        How scores become labels: a name in `skfactor.decisions.RULES`, or a rule with parameters of your own.
        It is fitted on held-out scores of the training rows.
    calibration_folds : int
        Number of folds that make the held-out scores, each by a model solved from the moments of the others.
    memory_budget : float
        In GiB, for all moments together. Beyond it, the products that a method needs are computed from the
        data, which is then kept.
    random_state : int, RandomState instance or None
        Draws the folds.

    Attributes
    ----------
    factors_ : Factors
        The fitted map: encoder, decoder, intercept.
    decision_ : DecisionRule
        The fitted rule.
    moments_ : Moments
        What the model was solved from; `partial_fit` adds to it, `forget` takes away.
    classes_ : ndarray of shape (n_labels,)
        Label names: columns of Y if it was a frame, the labels if Y was a list of label sets or 1-d.
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.
    """

    #: Whether a method wants x and y in units of their own mean variance, since it weighs one against the other.
    units: ClassVar[bool] = False

    scale: Scale = "auto"
    decision: str | DecisionRule = "threshold"
    calibration_folds: int = 5
    memory_budget: float = MEMORY_BUDGET
    random_state: Any = 0

    @abstractmethod
    def solve(self, moments: CentredMoments) -> Factors:
        """Encoder and decoder for centred and scaled data.

        Parameters
        ----------
        moments : CentredMoments

        Returns
        -------
        Factors
        """

    # ---------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            A 1-d y is a multiclass problem; its highest score is predicted.
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        return self._fit(X, y, None, sample_weight, positives_needed=True)

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Add rows: afterwards the model is the one fitted to all rows so far.

        The batch is scored before it is added, and the decision rule is fitted anew on a bounded sample of
        such scores.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : sequence, optional
            In the first call: the names of all labels that may come.

        Returns
        -------
        self
        """
        if not hasattr(self, "factors_"):
            return self._learn_first(*self._begin(X, y, classes, sample_weight, positives_needed=False))
        X, labels, weight = self._read(X, y, sample_weight)
        scores = self.factors_.scores(X).astype(np.float64)
        rng = check_random_state(self.random_state)
        batch = HeldOut.of(scores, labels, weight, rng).bounded(KEPT_ENTRIES)
        self._learn_more(X, labels, weight)
        self._decide(self._held_out.plus(batch))
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were fitted before; the decision rule stays as it is.

        Parameters
        ----------
        X, y, sample_weight
            Rows as they were given to `fit` or `partial_fit`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        self._unlearn(X, labels, weight)
        return self

    def fit_moments(self, moments: Moments, held_out: tuple[Any, Any] | None = None) -> Self:
        """Fit to moments that were made before, from any source.

        Parameters
        ----------
        moments : Moments
            Of features and a 0/1 indicator of labels.
        held_out : pair (X, Y), optional
            Rows that are not in the moments, for fitting the decision rule. Without them, scores of .5 or
            more are labels, which is too strict for rare ones.

        Returns
        -------
        self
        """
        self._check_parameters(moments.n_features, moments.n_labels)
        self.n_features_in_ = moments.n_features
        self.__dict__.pop("feature_names_in_", None)
        if moments.feature_names is not None:
            self.feature_names_in_ = np.asarray(moments.feature_names, dtype=object)
        self._set_targets(Indicator(np.zeros((0, moments.n_labels), dtype=np.int64), moments.label_names))
        self._solve_from(moments)
        self._decide(self._no_rows())
        return self if held_out is None else self.calibrate(*held_out)

    def calibrate(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the decision rule anew, on rows that the model was not fitted to.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        rng = check_random_state(self.random_state)
        self._decide(HeldOut.of(self.factors_.scores(X).astype(np.float64), labels, weight, rng))
        return self

    def _fit(
        self, X: Any, y: Any, classes: Sequence[Any] | None, sample_weight: Any, *, positives_needed: bool
    ) -> Self:
        read = self._begin(X, y, classes, sample_weight, positives_needed=positives_needed)
        return self._learn(*read)

    def _begin(
        self, X: Any, y: Any, classes: Sequence[Any] | None, sample_weight: Any, *, positives_needed: bool
    ) -> tuple[Matrix, sparse.csr_array, FloatArray]:
        """Read the rows of a first fit, and check everything before any work is done."""
        X = self._read_features(X, reset=True)
        targets = learn_targets(y, classes)
        check_same_rows(X=X, y=y, sample_weight=sample_weight)
        labels = targets.encode(y)
        self._check_parameters(X.shape[1], len(targets.names))
        if positives_needed and not labels.nnz:
            raise ValueError("Y has no positive entry: there is nothing to learn. Were the columns mixed up?")
        weight = _weights(sample_weight, X.shape[0])
        self._set_targets(targets)
        return X, labels, weight

    def _learn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        """Fit model and decision rule to rows that were read."""
        rng = check_random_state(self.random_state)
        folds = self._folds(X.shape[0], rng)
        parts = [self._moments_of(X[rows], labels[rows], weight[rows]) for rows in folds]
        total = Moments.merge(parts)
        # The training moments of a fold are total - fold.
        held_out = self._score_folds(X, labels, weight, folds, rng, lambda k: self._solved(total - parts[k]))
        self._solve_from(total)
        self._decide(held_out)
        return self

    def _learn_first(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        """Fit to the first of many batches."""
        return self._learn(X, labels, weight)

    def _learn_more(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        """Add rows that were read; the decision rule follows by itself."""
        self._solve_from(self.moments_ + self._moments_of(X, labels, weight))

    def _unlearn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        """Take away rows that were read."""
        self._solve_from(self.moments_ - self._moments_of(X, labels, weight))

    def _folds(self, n: int, rng: np.random.RandomState) -> list[IntArray]:
        count = min(self.calibration_folds, n)
        if self._targets.exclusive or count < 2:
            return [np.arange(n)]
        return [rows for _, rows in KFold(count, shuffle=True, random_state=rng).split(np.empty(n))]

    def _score_folds(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        folds: list[IntArray],
        rng: np.random.RandomState,
        without: Callable[[int], Factors],
        observed: sparse.csr_array | None = None,
    ) -> HeldOut:
        """Score (a sample of) each fold k by `without(k)`, a model of the others."""
        samples = [self._no_rows()]
        share = FIT_ENTRIES // len(self.classes_) / X.shape[0]
        for k, rows in enumerate(folds):
            if not (weight[rows].any() and np.delete(weight, rows).any()):
                continue
            chosen = rows if share >= 1 else rng.choice(rows, max(1, int(share * len(rows))), replace=False)
            scores = without(k).scores(X[chosen]).astype(np.float64)
            known = None if observed is None else observed[chosen]
            samples.append(HeldOut.of(scores, labels[chosen], weight[chosen], rng, known))
        return reduce(HeldOut.plus, samples)

    def _solved(self, moments: Moments) -> Factors:
        centred = moments.centred(self.scale, units=self.units)
        return self.solve(centred).uncentred(centred.centre)

    def _solve_from(self, moments: Moments) -> None:
        self.factors_ = self._solved(moments)
        self.moments_ = moments

    def _decide(self, held_out: HeldOut) -> None:
        """Fit the decision rule, and keep a bounded sample of what it was fitted on."""
        rule = RULES[self.decision]() if isinstance(self.decision, str) else clone(self.decision)
        self._held_out = held_out.bounded(KEPT_ENTRIES)
        if self._targets.exclusive:
            self.decision_ = TopK(k=1).preset(-0.5, 1)
        elif len(held_out) < 2:
            self.decision_ = RULES["threshold"]().preset(0.5, 0)
        else:
            known = None if held_out.known.all() else held_out.known
            self.decision_ = rule.fit(held_out.scores, held_out.truth, held_out.weight, known)

    # ---------------------------------------------------------------- using

    def transform(self, X: Any) -> FloatArray:
        """Codes of the rows of X.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        return self.factors_.transform(self._read_features(X))

    def decision_function(self, X: Any) -> FloatArray:
        """Scores of all labels, less what the decision rule asks for: labels are predicted above 0.

        Scores as they are: `factors_.scores(X)`.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            For a 1-d y, the scores as they are, or, for two classes, of shape (n_samples,) and above 0 for the
            second.
        """
        check_is_fitted(self)
        scores = self.factors_.scores(self._read_features(X))
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
        found = [top_of(scores, k) for _, scores in self.factors_.blocks(self._read_features(X))]
        columns, scores = (np.concatenate(parts) for parts in zip(*found, strict=True))
        return (self.classes_[columns], scores) if return_scores else self.classes_[columns]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Micro-averaged F1 of the predicted labels; for a 1-d y, that is accuracy.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        float
        """
        check_is_fitted(self)
        X, labels, weight = self._read(X, y, sample_weight)
        return micro_f1(labels, self._predicted(X), sample_weight=weight)

    def _predicted(self, X: Matrix) -> sparse.csr_array:
        blocks = [sparse.csr_array(self.decision_.predict(s)) for _, s in self.factors_.blocks(X)]
        return sparse.csr_array(sparse.vstack(blocks, format="csr"))

    # ---------------------------------------------------------------- reading

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        """Refuse parameters that cannot be, before any work is done. Methods add their own."""
        check_choice(self.scale, "scale", ("auto", "std", None))
        if not isinstance(self.decision, DecisionRule):
            check_choice(self.decision, "decision", RULES)
        check_number(self.calibration_folds, "calibration_folds", minimum=2, integer=True)
        check_number(self.memory_budget, "memory_budget", minimum=0)

    def _read(self, X: Any, y: Any, sample_weight: Any) -> tuple[Matrix, sparse.csr_array, FloatArray]:
        X = self._read_features(X)
        check_same_rows(X=X, y=y, sample_weight=sample_weight)
        return X, self._targets.encode(y), _weights(sample_weight, X.shape[0])

    def _read_features(self, X: Any, *, reset: bool = False) -> Matrix:
        X = validate_data(
            self,
            X,
            reset=reset,
            accept_sparse="csr",
            dtype=[np.float64, np.float32],
            ensure_all_finite=False,
        )
        check_finite(X, "X")
        return X

    def _moments_of(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Moments:
        names = getattr(self, "feature_names_in_", None)
        return Moments.of(
            X,
            labels,
            sample_weight=weight,
            memory_budget=self.memory_budget / (self.calibration_folds + 3),
            feature_names=None if names is None else list(names),
            label_names=self._targets.shown_names(),
        )

    def _set_targets(self, targets: Targets) -> None:
        self._targets = targets
        self.classes_ = targets.names

    def _no_rows(self) -> HeldOut:
        L = len(self.classes_)
        nothing = np.empty((0, L), dtype=bool)
        return HeldOut(np.empty((0, L)), nothing, np.empty(0), np.empty(0), nothing)

    @property
    def _n_features_out(self) -> int:
        return self.factors_.n_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.target_tags.multi_output = True
        tags.classifier_tags.multi_label = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags


def _weights(sample_weight: Any, n: int) -> FloatArray:
    if sample_weight is None:
        return np.ones(n)
    weight = np.asarray(sample_weight, dtype=np.float64)
    if weight.shape != (n,):
        raise ValueError(f"sample_weight must be 1-d with {n} values, got shape {weight.shape}.")
    check_finite(weight[:, None], "sample_weight")
    if weight.min() < 0 or weight.max() <= 0:
        raise ValueError("sample_weight must not be negative, nor zero for all rows.")
    return weight
