"""Results of a search, in the form that scikit-learn gives them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from scipy.stats import rankdata
from sklearn.exceptions import FitFailedWarning

from skfactor._validation import FloatArray
from skfactor.model_selection.path_scores import Reached

Results = dict[str, Any]


def as_results(
    points: Sequence[Mapping[str, Any]],
    splits: Sequence[Sequence[Reached]],
    names: Sequence[str],
    error_score: Any,
) -> Results:
    """`cv_results_` of what the points reached on each split."""
    tables = [sorted(split, key=lambda reached: reached.place) for split in splits]
    _tell_failures([reached for split in tables for reached in split], error_score)
    results: Results = {}
    for name, attribute in (("fit_time", "fit_seconds"), ("score_time", "score_seconds")):
        seconds = np.array([[getattr(reached, attribute) for reached in split] for split in tables])
        results |= {f"mean_{name}": seconds.mean(axis=0), f"std_{name}": seconds.std(axis=0)}
    results |= _columns(points)
    results["params"] = [dict(point) for point in points]
    for name in names:
        values = np.array([[reached.values.get(name, error_score) for reached in split] for split in tables])
        results |= _statistics(name, values)
    return results


def _statistics(name: str, values: FloatArray) -> Results:
    """Scores (splits x points) of one measure: each, their mean, deviation and rank."""
    mean = values.mean(axis=0)
    filled = np.where(np.isnan(mean), np.nanmin(mean, initial=np.inf) - 1, mean)
    ranks = np.ones(len(mean)) if np.isnan(mean).all() else rankdata(-filled, method="min")
    return {
        **{f"split{k}_test_{name}": row for k, row in enumerate(values)},
        f"mean_test_{name}": mean,
        f"std_test_{name}": values.std(axis=0),
        f"rank_test_{name}": ranks.astype(np.int32),
    }


def _columns(points: Sequence[Mapping[str, Any]]) -> Results:
    """A masked array per parameter; masked where a point does not set it."""
    columns: Results = {}
    for name in dict.fromkeys(name for point in points for name in point):
        column: Any = np.ma.masked_array(np.empty(len(points), dtype=object), mask=True)
        for place, point in enumerate(points):
            if name in point:
                column[place] = point[name]
        columns[f"param_{name}"] = column
    return columns


def _tell_failures(reached: Sequence[Reached], error_score: Any) -> None:
    """Raise or warn of candidates that could not be fitted, as scikit-learn does."""
    failures = [one for one in reached if one.error is not None]
    if not failures:
        return
    if error_score == "raise" or len(failures) == len(reached):
        raise failures[0].error  # type: ignore[misc]
    said = "\n".join(dict.fromkeys(str(one.error) for one in failures))
    warnings.warn(
        f"{len(failures)} fits failed out of a total of {len(reached)}; their scores are {error_score}:\n{said}",
        FitFailedWarning,
        stacklevel=4,
    )
