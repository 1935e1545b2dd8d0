"""ML-DT: a decision tree for several labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, Matrix, check_number
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.comparators.trees import ForestScorer
from skfactor.multilabel.forest import dense_blocks, grow


@dataclass(eq=False, repr=False)
class MLDT(LabelClassifier):
    r"""A multi-label decision tree: questions one can read, whose answers tell most of all labels.

    A node asks the question x_d <= t by which the entropy of the labels falls most, where with the shares p_j of
    the labels among the rows of a node it is

        - sum_j (p_j log p_j + (1 - p_j) log (1 - p_j))

    Scores are the shares in the leaf that a row reaches. The tree is scikit-learn's, with all labels as outputs,
    for which it wants them dense.

    Parameters
    ----------
    min_samples_leaf : int
        Rows of a leaf at least: what keeps the tree from knowing its rows by heart.
    max_depth : int, optional
        Questions on the way to a leaf at most.
    random_state : int, RandomState instance or None
        Decides between equally good questions, and draws the folds.
    decision, calibration_folds
        As in `LabelClassifier`. The paper's decision is Threshold(value=0.5, min_labels=0).

    Attributes
    ----------
    scorer_ : ForestScorer
        The tree as arrays, and the labels' shares in its leaves.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    A. Clare and R. D. King, "Knowledge discovery in multi-label phenotype data", PKDD 2001.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLDT
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = MLDT(min_samples_leaf=10).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    min_samples_leaf: int = 5
    max_depth: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> ForestScorer:
        from sklearn.tree import DecisionTreeClassifier

        tree = DecisionTreeClassifier(
            criterion="entropy",
            min_samples_leaf=self.min_samples_leaf,
            max_depth=self.max_depth,
            random_state=check_random_state(self.random_state),
        )
        rows = np.concatenate(list(dense_blocks(X)))
        return ForestScorer.of([grow(tree, rows, labels.toarray(), weight)], X, labels, [weight])

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.min_samples_leaf, "min_samples_leaf", minimum=1, integer=True)
        if self.max_depth is not None:
            check_number(self.max_depth, "max_depth", minimum=1, integer=True)
