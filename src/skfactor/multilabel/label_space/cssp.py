"""CSSP: multi-label classification by column subset selection."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy import linalg
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier

#: Eigenvalues below this share of the largest are zero but for rounding.
ROUNDING = 1e-10


@dataclass(frozen=True)
class SelectedFactors(Factors):
    """Factors whose codes are the (centred) scores of some of the labels.

    Attributes
    ----------
    selected : ndarray of shape (n_components,)
        Which labels they are.
    """

    selected: IntArray = field(kw_only=True)


@dataclass(eq=False, repr=False)
class CSSP(MomentClassifier):
    r"""Column subset selection: learns a few actual labels and derives the others from them.

    Of the L labels it draws r, the set C, without repetition; label j with a probability in proportion to its
    leverage, the squared norm of row j of the r leading eigenvectors of Cyy. Ridge regression predicts them,
    and the others follow by least squares among labels: over E (D x r) and then B (r x L),

        1/n ||Y_C - X E||^2 + ridge * m * ||E||^2,        ||Y - Y_C B||^2,        scores = X E B + b

    where m is the mean squared (centred, scaled) feature, and B = Y_C^+ Y comes from Cyy alone. With r = L this
    is `RidgeBR`.

    Parameters
    ----------
    n_components : int, optional
        The number r of labels (the paper's k), all by default.
    ridge : float
        Weight of the squared norm, relative to the mean squared feature.
    random_state : int, RandomState instance or None
        Draws the labels, and the folds.
    scale, decision, calibration_folds, memory_budget
        As in `MomentClassifier`.

    Attributes
    ----------
    selected_labels_ : ndarray of shape (n_components,)
        Names of the labels drawn, in the order of the columns of `transform`.
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is E, the decoder B.

    References
    ----------
    W. Bi and J. T. Kwok, "Efficient multi-label classification with many labels", ICML 2013.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CSSP
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = CSSP(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.selected_labels_.shape
    (4,)
    """

    n_components: int | None = None
    ridge: float = 0.3

    def solve(self, moments: CentredMoments) -> Factors:
        """I_C: columns C of the identity; B = (I_C' Cyy I_C)^+ I_C' Cyy; E = (Cxx + ridge m I)^-1 Cxy I_C."""
        selected = self._drawn(moments)
        columns = np.eye(moments.n_labels)[:, selected]
        covariances = moments.yy(columns)
        B = linalg.pinvh(covariances[selected], rtol=ROUNDING) @ covariances.T
        return SelectedFactors(moments.solve_ridge(self.ridge, moments.xy(columns)), B, selected=selected)

    def _drawn(self, moments: CentredMoments) -> IntArray:
        """The set C, sorted."""
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        leverage = _leverage(moments.leading_y(rank)[1])
        rng = check_random_state(self.random_state)
        return np.sort(rng.choice(moments.n_labels, rank, replace=False, p=leverage))

    @property
    def selected_labels_(self) -> Any:
        """Names of the labels drawn."""
        return self.classes_[self.factors_.selected]  # type: ignore[attr-defined]

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
        check_rank(self.n_components, n_labels=n_labels)


def _leverage(V: FloatArray) -> FloatArray:
    """Squared norms of the rows of V (L x r), summing to one. None is above 1/r, so r of them are not zero."""
    squares = np.sum(V**2, axis=1)
    return np.asarray(squares / squares.sum())
