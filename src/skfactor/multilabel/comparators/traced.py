"""What iterative methods tell of their way: the objective after each iteration."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from skfactor._validation import FloatArray
from skfactor.factors import Factors


@dataclass(frozen=True)
class TracedFactors(Factors):
    """Factors that a solver went down to.

    Attributes
    ----------
    objectives : list of float
        At the start and after each iteration, or the mean of each epoch.
    """

    objectives: list[float] = field(kw_only=True, repr=False)


class Traced:
    """The attributes of estimators whose scorer has `objectives`."""

    _fitted: Any

    @property
    def objective_(self) -> FloatArray:
        """The objective at the start and after each iteration, or the mean of each epoch."""
        return np.array(self._fitted.objectives)

    @property
    def n_iter_(self) -> int:
        """Number of them."""
        return len(self._fitted.objectives)
