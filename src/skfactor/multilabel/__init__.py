"""Classifiers for data with several labels per sample."""

from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.cnmf import CNMF
from skfactor.multilabel.comparators import (
    ANMF,
    BPMLL,
    BSVM,
    LIFT,
    LLSF,
    MLDT,
    MLSF,
    MME,
    MNMF,
    OVA,
    SGT,
    SSJDR,
    AdaBoostMH,
    CalibratedRanking,
    ClassifierChains,
    ExtraTrees,
    MLkNN,
    RAkEL,
    RandomForest,
)
from skfactor.multilabel.feature_space import MDDM, MLDA, MLSI, MomentTransformer
from skfactor.multilabel.grople import GroPLE
from skfactor.multilabel.label_space import CCA, CPLST, CS, CSSP, LEML, PLST, FaIE, ReducedRankRidge
from skfactor.multilabel.mlc_hmf import MLCHMF
from skfactor.multilabel.mnmtf import MNMTF
from skfactor.multilabel.ommf import OMMF
from skfactor.multilabel.ridge_br import RidgeBR
from skfactor.multilabel.twomf import TWOMF

__all__ = [
    "ANMF",
    "BPMLL",
    "BSVM",
    "CCA",
    "CNMF",
    "CPLST",
    "CS",
    "CSSP",
    "LEML",
    "LIFT",
    "LLSF",
    "MDDM",
    "MLCHMF",
    "MLDA",
    "MLDT",
    "MLSF",
    "MLSI",
    "MME",
    "MNMF",
    "MNMTF",
    "OMMF",
    "OVA",
    "PLST",
    "SGT",
    "SSJDR",
    "TWOMF",
    "AdaBoostMH",
    "CalibratedRanking",
    "ClassifierChains",
    "ExtraTrees",
    "FaIE",
    "GroPLE",
    "LabelClassifier",
    "MLkNN",
    "MomentClassifier",
    "MomentTransformer",
    "RAkEL",
    "RandomForest",
    "ReducedRankRidge",
    "RidgeBR",
]
