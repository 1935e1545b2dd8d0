"""Metrics that depend on counts only: the hits, the predicted and the true labels of a group.

All of them are a mean over groups (everything at once, each label, or each example) of one elementary
function of four counts. Written so, one exact threshold sweep serves every metric
(`skfactor.decisions`), and the definition is the same there as in `skfactor.metrics`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import numpy as np

from skfactor._validation import FloatArray

Group = Literal["all", "label", "example"]
#: (hits, predicted, positives, size of a group, value of an empty group) -> value of the group
Value = Callable[[FloatArray, FloatArray, FloatArray, float, float], FloatArray]


@dataclass(frozen=True)
class CountMetric:
    """The mean over the groups `over` of `value`.

    Attributes
    ----------
    name : str
        Name of the public function.
    over : {"all", "label", "example"}
        What the counts are taken over.
    value : callable
        `value(hits, predicted, positives, size, empty)`, elementwise, for arrays of counts. A group has
        `size` entries, and gets the value `empty` where the metric is 0/0.
    empty : float
        The default of `empty`.
    greater_is_better : bool
        False for losses.
    """

    name: str
    over: Group
    value: Value
    empty: float = 0.0
    greater_is_better: bool = True


def ratio(numerator: FloatArray, denominator: FloatArray, empty: float) -> FloatArray:
    """`numerator / denominator`, and `empty` where that is 0/0."""
    numerator, denominator = np.broadcast_arrays(
        np.asarray(numerator, dtype=np.float64), np.asarray(denominator, dtype=np.float64)
    )
    return np.divide(numerator, denominator, out=np.full(numerator.shape, empty), where=denominator > 0)
