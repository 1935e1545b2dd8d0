"""MLSF: meta-label-specific features."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.factors import Factors
from skfactor.moments import CentredMoments, Moments, Scale
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import column_of, narrow
from skfactor.multilabel.comparators.bsvm import LinearMachine
from skfactor.multilabel.cosines import cosines, label_cosines
from skfactor.penalties import group_rows
from skfactor.solvers import proximal_gradient
from skfactor.solvers.spectral import leading_eigenvectors


@dataclass(frozen=True)
class GroupedFactors(Factors):
    """Weights of labels in groups, each with features of its own.

    Attributes
    ----------
    groups : ndarray of shape (n_labels,)
        Number of the group of each label.
    features : ndarray of bool, shape (n_features, n_groups)
        Which features a group uses.
    """

    groups: IntArray = field(kw_only=True)
    features: FloatArray = field(kw_only=True)


@dataclass(eq=False, repr=False)
class MLSF(LabelClassifier):
    r"""Meta-label-specific features: labels that belong together are told by the same few features.

    Spectral clustering makes meta-labels G of labels that are alike, by

        A = (1 - instance_weight) C + instance_weight max(0, M)

    where C has the cosines between columns of Y (how often labels come together) and M those between the
    covariances of labels with the features (how alike their rows are). Features are chosen by a group lasso on the
    moments,

        min over W   1/(2n) ||Y - X W||^2 + sparsity sqrt(m) sum_G sum_d ||W_dG||

    for the mean squared (centred, scaled) feature m; those with W_dG other than 0 are the features of G. On them,
    a linear support vector machine learns each label of G.

    Parameters
    ----------
    n_groups : int, optional
        Number of meta-labels (the paper's K); by default a fifth of the number of labels.
    instance_weight : float
        From 0 to 1, what alike rows count in the clustering.
    sparsity : float
        Of the group lasso, the more the fewer features (the paper's rho is n * sqrt(m) * sparsity).
    C : float
        Weight of the losses of the support vector machines.
    scale : {"auto", "std"} or None
        Whether features are divided by their standard deviation for the choice. "auto" does so for dense
        real-valued data.
    n_jobs : int, optional
        Meta-labels learned at the same time, each in a process of its own; -1 for as many as there are cores.
    random_state : int, RandomState instance or None
        Draws the first clusters, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0, min_labels=0).

    Attributes
    ----------
    scorer_ : GroupedFactors
        `groups` has the meta-label of each label, `features` those of each meta-label.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    L. Sun, M. Kudo and K. Kimura, "Multi-label classification with meta-label-specific features", ICPR 2016.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLSF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = MLSF(n_groups=3, sparsity=0.05).fit(data.X[:200], data.Y[:200])
    >>> model.scorer_.features.shape
    (20, 3)
    """

    n_groups: int | None = None
    instance_weight: float = 0.5
    sparsity: float = 0.001
    C: float = 1.0
    scale: Scale = "auto"
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> GroupedFactors:
        moments = Moments.of(X, labels).centred(self.scale)
        groups = self._groups(moments)
        features = chosen_features(moments, groups, self.sparsity)
        weights = self._machines(narrow(X), labels, groups, features)
        return GroupedFactors(weights[:-1], None, weights[-1], groups=groups, features=features)

    def _groups(self, moments: CentredMoments) -> IntArray:
        count = -(-moments.n_labels // 5) if self.n_groups is None else self.n_groups
        if count == 1:
            return np.zeros(moments.n_labels, dtype=np.int64)
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        return clustered(label_affinity(moments, self.instance_weight), count, seed)

    def _machines(self, X: Matrix, labels: sparse.csr_array, groups: IntArray, features: FloatArray) -> FloatArray:
        """Weights with intercepts at their end (D + 1 x L), zero where a group does not look."""
        from joblib import Parallel, delayed

        jobs = [(np.flatnonzero(groups == g), np.flatnonzero(features[:, g])) for g in range(features.shape[1])]
        found = Parallel(n_jobs=self.n_jobs)(
            delayed(_group_weights)(X[:, places], sparse.csc_array(labels[:, members]), self.C)
            for members, places in jobs
        )
        weights = np.zeros((X.shape[1] + 1, labels.shape[1]))
        for (members, places), part in zip(jobs, found, strict=True):
            weights[np.ix_(np.append(places, X.shape[1]), members)] = part
        return weights

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if self.n_groups is not None:
            check_number(self.n_groups, "n_groups", minimum=1, maximum=n_labels, integer=True)
        check_number(self.instance_weight, "instance_weight", minimum=0, maximum=1)
        check_number(self.sparsity, "sparsity", minimum=0)
        check_number(self.C, "C", above=0)
        check_choice(self.scale, "scale", ("auto", "std", None))


def label_affinity(moments: CentredMoments, instance_weight: float) -> FloatArray:
    """A (L x L), with 1 on its diagonal."""
    together = label_cosines(moments)
    alike = np.maximum(cosines(moments.yx(moments.xy())), 0.0)
    affinity = (1 - instance_weight) * together + instance_weight * alike
    np.fill_diagonal(affinity, 1.0)
    return np.asarray((affinity + affinity.T) / 2)


def clustered(affinity: FloatArray, count: int, seed: int) -> IntArray:
    """Cluster of each label: k-means on the leading eigenvectors of N^-1/2 A N^-1/2, for the row sums N of A."""
    from sklearn.cluster import KMeans

    roots = np.sqrt(affinity.sum(axis=1))
    normal = affinity / np.outer(roots, roots)
    vectors = leading_eigenvectors(lambda V: normal @ V, len(affinity), count)[1]
    rows = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    found = KMeans(count, n_init=10, random_state=seed).fit_predict(rows)
    return np.unique(found, return_inverse=True)[1].astype(np.int64)


def chosen_features(moments: CentredMoments, groups: IntArray, sparsity: float) -> FloatArray:
    """Which features (D x G, bool) have weight in the group lasso; the one of most weight where none has."""
    Cxy = moments.xy()
    constant = moments.diagonals()[1].sum() / 2

    def smooth(W: FloatArray) -> tuple[float, FloatArray]:
        image = moments.xx(W)
        return constant + float(np.sum(W * (image / 2 - Cxy))), image - Cxy

    W, _ = proximal_gradient.minimize(
        smooth,
        group_rows(groups).times(sparsity * np.sqrt(moments.mean_square)),
        np.zeros_like(Cxy),
        float(leading_eigenvectors(moments.xx, moments.n_features, 1)[0][0]),
        tol=1e-4,
        quadratic=True,
        name="The group lasso of MLSF",
    )
    member = np.eye(groups.max() + 1)[groups]
    chosen = (W != 0) @ member > 0
    strongest = np.argmax(np.square(Cxy) @ member, axis=0)
    chosen[strongest, np.arange(len(strongest))] |= ~chosen.any(axis=0)
    return np.asarray(chosen)


def _group_weights(X: Matrix, columns: sparse.csc_array, C: float) -> FloatArray:
    machine = LinearMachine(X, C)
    return np.stack([machine.weights(column_of(columns, j)) for j in range(columns.shape[1])], axis=1)
