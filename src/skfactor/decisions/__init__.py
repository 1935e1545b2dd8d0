"""Scores -> labels, by rules that are fitted on held-out scores of the training data."""

from skfactor.decisions.by_count import PredictedCount, TopK
from skfactor.decisions.by_label import LabelThresholds, Proportional
from skfactor.decisions.rule import DecisionRule
from skfactor.decisions.sweep import best_threshold, label_thresholds
from skfactor.decisions.threshold import Threshold

RULES: dict[str, type[DecisionRule]] = {
    "threshold": Threshold,
    "label_thresholds": LabelThresholds,
    "proportional": Proportional,
    "top_k": TopK,
    "predicted_count": PredictedCount,
}

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
