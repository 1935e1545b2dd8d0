"""RandomForest: bagged trees for several labels."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from skfactor.multilabel.comparators.trees import ForestClassifier


@dataclass(eq=False, repr=False)
class RandomForest(ForestClassifier):
    r"""A random forest: many trees, each of a sample of the rows, with all labels at its leaves.

    A node draws some features and takes the cut with the greatest fall of the labels' variance (for 0 and 1, half
    their Gini impurity), summed over the labels. Scores are the labels' shares in the leaves that a row reaches,
    averaged over the trees: what scikit-learn's `RandomForestRegressor` predicts. More than 64 labels are replaced
    by their 64 leading directions where nodes compare cuts; the shares are of all.

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
        Draws samples and features, and the folds.
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
    L. Breiman, "Random forests", Machine Learning 45(1), 2001.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import RandomForest
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = RandomForest(n_estimators=20).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    bootstrap: ClassVar[bool] = True

    def _tree(self, **options: Any) -> Any:
        from sklearn.tree import DecisionTreeRegressor

        return DecisionTreeRegressor(**options)
