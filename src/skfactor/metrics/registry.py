"""Metrics by name, for scoring by name in the search and on the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal

import numpy.typing as npt

from skfactor.metrics import multilabel, ranking, ratings, top
from skfactor.metrics.counts import COUNT_METRICS


@dataclass(frozen=True)
class Metric:
    """A metric and what it is for.

    Attributes
    ----------
    function : callable
        `function(true, predicted, sample_weight=None)`.
    needs : {"labels", "scores", "levels"}
        What `predicted` is: labels of 0 and 1, scores of labels, or ratings.
    greater_is_better : bool
        False for losses and errors.
    """

    function: Callable[..., float]
    needs: Literal["labels", "scores", "levels"]
    greater_is_better: bool


#: All metrics that need no further argument (`psp_at` needs the propensities).
METRICS: dict[str, Metric] = {
    **{
        name: Metric(getattr(multilabel, name), "labels", metric.greater_is_better)
        for name, metric in COUNT_METRICS.items()
    },
    "one_error": Metric(top.one_error, "scores", False),
    "coverage": Metric(ranking.coverage, "scores", False),
    "ranking_loss": Metric(ranking.ranking_loss, "scores", False),
    "average_precision": Metric(ranking.average_precision, "scores", True),
    "mae": Metric(ratings.mae, "levels", False),
    "rmse": Metric(ratings.rmse, "levels", False),
    "nmae": Metric(ratings.nmae, "levels", False),
    "zero_one_error": Metric(ratings.zero_one_error, "levels", False),
    "fre": Metric(ratings.fre, "levels", False),
}
#: Metrics of the first k places, called `name@k`.
METRICS_AT = {"precision": top.precision_at, "recall": top.recall_at, "ndcg": top.ndcg_at}


def get_metric(name: str) -> Metric:
    """Look up a metric by name, such as "micro_f1", "rmse" or, with the number of places, "precision@5".

    Parameters
    ----------
    name : str
        Name of a public function, or "precision@k", "recall@k", "ndcg@k" with a number for k.

    Returns
    -------
    Metric

    Examples
    --------
    >>> get_metric("hamming_loss").greater_is_better
    False
    >>> get_metric("precision@2").function([[1, 0, 1]], [[0.9, 0.5, 0.1]])
    0.5
    """
    stem, at, places = name.partition("@")
    if at and stem in METRICS_AT and places.isdecimal() and int(places):
        return Metric(partial(METRICS_AT[stem], k=int(places)), "scores", True)
    if name in METRICS:
        return METRICS[name]
    known = [*METRICS, *(f"{stem}@k" for stem in METRICS_AT)]
    raise ValueError(f"There is no metric {name!r}. Choose from {', '.join(known)}; k is a number of places.")


def rating_metric(name: str, levels: npt.ArrayLike) -> Metric:
    """Look up a metric of ratings on a scale.

    Parameters
    ----------
    name : str
        "mae", "rmse", "nmae", "zero_one_error" or "fre".
    levels : array of shape (n_levels,)
        The scale, for the metrics that depend on it.

    Returns
    -------
    Metric

    Examples
    --------
    >>> rating_metric("nmae", [1, 2, 3, 4, 5]).function([1, 5], [2, 2])
    1.25
    """
    metric = get_metric(name)
    if metric.needs != "levels":
        known = [name for name, known in METRICS.items() if known.needs == "levels"]
        raise ValueError(f"{name} is not for ratings. Choose from {', '.join(known)}.")
    return replace(metric, function=partial(ratings.nmae, levels=levels)) if name == "nmae" else metric
