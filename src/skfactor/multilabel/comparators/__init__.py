"""The other methods in the papers' tables, and classic ones."""

from skfactor.multilabel.comparators.bpmll import BPMLL
from skfactor.multilabel.comparators.bsvm import BSVM
from skfactor.multilabel.comparators.lift import LIFT
from skfactor.multilabel.comparators.llsf import LLSF
from skfactor.multilabel.comparators.ml_knn import MLkNN
from skfactor.multilabel.comparators.mlsf import MLSF
from skfactor.multilabel.comparators.mme import MME
from skfactor.multilabel.comparators.ova import OVA
from skfactor.multilabel.comparators.ssjdr import SSJDR

__all__ = [
    "BPMLL",
    "BSVM",
    "LIFT",
    "LLSF",
    "MLSF",
    "MME",
    "OVA",
    "SSJDR",
    "MLkNN",
]
