"""GroPLE: group-preserving label embedding."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from scipy import linalg

from skfactor._validation import BoolArray, FloatArray, IntArray, check_choice, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel import grople_codes, grople_encoder
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.label_groups import label_groups

#: Groups and codes that were found before: they do not depend on what the encoder is penalized with, which is
#: what one searches for.
_FOUND: WeakKeyDictionary[CentredMoments, dict[tuple[object, ...], tuple[IntArray, grople_codes.Codes]]] = (
    WeakKeyDictionary()
)


@dataclass(eq=False, repr=False)
class GroPLE(MomentClassifier):
    r"""Group-preserving label embedding: related labels share what they are made of.

    1. Labels are clustered into K groups by which rows they come with.
    2. The labels Y (n x L) are factorized into codes U (n x r) and a decoder V (r x L), of which every group's
       block V^k has rows of zeros: over U and V,

           1/n ||Y - U V||^2 + code_ridge / n ||U||^2 + group_sparsity sum_k ||V^k||_{2,1}

    3. A sparse map Z (D x r) predicts the codes: over Z,

           1/n ||U - X Z||^2 + m (correlation_weight tr(R Z'Z) + ridge ||Z||^2) + sparsity s ||Z||_1

       where R = 1 - C for the correlations C of the codes, m is the mean squared (centred, scaled) feature, and
       s = 2 max |X'U| / n: from sparsity 1 on, Z is zero. Scores are X Z V + b.

    R has zeros on its diagonal and so a negative eigenvalue; the paper calls its term convex, but the minimum is
    at minus infinity where m correlation_weight outweighs the smallest eigenvalue of Cxx. Then R is shifted by
    a multiple of I until it is positive semidefinite.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of labels; 100 or as many as there are by default.
    n_groups : int
        K; as many as labels if there are fewer.
    code_ridge : float
        The paper's lambda_1.
    group_sparsity : float
        The paper's lambda_2 divided by n; its 1 is the default at 4000 rows.
    correlation_weight : float
        Keeps the maps to unlike codes apart. The paper's alpha is n m times as large.
    sparsity : float
        Between 0 and 1. The paper's beta is 2 max |X'U| times as large.
    ridge : float
        Weight of the squared norm of Z, relative to the mean squared feature. The paper has none.
    coding : {"centred", "signs"}
        What Y is: 0/1 seen from its mean, or -1/+1 as it is, as in the paper.
    indefinite : {"shift", "refuse"}
        What to do where stage 3 has no minimum: shift R, or raise an error.
    max_iter, tol
        Of stages 2 and 3 each: iterations at most, and the relative change of the objective at which it stops.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`. The random state draws the start of the clustering, too.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is Z, the decoder V.
    label_groups_ : ndarray of shape (n_labels,)
        The group of each label, from 0.
    group_pattern_ : ndarray of bool, shape (n_components, n_groups)
        Which codes a group uses: the rows of its block of V that are not zero.
        `skfactor.report.figures.label_groups` draws it.
    shift_ : float
        What was added to the diagonal of R.
    code_objective_, encoder_objective_ : list of float
        Of every iteration of stages 2 and 3.
    n_iter_ : int
        Iterations of stage 3.

    References
    ----------
    V. Kumar, A. K. Pujari, V. Padmanabhan and V. R. Kagita, "Group preserving label embedding for multi-label
    classification", Pattern Recognition 90, 2019.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import GroPLE
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = GroPLE(n_components=6, n_groups=3).fit(data.X[:200], data.Y[:200])
    >>> len(set(model.label_groups_)), model.group_pattern_.shape
    (3, (6, 3))
    """

    n_components: int | None = None
    n_groups: int = 10
    code_ridge: float = 0.001
    group_sparsity: float = 2.5e-4
    correlation_weight: float = 0.01
    sparsity: float = 0.01
    ridge: float = 0.1
    coding: str = "centred"
    indefinite: str = "shift"
    max_iter: int = 1000
    tol: float = 1e-5

    def solve(self, moments: CentredMoments) -> Factors:
        """Groups, codes, and the map to them, one after the other."""
        self.label_groups_, (T, V, self.code_objective_) = self._codes(moments)
        self.group_pattern_ = pattern(V, self.label_groups_)
        unit = 2.0 if self.coding == "signs" else 1.0  # -1/+1 is twice 0/1, but for where it is seen from
        covariance = unit**2 * (T.T @ moments.yy(T))
        Z, self.encoder_objective_ = grople_encoder.solve(
            moments,
            unit * moments.xy(T),
            float(np.trace(covariance)),
            self._coupling(moments, covariance),
            sparsity=self.sparsity,
            max_iter=self.max_iter,
            tol=self.tol,
        )
        self.n_iter_ = len(self.encoder_objective_)
        return Factors(Z, V / unit)

    def _codes(self, moments: CentredMoments) -> tuple[IntArray, grople_codes.Codes]:
        """Stages 1 and 2, looked up if they were done before."""
        rank = self._rank(moments.n_labels)
        known = _FOUND.setdefault(moments, {})
        names = ("n_groups", "code_ridge", "group_sparsity", "coding", "max_iter", "tol", "random_state")
        key = (rank, *(getattr(self, name) for name in names))
        if key not in known:
            groups = label_groups(moments, self.n_groups, self.random_state)
            codes = grople_codes.solve(
                self._coded(moments),
                groups,
                rank,
                code_ridge=self.code_ridge,
                group_sparsity=self.group_sparsity,
                max_iter=self.max_iter,
                tol=self.tol,
            )
            known[key] = groups, codes
        return known[key]

    def _coded(self, moments: CentredMoments) -> FloatArray:
        """Y'Y / n (L x L) in the chosen coding: -1/+1 has four times the covariance, and a mean."""
        covariance = moments.yy(np.eye(moments.n_labels))
        if self.coding == "centred":
            return covariance
        mean = 2 * moments.centre.mean_y - 1
        return 4 * covariance + np.outer(mean, mean)

    def _coupling(self, moments: CentredMoments, covariance: FloatArray) -> FloatArray:
        """M (correlation_weight (R + shift I) + ridge I), with the shift that the problem needs."""
        m, identity = moments.mean_square, np.eye(len(covariance))
        R = grople_encoder.unlikeness(covariance)
        coupling = m * (self.correlation_weight * R + self.ridge * identity)
        self.shift_ = 0.0
        if grople_encoder.is_bounded(moments, coupling):
            return np.asarray(coupling)
        if self.indefinite == "refuse":
            raise ValueError(
                f"correlation_weight={self.correlation_weight:g} leaves GroPLE's encoder without a minimum: its "
                'term has negative eigenvalues. Lower it, raise ridge, or choose indefinite="shift".'
            )
        self.shift_ = -float(linalg.eigvalsh(R)[0])
        return np.asarray(coupling + m * self.correlation_weight * self.shift_ * identity)

    def _rank(self, n_labels: int) -> int:
        return (
            min(100, n_labels) if self.n_components is None else check_rank(self.n_components, n_labels=n_labels)
        )

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        self._rank(n_labels)
        check_number(self.n_groups, "n_groups", minimum=1, integer=True)
        for name in ("code_ridge", "group_sparsity", "correlation_weight", "sparsity", "ridge", "tol"):
            check_number(getattr(self, name), name, minimum=0)
        check_choice(self.coding, "coding", ("centred", "signs"))
        check_choice(self.indefinite, "indefinite", ("shift", "refuse"))
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)


def pattern(V: FloatArray, groups: IntArray) -> BoolArray:
    """Whether row i of the block of group k is not zero (r x K)."""
    member = np.eye(int(groups.max()) + 1, dtype=bool)[groups]
    return np.asarray((V != 0) @ member)
