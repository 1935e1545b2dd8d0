"""The other methods in the papers' tables, and classic ones."""

from skfactor.multilabel.comparators.adaboost_mh import AdaBoostMH
from skfactor.multilabel.comparators.anmf import ANMF
from skfactor.multilabel.comparators.bpmll import BPMLL
from skfactor.multilabel.comparators.bsvm import BSVM
from skfactor.multilabel.comparators.calibrated_ranking import CalibratedRanking
from skfactor.multilabel.comparators.classifier_chains import ClassifierChains
from skfactor.multilabel.comparators.extra_trees import ExtraTrees
from skfactor.multilabel.comparators.lift import LIFT
from skfactor.multilabel.comparators.llsf import LLSF
from skfactor.multilabel.comparators.ml_dt import MLDT
from skfactor.multilabel.comparators.ml_knn import MLkNN
from skfactor.multilabel.comparators.mlsf import MLSF
from skfactor.multilabel.comparators.mme import MME
from skfactor.multilabel.comparators.mnmf import MNMF
from skfactor.multilabel.comparators.ova import OVA
from skfactor.multilabel.comparators.rakel import RAkEL
from skfactor.multilabel.comparators.random_forest import RandomForest
from skfactor.multilabel.comparators.sgt import SGT
from skfactor.multilabel.comparators.ssjdr import SSJDR

__all__ = [
    "ANMF",
    "BPMLL",
    "BSVM",
    "LIFT",
    "LLSF",
    "MLDT",
    "MLSF",
    "MME",
    "MNMF",
    "OVA",
    "SGT",
    "SSJDR",
    "AdaBoostMH",
    "CalibratedRanking",
    "ClassifierChains",
    "ExtraTrees",
    "MLkNN",
    "RAkEL",
    "RandomForest",
]
