"""How good predicted labels, rankings of labels and ratings are: pure functions, and `get_metric` by name."""

from __future__ import annotations

from skfactor.metrics.list_length import ListLengthCurve, list_length_curve
from skfactor.metrics.multilabel import (
    accuracy,
    example_f1,
    example_precision,
    example_recall,
    hamming_loss,
    macro_f1,
    macro_precision,
    macro_recall,
    micro_f1,
    micro_precision,
    micro_recall,
    subset_accuracy,
)
from skfactor.metrics.ranking import average_precision, coverage, ranking_loss
from skfactor.metrics.ratings import fre, mae, nmae, rmse, zero_one_error
from skfactor.metrics.registry import METRICS, Metric, get_metric, rating_metric
from skfactor.metrics.top import ndcg_at, one_error, precision_at, propensities, psp_at, recall_at

__all__ = [
    "METRICS",
    "ListLengthCurve",
    "Metric",
    "accuracy",
    "average_precision",
    "coverage",
    "example_f1",
    "example_precision",
    "example_recall",
    "fre",
    "get_metric",
    "hamming_loss",
    "list_length_curve",
    "macro_f1",
    "macro_precision",
    "macro_recall",
    "mae",
    "micro_f1",
    "micro_precision",
    "micro_recall",
    "ndcg_at",
    "nmae",
    "one_error",
    "precision_at",
    "propensities",
    "psp_at",
    "ranking_loss",
    "rating_metric",
    "recall_at",
    "rmse",
    "subset_accuracy",
    "zero_one_error",
]
