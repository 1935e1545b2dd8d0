"""Trees as arrays reach the leaves that scikit-learn's reach."""

import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor
from sklearn.tree import ExtraTreeRegressor

from skfactor.datasets import make_multilabel
from skfactor.multilabel.forest import Forest, Tree, grow


@pytest.fixture(scope="module")
def data():
    return make_multilabel(n_samples=120, n_features=10, n_labels=5, random_state=0)


def test_forest_reaches_the_leaves_of_scikit_learn(data):
    X, Y = data.X.astype(np.float32), data.Y.toarray()
    theirs = ExtraTreesRegressor(7, random_state=0, max_features="sqrt").fit(X, Y)
    trees = [tree.tree_ for tree in theirs.estimators_]
    forest = Forest.of([Tree(t.feature, t.threshold, t.children_left, t.children_right) for t in trees])
    reached, own = theirs.apply(X), forest.leaves(data.X).indices.reshape(120, 7)
    for column in range(7):
        pairs = set(zip(reached[:, column], own[:, column], strict=True))
        assert len(pairs) == len(set(reached[:, column])) == len(set(own[:, column]))
    assert forest.n_leaves == sum(t.n_leaves for t in trees)


def test_a_tree_of_one_leaf():
    tree = grow(ExtraTreeRegressor(), np.zeros((4, 2), dtype=np.float32), np.ones((4, 1)), np.ones(4))
    np.testing.assert_array_equal(Forest.of([tree, tree]).leaves(np.ones((3, 2))).toarray(), np.ones((3, 2)))
