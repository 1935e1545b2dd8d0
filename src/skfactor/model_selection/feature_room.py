"""Blocks of features of the same rows, made once for all methods that are fitted to them."""

from __future__ import annotations

import time
from typing import Any, NamedTuple

import numpy as np
from sklearn.pipeline import FeatureUnion, Pipeline

from skfactor._validation import FloatArray
from skfactor.model_selection.entrants import block


class Made(NamedTuple):
    """A fitted block, its features of the rows that it was fitted to, and the seconds that they took."""

    transformer: Any
    features: FloatArray
    seconds: float


class FeatureRoom:
    """Rows with their labels, and the blocks of features that were made of them."""

    def __init__(self, X: Any, y: Any, random_state: Any, n_jobs: int | None):
        self.X, self.y = X, y
        self.random_state, self.n_jobs = random_state, n_jobs
        self._made: dict[str, Made] = {}

    @property
    def n(self) -> int:
        """Number of rows."""
        return int(self.X.shape[0])

    def features(self, names: tuple[str, ...]) -> Any:
        """The blocks beside each other, as `fit_transform` makes them; the rows themselves if there are none."""
        return np.hstack([self._of(name).features for name in names]) if names else self.X

    def seconds(self, names: tuple[str, ...]) -> float:
        """What the blocks took, as if nobody shared them."""
        return sum(self._of(name).seconds for name in names)

    def assembled(self, names: tuple[str, ...], model: Any) -> Any:
        """A model that was fitted to the blocks, as one that takes rows as they come."""
        if not names:
            return model
        union = FeatureUnion([(name, self._of(name).transformer) for name in names])
        return Pipeline([("features", union), ("method", model)])

    def _of(self, name: str) -> Made:
        if name not in self._made:
            started = time.perf_counter()
            transformer = block(name, self.X, self.random_state, self.n_jobs)
            features = transformer.fit_transform(self.X, self.y)
            self._made[name] = Made(transformer, features, time.perf_counter() - started)
        return self._made[name]
