"""SGT: the spectral graph transducer."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from scipy import linalg, sparse

from skfactor._validation import FloatArray, Matrix, check_choice, check_number
from skfactor.multilabel.comparators.binary import in_blocks
from skfactor.multilabel.comparators.neighbours import nearest, neighbour_graph, stacked
from skfactor.multilabel.comparators.transductive import SemiSupervisedClassifier
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(frozen=True)
class NeighbourScorer:
    """Scores of a row: the mean of those of the nearest of the rows that were learned from, itself if it is one.

    Attributes
    ----------
    rows : ndarray or csr_array of shape (N, n_features)
        The labelled ones first.
    values : ndarray of shape (N, n_labels)
        Their scores.
    n_neighbors : int
    metric : str
    """

    rows: Any
    values: FloatArray
    n_neighbors: int
    metric: str

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        count = min(self.n_neighbors, self.rows.shape[0])
        return in_blocks(
            lambda some: self._mean(*nearest(self.rows, count, some, metric=self.metric)),
            X,
            count * self.values.shape[1],
        )

    def _mean(self, distances: FloatArray, places: Any) -> FloatArray:
        """Of the neighbours, or of those alone that are the row itself but for rounding."""
        same = distances <= 1e-7 * (1 + distances.max(axis=1, keepdims=True))
        weight = np.where(same.any(axis=1, keepdims=True), same, 1.0)
        sums = (self.values[places] * weight[:, :, None]).sum(axis=1)
        return np.asarray(sums / weight.sum(axis=1, keepdims=True))


@dataclass(eq=False, repr=False)
class SGT(SemiSupervisedClassifier):
    r"""Spectral graph transducer: each label is a cheap cut of a graph of all rows, labelled or not.

    Rows are joined to their nearest neighbours. For each label, the cut z (N) of the N rows minimizes, among the
    combinations z = V w of the smoothest eigenvectors V (N x d) of the graph's normalized Laplacian,

        w' diag(1, 4, ..., d^2) w + cost (z - g)' diag(c) (z - g)        with    z'z = N

    where for the p labelled rows with the label and the q without it g is sqrt(q/p) and -sqrt(p/q), and c is
    l/(2p) and l/(2q), for l = p + q; both are 0 for rows that are not labelled. It is a quadratic problem on a
    sphere, solved exactly. A new row has the mean z of its neighbours.

    Parameters
    ----------
    n_neighbors : int
        Of a row in the graph.
    n_components : int
        The number d of eigenvectors, at most one less than there are rows.
    cost : float
        Of labelled rows on the wrong side of the cut.
    metric : {"cosine", "euclidean"}
        What near means. Euclidean distances want features of similar scale.
    decision, calibration_folds, random_state
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : NeighbourScorer
    transduction_ : ndarray of shape (n_samples, n_labels)
        z of all rows of `fit`.
    labelled_ : ndarray of bool, shape (n_samples,)
        Which rows had labels.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    T. Joachims, "Transductive learning via spectral graph partitioning", ICML 2003.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import SGT
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = SGT().fit(data.X, data.Y, labelled=np.arange(300) < 100)
    >>> model.transduction_.shape
    (300, 8)
    """

    n_neighbors: int = 10
    n_components: int = 80
    cost: float = 3200.0
    metric: str = "euclidean"

    def fit(self, X: Any, y: Any, labelled: Any = None) -> Self:  # noqa: D102
        super().fit(X, y, labelled)
        self.transduction_ = self._in_order(self.scorer_.values)  # type: ignore[attr-defined]
        return self

    fit.__doc__ = SemiSupervisedClassifier.fit.__doc__

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> NeighbourScorer:
        rows = stacked(X, self._unlabelled)
        V = smooth_vectors(neighbour_graph(rows, self.n_neighbors, metric=self.metric), self.n_components)
        columns = sparse.csc_array(labels)
        ends = columns.indptr
        cuts = [
            cut(V, X.shape[0], columns.indices[ends[j] : ends[j + 1]], self.cost) for j in range(labels.shape[1])
        ]
        return NeighbourScorer(rows, np.stack(cuts, axis=1), self.n_neighbors, self.metric)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.n_neighbors, "n_neighbors", minimum=1, integer=True)
        check_number(self.n_components, "n_components", minimum=1, integer=True)
        check_number(self.cost, "cost", above=0)
        check_choice(self.metric, "metric", ("cosine", "euclidean"))


def smooth_vectors(graph: sparse.csr_array, count: int) -> FloatArray:
    """The vectors (N x d) of the smallest eigenvalues of I - A / root(deg deg'), but for the vector root(deg).

    That one cuts nothing. It is taken away rather than left out as the first: a graph in pieces has several with
    the eigenvalue 0, of which an eigensolver makes any mixture.
    """
    N = graph.shape[0]
    roots = np.sqrt(graph.sum(axis=1))
    inverse = sparse.diags_array(np.divide(1.0, roots, out=np.zeros(N), where=roots > 0))
    normal, trivial = inverse @ graph @ inverse, roots[:, None] / max(np.linalg.norm(roots), 1e-300)

    def product(V: FloatArray) -> FloatArray:
        """I + A / root(deg deg'), which has no eigenvalue below 0, less its largest."""
        return np.asarray(V + normal @ V - 2 * trivial @ (trivial.T @ V))

    return leading_eigenvectors(product, N, min(count, max(1, N - 1)))[1]


def cut(V: FloatArray, n_labelled: int, positives: Any, cost: float) -> FloatArray:
    """Z (N) of a label, of which the first `n_labelled` rows are known; +1 or -1 if they are all the same."""
    p, q = len(positives), n_labelled - len(positives)
    if p == 0 or q == 0:
        return np.full(len(V), 1.0 if p else -1.0)
    has = np.zeros(n_labelled, dtype=bool)
    has[positives] = True
    goal = np.where(has, np.sqrt(q / p), -np.sqrt(p / q))
    weight = cost * np.where(has, n_labelled / (2 * p), n_labelled / (2 * q))
    known = V[:n_labelled]
    G = np.diag(np.arange(1.0, V.shape[1] + 1) ** 2) + known.T @ (weight[:, None] * known)
    return np.asarray(V @ smallest_on_sphere(G, known.T @ (weight * goal), np.sqrt(len(V))))


def smallest_on_sphere(G: FloatArray, b: FloatArray, radius: float) -> FloatArray:
    """The w with |w| = radius of least w'Gw - 2 b'w, for a symmetric G.

    With G = Q diag(g) Q', it is w = (G - t I)^-1 b with t below the smallest g, where |w| rises with t. If b has
    no part in the directions of that g, the rest of the length goes there.
    """
    g, Q = linalg.eigh(G)
    parts = Q.T @ b
    scale = np.linalg.norm(b) / radius  # |w| is at most |b| / (g[0] - t)

    def length(gap: float) -> float:
        return float(np.linalg.norm(parts / (g - g[0] + gap)))

    low, high = 1e-12 * max(scale, g[-1] - g[0], 1e-300), max(scale, 1e-300)
    if length(low) < radius:
        w = parts / (g - g[0] + low)
        w[0] = np.sqrt(max(radius**2 - w[1:] @ w[1:], 0.0)) * (-1 if parts[0] < 0 else 1)
        return np.asarray(Q @ w)
    for _ in range(200):  # by halves of the exponent
        middle = np.sqrt(low * high)
        low, high = (middle, high) if length(middle) > radius else (low, middle)
    return np.asarray(Q @ (parts / (g - g[0] + high)))
