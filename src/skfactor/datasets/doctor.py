"""Examine a data set before a model does: leaks, empty rows, duplicates, labels that say nothing."""

from __future__ import annotations

from skfactor.datasets.dataset import MultilabelData, RatingsData
from skfactor.datasets.doctor_multilabel import examine_multilabel
from skfactor.datasets.doctor_ratings import examine_ratings
from skfactor.datasets.report import Report


def check(data: MultilabelData | RatingsData) -> Report:
    """Examine a data set.

    Parameters
    ----------
    data : MultilabelData or RatingsData
        What to examine.

    Returns
    -------
    report : Report
        Its numbers, and what should be known before a model is fitted to it: entries that are not finite,
        features that give a label away or merely identify the rows, labels that never or always occur or are
        identical to each other, rows without features or labels, duplicated rows, constant features; for
        ratings, pairs that occur twice, and users and items with a single rating. `print` it, or take
        `as_dict()` of it.

    Examples
    --------
    >>> from skfactor.datasets import MultilabelData
    >>> data = MultilabelData([[1.0, 0], [0, 2], [1, 1]], [[1, 1], [0, 1], [0, 1]], name="tiny")
    >>> print(check(data))
    tiny
      rows                    3
      features                2
      ...
    warning: labels occur in every row
      There is nothing to learn. Drop them.
      labels: 1
    """
    if isinstance(data, MultilabelData):
        return examine_multilabel(data)
    if isinstance(data, RatingsData):
        return examine_ratings(data)
    raise TypeError(f"data must be MultilabelData or RatingsData, got {type(data).__name__}. See `load`.")
