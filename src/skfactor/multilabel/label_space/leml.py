"""LEML: low-rank empirical risk minimization for multi-label learning."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray, Matrix, check_choice, check_number, check_rank
from skfactor.factors import Factors
from skfactor.losses import LOSSES
from skfactor.moments import CentredMoments, Moments
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.held_out import HeldOut
from skfactor.multilabel.label_space.leml_algebra import Spectrum
from skfactor.multilabel.label_space.leml_entries import LabelEntries
from skfactor.multilabel.label_space.leml_missing import check_pattern, split_missing
from skfactor.multilabel.label_space.leml_moments import minimize_on_moments
from skfactor.multilabel.label_space.leml_rows import minimize_on_rows

#: Losses that have a curvature, which the steps need.
SMOOTH = ("squared", "logistic", "smooth_hinge")
#: The default rank, where there are as many labels and features.
RANK = 100


@dataclass(eq=False, repr=False)
class LEML(MomentClassifier):
    r"""Low-rank empirical risk minimization: few factors for many labels, some of which may not be known.

    It minimizes, over U (D x r), V (r x L) and the intercept b (L), the mean loss of a row plus a penalty,

        L / |O| sum_{(i,j) in O} loss(y_ij, x_i U v_j + b_j) + ridge * sqrt(m) / 2 * (||U||^2 + ||V||^2)

    where O are the known entries of Y and m is the mean squared (centred, scaled) feature. The least penalty of a
    product W = U V is its trace norm ||W||_*, hence the root of m: so `ridge` means the same for any number of
    rows, any scale and any share of known labels. The paper's lambda is ridge * sqrt(m) * |O| / L.

    With squared loss and all labels known it is alternation in closed form on moments. Otherwise it alternates
    Newton steps by conjugate gradients over the known entries; no table of rows by labels is ever formed, and a
    sparse X stays sparse. Then `calibration_folds` fits, each to the rows outside of a fold, make the held-out
    scores, of which only known entries count; none starts from another, so that none has seen what it is to score.
    That is as many times the time of the fit alone: lower `calibration_folds` to 2 where it is too long.

    The logistic and the smooth hinge loss take labels -1 and +1. Of their scores z, `factors_` has (1 + z) / 2, so
    that .5 is the border as for squared loss.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of labels or features; by default that, or 100 if it is more.
    ridge : float
        Weight of the squared norms, see above. It bounds the rank, too: the larger it is, the fewer components
        are left.
    loss : {"squared", "logistic", "smooth_hinge"}
        See `skfactor.losses`.
    max_iter : int
        Alternations after which it stops with a warning.
    tol : float
        It stops when an alternation lowers the objective by less than this share.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    n_iter_ : int
    objective_ : ndarray of shape (n_iter_,)
        Before each alternation.
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is U, the decoder V. There is `moments_` only for squared loss with
        all labels known, and with it `partial_fit` and `forget`.

    References
    ----------
    H.-F. Yu, P. Jain, P. Kar and I. S. Dhillon, "Large-scale multi-label learning with missing labels", ICML 2014.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import LEML
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> Y = data.Y.toarray().astype(float)
    >>> Y[np.random.default_rng(0).random(Y.shape) < 0.5] = np.nan
    >>> model = LEML(n_components=4).fit(data.X[:200], Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {
        "ridge": (0.01, 0.03, 0.06, 0.1, 0.2, 0.4, 0.8),
        "n_components": (None,),
    }

    n_components: int | None = None
    ridge: float = 0.1
    loss: str = "squared"
    max_iter: int = 200
    tol: float = 1e-5

    def fit(self, X: Any, y: Any, sample_weight: Any = None, observed: Any = None) -> Self:
        """Fit to rows and those of their labels that are known.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            NaN in a dense array or a frame is a label that is not known.
        sample_weight : array of shape (n_samples,), optional
        observed : sparse or dense table of shape (n_samples, n_labels), optional
            Not 0 where a label is known. A sparse Y is 0 where it stores nothing and `observed` does.

        Returns
        -------
        self
        """
        y, known = split_missing(y, observed)
        if known is None:
            return super().fit(X, y, sample_weight)
        X, labels, weight = self._begin(X, y, None, sample_weight, positives_needed=False)
        return self._learn_rows(X, check_pattern(known, labels), weight, known)

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Add rows, with squared loss and all labels known; with another loss only the first call is possible.

        Parameters
        ----------
        X, y, classes, sample_weight
            As in `MomentClassifier`.

        Returns
        -------
        self
        """
        self._check_additive(y)
        return super().partial_fit(X, y, classes, sample_weight)

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were fitted before, with squared loss and all labels known.

        Parameters
        ----------
        X, y, sample_weight
            As in `MomentClassifier`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        self._check_additive(y)
        return super().forget(X, y, sample_weight)

    def calibrate(self, X: Any, y: Any, sample_weight: Any = None, observed: Any = None) -> Self:
        """Fit the decision rule anew, on rows that the model was not fitted to.

        Parameters
        ----------
        X, y, sample_weight, observed
            As in `fit`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        y, known = split_missing(y, observed)
        X, labels, weight = self._read(X, y, sample_weight)
        labels = labels if known is None else check_pattern(known, labels)
        scores = self.factors_.scores(X).astype(np.float64)
        self._decide(HeldOut.of(scores, labels, weight, check_random_state(self.random_state), known))
        return self

    def solve(self, moments: CentredMoments) -> Factors:
        """Alternate on moments."""
        if self.loss != "squared":
            raise ValueError(
                f"loss={self.loss!r} is no function of moments: fit it to the rows, or take 'squared'."
            )
        rank, weight = self._sizes(moments, moments.n_labels)
        U, V, objectives = minimize_on_moments(moments, rank, weight, max_iter=self.max_iter, tol=self.tol)
        self._record(objectives)
        return Factors(U, V)

    def fits_by_moments(self, X: Any, y: Any) -> bool:
        """Whether the loss is squared and all labels are known."""
        return self.loss == "squared" and split_missing(y)[1] is None

    def _learn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        if self.loss == "squared":
            return super()._learn(X, labels, weight)
        return self._learn_rows(X, labels, weight, None)

    def _learn_rows(
        self, X: Matrix, labels: sparse.csr_array, weight: FloatArray, observed: sparse.csr_array | None
    ) -> Self:
        rng = check_random_state(self.random_state)
        folds = self._folds(X.shape[0], rng)
        parts = [self._feature_moments(X[rows], weight[rows]) for rows in folds]
        total = Moments.merge(parts)
        features = Spectrum.of_features(total.centred(self.scale))

        def solved(rows: Any, moments: Moments) -> Factors:
            known = None if observed is None else observed[rows]
            return self._solve_rows(X[rows], labels[rows], weight[rows], known, moments, features)

        def without(k: int) -> Factors:
            return solved(np.delete(np.arange(X.shape[0]), folds[k]), total - parts[k])

        held_out = self._score_folds(X, labels, weight, folds, rng, without, observed)
        self.factors_ = solved(slice(None), total)
        self.__dict__.pop("moments_", None)
        self._decide(held_out)
        return self

    def _solve_rows(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        observed: sparse.csr_array | None,
        moments: Moments,
        features: Spectrum,
    ) -> Factors:
        centred, loss = moments.centred(self.scale), LOSSES[self.loss]
        rank, penalty = self._sizes(centred, labels.shape[1])
        entries = LabelEntries.of(loss, labels, observed, weight)
        factors, objectives = minimize_on_rows(
            X,
            entries,
            centred,
            features,
            rank,
            penalty,
            margin=loss.margin,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        self._record(objectives)
        return factors

    def _feature_moments(self, X: Matrix, weight: FloatArray) -> Moments:
        budget = self.memory_budget / (self.calibration_folds + 3)
        return Moments.of(X, np.zeros((X.shape[0], 1)), sample_weight=weight, memory_budget=budget)

    def _sizes(self, moments: CentredMoments, n_labels: int) -> tuple[int, float]:
        """The rank, and the weight of ||U||^2 + ||V||^2."""
        rank = check_rank(self.n_components, n_labels=n_labels, n_features=moments.n_features)
        rank = min(rank, RANK) if self.n_components is None else rank
        return rank, self.ridge * float(np.sqrt(moments.mean_square)) / 2

    def _record(self, objectives: list[float]) -> None:
        self.objective_, self.n_iter_ = np.array(objectives), len(objectives)

    def _check_additive(self, y: Any) -> None:
        """Refuse to add or take away rows where that is no sum of moments."""
        fitted = hasattr(self, "factors_")
        if split_missing(y)[1] is None and not (
            fitted and (self.loss != "squared" or not hasattr(self, "moments_"))
        ):
            return
        raise ValueError(
            "Rows are added and taken away by moments, which serve squared loss with all labels known only. Here "
            f"loss={self.loss!r}, or labels are missing: fit anew to all rows together."
        )

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_rank(self.n_components, n_labels=n_labels, n_features=n_features)
        check_number(self.ridge, "ridge", above=0)
        check_choice(self.loss, "loss", SMOOTH)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)
