"""Classifiers for data with several labels per sample."""

from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.label_space import PLST
from skfactor.multilabel.ridge_br import RidgeBR

__all__ = ["PLST", "MomentClassifier", "RidgeBR"]
