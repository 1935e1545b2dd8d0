"""How models are tried and chosen: searches along paths of moments, and the protocols of ratings as splitters."""

from __future__ import annotations

from skfactor.model_selection.auto_grids import auto_grid
from skfactor.model_selection.committee import Committee
from skfactor.model_selection.edges import GridEdgeWarning
from skfactor.model_selection.entrants import Entrant
from skfactor.model_selection.factor_search import FactorSearchCV
from skfactor.model_selection.leave_out import LeaveKOut, WeakGeneralization
from skfactor.model_selection.nested import NestedScores, nested_cross_validate
from skfactor.model_selection.strong import FoldInScorer, Newcomers, StrongGeneralization
from skfactor.model_selection.time_ordered import TimeOrdered
from skfactor.model_selection.tournament import Tournament
from skfactor.model_selection.trials import Standing

__all__ = [
    "Committee",
    "Entrant",
    "FactorSearchCV",
    "FoldInScorer",
    "GridEdgeWarning",
    "LeaveKOut",
    "NestedScores",
    "Newcomers",
    "Standing",
    "StrongGeneralization",
    "TimeOrdered",
    "Tournament",
    "WeakGeneralization",
    "auto_grid",
    "nested_cross_validate",
]
