"""NumPy arrays and torch tensors side by side, without importing torch."""

from __future__ import annotations

from typing import Any

import numpy as np

#: NumPy array or torch tensor: both know the operators that are used on them.
Array = Any


def is_tensor(values: Any) -> bool:
    """Whether this is a torch tensor."""
    return type(values).__module__.partition(".")[0] == "torch" and hasattr(values, "new_tensor")


def like(values: Any, other: Any) -> Array:
    """`values` as what `other` is: an array of its dtype, or a tensor of its dtype on its device."""
    if is_tensor(other):
        return values.to(other) if is_tensor(values) else other.new_tensor(values)
    return np.asarray(as_numpy(values), dtype=other.dtype)


def as_numpy(values: Any) -> Any:
    """A tensor as an array in memory; anything else as it is."""
    return values.detach().cpu().numpy() if is_tensor(values) else values
