"""Candidates of a search: settings of a pipeline, parted by what they have to be fitted anew for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone
from sklearn.pipeline import Pipeline

from skfactor.multilabel.base import MomentClassifier

Settings = dict[str, Any]
#: Parameters of the template that decide which moments there are.
OF_MOMENTS = ("scale", "calibration_folds", "memory_budget", "random_state")


@dataclass(frozen=True)
class Candidate:
    """One point of a search.

    Attributes
    ----------
    place : int
        Among all candidates.
    head : dict
        Settings of the steps before the last one: for each, the features are made anew.
    moments : dict
        Settings of the last step for which the moments are made anew.
    solver : dict
        Settings that its moments are solved with.
    decision : dict
        Settings of its decision rule.
    """

    place: int
    head: Settings
    moments: Settings
    solver: Settings
    decision: Settings

    @property
    def last(self) -> Settings:
        """All settings of the last step."""
        return self.moments | self.solver | self.decision


def last_step(estimator: Any) -> tuple[Any, str]:
    """The last step of a pipeline, and the prefix of its parameters; or the estimator itself, without one."""
    if isinstance(estimator, Pipeline):
        name, last = estimator.steps[-1]
        return last, f"{name}__"
    return estimator, ""


def parted(estimator: Any, points: Iterable[Mapping[str, Any]]) -> list[Candidate] | None:
    """Candidates of the points, or None where a point changes the last step itself."""
    last, prefix = last_step(estimator)
    if not isinstance(last, MomentClassifier):
        return None
    found = []
    for place, point in enumerate(points):
        if prefix and prefix.removesuffix("__") in point:
            return None
        parts: dict[str, Settings] = {"head": {}, "moments": {}, "solver": {}, "decision": {}}
        for name, value in point.items():
            if not name.startswith(prefix):
                parts["head"][name] = value
                continue
            own = name.removeprefix(prefix)
            kind = "decision" if own.split("__")[0] == "decision" else "solver"
            parts["moments" if own in OF_MOMENTS else kind][own] = value
        found.append(Candidate(place, **parts))
    return found


def groups(candidates: Iterable[Candidate], part: str) -> list[list[Candidate]]:
    """Candidates that have the same settings in one part, in the order in which they come."""
    found: dict[str, list[Candidate]] = {}
    for candidate in candidates:
        found.setdefault(key_of(getattr(candidate, part)), []).append(candidate)
    return list(found.values())


def key_of(settings: Settings) -> str:
    """What tells settings from others."""
    return repr(sorted((name, repr(value)) for name, value in settings.items()))


def variant(estimator: MomentClassifier, read: MomentClassifier, settings: Sequence[Settings]) -> MomentClassifier:
    """`estimator` with other settings, and what `read` has learned of the form of the data."""
    given = {name: value for part in settings for name, value in part.items()}
    changed: MomentClassifier = clone(estimator).set_params(**clone_settings(given))
    for name in ("_targets", "classes_", "n_features_in_", "feature_names_in_"):
        if hasattr(read, name):
            setattr(changed, name, getattr(read, name))
    return changed


def clone_settings(settings: Settings) -> Settings:
    """Settings whose estimators are unfitted copies."""
    return {name: clone(value, safe=False) for name, value in settings.items()}
