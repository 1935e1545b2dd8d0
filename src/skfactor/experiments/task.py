"""One run: a method with its candidates, a data set, and one part of a protocol."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from itertools import product
from typing import Any

#: Candidates of each parameter.
Grid = Mapping[str, list[Any]]


@dataclass(frozen=True)
class Task:
    """What is run, and under which name its result is stored.

    Attributes
    ----------
    method : str
        For `estimators.estimator`.
    grid : mapping of str to list
        Candidates of each parameter; the choice among them is made on training data.
    data, fingerprint : str
        Name of the data set, and hash of its content.
    protocol : str
        For `protocols.parts`.
    fold : int
        Which of its parts, from 1.
    choose : str or list of str
        The metric that chooses among candidates, and that decisions are calibrated for. Several metrics have a
        candidate and a decision each.
    options : mapping
        What else a kind of data knows: for ratings, `stages`.
    """

    method: str
    grid: Grid
    data: str
    fingerprint: str
    protocol: str
    fold: int
    choose: str | list[str]
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def metrics(self) -> list[str]:
        """The metrics that something is chosen for."""
        return [self.choose] if isinstance(self.choose, str) else self.choose

    @property
    def choose_each(self) -> bool:
        """Whether every metric has a candidate and a decision of its own."""
        return not isinstance(self.choose, str)

    def candidates(self) -> list[dict[str, Any]]:
        """All combinations of the grid's values.

        >>> Task("PLST", {"ridge": [0.1, 1.0]}, "scene", "0a1b", "5-fold", 2, "micro_f1").candidates()
        [{'ridge': 0.1}, {'ridge': 1.0}]
        """
        return [dict(zip(self.grid, values, strict=True)) for values in product(*self.grid.values())]

    def document(self) -> dict[str, Any]:
        """All that the result depends on, as JSON has it."""
        return asdict(self)

    def address(self) -> str:
        """Folder and file of the result.

        >>> Task("PLST", {"ridge": [0.1]}, "scene", "0a1b", "5-fold", 2, "micro_f1").address()
        'scene/PLST-5-fold-2-...json'
        """
        text = json.dumps(self.document(), sort_keys=True)
        name = "".join(letter if letter.isalnum() or letter in "._" else "-" for letter in self.method)
        short = hashlib.sha256(text.encode()).hexdigest()[:10]
        folder = "".join(letter if letter.isalnum() or letter in "._-" else "_" for letter in self.data)
        return f"{folder}/{name}-{self.protocol}-{self.fold}-{short}.json"
