"""Save what was fitted and load it again: a zip file of arrays and one JSON tree, in which no code can hide."""

from __future__ import annotations

from skfactor.persistence.file import load, save

__all__ = ["load", "save"]
