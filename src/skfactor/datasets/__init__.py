"""Data sets: loaders for the forms that people have, known ones by name, made ones, and an examination.

`load` is the door to all of them. What it returns has `X`, `Y` and names, or `pairs` and `ratings`.
"""

from __future__ import annotations

from skfactor.datasets.arff import load_arff
from skfactor.datasets.catalogue import available
from skfactor.datasets.dataset import MultilabelData, RatingsData
from skfactor.datasets.doctor import check
from skfactor.datasets.errors import DataFormatError, FetchError
from skfactor.datasets.fetching import fetch
from skfactor.datasets.loading import load
from skfactor.datasets.movielens import load_movielens
from skfactor.datasets.npz import load_npz, save_npz
from skfactor.datasets.rating_tables import load_pairs, load_ratings
from skfactor.datasets.splits import folds
from skfactor.datasets.svmlight import load_svmlight
from skfactor.datasets.synthetic import make_multilabel, make_ratings
from skfactor.datasets.tables import load_csv, load_parquet
from skfactor.datasets.xmc import load_xmc

__all__ = [
    "DataFormatError",
    "FetchError",
    "MultilabelData",
    "RatingsData",
    "available",
    "check",
    "fetch",
    "folds",
    "load",
    "load_arff",
    "load_csv",
    "load_movielens",
    "load_npz",
    "load_pairs",
    "load_parquet",
    "load_ratings",
    "load_svmlight",
    "load_xmc",
    "make_multilabel",
    "make_ratings",
    "save_npz",
]
