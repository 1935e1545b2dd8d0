"""Embeddings of the label space."""

from skfactor.multilabel.label_space.cca import CCA
from skfactor.multilabel.label_space.cplst import CPLST
from skfactor.multilabel.label_space.cs import CS
from skfactor.multilabel.label_space.cssp import CSSP
from skfactor.multilabel.label_space.faie import FaIE
from skfactor.multilabel.label_space.leml import LEML
from skfactor.multilabel.label_space.plst import PLST
from skfactor.multilabel.label_space.reduced_rank import ReducedRankRidge

__all__ = ["CCA", "CPLST", "CS", "CSSP", "LEML", "PLST", "FaIE", "ReducedRankRidge"]
