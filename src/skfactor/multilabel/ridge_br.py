"""RidgeBR: ridge regression of every label at once."""

from __future__ import annotations

from dataclasses import dataclass

from skfactor._validation import check_number
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier


@dataclass(eq=False, repr=False)
class RidgeBR(MomentClassifier):
    r"""Binary relevance by ridge regression: the plain method that any other has to beat.

    It minimizes, over the map W (D x L) and the intercept b (L),

        1/n ||Y - X W - 1 b'||^2 + ridge * m * ||W||^2

    where m is the mean squared (centred, scaled) feature, so that `ridge` means the same for any number of
    rows and any scale. The lambda of ||Y - X W||^2 + lambda ||W||^2 is n * m * ridge.

    Parameters
    ----------
    ridge : float
        Weight of the squared norm, relative to the mean squared feature.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is W.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = RidgeBR().fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    ridge: float = 0.3

    def solve(self, moments: CentredMoments) -> Factors:
        """W = (Cxx + ridge m I)^-1 Cxy."""
        return Factors(moments.solve_ridge(self.ridge, moments.xy()))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
