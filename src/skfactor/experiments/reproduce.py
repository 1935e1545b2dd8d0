"""Run a declared table, as far as it is not yet run."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from skfactor.datasets import load
from skfactor.experiments import protocols, runner
from skfactor.experiments.declared import Entry, Table, chosen
from skfactor.experiments.outcome import Runs
from skfactor.experiments.provenance import fingerprint
from skfactor.experiments.store import Record, Store
from skfactor.experiments.task import Task


@dataclass(frozen=True)
class Plan:
    """Which part of a table is run, and how.

    Attributes
    ----------
    table : Table
    store : Store
    datasets, methods : sequence of str, optional
        All by default.
    quick : bool
        Only what the table declares as its quick part.
    only_stored : bool
        Run nothing; show what is stored.
    again : bool
        Run what is stored, too.
    tell : callable
        Called with a line before each run.
    """

    table: Table
    store: Store
    datasets: Sequence[str] | None = None
    methods: Sequence[str] | None = None
    quick: bool = False
    only_stored: bool = False
    again: bool = False
    tell: Callable[[str], None] = print

    def run(self) -> Iterator[Runs]:
        """Run each method on each data set, unless it is stored; a method that fails does not stop the others."""
        methods = chosen(self.methods, list(self.table.methods), "method")
        for name in chosen(self.datasets, list(self.table.datasets), "data set"):
            wanted = [method for method in methods if method in self.table.quick.methods(name) or not self.quick]
            data, missing = self._load(name) if wanted else (None, "")
            for method in wanted:
                yield self._runs(name, method, data, missing)

    def _load(self, name: str) -> tuple[Any, str]:
        source = self.table.datasets[name]
        if source.missing:
            return None, source.missing
        try:
            return load(source.data), ""
        except (OSError, ValueError) as error:
            return None, f"the data set is not at hand ({error})"

    def _runs(self, dataset: str, method: str, data: Any, missing: str) -> Runs:
        entry = self.table.methods[method]
        missing = missing or entry.why_missing()
        found: dict[str, list[Record]] = {}
        if not missing:
            try:
                for task in self._tasks(dataset, method, entry, data):
                    record = self._record(task, data)
                    if record is not None:
                        found.setdefault(task.protocol, []).append(record)
            except (ValueError, ArithmeticError, MemoryError, TypeError) as error:
                missing = f"it failed: {error}"
                self.tell(f"{method} on {dataset}: {missing}")
        expected = sum(protocols.count(protocol) for protocol in self._protocols())
        done = sum(map(len, found.values()))
        lacking = "" if done == expected else "not all parts are run" if done else "not run"
        return Runs(dataset, method, found, missing or lacking)

    def _protocols(self) -> list[str]:
        return list(dict.fromkeys(self.table.protocol_of(metric) for metric in self.table.metrics))

    def _tasks(self, dataset: str, method: str, entry: Entry, data: Any) -> Iterator[Task]:
        mark, grid = fingerprint(data), entry.grid_for(dataset)
        for protocol in self._protocols():
            parts = self.table.quick.folds if self.quick else protocols.count(protocol)
            choose = self.table.choose_for(entry, protocol)
            for fold in range(1, parts + 1):
                yield Task(entry.estimator, grid, data.name, mark, protocol, fold, choose, entry.options)

    def _record(self, task: Task, data: Any) -> Record | None:
        stored = None if self.again else self.store.get(task)
        if stored is not None or self.only_stored:
            return stored
        self.tell(f"{task.method} on {task.data}, {task.protocol}, part {task.fold}")
        return runner.run(task, data, self.store, again=self.again)
