"""PLST: principal label space transformation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from skfactor._validation import check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier


@dataclass(eq=False, repr=False)
class PLST(MomentClassifier):
    r"""Principal label space transformation: few regressions for many correlated labels.

    The labels are projected on the r leading eigenvectors V (L x r) of their covariance, and ridge regression
    predicts the projections: over E (D x r),

        1/n ||Y V - X E||^2 + ridge * m * ||E||^2,        scores = X E V' + b

    where m is the mean squared (centred, scaled) feature. With r = L this is `RidgeBR`.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of labels; all of them by default.
    ridge : float
        Weight of the squared norm, relative to the mean squared feature.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is E, the decoder V'.

    References
    ----------
    F. Tai and H.-T. Lin, "Multilabel classification with principal label space transformation", Neural
    Computation 24(9), 2012.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import PLST
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = PLST(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 4)
    """

    nested_ranks: ClassVar[bool] = True

    n_components: int | None = None
    ridge: float = 0.3

    def solve(self, moments: CentredMoments) -> Factors:
        """V: leading eigenvectors of Cyy; E = (Cxx + ridge m I)^-1 Cxy V."""
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        _, V = moments.leading_y(rank)
        return Factors(moments.solve_ridge(self.ridge, moments.xy(V)), V.T)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
        check_rank(self.n_components, n_labels=n_labels)
