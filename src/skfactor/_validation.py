"""Checks of what people pass in: one clear sentence that names the argument and the remedy."""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]
#: A 2-d table of numbers: NumPy array or any SciPy sparse container.
Matrix = Any


def check_number(
    value: Any,
    name: str,
    *,
    minimum: float = -np.inf,
    maximum: float = np.inf,
    above: float = -np.inf,
    integer: bool = False,
) -> None:
    """Refuse a `value` that is no (whole) number within `minimum <= value <= maximum` and `value > above`."""
    kind = Integral if integer else Real
    if isinstance(value, bool | np.bool_) or not isinstance(value, kind):
        wanted = "a whole number" if integer else "a number"
        raise TypeError(f"{name} must be {wanted}, got {value!r} ({type(value).__name__}).")
    if not (minimum <= float(value) <= maximum and float(value) > above):
        lower = f"above {above:g}" if above > minimum else f"at least {minimum:g}"
        upper = "" if maximum == np.inf else f" and at most {maximum:g}"
        raise ValueError(f"{name} must be {lower}{upper}, got {value!r}.")


def check_choice(value: Any, name: str, choices: Iterable[Any]) -> None:
    """Refuse a `value` that is not among `choices`."""
    choices = list(choices)
    if value not in choices:
        raise ValueError(f"{name} must be one of {', '.join(map(repr, choices))}, got {value!r}.")


#: What to do about entries that are not finite.
FILL_OR_DROP = "Fill or drop such entries, for instance with sklearn.impute.SimpleImputer."


def check_finite(values: Matrix, name: str, remedy: str = FILL_OR_DROP) -> None:
    """Refuse NaN and infinity, naming the first row and column that hold one, and the remedy.

    One pass: a sum is finite unless an entry is not (or the sum overflows, which the search then tells apart).
    """
    entries = values.data if sparse.issparse(values) else np.asarray(values)
    if entries.dtype.kind not in "fc" or np.isfinite(np.sum(entries, dtype=np.float64)):
        return
    coordinates = sparse.coo_array(values) if sparse.issparse(values) else None
    bad = np.argwhere(~np.isfinite(entries))
    if not len(bad):
        return
    place = bad[0] if coordinates is None else (coordinates.row[bad[0, 0]], coordinates.col[bad[0, 0]])
    kind = "NaN" if np.isnan(entries[tuple(bad[0])]) else "infinity"
    where = ", column ".join(str(int(index)) for index in place)
    raise ValueError(f"Input {name} contains {kind} (row {where}). {remedy}")


def check_same_rows(**tables: Any) -> None:
    """Refuse tables whose numbers of rows differ."""
    rows = {name: _row_count(table) for name, table in tables.items() if table is not None}
    if len(set(rows.values())) > 1:
        counts = ", ".join(f"{name} has {count}" for name, count in rows.items())
        raise ValueError(f"Found input variables with inconsistent numbers of samples: {counts} rows.")


def _row_count(table: Any) -> int:
    if hasattr(table, "shape"):
        return int(table.shape[0])
    return len(table) if hasattr(table, "__len__") else len(np.asarray(table))


def check_rank(n_components: int | None, **sizes: int) -> int:
    """The rank asked for, or (None) the largest there is: the smallest of `sizes`, which are named."""
    name, limit = min(sizes.items(), key=lambda item: item[1])
    if n_components is None:
        return limit
    check_number(n_components, "n_components", minimum=1, integer=True)
    if n_components > limit:
        raise ValueError(
            f"n_components={n_components} is above {name}={limit}, the largest rank there is: "
            f"lower it, or leave it None to use {limit}."
        )
    return int(n_components)
