"""The template of the models that predict a number, which is then rounded to a level."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray, IntArray
from skfactor.ratings.base import RatingModel
from skfactor.ratings.embedding import Embedding, Factor


@dataclass(eq=False, repr=False, kw_only=True)
class ValueModel(RatingModel):
    """Base of the models whose score is the rating less a constant.

    Parameters
    ----------
    rounded : bool
        Predict the nearest level; else the number itself, within the range of the levels, which has a lower
        squared error.
    levels, duplicates, decision
        As in `RatingModel`.
    """

    rounded: bool = True

    #: What is added to a score; models that centre the ratings set their mean.
    mean_ = 0.0

    def _answer(self, users: IntArray, items: IntArray) -> npt.NDArray[Any]:
        if self.rounded:
            return super()._answer(users, items)
        values = self.levels_[self._fallback(items)].astype(np.float64)
        known = (users >= 0) & (items >= 0)
        scores = self.embedding_.scores(users[known], items[known])
        values[known] = np.clip(scores + self.mean_, self.levels_[0], self.levels_[-1])
        return values

    def _rounding(self, mean: float) -> Factor:
        """Thresholds that round score + mean to the nearest level, of shape (1, R - 1)."""
        values = self._level_values
        return np.asarray((values[1:] + values[:-1]) / 2 - mean)[None, :]

    def _with_biases(
        self, U: FloatArray, V: FloatArray, user_bias: FloatArray, item_bias: FloatArray
    ) -> Embedding:
        """Biases are two more factors: U_i . V_j + b_i + c_j = [U_i, b_i, 1] . [V_j, 1, c_j]."""
        return Embedding(
            np.column_stack([U, user_bias, np.ones(len(U))]),
            np.column_stack([V, np.ones(len(V)), item_bias]),
            self._rounding(self.mean_),
        )
