"""What methods made of trees share: the labels' means in the leaves that a row reaches."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.binary import in_blocks
from skfactor.multilabel.forest import Forest, Tree, dense_blocks, grow, label_directions


@dataclass(frozen=True)
class ForestScorer:
    """scores = leaves(X) V: the mean over the trees of the labels' shares in the leaves that a row reaches.

    Attributes
    ----------
    forest : Forest
    votes : csr_array of shape (n_leaves, n_labels)
        V, the shares divided by the number of trees.
    """

    forest: Forest
    votes: sparse.csr_array

    @classmethod
    def of(cls, trees: list[Tree], X: Matrix, labels: sparse.csr_array, counts: list[FloatArray]) -> ForestScorer:
        """For trees, of which each was grown on the rows of X as often as its `counts` say."""
        forest = Forest.of(trees)
        leaves = forest.leaves(X)
        often = np.stack(counts, axis=1).ravel()  # a row of `leaves` has one entry per tree, in their order
        grew = sparse.csr_array((often, leaves.indices, leaves.indptr), shape=leaves.shape)
        size = forest.n_trees * np.asarray(grew.sum(axis=0)).ravel()
        votes = sparse.csr_array(sparse.diags_array(1.0 / size) @ (grew.T @ labels))
        votes.eliminate_zeros()
        return cls(forest, votes)

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L), between 0 and 1."""
        width = max(self.votes.shape[1], self.forest.n_trees)
        return in_blocks(lambda rows: (self.forest.leaves(rows) @ self.votes).toarray(), X, width)


@dataclass(eq=False, repr=False)
class ForestClassifier(LabelClassifier):
    """Base of the forests: trees that part rows with different labels, all labels at once.

    Attributes
    ----------
    scorer_ : ForestScorer
    """

    #: Whether a tree is grown on a sample of as many rows, drawn with replacement.
    bootstrap: ClassVar[bool] = False

    n_estimators: int = 100
    max_features: Any = "sqrt"
    min_samples_leaf: int = 1
    n_jobs: int | None = None

    @abstractmethod
    def _tree(self, **options: Any) -> Any:
        """A tree of scikit-learn that is not grown yet."""

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> ForestScorer:
        from joblib import Parallel, delayed

        rng = check_random_state(self.random_state)
        rows, targets = np.concatenate(list(dense_blocks(X))), label_directions(labels, weight)
        # Seeds and samples come as scikit-learn draws them, so that its forests are these.
        seeds = [rng.randint(np.iinfo(np.int32).max) for _ in range(self.n_estimators)]
        counts = [self._drawn(len(rows), seed) for seed in seeds]
        options = {"max_features": self.max_features, "min_samples_leaf": self.min_samples_leaf}
        trees = Parallel(n_jobs=self.n_jobs, prefer="threads")(
            delayed(grow)(self._tree(random_state=seed, **options), rows, targets, count)
            for seed, count in zip(seeds, counts, strict=True)
        )
        return ForestScorer.of(trees, X, labels, counts)

    def _drawn(self, n: int, seed: int) -> FloatArray:
        """How often each of n rows is in the sample of a tree."""
        if not self.bootstrap:
            return np.ones(n)
        return np.bincount(np.random.RandomState(seed).randint(0, n, n), minlength=n).astype(np.float64)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.n_estimators, "n_estimators", minimum=1, integer=True)
        check_number(self.min_samples_leaf, "min_samples_leaf", minimum=1, integer=True)
        check_max_features(self.max_features, n_features)


def check_max_features(value: Any, n_features: int) -> None:
    """Refuse what scikit-learn's trees would not take, before the first is grown."""
    if isinstance(value, str):
        if value not in ("sqrt", "log2"):
            raise ValueError(f'max_features must be "sqrt", "log2", a share, a number or None, got {value!r}.')
    elif value is not None:
        whole = isinstance(value, int | np.integer)
        check_number(value, "max_features", above=0, maximum=n_features if whole else 1.0)
