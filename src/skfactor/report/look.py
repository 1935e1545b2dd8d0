"""The best method of a contest once more, fitted to the first training part, to be looked at closely."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.datasets import MultilabelData
from skfactor.experiments import fitting, protocols
from skfactor.experiments.contest import Contest
from skfactor.experiments.task import Task


@dataclass(frozen=True)
class Look:
    """A fitted model, and what it says of rows that it was not fitted to.

    Attributes
    ----------
    method : str
    model : estimator
    data : MultilabelData
        All rows.
    rows : ndarray of int, shape (n_test,)
        The test rows within `data`.
    true, predicted : sparse array of shape (n_test, n_labels)
    margins : ndarray of shape (n_test, n_labels)
        Scores, less the threshold: above 0 is predicted.
    """

    method: str
    model: Any
    data: MultilabelData
    rows: IntArray
    true: Matrix
    predicted: Matrix
    margins: FloatArray


def look(contest: Contest, data: MultilabelData) -> Look:
    """Fit the best method with the parameters that were chosen in the first part."""
    method = contest.order(data.name, contest.metrics[0])[0]
    record = contest.records[data.name, method][0]
    task = Task(**record["task"])
    part = protocols.part(task.protocol, data, task.fold)
    train, test = data.subset(part.train), data.subset(part.test)
    model = fitting.prepared(task, record["chosen"], train).fit(train.X, train.Y)
    predicted = sparse.csr_array(model.predict(test.X))
    return Look(method, model, data, part.test, test.Y, predicted, np.asarray(model.decision_function(test.X)))


def label_vectors(one: Look) -> tuple[FloatArray, str]:
    """A vector for each label (L x r), and in words what it is.

    Columns of the decoder, or of the encoder of a method that has no decoder. For a method that is no linear map,
    directions of the labels' own covariance.
    """
    factors = getattr(one.model, "factors_", None)
    if factors is not None and factors.decoder is not None:
        return np.asarray(factors.decoder.T), f"the embedding of {one.method}"
    if factors is not None:
        return np.asarray(factors.encoder.T), f"the weights of {one.method}"
    from sklearn.decomposition import TruncatedSVD

    Y = one.data.Y
    rank = max(1, min(50, min(Y.shape) - 1))
    return TruncatedSVD(rank, random_state=0).fit_transform(Y.T), "the rows that labels have in common"
