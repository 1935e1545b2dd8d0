"""ExtraTrees: extremely randomized trees for several labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from skfactor.multilabel.comparators.trees import ForestClassifier


@dataclass(eq=False, repr=False)
class ExtraTrees(ForestClassifier):
    r"""Extremely randomized trees: many trees of random cuts, each with all labels at its leaves.

    A node draws some features, a threshold for each, and takes the pair with the greatest fall of the labels'
    variance (for 0 and 1, half their Gini impurity), summed over the labels. Scores are the labels' shares in the
    leaves that a row reaches, averaged over the trees: what scikit-learn's `ExtraTreesRegressor` predicts. More
    than 64 labels are replaced by their 64 leading directions where nodes compare cuts; the shares are of all.

    Parameters
    ----------
    n_estimators : int
        Number of trees.
    max_features : int, float, "sqrt", "log2" or None
        Features that a node draws: a number, a share, or all of them (None).
    min_samples_leaf : int
        Rows of a leaf at least.
    n_jobs : int, optional
        Threads that grow trees; -1 for as many as there are cores.
    random_state : int, RandomState instance or None
        Draws cuts, and the folds.
    decision, calibration_folds
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : ForestScorer
        The trees as arrays, and the labels' shares in their leaves, sparse.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    P. Geurts, D. Ernst and L. Wehenkel, "Extremely randomized trees", Machine Learning 63(1), 2006.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import ExtraTrees
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = ExtraTrees(n_estimators=20).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    def _tree(self, **options: Any) -> Any:
        from sklearn.tree import ExtraTreeRegressor

        return ExtraTreeRegressor(**options)
