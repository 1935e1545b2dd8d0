"""Transformers that reduce the features with an eye on the labels."""

from skfactor.multilabel.feature_space.base import MomentTransformer
from skfactor.multilabel.feature_space.mddm import MDDM
from skfactor.multilabel.feature_space.mlda import MLDA
from skfactor.multilabel.feature_space.mlsi import MLSI

__all__ = ["MDDM", "MLDA", "MLSI", "MomentTransformer"]
