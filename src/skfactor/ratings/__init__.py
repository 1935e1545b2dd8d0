"""Models of ordinal ratings: users, items and levels such as stars."""

from __future__ import annotations

from skfactor.ratings.base import RatingModel
from skfactor.ratings.bmmmf import BMMMF
from skfactor.ratings.comparators import ALS, BPMF, EMMMF, PMF, BiasOnly, ItemMedian
from skfactor.ratings.hmf import HMF
from skfactor.ratings.mmmf import MMMF
from skfactor.ratings.pmmmf import PMMMF
from skfactor.ratings.watching import Progress

__all__ = [
    "ALS",
    "BMMMF",
    "BPMF",
    "EMMMF",
    "HMF",
    "MMMF",
    "PMF",
    "PMMMF",
    "BiasOnly",
    "ItemMedian",
    "Progress",
    "RatingModel",
]
