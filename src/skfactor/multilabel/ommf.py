"""OMMF: online matrix factorization of features and labels together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import linalg

from skfactor._validation import FloatArray, check_choice, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel import ommf_moments
from skfactor.multilabel.ommf_learners import AveragingLearner, GradientLearner, OMMFLearner, first_factors
from skfactor.multilabel.online import StreamClassifier
from skfactor.multilabel.rows import Rows
from skfactor.solvers.spectral import square_root


@dataclass(eq=False, repr=False)
class OMMF(StreamClassifier):
    r"""Online matrix factorization: one code explains the features and the labels of a row.

    It minimizes, over codes H (n x r) and factors P (D x r) and Q (L x r),

        1/n ( (1-a) ||X - H P'||^2 + a ||Y - H Q'||^2 + ridge ||H||^2 ) + ridge (||P||^2 + ||Q||^2)

    for centred X and Y, each in the unit in which the mean variance of its columns is 1. A new row is encoded by
    its features alone, so that scores are linear:

        h = (P'P + xi A^-1)^-1 P'x,    scores = Q h

    With A = I that is the paper's encoder. With A = H'H / n, how codes do vary, it is the mean of h given x if
    both are Gaussian and xi is the variance of what P leaves of a feature: a code that hardly varies is not
    believed to be large. With all components and a small `ridge` it is ridge regression, which the paper's is not.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of features and labels; 100 or as many as there are by default.
    label_weight : float
        a, between 0 (features alone) and 1 (excluded).
    ridge : float
        Weight of the squared norms. The paper's lambda is this times sqrt(n), in the same units.
    encoder_ridge : float, optional
        xi. By default the mean square of what P leaves of a feature, though not less than `ridge`; if
        `code_prior` is "isotropic", ridge / (1 - a), with which a row without known labels is encoded as the
        objective has it.
    code_prior : {"learned", "isotropic"}
        Whether A is how the codes of the rows do vary, or I as in the paper.
    max_iter, tol
        Of the moment solver: iterations at most, and the relative change of the objective at which it stops.
    solver : {"auto", "moments", "sgd", "online"}
        Alternating exact minimization on the moments; the paper's stochastic gradients, corrected; or running
        averages of the batches' moments (which need fewer epochs). "auto" is "moments" where they fit into
        `memory_budget`, else "online".
    batch_size, max_epochs, shuffle, validation_fraction, patience, learning_rate, warm_start, callback
        Of the solvers that go by batches, as in `StreamClassifier`.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`.
    solver_ : str
        What "auto" chose.
    objective_ : list of float
        Of each iteration, if moments were used.
    history_ : list of Epoch
        Of each epoch, if batches were used.

    References
    ----------
    S. Otalora-Montenegro, S. A. Perez-Rubiano and F. A. Gonzalez, "Online matrix factorization for space embedding
    multilabel annotation", CIARP 2013.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import OMMF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = OMMF(n_components=10).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 10)
    >>> online = OMMF(n_components=10, solver="online").fit(data.X[:200], data.Y[:200])
    >>> online.solver_
    'online'
    """

    units: ClassVar[bool] = True
    stream_solvers: ClassVar[tuple[str, ...]] = ("sgd", "online")
    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {
        "label_weight": (0.5, 0.9, 0.97),
        "ridge": (0.003, 0.01, 0.03, 0.1, 0.3),
        "encoder_ridge": (None, 0.3, 1.0),
        "n_components": (100, 200),
    }

    n_components: int | None = None
    label_weight: float = 0.9
    ridge: float = 0.03
    encoder_ridge: float | None = None
    code_prior: str = "learned"
    max_iter: int = 500
    tol: float = 1e-5

    def solve(self, moments: CentredMoments) -> Factors:
        """P and Q by alternating minimization over the moments; the encoder follows from P."""
        rank = self._rank(moments.n_features, moments.n_labels)
        settings = (rank, self.label_weight, self.ridge, self.max_iter, self.tol)

        def found() -> tuple[FloatArray, FloatArray, float, list[float]]:
            joint = ommf_moments.joint_moments(moments, self.label_weight)
            W, objectives = ommf_moments.solve(joint, rank, self.ridge, max_iter=self.max_iter, tol=self.tol)
            return joint.unrotated(W), *ommf_moments.code_spread(joint, W, self.ridge), objectives

        W, A, residual, self.objective_ = moments.once(("OMMF", settings), found)  # whatever encodes with them
        return self._encoded(W, A, residual)

    def _learner(self, X: Rows, Y: Rows, rng: np.random.RandomState) -> OMMFLearner:
        D, L = len(X.mean), len(Y.mean)
        W = first_factors(X, Y, self._rank(D, L), rng)
        kind = GradientLearner if self.solver_ == "sgd" else AveragingLearner
        return kind(W, D, self.label_weight, self.ridge, self.learning_rate)

    def _learned(self, learner: Any) -> Factors:
        return self._encoded(learner.W, learner.A, learner.residual)

    def _encoded(self, W: FloatArray, A: FloatArray, residual: float) -> Factors:
        """Encoder and decoder for codes A^-1/2 h, on which the ridge is the same in all directions."""
        isotropic = self.code_prior == "isotropic"
        xi = self.ridge / (1 - self.label_weight) if isotropic else max(residual, self.ridge)
        xi = xi if self.encoder_ridge is None else self.encoder_ridge
        W = W.astype(np.float64) if isotropic else W.astype(np.float64) @ square_root(A.astype(np.float64))
        P, Q = W[: self.n_features_in_], W[self.n_features_in_ :]
        G = P.T @ P + xi * np.eye(P.shape[1])
        return Factors(linalg.solve(G, P.T, assume_a="pos").T, Q.T)

    def _rank(self, n_features: int, n_labels: int) -> int:
        limit = n_features + n_labels
        return (
            min(100, limit)
            if self.n_components is None
            else check_rank(self.n_components, features_and_labels=limit)
        )

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.label_weight, "label_weight", minimum=0, maximum=1 - 1e-9)
        check_number(self.ridge, "ridge", above=0)
        if self.encoder_ridge is not None:
            check_number(self.encoder_ridge, "encoder_ridge", above=0)
        check_choice(self.code_prior, "code_prior", ("learned", "isotropic"))
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)
