"""The template of all methods that are solved from moments.

A method supplies `solve(moments) -> Factors` and its parameters; everything else is here.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._arrays import as_numpy
from skfactor._validation import FloatArray, Matrix
from skfactor.factors import Factors
from skfactor.moments import CentredMoments, Moments
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.held_out import FIT_ENTRIES, HeldOut, HeldOutRows, Scorer
from skfactor.multilabel.paths import FoldMoments, Point, Solution, shared
from skfactor.multilabel.reading import MomentReader
from skfactor.solvers.threads import blas_threads, side_by_side

#: Tables as large as the moments that exist while a model is solved from them.
MOMENTS_OF_A_SOLVE = 4


@dataclass(eq=False, repr=False, kw_only=True)
class MomentClassifier(ClassNamePrefixFeaturesOutMixin, TransformerMixin, MomentReader, LabelClassifier):
    """Base of the linear multi-label classifiers that depend on the data through its moments only.

    Parameters
    ----------
    scale : {"auto", "std"} or None
        Whether features are divided by their standard deviation. It is done on the moments, and the encoder
        absorbs it. "auto" does so for dense real-valued data.
    memory_budget : float
        In GiB, for all moments together. Beyond it, the products that a method needs are computed from the
        data, which is then kept.
    decision, calibration_folds, random_state
        As in `LabelClassifier`. The model of all folds but one is solved from the total of the moments, less those
        of the fold.

    Attributes
    ----------
    factors_ : Factors
        The fitted map: encoder, decoder, intercept.
    moments_ : Moments
        What the model was solved from; `partial_fit` adds to it, `forget` takes away.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.
    """

    #: Whether a method wants x and y in units of their own mean variance, since it weighs one against the other.
    units: ClassVar[bool] = False
    #: Whether the components of a lower rank are the first ones of a higher rank.
    nested_ranks: ClassVar[bool] = False
    #: Whether copies of a model may solve and score in several threads at once: False where what they call changes
    #: the state of the whole process, such as filters of warnings.
    concurrent: ClassVar[bool] = True
    #: Values of parameters that a search without a grid tries, beside ridges and ranks from the spectrum.
    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {}

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
        return self._fit(X, y, None, sample_weight)

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
        X, labels, weight = self._read(X, y, sample_weight, classes)
        scores = as_numpy(self.factors_.scores(X)).astype(np.float64)
        rng = check_random_state(self.random_state)
        batch = HeldOut.of(scores, labels, weight, rng).bounded(FIT_ENTRIES)
        self._learn_more(X, labels, weight)
        self._decide(self._held_out.plus(batch))
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
        self._begin_moments(moments)
        self._decide(self._no_rows())
        return self if held_out is None else self.calibrate(*held_out)

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Scorer:
        return self._solved(self._moments_of(X, labels, weight))

    def _learn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        """Fit model and decision rule: the training moments of a fold are total - fold."""
        folds = self.fold_moments(X, labels, weight)

        def task(k: int | None) -> FloatArray | None:
            if k is None:
                self._solve_from(folds.total)
                return None
            return folds.held_out.scored_by(copy(self)._solved(folds.without(k)), k)

        made = side_by_side(task, [*folds.held_out.rows, None], self._threads(folds.total))
        self._decide(folds.held_out.with_scores([scores for scores in made if scores is not None]))
        return self

    def _threads(self, moments: Moments) -> int:
        """How many folds are solved at the same time: as many as the memory budget has room for.

        One generator of random numbers for all of them would be drawn from in any order.
        """
        if not self.concurrent or isinstance(self.random_state, np.random.RandomState):
            return 1
        size = 8 * (moments.n_features + moments.n_labels) ** 2
        room = self.memory_budget * 2**30 / size - self.calibration_folds - 1
        return max(1, min(blas_threads(), int(room / MOMENTS_OF_A_SOLVE)))

    def _learn_first(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        """Fit to the first of many batches."""
        return self._learn(X, labels, weight)

    def _solved(self, moments: Moments) -> Factors:
        centred = moments.centred(self.scale, units=self.units)
        return self.solve(centred).uncentred(centred.centre)

    def _solve_from(self, moments: Moments) -> None:
        self.factors_ = self._solved(moments)
        self.moments_ = moments

    # ---------------------------------------------------------------- many settings at once

    def solve_path(self, moments: CentredMoments, points: Sequence[Point]) -> Iterator[tuple[list[int], Factors]]:
        """Solve with several settings, in an order in which they have the most in common.

        Moments keep what was computed once (`CentredMoments.once`, `leading`), and where ranks are nested, the
        highest rank is solved for all of them. What comes out is what `solve` makes with each setting.

        Parameters
        ----------
        moments : CentredMoments
        points : sequence of dict
            Values of parameters of the method.

        Yields
        ------
        places : list of int
            The points that the solution serves: each takes its own `n_components` of the first components.
        factors : Factors
        """
        moments.points, moments.ridges = len(points), len({point.get("ridge") for point in points})
        for places in shared(points, self.nested_ranks):
            yield places, copy(self).set_params(**points[places[0]]).solve(moments)

    def solved_path(self, moments: Moments, points: Sequence[Point]) -> Iterator[Solution]:
        """The solutions of `solve_path`, for data as it came."""
        centred = moments.centred(self.scale, units=self.units)
        del moments
        for places, factors in self.solve_path(centred, points):
            yield Solution(places, factors.uncentred(centred.centre), centred.centre)

    def fold_moments(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> FoldMoments:
        """One pass over rows that were read: the moments of the calibration folds, and the rows to be scored."""
        rng = check_random_state(self.random_state)
        folds = self._folds(X.shape[0], rng)
        parts = [self._moments_of(X[rows], labels[rows], weight[rows]) for rows in folds]
        return FoldMoments(parts, Moments.merge(parts), HeldOutRows.draw(X, labels, weight, folds, rng))

    def fits_by_moments(self, X: Any, y: Any) -> bool:
        """Whether `fit` to these rows looks at them by their moments alone."""
        return True

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

    @property
    def _fitted(self) -> Factors:
        return self.factors_

    @property
    def _at_once(self) -> int:
        return self.calibration_folds + 3

    @property
    def _n_features_out(self) -> int:
        return self.factors_.n_components

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
