"""Under which circumstances a figure was made, and from which data."""

from __future__ import annotations

import datetime as dt
import hashlib
import os
import platform
from importlib.metadata import version
from typing import Any

import numpy as np

from skfactor import __version__
from skfactor.datasets import MultilabelData, RatingsData

_LIBRARIES = ("numpy", "scipy", "scikit-learn", "numba")


def provenance() -> dict[str, Any]:
    """Date, versions and machine, for a record."""
    return {
        "date": dt.datetime.now(dt.UTC).isoformat(timespec="seconds"),
        "skfactor": __version__,
        **{name: version(name) for name in _LIBRARIES},
        "python": platform.python_version(),
        "machine": f"{platform.system()} {platform.machine()}, {os.cpu_count()} processors",
    }


def fingerprint(data: MultilabelData | RatingsData) -> str:
    """A short hash of the content, the same whatever file it came from.

    >>> from skfactor.datasets import load
    >>> len(fingerprint(load("digit-tags")))
    12
    """
    digest = hashlib.sha256()
    for table in _tables(data):
        digest.update(str((table.shape, table.dtype.kind)).encode())
        digest.update(np.ascontiguousarray(table).tobytes())
    return digest.hexdigest()[:12]


def _tables(data: MultilabelData | RatingsData) -> list[Any]:
    if isinstance(data, RatingsData):
        return [data.pairs, data.ratings]
    features = [data.X.data, data.X.indices.astype(np.int64)] if hasattr(data.X, "indices") else [data.X]
    return [*features, data.Y.indices.astype(np.int64), data.Y.indptr.astype(np.int64)]
