"""Descents of CNMF with some of the labels hidden: how many updates rank these best, and their scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from sklearn.model_selection import KFold

from skfactor._validation import BoolArray, FloatArray, IntArray
from skfactor.metrics.list_length import list_length_curve
from skfactor.multilabel.cnmf_descent import Descent
from skfactor.multilabel.held_out import FIT_ENTRIES, HeldOut
from skfactor.multilabel.similarity import Similarity

#: Rows without labels that take part: the trial only serves to choose.
UNLABELLED = 2000
States = npt.NDArray[np.float32]
#: Starts a descent from similarities, labels (n x L) and the mask of the rows that have some.
Begin = Callable[[Similarity, sparse.csr_array, BoolArray], Descent]


@dataclass
class Hidden:
    """Hidden labels, and the scores that they had after each update.

    Attributes
    ----------
    truth : CSR array of shape (n_hidden, L)
    scores : ndarray of float32, shape (n_states, n_hidden, L)
        After each update, or after the last one only.
    """

    truth: sparse.csr_array
    scores: States

    def curve(self) -> FloatArray:
        """Micro-F1 at the best length of the list, after each update."""
        return np.array([list_length_curve(self.truth, scores).f1.max() for scores in self.scores])

    def after(self, n_iter: int, rng: np.random.RandomState) -> HeldOut:
        """The scores after so many updates, for the decision rule."""
        scores = self.scores[min(n_iter, len(self.scores)) - 1].astype(np.float64)
        return HeldOut.of(scores, self.truth, np.ones(len(scores)), rng)


def hide_folds(
    similarity: Similarity,
    labels: sparse.csr_array,
    labelled: BoolArray,
    begin: Begin,
    *,
    n_folds: int,
    max_iter: int,
    tol: float,
    every_update: bool,
    rng: np.random.RandomState,
) -> Hidden:
    """Descend once for each fold of the labelled rows, with its labels hidden; a single row is not hidden."""
    known, others = np.flatnonzero(labelled), np.flatnonzero(~labelled)
    others = rng.choice(others, min(UNLABELLED, len(others)), replace=False)
    rows = np.sort(np.concatenate([known, others]))
    n_folds, n_states = min(n_folds, len(known)), max_iter if every_update else 1
    most = max(1, FIT_ENTRIES // (labels.shape[1] * n_states * max(1, n_folds)))
    hidden, scores = [np.arange(0)], [np.zeros((n_states, 0, labels.shape[1]), dtype=np.float32)]
    for _, fold in KFold(n_folds, shuffle=True, random_state=rng).split(known) if n_folds > 1 else ():
        rest = labelled.copy()
        rest[known[fold]] = False
        if not labels[rest].nnz:
            continue
        watched = rng.choice(known[fold], min(most, len(fold)), replace=False)
        descent = begin(similarity.part(rows), labels[rows], rest[rows])
        scores.append(_states(descent, np.searchsorted(rows, watched), n_states, max_iter, tol))
        hidden.append(watched)
    return Hidden(labels[np.concatenate(hidden)], np.concatenate(scores, axis=1))


def _states(descent: Descent, watched: IntArray, n_states: int, max_iter: int, tol: float) -> States:
    """Scores of the watched rows after each update, or the last; where it ends early, the last are repeated."""
    found: list[States] = []
    for _ in descent.updates(max_iter, tol):
        found = [*found, descent.label_shares(watched).astype(np.float32)][-n_states:]
    return np.stack(found + found[-1:] * (n_states - len(found)))
