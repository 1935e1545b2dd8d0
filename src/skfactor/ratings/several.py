"""Several descending models as one: fitted side by side, in processes if wanted, and kept together."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from threadpoolctl import threadpool_limits

from skfactor.ratings.base import Before
from skfactor.ratings.descending import DescendingModel
from skfactor.ratings.embedding import Factor
from skfactor.ratings.triples import Triples


@dataclass(frozen=True, eq=False)
class Several:
    """Embeddings of the same users and items.

    Attributes
    ----------
    parts : tuple of Embedding
    """

    parts: tuple[Any, ...]

    @property
    def U(self) -> Factor:  # noqa: N802
        """Factors of the users in each part."""
        return np.stack([part.U for part in self.parts])

    @property
    def V(self) -> Factor:  # noqa: N802
        """Factors of the items in each part."""
        return np.stack([part.V for part in self.parts])

    def with_users(self, others: Several) -> Self:
        """Append users."""
        pairs = zip(self.parts, others.parts, strict=True)
        return replace(self, parts=tuple(old.with_users(new) for old, new in pairs))

    def with_items(self, others: Several) -> Self:
        """Append items."""
        pairs = zip(self.parts, others.parts, strict=True)
        return replace(self, parts=tuple(old.with_items(new) for old, new in pairs))


def make_parts(owner: Any, kind: type[DescendingModel], settings: Sequence[dict[str, Any]]) -> list[Any]:
    """Make a model of `kind` for each of `settings`, with the owner's other parameters.

    Those that are fitted at a time share the threads, and all share the time.
    """
    count = len(settings)
    at_once = min(effective_n_jobs(owner.n_jobs), count)
    shared = {field.name: getattr(owner, field.name) for field in fields(kind)}
    shared["n_threads"] = max(1, owner._threads() // at_once)
    if owner.time_limit is not None:
        shared["time_limit"] = owner.time_limit * at_once / count
    parts = [kind(**{**shared, **own}) for own in settings]
    for number, part in enumerate(parts, start=1):
        part._name = f"{type(owner).__name__} {number} of {count}"
        part._level_values = owner._part_values
    return parts


def collect(owner: Any, fitted: Sequence[DescendingModel]) -> None:
    """Give the owner the records of its parts."""
    for name in ("n_iter_", "objectives_", "validation_errors_"):
        setattr(owner, name, [getattr(part, name) for part in fitted])


def fit_all(
    models: Sequence[DescendingModel],
    tasks: Iterable[Triples],
    befores: Sequence[Before | None],
    n_jobs: int | None,
) -> tuple[list[Any], bool]:
    """Fit each model to its task.

    Returns
    -------
    fitted : list of model
        With `embedding_`; shorter than `models` if an interrupt came between.
    interrupted : bool
    """
    jobs = (
        delayed(_fit_one)(model, task, before) for model, task, before in zip(models, tasks, befores, strict=True)
    )
    fitted = []
    for model, interrupted in Parallel(n_jobs=n_jobs, return_as="generator")(jobs):
        fitted.append(model)
        if interrupted:
            return fitted, True
    return fitted, False


def parts_of(before: Before | None, count: int) -> list[Before | None]:
    """Make a state to continue from for each of `count` models, None for those that are new."""
    parts = () if before is None else before.embedding.parts[:count]
    known: list[Before | None] = [before._replace(embedding=part) for part in parts] if before else []
    return known + [None] * (count - len(known))


def _fit_one(model: DescendingModel, triples: Triples, before: Before | None) -> tuple[DescendingModel, bool]:
    """Fit one, in whatever process."""
    with threadpool_limits(1):
        model.embedding_, interrupted = model._learn(triples, before)
    return model, interrupted
