"""How models are tried and chosen: the protocols of ratings as scikit-learn splitters."""

from __future__ import annotations

from skfactor.model_selection.leave_out import LeaveKOut, WeakGeneralization
from skfactor.model_selection.strong import FoldInScorer, Newcomers, StrongGeneralization
from skfactor.model_selection.time_ordered import TimeOrdered

__all__ = [
    "FoldInScorer",
    "LeaveKOut",
    "Newcomers",
    "StrongGeneralization",
    "TimeOrdered",
    "WeakGeneralization",
]
