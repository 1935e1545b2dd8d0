"""LLSF: learning label-specific features."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from skfactor._validation import FloatArray, check_number
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.comparators.traced import Traced, TracedFactors
from skfactor.multilabel.cosines import label_cosines
from skfactor.penalties import PENALTIES
from skfactor.solvers import proximal_gradient
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(eq=False, repr=False)
class LLSF(Traced, MomentClassifier):
    r"""Label-specific features: sparse regressions, in which labels that share rows also share features.

    Over the map W (D x L), it minimizes

        1/(2n) ||Y - X W||^2 + link_weight m / 2 tr(R W'W) + sparsity sqrt(m) ||W||_1,      scores = X W + b

    where m is the mean squared (centred, scaled) feature. R = 1 - C, for the cosines C (L x L) between the columns
    of Y: labels that never come together are kept from using the same features. R itself has negative
    eigenvalues, with which the objective has no minimum once there are more features than rows; so the lowest one
    is taken from its diagonal, which is the smallest ridge that mends this.

    Parameters
    ----------
    link_weight : float
        The paper's alpha is n * m * link_weight.
    sparsity : float
        The paper's beta is n * sqrt(m) * sparsity. More of it leaves fewer features to each label.
    max_iter, tol
        Of the accelerated proximal gradient: iterations at most, and the relative change of the objective at which
        to stop.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`. The paper's decision is Threshold(value=0.5, min_labels=0).

    Attributes
    ----------
    objective_ : ndarray of shape (n_iter_,)
        At the start and after each iteration.
    n_iter_ : int
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is W.

    References
    ----------
    J. Huang, G. Li, Q. Huang and X. Wu, "Learning label specific features for multi-label classification", ICDM
    2015.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import LLSF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = LLSF(sparsity=0.05).fit(data.X[:200], data.Y[:200])
    >>> model.factors_.encoder.shape
    (20, 8)
    """

    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {
        "link_weight": (0.001, 0.01, 0.1),
        "sparsity": (0.0003, 0.001, 0.003, 0.01),
    }

    link_weight: float = 0.01
    sparsity: float = 0.001
    max_iter: int = 2000
    tol: float = 1e-5

    def solve(self, moments: CentredMoments) -> Factors:
        """From ridge regression down, by products of Cxx and of R with W."""
        Cxy, L = moments.xy(), moments.n_labels
        R = self.link_weight * moments.mean_square * dissimilarities(moments)
        constant = moments.diagonals()[1].sum() / 2

        def smooth(W: FloatArray) -> tuple[float, FloatArray]:
            half = (moments.xx(W) + W @ R) / 2 - Cxy
            return constant + float(np.sum(W * half)), 2 * half + Cxy

        steepest = leading_eigenvectors(moments.xx, moments.n_features, 1)[0][0]
        bend = leading_eigenvectors(lambda V: R @ V, L, 1)[0][0]
        W, objectives = proximal_gradient.minimize(
            smooth,
            PENALTIES["l1"].times(self.sparsity * np.sqrt(moments.mean_square)),
            moments.solve_ridge(START, Cxy),
            float(steepest + bend),
            max_iter=self.max_iter,
            tol=self.tol,
            quadratic=True,
            name="LLSF",
        )
        return TracedFactors(W, objectives=objectives)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.link_weight, "link_weight", minimum=0)
        check_number(self.sparsity, "sparsity", minimum=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)


#: The ridge of the regression that is started from.
START = 0.1


def dissimilarities(moments: CentredMoments) -> FloatArray:
    """R (L x L): 1 less the cosines between labels, with a diagonal that leaves no eigenvalue below 0."""
    R = 1 - label_cosines(moments)
    np.fill_diagonal(R, 0.0)  # also of labels without rows
    return R + max(0.0, -float(np.linalg.eigvalsh(R)[0])) * np.eye(len(R))
