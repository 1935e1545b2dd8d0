"""LeafFeatures: the leaves that a row reaches in randomized trees, for scores that are no linear map of x."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Self

import numpy as np
from joblib import Parallel, delayed
from scipy import sparse
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.decomposition import TruncatedSVD
from sklearn.model_selection import KFold
from sklearn.tree import ExtraTreeRegressor
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.multilabel.forest import Forest, dense_blocks, grow, label_directions
from skfactor.multilabel.reading import LabelReader


@dataclass(eq=False, repr=False)
class LeafFeatures(ClassNamePrefixFeaturesOutMixin, TransformerMixin, LabelReader):
    r"""Leaves of extremely randomized trees, grown on all labels at once: any moment method behind them bends.

    A row reaches one leaf in each of T trees. What is made of them is

        leaves:  their indicator, sparse: z_j = 1 / sqrt(m_j T) for a leaf of m_j rows, so that z(x)' z(x') is the
                 weight of x' in the forest's prediction for x
        svd:     its leading singular directions (`n_components` features)
        votes:   the mean over the trees of the labels' means in the leaves (L features): the forest's prediction

    A tree knows the labels of the rows that it was grown on by heart. So `fit_transform`, which serves the
    training rows of a pipeline, leaves rows out of the trees that serve them: the rows of each fold get the votes
    of a forest that was grown on the other folds. For an indicator, all trees must be those that serve new rows:
    so each is grown without one of the folds, and serves that fold alone, while new rows are served by all.
    Without `regrow`, votes are made of such trees, too: one forest is grown instead of `folds` + 1, and a training
    row has the votes of fewer trees. Only so does what follows learn how far to trust the leaves, and calibrate
    its decisions on honest scores.

    Parameters
    ----------
    n_estimators : int
        The number T of trees.
    features : {"votes", "svd", "leaves"}
    n_components : int
        Of "svd".
    held_out : bool
        Whether `fit_transform` leaves rows out of the trees that serve them.
    regrow : bool
        Whether a forest is grown for each fold that is left out, where "votes" allow it.
    folds : int
        Of rows that are left out.
    max_features : int, float, "sqrt" or "log2"
        Features among which a node chooses.
    min_samples_leaf : int
    n_jobs : int, optional
        Threads that grow trees.
    random_state : int, RandomState instance or None

    Attributes
    ----------
    forest_ : Forest
    votes_ : sparse array of shape (n_leaves, n_labels)
        Means of the labels in each leaf, divided by T.
    weights_ : ndarray of shape (n_leaves,)
        z of each leaf.
    svd_ : TruncatedSVD or None
    classes_ : ndarray of shape (n_labels,)
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only if X was a frame.

    References
    ----------
    P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63(1), 2006.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.features import LeafFeatures
    >>> from skfactor.multilabel import RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = make_pipeline(LeafFeatures(n_estimators=50), RidgeBR(ridge=0.1)).fit(data.X, data.Y)
    >>> model[:-1].transform(data.X).shape
    (300, 8)
    """

    n_estimators: int = 300
    features: Literal["votes", "svd", "leaves"] = "votes"
    n_components: int = 100
    held_out: bool = True
    regrow: bool = True
    folds: int = 5
    max_features: Any = "sqrt"
    min_samples_leaf: int = 1
    n_jobs: int | None = None
    random_state: Any = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Grow the trees.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : labels in any form that the classifiers take
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._learn(*self._begin(X, y, None, sample_weight, positives_needed=False))
        return self

    def fit_transform(self, X: Any, y: Any, sample_weight: Any = None) -> Any:
        """Grow the trees, and return features of the rows that `held_out` trees serve.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        ndarray or sparse array of shape (n_samples, n_features_out)
        """
        X, labels, weight = self._begin(X, y, None, sample_weight, positives_needed=False)
        leaves, seen = self._learn(X, labels, weight)
        if not self.held_out or len(weight) < 2:
            return self._features_of(leaves)
        if self._regrows:
            return self._votes_by_folds(X, labels, weight)
        return self._features_of(_served_by(leaves, 1.0 - seen))

    def transform(self, X: Any) -> Any:
        """Features of new rows, by all trees.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray or sparse array of shape (n_samples, n_features_out)
        """
        check_is_fitted(self)
        return self._features_of(self.forest_.leaves(self._read_features(X)))

    def _learn(
        self, X: Matrix, labels: sparse.csr_array, weight: FloatArray
    ) -> tuple[sparse.csr_array, FloatArray]:
        """Grow the forest that serves new rows; the leaves of these rows, and which trees (n x T) they grew."""
        rng = check_random_state(self.random_state)
        self._seed = int(rng.randint(2**31 - self.folds))
        apart = self.held_out and not self._regrows and len(weight) > 1
        self.forest_, seen = self._grown(X, labels, weight, rng, self._folds(len(weight)) if apart else None)
        leaves = self.forest_.leaves(X)
        grew = _served_by(leaves, seen * weight[:, None], spread=False)
        size = np.maximum(np.asarray(grew.sum(axis=0)).ravel(), np.finfo(float).tiny)
        T = self.forest_.n_trees
        self.weights_ = 1.0 / np.sqrt(size * T)
        self.votes_ = sparse.csr_array(sparse.diags_array(1.0 / (size * T)) @ (grew.T @ labels))
        self.svd_ = None
        if self.features == "svd":
            served = _served_by(leaves, 1.0 - seen) if apart else leaves
            rank = max(1, min(self.n_components, min(served.shape) - 1))
            self.svd_ = TruncatedSVD(rank, random_state=self._seed).fit(served * self.weights_)
        return leaves, seen

    def _features_of(self, leaves: sparse.csr_array) -> Any:
        if self.features == "votes":
            return (leaves @ self.votes_).toarray()
        weighted = sparse.csr_array(leaves * self.weights_)
        return weighted if self.svd_ is None else self.svd_.transform(weighted)

    def _votes_by_folds(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> FloatArray:
        """Votes for each fold by a forest grown on the others."""
        votes = np.zeros(labels.shape)
        for number, (rest, fold) in enumerate(self._folds(len(weight))):
            part = type(self)(**{**self.get_params(), "held_out": False, "random_state": self._seed + number})
            part._set_targets(self._targets)
            part._learn(X[rest], labels[rest], weight[rest])
            votes[fold] = part._features_of(part.forest_.leaves(X[fold]))
        return votes

    def _folds(self, n: int) -> list[tuple[IntArray, IntArray]]:
        """Rows outside and inside of each fold."""
        folds = KFold(min(self.folds, n), shuffle=True, random_state=self._seed)
        return list(folds.split(np.empty(n)))

    def _grown(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        rng: np.random.RandomState,
        folds: list[tuple[IntArray, IntArray]] | None,
    ) -> tuple[Forest, FloatArray]:
        """The forest, and which rows each tree was grown on (n x T): all, or those outside of one of the folds."""
        dense = np.concatenate(list(dense_blocks(X)))
        targets = label_directions(labels, weight)
        seeds = rng.randint(2**31, size=self.n_estimators)
        parts = [(np.arange(len(dense)), None)] if folds is None else folds
        rows = [parts[number % len(parts)][0] for number in range(len(seeds))]

        def tree(seed: int, own: IntArray) -> Any:
            options = {"max_features": self.max_features, "min_samples_leaf": self.min_samples_leaf}
            return grow(ExtraTreeRegressor(random_state=seed, **options), dense[own], targets[own], weight[own])

        jobs = Parallel(n_jobs=self.n_jobs, prefer="threads")
        trees = jobs(delayed(tree)(seed, own) for seed, own in zip(seeds, rows, strict=True))
        seen = np.zeros((len(dense), len(seeds)))
        for column, own in enumerate(rows):
            seen[own, column] = 1.0
        return Forest.of(trees), seen

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_choice(self.features, "features", ("votes", "svd", "leaves"))
        for name, least in (("n_estimators", 1), ("n_components", 1), ("folds", 2), ("min_samples_leaf", 1)):
            check_number(getattr(self, name), name, minimum=least, integer=True)

    @property
    def _regrows(self) -> bool:
        return self.regrow and self.features == "votes"

    @property
    def _n_features_out(self) -> int:
        if self.svd_ is not None:
            return int(self.svd_.components_.shape[0])
        return int(self.votes_.shape[1] if self.features == "votes" else self.forest_.n_leaves)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = []
        return tags


def _served_by(leaves: sparse.csr_array, serving: FloatArray, *, spread: bool = True) -> sparse.csr_array:
    """Leaves of the trees that serve a row (n x T, not 0 if so); `spread` lets them count for all trees."""
    values = serving.astype(np.float64)
    if spread:
        values *= serving.shape[1] / np.maximum(values.sum(axis=1, keepdims=True), 1.0)
    parts = (values.ravel(), leaves.indices, leaves.indptr)
    served = sparse.csr_array(parts, shape=leaves.shape, copy=True)
    served.eliminate_zeros()
    return served
