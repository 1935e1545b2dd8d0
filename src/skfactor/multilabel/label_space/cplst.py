"""CPLST: conditional principal label space transformation."""

from __future__ import annotations

from dataclasses import dataclass

from skfactor.multilabel.label_space.reduced_rank import ReducedRankRidge


@dataclass(eq=False, repr=False)
class CPLST(ReducedRankRidge):
    r"""Conditional principal label space transformation: codes of the labels that the features can predict.

    Where `PLST` keeps the directions in which labels vary most, this keeps those in which their regression on
    the features does. Over orthonormal V (L x r) and E (D x r), it minimizes the error of predicting the codes
    together with that of decoding them,

        1/n ||Y V - X E||^2 + ridge * m * ||E||^2 + 1/n ||Y - Y V V'||^2,        scores = X E V' + b

    where m is the mean squared (centred, scaled) feature. V are the r leading eigenvectors of Cyx R Cxy, with
    R = (Cxx + ridge m I)^-1, and E = R Cxy V. With r = L this is `RidgeBR`; with features that can tell every
    row from the others and are orthonormal, it is `PLST`.

    Parameters
    ----------
    n_components : int, optional
        The rank r (the paper's M), at most the number of labels; all of them by default.
    ridge : float
        Weight of the squared norm, relative to the mean squared feature (the paper's lambda is n * m * ridge).
    scale, decision, calibration_folds, memory_budget, random_state
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is E, the decoder V'.

    Notes
    -----
    Of all maps of rank r, X E V' is the one of least ridge loss: the objective above and that of
    `ReducedRankRidge` have the same minimizer, so the two classes are one model, each under the name that its
    literature knows.

    References
    ----------
    Y.-N. Chen and H.-T. Lin, "Feature-aware label space dimension reduction for multi-label classification",
    NIPS 2012.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CPLST
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = CPLST(n_components=4).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 4)
    """
