"""Embeddings of the label space."""

from skfactor.multilabel.label_space.plst import PLST

__all__ = ["PLST"]
