"""MNMTF: multi-label nonnegative matrix tri-factorization, fewer features that labels are made of."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray, check_choice, check_number, check_rank
from skfactor.moments import Moments
from skfactor.multilabel.mnmtf_updates import LabelSums, factorize
from skfactor.multilabel.reading import LabelReader
from skfactor.solvers import nnls


@dataclass(eq=False, repr=False)
class MNMTF(ClassNamePrefixFeaturesOutMixin, TransformerMixin, LabelReader):
    r"""Multi-label nonnegative matrix tri-factorization: a reduction of nonnegative features that looks at labels.

    A row with labels y is taken to be the sum of its labels' means, and these are nonnegative combinations of r
    basis vectors: over U >= 0 (D x r) and S >= 0 (r x L),

        1/n ( ||X' - U S Y'||^2 + graph_weight q tr(S (Deg - K) S') )      K = Y'Y,    Deg = diag(K 1)

    where q is the mean squared length of a row. The second term draws labels together that come together; since
    U may grow as S shrinks, it acts on their directions more than on their lengths. In the end, basis vectors are
    brought to length 1, and their rows of S lengthened: so the new features of a row are lengths, too, and the
    distances between rows do not hang on how a product was divided between U and S.

    A row is projected: its new features v >= 0 minimize ||x - U v||^2. Put it before any classifier in a pipeline.

    It is fitted from X'Y and Y'Y alone: an iteration costs the same for any number of rows.

    Parameters
    ----------
    n_components : int, optional
        r, which may exceed the number of labels; 30 % of the features by default, as in the paper's table.
    graph_weight : float
        The paper's lambda is q times as large. Best of 1 to 300 by cross-validation of the training rows of three
        text sets.
    training_codes : {"projected", "labels"}
        What `fit_transform` makes of the training rows: their projection, like that of any others, or S y, as
        the paper has it, which knows the labels that new rows do not have.
    max_iter, tol
        Iterations at most, and the change of the objective, relative to ||X||^2 / n, at which it stops.
    random_state : int, RandomState instance or None
        Draws the start, which is made of the means of the labels' rows.

    Attributes
    ----------
    components_ : ndarray of shape (n_components, n_features)
        U', whose rows have length 1.
    label_codes_ : ndarray of shape (n_labels, n_components)
        S', the labels in the new features.
    objective_ : list of float
        Of every iteration; basis vectors have whatever length comes out.
    n_iter_ : int
    sums_ : LabelSums
        What it was solved from; `partial_fit` adds to it, `forget` takes away.
    classes_ : ndarray of shape (n_labels,)
        Label names.
    n_features_in_, feature_names_in_
        Of X.

    References
    ----------
    K. Kimura, M. Kudo and L. Sun, "Dimension reduction using nonnegative matrix tri-factorization in multi-label
    classification", PDPTA 2015.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.pipeline import make_pipeline
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MNMTF, RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> X = np.abs(data.X)
    >>> model = make_pipeline(MNMTF(n_components=10), RidgeBR()).fit(X[:200], data.Y[:200])
    >>> model[:1].transform(X[200:]).shape
    (100, 10)
    """

    nonnegative: ClassVar[bool] = True

    n_components: int | None = None
    graph_weight: float = 100.0
    training_codes: str = "projected"
    max_iter: int = 1000
    tol: float = 1e-5
    random_state: Any = 0

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit to nonnegative rows and their labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features)
        y : indicator array, sparse matrix or array, data frame with label names, list of label sets, or classes
        sample_weight : array of shape (n_samples,), optional

        Returns
        -------
        self
        """
        self._solve_from(LabelSums.of(*self._begin(X, y, None, sample_weight, positives_needed=True)))
        return self

    def partial_fit(self, X: Any, y: Any, classes: Sequence[Any] | None = None, sample_weight: Any = None) -> Self:
        """Add rows: afterwards it is fitted to all rows so far.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.
        classes : sequence, optional
            In the first call: the names of all labels that may come.

        Returns
        -------
        self
        """
        if hasattr(self, "sums_"):
            self._solve_from(self.sums_.plus(LabelSums.of(*self._read(X, y, sample_weight, classes)), 1.0))
        else:
            self._solve_from(LabelSums.of(*self._begin(X, y, classes, sample_weight, positives_needed=False)))
        return self

    def forget(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Take rows away that were fitted before.

        Parameters
        ----------
        X, y, sample_weight
            Rows as they were given to `fit` or `partial_fit`.

        Returns
        -------
        self
        """
        check_is_fitted(self)
        gone = LabelSums.of(*self._read(X, y, sample_weight))
        if gone.n >= self.sums_.n:
            raise ValueError(f"Taking away {gone.n:g} of {self.sums_.n:g} rows (by weight) leaves none.")
        self._solve_from(self.sums_.plus(gone, -1.0))
        return self

    def fit_moments(self, moments: Moments) -> Self:
        """Fit to moments that were made before, from any source of nonnegative rows.

        Parameters
        ----------
        moments : Moments
            Of features and a 0/1 indicator of labels.

        Returns
        -------
        self
        """
        self._begin_from(moments)
        self._solve_from(LabelSums.of_moments(moments))
        return self

    def fit_transform(self, X: Any, y: Any = None, sample_weight: Any = None) -> FloatArray:
        """Fit, and return the training rows in the new features, as `training_codes` says.

        Parameters
        ----------
        X, y, sample_weight
            As in `fit`.

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        self.fit(X, y, sample_weight)
        if self.training_codes == "projected":
            return self.transform(X)
        codes: FloatArray = self._targets.encode(y) @ self.label_codes_
        return codes

    def transform(self, X: Any) -> FloatArray:
        """Project rows on the basis, by nonnegative least squares of all rows at once.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_components)
        """
        check_is_fitted(self)
        X = self._read_features(X)
        U = self.components_.T
        codes: FloatArray = nnls.solve(U.T @ U, X @ U).astype(X.dtype)
        return codes

    def _solve_from(self, sums: LabelSums) -> None:
        rank = self._rank(len(sums.cross))
        (U, S), self.objective_ = factorize(
            sums, rank, self.graph_weight, check_random_state(self.random_state), self.max_iter, self.tol
        )
        lengths = np.linalg.norm(U, axis=0)
        self.components_ = U.T / np.where(lengths > 0, lengths, 1.0)[:, None]
        self.label_codes_ = S.T * lengths
        self.n_iter_, self.sums_ = len(self.objective_), sums

    def _rank(self, n_features: int) -> int:
        if self.n_components is None:
            return max(1, round(0.3 * n_features))
        return check_rank(self.n_components, n_features=n_features)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        self._rank(n_features)
        check_number(self.graph_weight, "graph_weight", minimum=0)
        check_choice(self.training_codes, "training_codes", ("projected", "labels"))
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.target_tags.multi_output = True
        tags.transformer_tags.preserves_dtype = ["float64", "float32"]
        return tags
