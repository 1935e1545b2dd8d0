"""BSVM: a support vector machine for each label."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.factors import Factors
from skfactor.multilabel.classifier import LabelClassifier, Scorer
from skfactor.multilabel.comparators.binary import for_each_label, in_blocks, narrow


@dataclass(frozen=True)
class KernelScorer:
    """scores = K(X, S) A + b, for the support vectors S (s x D) of all labels.

    Attributes
    ----------
    support : ndarray or csr_array of shape (s, n_features)
        S.
    dual : csr_array of shape (s, n_labels)
        A.
    intercept : ndarray of shape (n_labels,)
    kernel : str
    parameters : dict
        Those of the kernel.
    """

    support: Any
    dual: sparse.csr_array
    intercept: FloatArray
    kernel: str
    parameters: dict[str, float]

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return in_blocks(self._scores, X, self.support.shape[0])

    def _scores(self, X: Matrix) -> FloatArray:
        from sklearn.metrics.pairwise import pairwise_kernels

        kernels = pairwise_kernels(X, self.support, metric=self.kernel, filter_params=True, **self.parameters)
        return np.asarray(kernels @ self.dual + self.intercept)


@dataclass(eq=False, repr=False)
class BSVM(LabelClassifier):
    r"""Binary relevance by support vector machines: each label against the rest, with a wide margin.

    For each label, with y of -1 and +1, it minimizes over w and b

        1/2 ||w||^2 + C sum_i loss(y_i (x_i w + b))

    where loss(t) is max(0, 1 - t) or its square. A kernel stands for products of x with richer features. Features
    should be of similar scale, for instance by sklearn.preprocessing.StandardScaler.

    Parameters
    ----------
    C : float
        Weight of the losses.
    kernel : {"linear", "rbf", "poly", "sigmoid"}
        "linear" is solved by LIBLINEAR, which takes b as the weight of one more feature; others by LIBSVM.
    loss : {"squared_hinge", "hinge"}
        For the linear kernel; others have the hinge.
    gamma : float or "scale"
        Of the kernels: exp(-gamma ||x - z||^2), (gamma x'z + coef0)^degree, tanh(gamma x'z + coef0). "scale" is 1
        over the number of features times their variance.
    degree, coef0 : int, float
        Of the polynomial and the sigmoid kernel.
    n_jobs : int, optional
        Labels learned at the same time, each in a process of its own; -1 for as many as there are cores.
    decision, calibration_folds, random_state
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : Factors or KernelScorer
        The weights of all labels side by side, or their support vectors.
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    References
    ----------
    M. R. Boutell, J. Luo, X. Shen and C. M. Brown, "Learning multi-label scene classification", Pattern
    Recognition 37(9), 2004. C.-C. Chang and C.-J. Lin, "LIBSVM: a library for support vector machines", ACM
    Transactions on Intelligent Systems and Technology 2(3), 2011.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import BSVM
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = BSVM(C=0.1).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    C: float = 1.0
    kernel: str = "linear"
    loss: str = "squared_hinge"
    gamma: float | str = "scale"
    degree: int = 3
    coef0: float = 0.0
    n_jobs: int | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Scorer:
        X = narrow(X)
        return self._linear(X, labels) if self.kernel == "linear" else self._kernel(X, labels)

    def _linear(self, X: Matrix, labels: sparse.csr_array) -> Factors:
        machine = LinearMachine(X, self.C, self.loss)
        found = for_each_label(machine.weights, labels, self.n_jobs)
        weights = np.stack(found, axis=1)
        return Factors(weights[:-1], None, weights[-1])

    def _kernel(self, X: Matrix, labels: sparse.csr_array) -> KernelScorer:
        parameters = self._kernel_parameters(X)

        def dual(y: IntArray) -> tuple[sparse.csc_array, float]:
            from sklearn.svm import SVC

            if (y == y[0]).all():
                return sparse.csc_array((len(y), 1)), 2.0 * y[0] - 1
            machine = SVC(C=self.C, kernel=self.kernel, cache_size=500, **parameters).fit(X, y)
            coefficients = sparse.csc_array(machine.dual_coef_).toarray().ravel()
            places = (machine.support_, np.zeros(len(coefficients), dtype=np.int64))
            return sparse.csc_array((coefficients, places), shape=(len(y), 1)), float(machine.intercept_[0])

        columns, intercepts = zip(*for_each_label(dual, labels, self.n_jobs), strict=True)
        duals = sparse.csr_array(sparse.hstack(columns, format="csr"))
        support = np.flatnonzero(np.diff(duals.indptr))
        return KernelScorer(X[support], duals[support], np.array(intercepts), self.kernel, parameters)

    def _kernel_parameters(self, X: Matrix) -> dict[str, float]:
        mean = X.mean()
        squares = X.multiply(X) if sparse.issparse(X) else np.square(X)
        variance = float(squares.mean() - mean**2)
        scale = 1 / (X.shape[1] * variance) if variance > 0 else 1.0
        gamma = scale if self.gamma == "scale" else float(self.gamma)
        return {"gamma": gamma, "degree": self.degree, "coef0": self.coef0}

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_number(self.C, "C", above=0)
        check_choice(self.kernel, "kernel", ("linear", "rbf", "poly", "sigmoid"))
        check_choice(self.loss, "loss", ("squared_hinge", "hinge"))
        if self.gamma != "scale":
            check_number(self.gamma, "gamma", above=0)


@dataclass(frozen=True)
class LinearMachine:
    """A linear support vector machine on the rows of X, for any y."""

    X: Any
    C: float = 1.0
    loss: str = "squared_hinge"

    def weights(self, y: IntArray) -> FloatArray:
        """W with b at its end (D + 1); w is 0 and b -1 or 1 where all of y (0 or 1) are the same."""
        from sklearn.svm import LinearSVC

        if (y == y[0]).all():
            return np.append(np.zeros(self.X.shape[1]), 2.0 * y[0] - 1)
        machine = LinearSVC(
            C=self.C,
            loss=self.loss,
            dual="auto" if self.loss == "squared_hinge" else True,
            max_iter=10_000,
            random_state=0,
        ).fit(self.X, y)
        return np.append(machine.coef_.ravel(), machine.intercept_)
