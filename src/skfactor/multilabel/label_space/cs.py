"""CS: multi-label prediction by compressed sensing."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import linalg
from sklearn.linear_model import orthogonal_mp
from sklearn.utils import check_random_state

from skfactor._validation import FloatArray, Matrix, check_choice, check_number, check_rank
from skfactor.factors import Factors
from skfactor.moments import CentredMoments
from skfactor.moments.second import Centre
from skfactor.multilabel.base import MomentClassifier


@dataclass(frozen=True)
class SparseFactors(Factors):
    """Codes that are decoded to few labels each: scores = argmin ||z - y P|| over y with `n_nonzero` entries.

    The code z = X E + c is that of the labels themselves, not of their difference from the mean, which would
    not be sparse. The decoder is P' (r x L); there is no intercept beyond c.

    Attributes
    ----------
    n_nonzero : int
    code_intercept : ndarray of shape (n_components,)
        c.
    """

    decoder: FloatArray
    n_nonzero: int = field(kw_only=True)
    code_intercept: FloatArray | None = field(default=None, kw_only=True)

    def uncentred(self, centre: Centre) -> SparseFactors:
        """The same map for data as it came: codes are shifted as labels of mean my P would be."""
        codes = Factors(self.encoder).uncentred(replace(centre, mean_y=self.decoder @ centre.mean_y))
        return replace(self, encoder=codes.encoder, code_intercept=codes.intercept)

    def scores(self, X: Matrix) -> FloatArray:
        """The sparse y of every row, in the precision of X."""
        codes = self.transform(X)
        shifted = codes if self.code_intercept is None else codes + self.code_intercept
        with warnings.catch_warnings():  # it warns of codes that fewer labels already explain
            warnings.simplefilter("ignore", RuntimeWarning)
            found = orthogonal_mp(self.decoder, shifted.T, n_nonzero_coefs=self.n_nonzero)
        return np.asarray(found.reshape(self.n_labels, len(codes)).T, dtype=codes.dtype)


@dataclass(eq=False, repr=False)
class CS(MomentClassifier):
    r"""Compressed sensing: as many regressions as a row has labels, a few times over, for however many labels.

    Every label has a random vector of r entries and unit norm, its row of P (L x r). Ridge regression predicts the
    sums Y P of the vectors of a row's labels: over E (D x r),

        1/n ||Y P - X E||^2 + ridge * m * ||E||^2

    where m is the mean squared (centred, scaled) feature. The scores of a row are the sparse y whose y P is
    nearest to its prediction, found label by label (orthogonal matching pursuit), or, by correlation, X E P' + b.

    Parameters
    ----------
    n_components : int, optional
        The number r of projections (the paper's m), at most and by default the number of labels. Recovery takes a
        few times as many as a row has labels, and more, the more labels there are (as their logarithm).
    ridge : float
        Weight of the squared norm, relative to the mean squared feature.
    projection : {"gaussian", "hadamard"}
        Rows of P: normal and scaled to unit norm, or of random columns of a Hadamard matrix. The latter are less
        alike, but where r is small their sums can be equal, and the pursuit is then led by rounding.
    decoding : {"omp", "correlation"}
        Orthogonal matching pursuit gives `n_nonzero` labels a score other than zero, correlation gives one to all.
    n_nonzero : int, optional
        Number of labels that the pursuit finds for a row (the paper's k), of which the decision rule takes those
        of high score; by default twice the mean number of labels of a row, rounded up.
    random_state : int, RandomState instance or None
        Draws P, and the folds.
    scale, decision, calibration_folds, memory_budget
        As in `MomentClassifier`.

    Attributes
    ----------
    factors_, decision_, moments_, classes_, n_features_in_, feature_names_in_
        As in `MomentClassifier`. The encoder is E, the decoder P'; with "omp", scores are no linear map of codes.

    References
    ----------
    D. Hsu, S. M. Kakade, J. Langford and T. Zhang, "Multi-label prediction via compressed sensing", NIPS 2009.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CS
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = CS(n_components=6).fit(data.X[:200], data.Y[:200])
    >>> model.transform(data.X[200:]).shape
    (100, 6)
    """

    concurrent: ClassVar[bool] = False
    tuned: ClassVar[Mapping[str, Sequence[Any]]] = {"decoding": ("omp", "correlation")}

    n_components: int | None = None
    ridge: float = 0.3
    projection: Literal["gaussian", "hadamard"] = "gaussian"
    decoding: Literal["omp", "correlation"] = "omp"
    n_nonzero: int | None = None

    def solve(self, moments: CentredMoments) -> Factors:
        """E = (Cxx + ridge m I)^-1 Cxy P."""
        rank = check_rank(self.n_components, n_labels=moments.n_labels)
        P = PROJECTIONS[self.projection](moments.n_labels, rank, check_random_state(self.random_state))
        E = moments.solve_ridge(self.ridge, moments.xy(P))
        if self.decoding == "correlation":
            return Factors(E, P.T)
        per_row = round(moments.centre.mean_y.sum(), 6)  # a mean of 1 may come as a little more
        return SparseFactors(E, P.T, n_nonzero=min(self.n_nonzero or max(1, math.ceil(2 * per_row)), rank))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.ridge, "ridge", minimum=0)
        check_rank(self.n_components, n_labels=n_labels)
        check_choice(self.projection, "projection", PROJECTIONS)
        check_choice(self.decoding, "decoding", ("omp", "correlation"))
        if self.n_nonzero is not None:
            check_number(self.n_nonzero, "n_nonzero", minimum=1, integer=True)


def _gaussian(n_labels: int, n_components: int, rng: np.random.RandomState) -> FloatArray:
    P = rng.normal(size=(n_labels, n_components))
    return np.asarray(P / np.linalg.norm(P, axis=1, keepdims=True))


def _hadamard(n_labels: int, n_components: int, rng: np.random.RandomState) -> FloatArray:
    """Entries of the Kronecker product of two small Hadamard matrices, which is a large one, never made whole."""
    bits = (n_labels - 1).bit_length()
    outer, inner = (linalg.hadamard(1 << count, dtype=float) for count in (bits - bits // 2, bits // 2))
    rows = np.divmod(np.arange(n_labels), len(inner))
    columns = np.divmod(rng.choice(1 << bits, n_components, replace=False), len(inner))
    signs = outer[np.ix_(rows[0], columns[0])] * inner[np.ix_(rows[1], columns[1])]
    return np.asarray(signs / np.sqrt(n_components))


PROJECTIONS = {"gaussian": _gaussian, "hadamard": _hadamard}
