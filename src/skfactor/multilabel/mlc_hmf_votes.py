"""Predictions of MLC-HMF: the nodes of a row's nearest kept neighbours vote."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy import sparse
from sklearn.neighbors import NearestNeighbors

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.moments.second import Centre
from skfactor.multilabel.comparators.binary import narrow
from skfactor.multilabel.margin_embedding import MarginEmbedding


@dataclass(frozen=True)
class Frame:
    """Features as the tree sees them: dense ones centred, all divided by their scale.

    Attributes
    ----------
    centre : Centre
    """

    centre: Centre

    def of(self, X: Matrix) -> Matrix:
        """The rows of X (n x D); sparse ones are not centred."""
        if sparse.issparse(X):
            return narrow(sparse.csr_array(X.multiply(1 / self.centre.scale)))
        return np.asarray((X - self.centre.mean_x) / self.centre.scale)


@dataclass(frozen=True)
class VoteScorer:
    """Scores: the mean of the outputs of the nodes that vote.

    Attributes
    ----------
    frame : Frame
    rows : array or CSR array of shape (n_kept, D)
        What the nodes keep, in that frame.
    place : ndarray of int, shape (n_kept,)
        Which of the embeddings a kept row belongs to.
    embeddings : list of MarginEmbedding
    n_neighbors : int
    """

    frame: Frame
    rows: Matrix
    place: IntArray
    embeddings: list[MarginEmbedding]
    n_neighbors: int

    def scores(self, X: Matrix) -> FloatArray:
        """Mean output (n x L)."""
        return self._mean(self.frame.of(X), lambda outputs: outputs)

    def votes(self, X: Matrix) -> FloatArray:
        """The share of the votes (n x L) for each label."""
        return self._mean(self.frame.of(X), lambda outputs: (outputs > 0).astype(np.float64))

    def neighbours(self, X: Matrix) -> tuple[FloatArray, IntArray]:
        """Distances and places (n x k) of the nearest kept rows, for rows X in the frame."""
        k = min(self.n_neighbors, len(self.place))
        distances, nearest = NearestNeighbors(n_neighbors=k, algorithm="brute").fit(self.rows).kneighbors(X)
        return distances, nearest

    def voters(self, X: Matrix) -> FloatArray:
        """How often each embedding votes (n x number of embeddings), for rows X in the frame."""
        _, nearest = self.neighbours(X)
        counts = np.zeros((X.shape[0], len(self.embeddings)))
        np.add.at(counts, (np.arange(X.shape[0])[:, None], self.place[nearest]), 1.0)
        return counts

    def _mean(self, X: Matrix, made: Callable[[FloatArray], FloatArray]) -> FloatArray:
        counts = self.voters(X)
        total = np.zeros((X.shape[0], len(self.embeddings[0].intercept)))
        for embedding, count in zip(self.embeddings, counts.T, strict=True):
            asked = np.flatnonzero(count)
            if len(asked):
                total[asked] += count[asked, None] * made(embedding.outputs(X[asked]))
        return np.asarray(total / counts.sum(axis=1, keepdims=True))
