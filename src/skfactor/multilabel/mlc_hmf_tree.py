"""The tree of MLC-HMF: rows are split in two again and again, and each part keeps those that it gets right."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning
from threadpoolctl import threadpool_limits

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.multilabel.margin_embedding import MarginEmbedding

#: An embedding, and how many iterations it took.
Learned = tuple[MarginEmbedding, int]
#: Learns one of rows and their labels (n x L).
Learn = Callable[[Matrix, FloatArray], Learned]


@dataclass(frozen=True)
class Node:
    """A part of the rows.

    Attributes
    ----------
    number : int
        Its place in the list of nodes.
    parent : int
        -1 for the two parts of all rows.
    depth : int
        1 for these.
    n_rows : int
        Rows that came here.
    kept : ndarray of int
        Rows that stay: which of those of `fit`.
    embedding : MarginEmbedding or None
        None where nothing was learned, since there were too few rows or the tree was deep enough, or where no row
        is kept.
    n_iter : int
        Iterations that it took.
    """

    number: int
    parent: int
    depth: int
    n_rows: int
    kept: IntArray
    embedding: MarginEmbedding | None
    n_iter: int = 0


@dataclass
class Tree:
    """Nodes, parents before children, and the rows that none of them keeps.

    Attributes
    ----------
    nodes : list of Node
    residue : ndarray of int
    """

    nodes: list[Node] = field(default_factory=list)
    residue: IntArray = field(default_factory=lambda: np.arange(0))

    @property
    def voters(self) -> list[Node]:
        """The nodes that keep rows."""
        return [node for node in self.nodes if node.embedding is not None]


class Part(NamedTuple):
    """Rows that came to where a node will be: below which node, and how deep."""

    rows: IntArray
    parent: int
    depth: int


@dataclass
class Grower:
    """Grows a tree, a level at a time.

    Attributes
    ----------
    X : table of shape (n, D)
    labels : ndarray of shape (n, L)
    learn : callable
    tolerance : float
        Rows of no more Hamming loss are kept.
    min_samples, max_depth : int
        A part of fewer rows, or deeper, ends the branch.
    rng : RandomState
    n_jobs : int, optional
        Parts of a level that are learned at the same time.
    """

    X: Matrix
    labels: FloatArray
    learn: Learn
    tolerance: float
    min_samples: int
    max_depth: int
    rng: np.random.RandomState
    n_jobs: int | None = None
    tree: Tree = field(default_factory=Tree)

    def grow(self) -> Tree:
        """The tree of all rows; if it kept none, a single node that keeps all of them."""
        everyone = np.arange(len(self.labels))
        with (
            threadpool_limits(1, user_api="openmp"),  # parts are small: threads of k-means only wait
            Parallel(self.n_jobs, prefer="threads") as parallel,
        ):
            level = self._split(everyone, parent=-1, depth=1)
            while level:
                found = parallel(delayed(self._learned)(part) for part in level)
                level = [below for pair in zip(level, found, strict=True) for below in self._settle(*pair)]
        if not self.tree.voters:
            warnings.warn(
                f"No node keeps a row whose Hamming loss is at most {self.tolerance:g}: one embedding of all rows "
                "takes the place of the tree. Raise tolerance, or lower ridge.",
                stacklevel=2,
            )
            self.tree = Tree([Node(0, -1, 0, len(everyone), everyone, *self.learn(self.X, self.labels))])
        return self.tree

    def _learned(self, part: Part) -> Learned | None:
        """The embedding of a part; None where the branch ends."""
        if len(part.rows) < self.min_samples or part.depth > self.max_depth:
            return None
        return self.learn(self.X[part.rows], self.labels[part.rows])

    def _settle(self, part: Part, found: Learned | None) -> list[Part]:
        """Make a part a node; return the parts of the rows that it passes on."""
        number, (rows, parent, depth) = len(self.tree.nodes), part
        if found is None:
            self.tree.nodes.append(Node(number, parent, depth, len(rows), rows[:0], None))
            self.tree.residue = np.concatenate([self.tree.residue, rows])
            return []
        embedding, n_iter = found
        right = embedding.hamming_losses(self.X[rows], self.labels[rows]) <= self.tolerance
        kept = embedding if right.any() else None
        self.tree.nodes.append(Node(number, parent, depth, len(rows), rows[right], kept, n_iter))
        return self._split(rows[~right], number, depth + 1)

    def _split(self, rows: IntArray, parent: int, depth: int) -> list[Part]:
        """Two parts by k-means; one, where all rows are the same; none, where there are no rows."""
        if len(rows) < 2:
            return [Part(rows, parent, depth)] if len(rows) else []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # all rows are the same
            side = KMeans(2, n_init=3, random_state=self.rng.randint(2**31 - 1)).fit_predict(self.X[rows])
        return [Part(rows[side == k], parent, depth) for k in (0, 1) if np.any(side == k)]
