"""The objective of CNMF and its update, which never lets it rise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.utils import gen_batches

from skfactor._validation import BoolArray, FloatArray, IntArray
from skfactor.multilabel.similarity import Similarity

#: Entries of T that are moved at a time: so few that what is made of them stays in the processor's cache.
BLOCK_ENTRIES = 2**18


class Pull(NamedTuple):
    """What moves a row t of T, once all rows have been looked at.

    `toward` = S T B (m x L) gives V = R toward = A T B, and `spread` = B T'T B (L x L) gives U = T spread. With
    them comes `squares` = ||T B T'||^2.
    """

    toward: FloatArray
    spread: FloatArray
    squares: float


def moved(T: FloatArray, U: FloatArray, V: FloatArray, C: FloatArray, goal: FloatArray) -> FloatArray:
    """Minimize the bound of the objective about T (n x L), elementwise, for goal = a That.

    The positive solution Z of  4 (U / T^3) Z^4 + 2 C Z^2 - T (4 V + 2 C goal) = 0,  written so that it holds where
    U, C or T is 0, too: Z^2 = 2 T^2 q / (C T + sqrt(C^2 T^2 + 8 U q)) with q = 2 V + C goal.
    """
    q = 2 * V + C * goal
    below = C * T + np.sqrt(np.square(C * T) + 8 * U * q)
    return T * np.sqrt(np.divide(2 * q, below, out=np.zeros_like(T), where=below > 0))


def normalized(T: FloatArray, otherwise: FloatArray) -> FloatArray:
    """Rows with sum 1: That; rows of zeros become `otherwise` (L)."""
    total = T.sum(axis=1, keepdims=True)
    shares = np.divide(T, total, out=np.zeros_like(T), where=total > 0)
    return np.where(total > 0, shares, otherwise)


@dataclass
class Problem:
    r"""The objective over T >= 0 (n x L).

    It is::

        ||A - T B T'||^2  +  C sum over labelled rows j of ||T_j - a_j That_j||^2

    with the scale a_j = T_j . That_j / That_j . That_j that is best for T. Of an unlabelled row the paper has such
    a term too, which is 0 at its best That; without it the objective is the same, and the steps are longer.

    Attributes
    ----------
    similarity : Similarity
        A (n x n).
    B : ndarray of shape (L, L)
        Similarities of the labels.
    shares : ndarray of shape (n_labelled, L)
        That of the labelled rows: their labels, divided by their number.
    labelled : ndarray of bool, shape (n,)
    C : float
    """

    similarity: Similarity
    B: FloatArray
    shares: FloatArray
    labelled: BoolArray
    C: float

    def __post_init__(self) -> None:
        self.constant = self.similarity.squared_norm()
        self.squares = np.sum(np.square(self.shares), axis=1)
        self.place = np.cumsum(self.labelled) - 1

    def pull(self, T: FloatArray) -> Pull:
        """What T does to its rows: the two products that go over all of them."""
        overlap = T.T @ T @ self.B
        squares = float(np.sum(overlap * overlap.T))
        return Pull(self.similarity.summary(T) @ self.B, self.B @ overlap, squares)

    def update(self, T: FloatArray) -> tuple[FloatArray, float]:
        """Move every row of T, in place; return it with the objective that it had before."""
        pull = self.pull(T)
        objective = self.constant + pull.squares
        for rows in gen_batches(len(T), max(1, BLOCK_ENTRIES // T.shape[1])):
            block, V = T[rows], self.similarity.rows[rows] @ pull.toward
            known = self.labelled[rows]
            goal = np.zeros_like(block)
            goal[known] = self._goal(block[known], self.place[rows][known])
            C = np.where(known, self.C, 0.0)[:, None]
            objective += float(np.sum(C * np.square(block - goal))) - 2 * float(np.sum(block * V))
            T[rows] = moved(block, block @ pull.spread, V, C, goal)
        return T, objective

    def objective(self, T: FloatArray) -> float:
        """The objective at T."""
        return self.update(T.copy())[1]

    def _goal(self, T: FloatArray, place: IntArray) -> FloatArray:
        """a_j That_j for labelled rows; 0 for those without a label."""
        shares, squares = self.shares[place], self.squares[place]
        along = np.sum(T * shares, axis=1)
        scale = np.divide(along, squares, out=np.zeros_like(along), where=squares > 0)
        return np.asarray(scale[:, None] * shares)


def label_similarity(labels: FloatArray, gamma: float) -> FloatArray:
    """B_kl = exp(-gamma |b_k - b_l|^2) (L x L) of the labels' indicator vectors b (columns of n_labelled x L).

    They have length 1 each: else all rare labels were alike.
    """
    unit = labels / np.maximum(np.sqrt(np.sum(np.square(labels), axis=0)), np.finfo(float).tiny)
    return np.asarray(np.exp(-gamma * np.maximum(2 - 2 * (unit.T @ unit), 0.0)))
