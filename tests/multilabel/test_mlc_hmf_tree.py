import numpy as np
import pytest

from skfactor.multilabel.margin_embedding import MarginEmbedding
from skfactor.multilabel.mlc_hmf_tree import Grower


def frequent(X, labels):
    """An embedding that says of every row what most rows are."""
    L = labels.shape[1]
    intercept = np.where(labels.mean(axis=0) > 0.5, 1.0, -1.0)
    return MarginEmbedding(np.zeros((X.shape[1], 1)), np.zeros((1, L)), intercept), 1


def grown(X, labels, learn=frequent, tolerance=0.0, min_samples=5, max_depth=5):
    return Grower(X, labels, learn, tolerance, min_samples, max_depth, np.random.RandomState(0)).grow()


@pytest.fixture
def rows():
    rng = np.random.default_rng(0)
    return rng.normal(size=(120, 3)), (rng.random((120, 2)) < 0.4).astype(float)


@pytest.mark.parametrize("tolerance", [0.0, 0.5])
def test_every_row_is_in_one_node_or_in_the_residue(rows, tolerance):
    tree = grown(*rows, tolerance=tolerance)
    everywhere = np.concatenate([*(node.kept for node in tree.nodes), tree.residue])
    np.testing.assert_array_equal(np.sort(everywhere), np.arange(120))


def test_rows_add_up(rows):
    tree = grown(*rows)
    assert sum(node.n_rows for node in tree.nodes if node.parent < 0) == 120
    for node in tree.nodes:
        children = [child for child in tree.nodes if child.parent == node.number]
        assert all(child.depth == node.depth + 1 for child in children)
        if children:
            assert sum(child.n_rows for child in children) == node.n_rows - len(node.kept)


def test_nodes_keep_what_they_get_right_and_nothing_else(rows):
    X, labels = rows
    learned = []

    def spy(X, Y):
        learned.append((Y, frequent(X, Y)))
        return learned[-1][1]

    tree = grown(X, labels, spy)
    assert len(learned) == sum(node.n_rows >= 5 and node.depth <= 5 for node in tree.nodes)
    for node in tree.voters:
        assert not node.embedding.hamming_losses(X[node.kept], labels[node.kept]).any()


def test_no_branch_is_deeper_or_smaller_than_allowed(rows):
    tree = grown(*rows, max_depth=2, min_samples=12)
    assert max(node.depth for node in tree.voters) <= 2
    assert max(node.depth for node in tree.nodes) <= 3
    assert min(node.n_rows for node in tree.voters) >= 12


def test_nodes_that_keep_nothing_have_no_vote(rows):
    X, labels = rows

    def wrong_at_first(X, Y):
        embedding, n_iter = frequent(X, Y)
        return (
            (MarginEmbedding(embedding.U, embedding.V, 3 - 9 * Y[0]), n_iter)
            if len(Y) > 40
            else (embedding, n_iter)
        )

    labels = np.tile([1.0, 0.0], (120, 1))
    tree = grown(X, labels, wrong_at_first)
    assert tree.nodes[0].embedding is None
    assert len(tree.nodes[0].kept) == 0
    assert sum(len(node.kept) for node in tree.voters) + len(tree.residue) == 120


def test_a_tree_that_keeps_nothing_falls_back_to_one_embedding(rows):
    X, _ = rows

    def always_wrong(X, Y):
        return MarginEmbedding(np.zeros((3, 1)), np.zeros((1, 2)), np.array([np.nan, np.nan])), 1

    with pytest.warns(UserWarning, match=r"No node keeps a row whose Hamming loss is at most 0.*Raise tolerance"):
        tree = grown(X, np.ones((120, 2)), always_wrong)
    assert len(tree.nodes) == 1
    np.testing.assert_array_equal(tree.nodes[0].kept, np.arange(120))
    assert len(tree.residue) == 0


def test_duplicated_rows_stay_together_and_the_tree_ends():
    X, labels = np.ones((20, 3)), np.zeros((20, 2))
    labels[:8, 0] = 1  # the same rows with other labels: no embedding has all of them
    tree = grown(X, labels)
    assert [node.n_rows for node in tree.nodes if node.parent < 0] == [20]
    assert sum(len(node.kept) for node in tree.voters) + len(tree.residue) == 20


def test_a_part_with_one_label_pattern_is_kept_whole():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(-5, 1, (15, 3)), rng.normal(5, 1, (15, 3))])
    labels = np.zeros((30, 2))
    labels[:15, 1] = 1
    tree = grown(X, labels)
    assert [len(node.kept) for node in tree.nodes] == [15, 15]
    assert len(tree.residue) == 0
