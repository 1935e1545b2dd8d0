"""Trees of scikit-learn as plain arrays: the leaf of every row in every tree, without compiled parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Self

import numpy as np
from scipy import sparse
from sklearn.utils import gen_batches

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.moments import Moments

#: Rows are made dense in blocks of about this many bytes.
BLOCK_BYTES = 2**26
#: Trees are grown on so many leading directions of the labels: more cost time and memory, and gain nothing.
TARGETS = 64


class Tree(NamedTuple):
    """Of each node: what it asks for, and the nodes to go on with, -1 from a leaf."""

    feature: IntArray
    threshold: FloatArray
    left: IntArray
    right: IntArray


def grow(tree: Any, X: FloatArray, targets: FloatArray, weight: FloatArray) -> Tree:
    """Grow a tree of scikit-learn on rows X (n x D, single precision) that parts different targets (n x q)."""
    grown = tree.fit(X, targets, sample_weight=weight).tree_
    return Tree(grown.feature, grown.threshold, grown.children_left, grown.children_right)


@dataclass(frozen=True)
class Forest:
    """Nodes of all trees, one tree after another.

    Attributes
    ----------
    feature, left, right : ndarray of shape (n_nodes,)
        What a node asks for, and the nodes to go on with; a leaf leads to itself.
    threshold : ndarray of shape (n_nodes,)
        A row goes left if its feature is not above.
    root : ndarray of shape (n_trees,)
    leaf : ndarray of shape (n_nodes,)
        Number of the leaf among all leaves, -1 for inner nodes.
    """

    feature: IntArray
    left: IntArray
    right: IntArray
    threshold: FloatArray
    root: IntArray
    leaf: IntArray

    @classmethod
    def of(cls, trees: Sequence[Tree]) -> Self:
        """Join trees."""
        counts = np.array([len(tree.feature) for tree in trees])
        root = np.concatenate([[0], np.cumsum(counts)[:-1]])
        feature, threshold, left, right = (np.concatenate(parts) for parts in zip(*trees, strict=True))
        ends, first = left < 0, np.repeat(root, counts)
        own = np.arange(len(ends))
        return cls(
            feature=np.where(ends, 0, feature),
            left=np.where(ends, own, left + first),
            right=np.where(ends, own, right + first),
            threshold=threshold,
            root=root,
            leaf=np.where(ends, np.cumsum(ends) - 1, -1),
        )

    @property
    def n_trees(self) -> int:
        """T."""
        return len(self.root)

    @property
    def n_leaves(self) -> int:
        """Leaves of all trees together."""
        return int(np.count_nonzero(self.leaf >= 0))

    def leaves(self, X: Matrix) -> sparse.csr_array:
        """Indicator (n x n_leaves) of the leaves of the rows of X (n x D), one for each tree."""
        reached = np.concatenate([self.leaf[self._ends(block)] for block in dense_blocks(X)])
        starts = np.arange(0, reached.size + 1, self.n_trees)
        shape = (len(reached), self.n_leaves)
        return sparse.csr_array((np.ones(reached.size), reached.ravel(), starts), shape=shape)

    def _ends(self, X: FloatArray) -> IntArray:
        """The node at which each row ends in each tree (n x T): all of them go down one step at a time."""
        at = np.tile(self.root, len(X))
        row = np.repeat(np.arange(len(X)), self.n_trees)
        moving = np.flatnonzero(self.leaf[at] < 0)
        while len(moving):
            node = at[moving]
            low = X[row[moving], self.feature[node]] <= self.threshold[node]
            at[moving] = np.where(low, self.left[node], self.right[node])
            moving = moving[self.leaf[at[moving]] < 0]
        return at.reshape(len(X), self.n_trees)


def dense_blocks(X: Matrix) -> Iterator[FloatArray]:
    """Rows in single precision, as trees compare them, a few at a time."""
    for part in gen_batches(X.shape[0], max(1, BLOCK_BYTES // (4 * max(1, X.shape[1])))):
        block = X[part]
        yield np.asarray(block.toarray() if sparse.issparse(block) else block, dtype=np.float32)


def label_directions(labels: sparse.csr_array, weight: FloatArray) -> FloatArray:
    """The labels (n x L), or where they are many, their leading directions (n x `TARGETS`)."""
    if labels.shape[1] <= TARGETS:
        return np.asarray(labels.toarray())
    nothing = np.ones((len(weight), 1))
    _, V = Moments.of(nothing, labels, sample_weight=weight).centred().leading_y(TARGETS)
    return np.asarray(labels @ V)
