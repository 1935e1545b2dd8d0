"""How models are tried and chosen: searches along paths of moments, and the protocols of ratings as splitters."""

from __future__ import annotations

from skfactor.model_selection.auto_grids import auto_grid
from skfactor.model_selection.edges import GridEdgeWarning
from skfactor.model_selection.factor_search import FactorSearchCV
from skfactor.model_selection.leave_out import LeaveKOut, WeakGeneralization
from skfactor.model_selection.strong import FoldInScorer, Newcomers, StrongGeneralization
from skfactor.model_selection.time_ordered import TimeOrdered

__all__ = [
    "FactorSearchCV",
    "FoldInScorer",
    "GridEdgeWarning",
    "LeaveKOut",
    "Newcomers",
    "StrongGeneralization",
    "TimeOrdered",
    "WeakGeneralization",
    "auto_grid",
]
