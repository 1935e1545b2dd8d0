"""CNMF: labels for rows without any, by constrained nonnegative matrix factorization."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Self

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import BoolArray, FloatArray, Matrix, check_choice, check_number, check_same_rows
from skfactor.factors import score_blocks
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.cnmf_descent import CNMFScorer, Descent
from skfactor.multilabel.cnmf_trial import Hidden, hide_folds
from skfactor.multilabel.reading import check_nonnegative
from skfactor.multilabel.similarity import Similarity
from skfactor.multilabel.targets import learn_targets
from skfactor.multilabel.unlabelled import labelled_rows, learnable, take_rows


@dataclass(eq=False, repr=False)
class CNMF(LabelClassifier):
    r"""Constrained nonnegative matrix factorization: few labelled rows, many unlabelled ones, many labels.

    Rows that are alike get labels that are alike. With the cosines A (n x n) of all rows, labelled or not, and
    the similarities B (L x L) of the labels, it minimizes over label confidences T >= 0 (n x L)

        ||A - T B T'||^2 + C sum over labelled rows j of ||T_j - a_j That_j||^2

    where That_j are the labels of row j divided by their number and a_j >= 0 is free. A is never formed: an update
    takes O(nnz(X) L + n L^2) and no more memory than T.

    The objective never rises, but its minimum is no goal: there, T explains the many unlabelled rows by factors
    of their own, and its columns cease to mean the labels. What ranks labels best is found on the way, from a good
    start. So the number of updates is chosen, by hiding some of the labels (`early_stopping`).

    Parameters
    ----------
    similarity : {"cosine", "precomputed"}
        "cosine" takes nonnegative features, as term weights are; it pays to weigh rare terms up, see
        sklearn.feature_extraction.text.TfidfTransformer. "precomputed" takes A itself instead of X, dense or
        sparse, for instance a graph of nearest neighbours; negative similarities count as 0. New rows are then
        given by their similarities to those of `fit`.
    gamma : float
        B_kl = exp(-gamma |b_k - b_l|^2) for the indicators b of the labels over the labelled rows, divided by
        their lengths. The lower, the more labels share what is known of them.
    label_weight : float
        C, divided by the number of rows.
    start : {"ridge", "neighbours", "random"}
        Where T starts from: a ridge regression of the labels on the labelled rows (of which a precomputed A has
        no features: it starts from "neighbours" instead), the mean labels of labelled rows weighted by their
        similarity, or, as in the paper, at random.
    ridge : float
        Of the start: its weight beside rows of length 1.
    max_iter : int
        Updates, at most.
    tol : float
        Stop where an update lowers the objective by less than that times itself.
    early_stopping : bool
        Choose the number of updates after which hidden labels are ranked best: by micro-F1 at its best length of
        the list, over the calibration folds.
    decision, calibration_folds, random_state
        As in `LabelClassifier`. The folds are of the labelled rows; in the fit without a fold its rows are
        unlabelled, and no more than 2000 of the others that are.

    Attributes
    ----------
    transduction_ : ndarray of shape (n_samples, n_labels)
        Label shares of all rows of `fit`: their scores. The sum of a row is 1.
    labelled_ : ndarray of bool, shape (n_samples,)
        Which rows had labels.
    n_iter_ : int
        Number of updates.
    objective_ : ndarray of shape (n_iter_,)
        Before each update.
    held_out_curve_ : ndarray of shape (max_iter,) or None
        What the number of updates was chosen by.
    scorer_, decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    Liu, Jin and Yang (2006), Semi-supervised multi-label learning by constrained non-negative matrix
    factorization, AAAI.

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import CNMF
    >>> data = make_multilabel(n_samples=300, n_features=40, n_labels=8, random_state=0)
    >>> X, Y = np.maximum(data.X, 0), data.Y.toarray().astype(float)
    >>> Y[50:] = np.nan                                  # 250 rows are not labelled
    >>> model = CNMF().fit(X, Y)
    >>> model.transduction_.shape
    (300, 8)
    >>> model.transduce().shape
    (300, 8)
    """

    similarity: Literal["cosine", "precomputed"] = "cosine"
    gamma: float = 2.0
    label_weight: float = 1.0
    start: Literal["ridge", "neighbours", "random"] = "ridge"
    ridge: float = 1.0
    max_iter: int = 40
    tol: float = 1e-6
    early_stopping: bool = True

    def fit(self, X: Any, y: Any, labelled: Any = None) -> Self:
        """Fit to rows of which some have labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame, of shape (n_samples, n_features), not negative
            All rows, labelled or not.
        y : indicator array, sparse matrix or array, data frame with label names, or list of label sets
            Rows that are not labelled are NaN throughout (or None in a list), or what `labelled` says.
        labelled : array of bool of shape (n_samples,), optional
            Which rows have labels. The other rows of y are not looked at.

        Returns
        -------
        self
        """
        X, labels, known = self._begin_partly(X, y, labelled)
        similarity = self._similar(X)
        rng = check_random_state(self.random_state)
        hidden = self._hide(similarity, labels, known, rng)
        self.held_out_curve_ = hidden.curve() if self.early_stopping and hidden.truth.shape[0] else None
        n_iter = self.max_iter if self.held_out_curve_ is None else int(self.held_out_curve_.argmax()) + 1
        self._keep(self._begin_descent(similarity, labels, known, rng).run(n_iter, self.tol))
        self._decide(hidden.after(n_iter, rng))
        self.labelled_, self._labels = known, labels
        return self

    def transduce(self) -> Any:
        """Labels of all rows of `fit`, in the type that Y had: as they were given, or else by `decision_`.

        Returns
        -------
        array, sparse matrix or array, data frame, list of label sets, or (for a 1-d y) array of classes
        """
        check_is_fitted(self)
        blocks = score_blocks(lambda scores: scores, self.transduction_, len(self.classes_))
        predicted = [sparse.csr_array(self.decision_.predict(scores)) for _, scores in blocks]
        unknown = sparse.diags_array((~self.labelled_).astype(float))
        labels = unknown @ sparse.vstack(predicted, format="csr") + self._labels
        labels.eliminate_zeros()
        return self._targets.decode(sparse.csr_array(labels))

    # ---------------------------------------------------------------- fitting

    def _similar(self, X: Matrix) -> Similarity:
        return Similarity.precomputed(X) if self._given else Similarity.cosine(X)

    def _hide(
        self, similarity: Similarity, labels: sparse.csr_array, known: BoolArray, rng: np.random.RandomState
    ) -> Hidden:
        nothing_to_choose = self._targets.exclusive or self._rule().given() is not None
        return hide_folds(
            similarity,
            labels,
            known,
            partial(self._begin_descent, rng=rng),
            n_folds=1 if nothing_to_choose and not self.early_stopping else self.calibration_folds,
            max_iter=self.max_iter,
            tol=self.tol,
            every_update=self.early_stopping,
            rng=rng,
        )

    def _begin_descent(
        self, similarity: Similarity, labels: sparse.csr_array, known: BoolArray, rng: np.random.RandomState
    ) -> Descent:
        return Descent.begin(
            similarity,
            labels[known].toarray(),
            known,
            gamma=self.gamma,
            C=self.label_weight * len(known),
            start="neighbours" if self._given and self.start == "ridge" else self.start,
            ridge=self.ridge,
            rng=rng,
        )

    def _keep(self, descent: Descent) -> None:
        self.scorer_ = descent.scorer()
        self.transduction_ = descent.label_shares()
        self.objective_ = np.array(descent.objectives)
        self.n_iter_ = len(self.objective_)

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> CNMFScorer:
        raise AssertionError("CNMF is fitted to labelled and unlabelled rows together")

    # ---------------------------------------------------------------- reading

    @property
    def _given(self) -> bool:
        return self.similarity == "precomputed"

    def _begin_partly(self, X: Any, y: Any, labelled: Any) -> tuple[Matrix, sparse.csr_array, BoolArray]:
        """Read all rows, and labels (n x L) that are 0 for rows without any; check everything."""
        X = self._read_features(X, reset=True)
        y = learnable(y)
        check_same_rows(X=X, y=y, labelled=labelled)
        known = labelled_rows(y, labelled)
        y = take_rows(y, known)
        targets = learn_targets(y)
        self._check_parameters(X.shape[1], len(targets.names))
        labels = targets.encode(y)
        if not labels.nnz:
            raise ValueError("Y has no positive entry: there is nothing to learn. Were the columns mixed up?")
        self._set_targets(targets)
        place = sparse.csr_array(
            (np.ones(labels.shape[0]), (np.flatnonzero(known), np.arange(labels.shape[0]))),
            shape=(X.shape[0], labels.shape[0]),
        )
        return X, sparse.csr_array(place @ labels), known

    def _read_features(self, X: Any, *, reset: bool = False) -> Matrix:
        check_choice(self.similarity, "similarity", ("cosine", "precomputed"))
        X = super()._read_features(X, reset=reset)
        if not self._given:
            check_nonnegative(X, "CNMF")
            return X
        if reset and X.shape[0] != X.shape[1]:
            raise ValueError(f"A precomputed similarity must be square, got shape {X.shape}.")
        return X.maximum(0) if sparse.issparse(X) else np.maximum(X, 0)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_choice(self.start, "start", ("ridge", "neighbours", "random"))
        check_number(self.gamma, "gamma", minimum=0)
        check_number(self.label_weight, "label_weight", minimum=0)
        check_number(self.ridge, "ridge", above=0)
        check_number(self.max_iter, "max_iter", minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = not self._given
        tags.input_tags.pairwise = self._given
        tags.classifier_tags.poor_score = True  # of two features there is no telling by cosines
        return tags
