"""The other methods in the papers' tables, and classic ones."""

from skfactor.multilabel.comparators.bpmll import BPMLL
from skfactor.multilabel.comparators.bsvm import BSVM
from skfactor.multilabel.comparators.lift import LIFT
from skfactor.multilabel.comparators.llsf import LLSF
from skfactor.multilabel.comparators.ml_knn import MLkNN
from skfactor.multilabel.comparators.ova import OVA

__all__ = ["BPMLL", "BSVM", "LIFT", "LLSF", "OVA", "MLkNN"]
