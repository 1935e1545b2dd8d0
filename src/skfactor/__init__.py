"""skfactor: matrix factorization for several labels per sample and for ordinal ratings.

`skfactor.multilabel` has the models, `skfactor.metrics` what they are judged by, `skfactor.datasets` what
they are fitted on, and `Moments` the one pass over the data that most of them need.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from skfactor.moments import Moments
    from skfactor.persistence import load, save

__version__ = "0.1.0"
__all__ = ["Moments", "__version__", "load", "save"]

# `import skfactor` stays as quick as importing NumPy: a name is imported when it is first used.
_HOMES = {"Moments": "skfactor.moments", "load": "skfactor.persistence", "save": "skfactor.persistence"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'skfactor' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
