"""Run tasks that are not done yet, and keep their results."""

from __future__ import annotations

from skfactor.datasets import MultilabelData, RatingsData
from skfactor.experiments import protocols, run_labels, run_ratings
from skfactor.experiments.provenance import provenance
from skfactor.experiments.store import Record, Store
from skfactor.experiments.task import Task
from skfactor.moments import Moments


def run(task: Task, data: MultilabelData | RatingsData, store: Store, *, again: bool = False) -> Record:
    """The result of a task: that of the store, or else computed now and stored.

    Parameters
    ----------
    task : Task
    data : MultilabelData or RatingsData
        The data set that the task names.
    store : Store
    again : bool
        Compute it although it is stored.

    Returns
    -------
    dict
        "figures" by metric, "seconds", the values "chosen" from the grid, the circumstances under "made".
    """
    record = None if again else store.get(task)
    if record is None:
        store.put(task, _computed(task, data) | {"made": provenance()})
        record = store.get(task)
    assert record is not None
    return record


def _computed(task: Task, data: MultilabelData | RatingsData) -> Record:
    part = protocols.part(task.protocol, data, task.fold)
    if isinstance(data, RatingsData):
        return run_ratings.run(task, data, part)
    # Compiled kernels are loaded now, or the first method would be charged for them.
    Moments.of(data.X[:1], data.Y[:1])
    return run_labels.run(task, data, part)
