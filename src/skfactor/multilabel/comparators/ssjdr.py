"""SSJDR: semi-supervised joint learning of dimensionality reduction and multi-label classification."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, Matrix, check_choice, check_number, check_rank
from skfactor.losses import LOSSES
from skfactor.moments import Moments, Scale
from skfactor.multilabel.comparators.binary import row_blocks
from skfactor.multilabel.comparators.neighbours import laplacian, neighbour_graph, stacked
from skfactor.multilabel.comparators.traced import Traced, TracedFactors
from skfactor.multilabel.comparators.transductive import SemiSupervisedClassifier
from skfactor.multilabel.rows import Rows
from skfactor.solvers.lbfgs import minimize_lbfgs

#: Codes at most, unless asked for another number.
USUAL_RANK = 100


@dataclass(eq=False, repr=False)
class SSJDR(Traced, SemiSupervisedClassifier):
    r"""Semi-supervised joint dimensionality reduction: codes alike for neighbours that separate the labels.

    Over the encoder U (D x r), the decoder V (r x L) and the intercept b (L), with y of -1 and +1, it minimizes

        1/n sum_il h(y_il (x_i U v_l + b_l)) + smoothness/(2k N) sum_ij e_ij ||x_i U - x_j U||^2
            + ridge/2 (||U||^2 + ||V||^2)

    where h is the smoothed hinge loss, and e_ij is 1 where one of the rows i and j is among the k nearest of the
    other, of all N rows, labelled or not. The paper's ridge is on V alone, and leaves the length of U to chance
    where the graph does not see it.

    Parameters
    ----------
    n_components : int, optional
        The number r of codes, at most the number of features; by default as many as there are labels, but
        no more than 100. More codes than labels lower nothing: of all U and V with one product, those that cost
        least have no more.
    smoothness : float
        Weight of the differences between neighbours (the paper's alpha, or gamma).
    ridge : float
        Weight of the squared norms (the paper's lambda is n * ridge).
    n_neighbors : int
        k.
    scale : {"auto", "std"} or None
        Whether features, which are centred, are divided by their standard deviation. "auto" does so for dense
        real-valued data.
    max_iter, tol
        Of L-BFGS: iterations at most, and the relative change of the objective at which to stop.
    random_state : int, RandomState instance or None
        Draws first factors, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0).

    Attributes
    ----------
    scorer_ : Factors
        The encoder is U, the decoder V.
    objective_ : ndarray
        At the start and after each iteration.
    n_iter_ : int
    labelled_ : ndarray of bool, shape (n_samples,)
        Which rows had labels.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    T. Yu and W. Zhang, "Semisupervised multilabel learning with joint dimensionality reduction", IEEE Signal
    Processing Letters 23(6), 2016.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import SSJDR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = SSJDR(n_components=10).fit(data.X, data.Y, labelled=np.arange(300) < 200)
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    n_components: int | None = None
    smoothness: float = 1.0
    ridge: float = 0.01
    n_neighbors: int = 10
    scale: Scale = "auto"
    max_iter: int = 300
    tol: float = 1e-5

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> TracedFactors:
        rng = check_random_state(self.random_state)
        centre = Moments.variances_of(X, labels).centre(self.scale)
        everything = stacked(X, self._unlabelled)
        graph = neighbour_graph(everything, self.n_neighbors)
        problem = Problem(
            Rows.seen_from(centre, everything),
            labels,
            laplacian(graph) * (2 * self.smoothness / self.n_neighbors / everything.shape[0]),
            self.ridge,
        )
        U = rng.normal(size=(X.shape[1], self._rank(X.shape[1], labels.shape[1]))) / np.sqrt(X.shape[1])
        V = rng.normal(size=(U.shape[1], labels.shape[1])) / np.sqrt(U.shape[1])
        found = minimize_lbfgs(problem, [U, V, np.zeros(len(V.T))], max_iter=self.max_iter, tol=self.tol)
        U, V, b = found.warn("SSJDR").parts
        U = U / centre.scale[:, None]
        return TracedFactors(U, V, b - centre.mean_x @ U @ V, objectives=found.objectives)

    def _rank(self, n_features: int, n_labels: int) -> int:
        return min(n_features, n_labels, USUAL_RANK) if self.n_components is None else self.n_components

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_rank(self.n_components, n_features=n_features)
        check_number(self.smoothness, "smoothness", minimum=0)
        check_number(self.ridge, "ridge", above=0)
        check_number(self.n_neighbors, "n_neighbors", minimum=1, integer=True)
        check_choice(self.scale, "scale", ("auto", "std", None))
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)


@dataclass(frozen=True)
class Problem:
    """The objective: a function of U, V and b.

    Attributes
    ----------
    rows : Rows
        N x D, those with labels first.
    labels : csr_array of shape (n, L)
        Of the first rows.
    graph : csr_array of shape (N, N)
        The weighted Laplacian.
    ridge : float
    """

    rows: Rows
    labels: sparse.csr_array
    graph: sparse.csr_array
    ridge: float

    def __call__(self, parts: list[FloatArray]) -> tuple[float, Sequence[FloatArray]]:
        """Value and gradient."""
        U, V, b = parts
        codes = self.rows.times(U)
        by_codes = np.asarray(self.graph @ codes)
        smoothness = np.sum(codes * by_codes) / 2
        loss, by_labelled, by_V, by_b = self._hinge(codes, V, b)
        by_codes[: self.labels.shape[0]] += by_labelled
        value = loss + smoothness + self.ridge / 2 * (np.sum(U * U) + np.sum(V * V))
        by_U = self.rows.transposed_times(by_codes) + self.ridge * U
        return float(value), [by_U, by_V + self.ridge * V, by_b]

    def _hinge(
        self, codes: FloatArray, V: FloatArray, b: FloatArray
    ) -> tuple[float, FloatArray, FloatArray, FloatArray]:
        """The first sum, and its gradient by labelled codes, V and b; few labels are dense at a time."""
        hinge, (n, L) = LOSSES["smooth_hinge"], self.labels.shape
        value, by_codes, by_V, by_b = 0.0, np.empty((n, codes.shape[1])), np.zeros_like(V), np.zeros_like(b)
        for some in row_blocks(n, L):
            signs = 2 * self.labels[some].toarray() - 1
            scores = codes[:n][some] @ V + b
            value += hinge.value(signs, scores).sum() / n
            slopes = hinge.gradient(signs, scores) / n
            by_codes[some] = slopes @ V.T
            by_V += codes[:n][some].T @ slopes
            by_b += slopes.sum(axis=0)
        return value, by_codes, by_V, by_b
