"""Scores -> labels, by rules that are fitted on held-out scores of the training data."""

from skfactor.decisions.rules import (
    RULES,
    DecisionRule,
    LabelThresholds,
    PredictedCount,
    Proportional,
    Threshold,
    TopK,
)
from skfactor.decisions.sweep import best_threshold, label_thresholds

__all__ = [
    "RULES",
    "DecisionRule",
    "LabelThresholds",
    "PredictedCount",
    "Proportional",
    "Threshold",
    "TopK",
    "best_threshold",
    "label_thresholds",
]
