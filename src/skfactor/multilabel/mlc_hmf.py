"""MLC-HMF: a tree of max-margin embeddings."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, cast

import numpy as np
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray, Matrix, check_choice, check_number
from skfactor.decisions import RULES, DecisionRule
from skfactor.moments import Moments, Scale
from skfactor.multilabel.classifier import LabelClassifier
from skfactor.multilabel.margin_embedding import SOLVERS, learn_embedding
from skfactor.multilabel.mlc_hmf_explain import Explanation, explain
from skfactor.multilabel.mlc_hmf_tree import Grower, Learned, Tree
from skfactor.multilabel.mlc_hmf_votes import Frame, VoteScorer


@dataclass(frozen=True)
class TreeScorer(VoteScorer):
    """The votes, and the tree whose nodes have them."""

    tree: Tree


class Vote(DecisionRule):
    """What most of the votes are for, or (of scores alone) what has a score above 0."""

    def given(self) -> Vote:
        """Ready: nothing is chosen."""
        return self.preset(0.0, 0)


@dataclass(eq=False, repr=False)
class MLCHMF(LabelClassifier):
    r"""Multi-label classification by hierarchical matrix factorization: a tree of rules.

    For labels that follow different rules in different places. Rows are split in two by k-means. Each part learns
    a linear embedding of low rank with a margin for every label, the minimum over U (D x r), V (r x L), b (L) of

        sum_il h(y_il (x_i U V_l + b_l)) + ridge / 2 (||U||^2 + ||V||^2)

    with the smooth hinge h and labels y of -1 and +1. The part keeps the rows that this gets right; the others are
    split in two again. For a new row, the nodes that keep its nearest neighbours vote.

    Parameters
    ----------
    n_components : int, optional
        r, at most; half of the labels by default.
    ridge : float
        lambda, for features whose mean variance is 1; the same in the whole tree.
    tolerance : float
        A node keeps the rows of no more Hamming loss.
    max_depth : int
        Embeddings on top of each other.
    min_samples : int
        A part with fewer rows learns nothing.
    n_neighbors : int
        Kept rows that decide who votes.
    solver : {"lbfgs", "conjugate_gradient"}
        The paper has conjugate gradients, which ask for the objective twice as often.
    max_iter : int
        Iterations of an embedding.
    tol : float
        An embedding is done when an iteration lowers the objective by less than that times itself.
    scale : {"auto", "std"} or None
        Whether features are divided by their standard deviation; "auto" does so for dense real-valued data. It
        matters to the neighbours as well as to the embeddings.
    n_jobs : int, optional
        Threads; the parts at one depth are learned side by side. The tree is the same for any number.
    decision : str or DecisionRule
        "vote": the labels that most of the votes are for. Or how the mean outputs become labels, as in
        `LabelClassifier`, which takes one more tree for each calibration fold.
    calibration_folds
        As in `LabelClassifier`.
    random_state : int, RandomState instance or None
        Draws the starts of k-means, and the folds.

    Attributes
    ----------
    tree_ : Tree
        `tree_.nodes` has the rows that each node keeps, `tree_.residue` those that none does.
    n_iter_ : int
        Iterations of the embedding that took most.
    scorer_, decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`. Scores are the mean outputs of the nodes that vote.

    References
    ----------
    V. Kumar, A. K. Pujari, V. Padmanabhan, S. K. Sahu and V. R. Kagita, "Multi-label classification using
    hierarchical embedding", Expert Systems with Applications 91, 2018.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLCHMF
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = MLCHMF().fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    >>> len(model.explain(data.X[200:202]))
    2
    """

    n_components: int | None = None
    ridge: float = 30.0
    tolerance: float = 0.05
    max_depth: int = 5
    min_samples: int = 5
    n_neighbors: int = 5
    solver: Literal["lbfgs", "conjugate_gradient"] = "lbfgs"
    max_iter: int = 500
    tol: float = 1e-4
    scale: Scale = "auto"
    n_jobs: int | None = None

    rules: ClassVar[Mapping[str, type[DecisionRule]]] = {"vote": Vote, **RULES}

    decision: str | DecisionRule = "vote"

    def explain(self, X: Any) -> list[Explanation]:
        """Which nodes voted on each row, by which neighbours, for which labels.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        list of Explanation
            To be printed, or looked into: `explanation.votes`.
        """
        return explain(self._voter, self.tree_, self.classes_, self._read_features(X))

    def decision_function(self, X: Any) -> FloatArray:
        """Scores of all labels, less what the decision rule asks for: labels are predicted above 0.

        Where votes decide, a label that is voted down has no score above 0, and one that is voted for has.

        Parameters
        ----------
        X : array, sparse matrix or array, or data frame

        Returns
        -------
        ndarray of shape (n_samples, n_labels)
            For a 1-d y, the scores as they are, or, for two classes, of shape (n_samples,) and above 0 for the
            second.
        """
        voter = self._voter
        if not self._voting:
            return super().decision_function(X)
        scores, voted = self.label_scores(X), voter.votes(self._read_features(X)) > 0.5
        return np.where(voted, np.maximum(scores, np.finfo(np.float32).tiny), np.minimum(scores, 0.0))

    @property
    def tree_(self) -> Tree:
        """The tree."""
        return self._voter.tree

    @property
    def n_iter_(self) -> int:
        """Iterations of the embedding that took most."""
        return max(node.n_iter for node in self.tree_.nodes)

    @property
    def _voter(self) -> TreeScorer:
        check_is_fitted(self)
        scorer: Any = self.scorer_
        return cast(TreeScorer, scorer)

    # ---------------------------------------------------------------- fitting

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> TreeScorer:
        frame = Frame(Moments.variances_of(X, labels).centre(self.scale, units=True))
        X, rng = frame.of(X), check_random_state(self.random_state)
        stop = (self.tolerance, self.min_samples, self.max_depth)
        tree = Grower(X, labels.toarray(), self._learn_embedding, *stop, rng, self.n_jobs).grow()
        voters = tree.voters
        if any(node.n_iter >= self.max_iter for node in tree.nodes):
            warnings.warn(
                f"An embedding has not converged after {self.max_iter} iterations: raise max_iter, tol or ridge.",
                ConvergenceWarning,
                stacklevel=2,
            )
        return TreeScorer(
            frame=frame,
            rows=X[np.concatenate([node.kept for node in voters])],
            place=np.repeat(np.arange(len(voters)), [len(node.kept) for node in voters]),
            embeddings=[node.embedding for node in voters if node.embedding is not None],
            n_neighbors=self.n_neighbors,
            tree=tree,
        )

    def _learn_embedding(self, X: Matrix, labels: FloatArray) -> Learned:
        rank = -(-labels.shape[1] // 2) if self.n_components is None else self.n_components
        settings: dict[str, Any] = {"solver": self.solver, "max_iter": self.max_iter, "tol": self.tol}
        embedding, found = learn_embedding(X, labels, rank, self.ridge, **settings)
        return embedding, found.n_iter

    @property
    def _voting(self) -> bool:
        return isinstance(self._rule(), Vote) and not self._targets.exclusive

    def _predicted(self, X: Matrix) -> sparse.csr_array:
        if not self._voting:
            return super()._predicted(X)
        return sparse.csr_array((self._voter.votes(X) > 0.5).astype(np.float64))

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if self.n_components is not None:
            check_number(self.n_components, "n_components", minimum=1, integer=True)
        check_number(self.ridge, "ridge", minimum=0)
        check_number(self.tolerance, "tolerance", minimum=0, maximum=1)
        for name in ("max_depth", "min_samples", "n_neighbors", "max_iter"):
            check_number(getattr(self, name), name, minimum=1, integer=True)
        check_number(self.tol, "tol", minimum=0)
        check_choice(self.solver, "solver", SOLVERS)
        check_choice(self.scale, "scale", ("auto", "std", None))
