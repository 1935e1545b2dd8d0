"""Results on disk: a file for each run, which is there whole or not at all."""

from __future__ import annotations

import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skfactor.experiments.task import Task

Record = dict[str, Any]


@dataclass(frozen=True)
class Store:
    """A folder of results.

    Runs that go on at the same time may share it: a file comes into being by a renaming, complete.

    Examples
    --------
    >>> import tempfile
    >>> store = Store(Path(tempfile.mkdtemp()))
    >>> task = Task("PLST", {"ridge": [0.1]}, "scene", "0a1b", "5-fold", 2, "micro_f1")
    >>> store.get(task) is None
    True
    >>> store.put(task, {"figures": {"micro_f1": 0.7}})
    >>> store.get(task)["figures"]
    {'micro_f1': 0.7}
    """

    folder: Path

    def get(self, task: Task) -> Record | None:
        """The result of a run, if it was run."""
        path = self.folder / task.address()
        try:
            record: Record = json.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return None
        except ValueError as error:
            raise ValueError(f"{path} is damaged ({error}). Delete it, and it is computed again.") from None
        return record

    def put(self, task: Task, record: Record) -> None:
        """Keep the result of a run."""
        path = self.folder / task.address()
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
        try:
            text = json.dumps({"task": task.document(), **record}, indent=1, allow_nan=False)
            unfinished.write_text(text + "\n", encoding="utf-8")
            os.replace(unfinished, path)
        finally:
            unfinished.unlink(missing_ok=True)
