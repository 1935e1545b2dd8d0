"""What the methods of the papers are compared with."""

from __future__ import annotations

from skfactor.ratings.comparators.als import ALS
from skfactor.ratings.comparators.bias_only import BiasOnly
from skfactor.ratings.comparators.bpmf import BPMF
from skfactor.ratings.comparators.emmmf import EMMMF
from skfactor.ratings.comparators.item_median import ItemMedian
from skfactor.ratings.comparators.pmf import PMF

__all__ = ["ALS", "BPMF", "EMMMF", "PMF", "BiasOnly", "ItemMedian"]
