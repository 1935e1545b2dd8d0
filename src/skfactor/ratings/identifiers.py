"""Names of users or items, numbered in the order in which they first appear."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import IntArray

Column = npt.NDArray[Any]


@dataclass(frozen=True, eq=False)
class Identifiers:
    """A numbering of names. It does not depend on what the names are, so relabelling them changes nothing.

    Attributes
    ----------
    names : ndarray of shape (n,)
        The name of each number.
    noun : str
        What they are names of.
    """

    names: Column
    noun: str
    _order: IntArray = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_order", np.argsort(self.names, kind="stable"))

    @classmethod
    def of(cls, column: Column, noun: str) -> Identifiers:
        """Number the names in `column`."""
        return cls(column[:0], noun).extended(column)

    def __len__(self) -> int:
        return len(self.names)

    def find(self, column: Column) -> IntArray:
        """Find the number of each name; -1 where it is unknown."""
        if len(self) and column.dtype.kind != self.names.dtype.kind:
            raise TypeError(
                f"{self.noun} identifiers were {_kind(self.names)} in fit and are {_kind(column)} here. "
                "Pass them as they were."
            )
        if not len(self):
            return np.full(len(column), -1)
        place = np.searchsorted(self.names, column, sorter=self._order)
        found = self._order[np.minimum(place, len(self) - 1)]
        return np.where(self.names[found] == column, found, -1)

    def extended(self, column: Column) -> Identifiers:
        """Append the names in `column` that are new."""
        new = column[self.find(column) < 0]
        first = np.sort(np.unique(new, return_index=True)[1])
        return Identifiers(np.concatenate([self.names, new[first]]), self.noun)


def _kind(column: Column) -> str:
    return {"i": "whole numbers", "M": "dates"}.get(column.dtype.kind, "strings")
