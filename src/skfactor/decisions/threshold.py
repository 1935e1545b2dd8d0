"""The plain rule: one threshold for all labels."""

from __future__ import annotations

from typing import Self

from skfactor._validation import BoolArray, FloatArray, check_number
from skfactor.decisions.rule import DecisionRule


class Threshold(DecisionRule):
    """One threshold for all labels.

    Parameters
    ----------
    metric, min_labels
        As in every rule.
    value : float, optional
        A threshold of your own, which is then not chosen. With `min_labels` given as well, nothing is chosen, and
        no held-out scores are made for it.

    Attributes
    ----------
    threshold_, min_labels_, value_
        As in every rule.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.decisions import Threshold
    >>> scores = np.array([[0.9, 0.4, 0.1], [0.3, 0.6, 0.2]])
    >>> rule = Threshold().fit(scores, np.array([[1, 1, 0], [0, 1, 0]], dtype=bool))
    >>> rule.threshold_
    0.35
    >>> rule.predict(scores).astype(int)
    array([[1, 1, 0],
           [0, 1, 0]])
    """

    def __init__(self, metric: str = "micro_f1", min_labels: int | str = "auto", value: float | None = None):
        super().__init__(metric, min_labels)
        self.value = value

    def fit(
        self,
        scores: FloatArray,
        truth: BoolArray,
        sample_weight: FloatArray | None = None,
        known: BoolArray | None = None,
    ) -> Self:
        """Choose the threshold, unless one was given."""
        if self.value is not None:
            check_number(self.value, "value")
        super().fit(scores, truth, sample_weight, known)
        if self.value is not None:
            self.threshold_ = float(self.value)
        return self

    def given(self) -> Self | None:
        """Ready, with both `value` and `min_labels` given."""
        if self.value is None or self.min_labels == "auto":
            return None
        check_number(self.value, "value")
        return self.preset(float(self.value), int(self.min_labels))
