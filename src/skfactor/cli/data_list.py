"""`skfactor data list`: the data sets that are known by name."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from skfactor.cli.output import Out
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets.catalogue import Available

_COLUMNS = ("name", "kind", "where", "rows", "features", "labels")


@verb("skfactor data list", "SKFACTOR_DATA=~/data skfactor data list --json")
def data_list(out: Out) -> None:
    """List the data sets that can be named, and where each would come from.

    embedded: comes with skfactor. SKFACTOR_DATA: in the folder of that variable. cache: was fetched. fetch:
    'skfactor data get' brings it. by hand: has to be got by yourself.
    """
    from skfactor.datasets import available

    known = available()
    out.result([asdict(data) for data in known], lambda: _show(out, known))


def _show(out: Out, known: list[Available]) -> None:
    rows = [[_cell(getattr(data, column)) for column in _COLUMNS] for data in known]
    out.table(_COLUMNS, rows, left=3)


def _cell(value: object) -> str:
    return "" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
