"""TWOMF: two-way matrix factorization, with encoders and decoders of features and labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse

from skfactor._arrays import as_numpy, is_tensor, like
from skfactor._validation import FloatArray, Matrix, check_choice, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.multilabel import twomf_moments
from skfactor.multilabel.online import StreamClassifier
from skfactor.multilabel.rows import Rows
from skfactor.multilabel.twomf_learner import MomentumLearner, first_blocks
from skfactor.multilabel.twomf_moments import Weights


@dataclass(eq=False, repr=False)
class TWOMF(StreamClassifier):
    r"""Two-way multimodal online matrix factorization: autoencoders of features and labels that share a code.

    It minimizes, over encoders Ex (D x r), Ey (L x r) and decoders Dx (r x D), Dy (r x L),

        1/n ( a ||X - X Ex Dx||^2 + c ||Y - Y Ey Dy||^2 + d ||Y - X Ex Dy||^2 )
            + ridge (||Ex||^2 + ||Dx||^2 + ||Ey||^2 + ||Dy||^2)

    for centred X and Y, each in the unit in which the mean variance of its columns is 1. Scores are X Ex Dy: one
    multiplication each, nothing to solve.

    Parameters
    ----------
    n_components : int, optional
        The rank r, at most the number of features and labels; 100 or as many as there are by default.
    feature_weight : float
        a, of the autoencoder of the features.
    label_weight : float, optional
        c, of the autoencoder of the labels; 1 - a by default, as in the paper.
    link_weight : float
        d, of the prediction of labels from features. The paper's delta.
    ridge : float
        The paper's beta, for objectives divided by n.
    init : {"svd", "random"}
        Where the batches start from: leading singular vectors of the first rows, or chance.
    momentum : float
        Share of the previous step that goes into the next.
    max_iter, tol
        Of the moment solver: iterations at most, and the relative change of the objective at which it stops.
    solver : {"auto", "moments", "sgd"}
        Exact block minimization on the moments, or stochastic gradients with momentum. "auto" is "moments" where
        they fit into `memory_budget`, and "sgd" for torch tensors, on whose device all work is then done.
    batch_size, max_epochs, shuffle, validation_fraction, patience, learning_rate, warm_start, callback
        Of stochastic gradients, as in `StreamClassifier`.
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is Ex, the decoder Dy.
    solver_ : str
        What "auto" chose.
    objective_ : list of float
        Of each iteration, if moments were used.
    history_ : list of Epoch
        Of each epoch, if batches were used.

    References
    ----------
    J. A. Vanegas, V. Beltran and F. A. Gonzalez, "Two-way multimodal online matrix factorization for multi-label
    annotation", ICPRAM 2015.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import TWOMF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = TWOMF(n_components=10).fit(data.X[:200], data.Y[:200])
    >>> model.factors_.encoder.shape, model.factors_.decoder.shape
    ((20, 10), (10, 8))
    """

    units: ClassVar[bool] = True
    stream_solvers: ClassVar[tuple[str, ...]] = ("sgd",)
    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {
        "feature_weight": (0.01, 0.1, 0.3),
        "link_weight": (1.0, 3.0),
        "ridge": (0.1, 0.3, 0.6, 1.0, 2.0),
        "n_components": (None,),
    }

    n_components: int | None = None
    feature_weight: float = 0.01
    label_weight: float | None = None
    link_weight: float = 1.0
    ridge: float = 1.0
    init: str = "svd"
    momentum: float = 0.9
    max_iter: int = 1000
    tol: float = 1e-6

    def solve(self, moments: CentredMoments) -> Factors:
        """All four blocks from the moments; prediction takes the encoder of x and the decoder of y."""
        rank = self._rank(moments.n_features, moments.n_labels)
        blocks, self.objective_ = twomf_moments.solve(
            moments, rank, self._weights(), max_iter=self.max_iter, tol=self.tol
        )
        return Factors(blocks.Ex, blocks.Dy)

    def _weights(self) -> Weights:
        label_weight = 1 - self.feature_weight if self.label_weight is None else self.label_weight
        return Weights(self.feature_weight, label_weight, self.link_weight, self.ridge)

    def _learner(self, X: Rows, Y: Rows, rng: np.random.RandomState) -> MomentumLearner:
        blocks = first_blocks(X, Y, self._rank(len(X.mean), len(Y.mean)), self.init, rng)
        return MomentumLearner(blocks, self._weights(), self.momentum, self.learning_rate)

    def _learned(self, learner: Any) -> Factors:
        encoder, decoder = (as_numpy(block) for block in (learner.blocks.Ex, learner.blocks.Dy))
        return Factors(encoder.astype(np.float64), decoder.astype(np.float64))

    def _rank(self, n_features: int, n_labels: int) -> int:
        limit = n_features + n_labels
        return (
            min(100, limit)
            if self.n_components is None
            else check_rank(self.n_components, features_and_labels=limit)
        )

    # ------------------------------------------------- tensors stay tensors, where they are

    def decision_function(self, X: Any) -> FloatArray:
        """Scores less their thresholds, as in `MomentClassifier`; for a tensor X, a tensor on its device."""
        scores = super().decision_function(X)
        return like(scores, X) if is_tensor(X) else scores

    def predict(self, X: Any) -> Any:
        """Labels, in the type that Y had; for tensors, a tensor on the device of X."""
        labels = super().predict(X)
        return like(labels, X).to(self._tensor_type) if is_tensor(X) and hasattr(self, "_tensor_type") else labels

    def _begin(
        self, X: Any, y: Any, classes: Sequence[Any] | None, sample_weight: Any, *, positives_needed: bool
    ) -> tuple[Matrix, sparse.csr_array, FloatArray]:
        self.__dict__.pop("_tensor_type", None)
        if is_tensor(y):
            self._tensor_type = y.dtype
        return super()._begin(X, as_numpy(y), classes, sample_weight, positives_needed=positives_needed)

    def _chosen_solver(self, X: Any, n_labels: int) -> str:
        if is_tensor(X) and self.solver == "auto":
            return "sgd"
        return super()._chosen_solver(X, n_labels)

    def _read_features(self, X: Any, *, reset: bool = False) -> Matrix:
        checked = super()._read_features(as_numpy(X), reset=reset)
        return X if is_tensor(X) else checked

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        for name in ("feature_weight", "link_weight"):
            check_number(getattr(self, name), name, minimum=0)
        if self.label_weight is not None:
            check_number(self.label_weight, "label_weight", minimum=0)
        check_number(self.ridge, "ridge", above=0)
        check_choice(self.init, "init", ("svd", "random"))
        check_number(self.momentum, "momentum", minimum=0, maximum=0.999)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)
