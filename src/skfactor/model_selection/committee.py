"""Committee: the weighted mean of the scores of several classifiers, with one decision rule behind it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone

from skfactor._arrays import as_numpy
from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.decisions import Threshold
from skfactor.model_selection.candidates import last_step
from skfactor.multilabel import LabelClassifier
from skfactor.multilabel.held_out import HeldOut


def label_scores(model: Any, X: Any) -> FloatArray:
    """Scores (n x L) of a classifier before its decision rule, or of the last step of a pipeline."""
    last, prefix = last_step(model)
    scores: FloatArray = last.label_scores(model[:-1].transform(X) if prefix else X)
    return scores


@dataclass(frozen=True)
class CommitteeScorer:
    """scores = sum_m weights_m scores_m(X).

    Attributes
    ----------
    models : list of estimator
        Fitted.
    weights : ndarray of shape (n_models,)
    """

    models: Sequence[Any]
    weights: FloatArray

    def scores(self, X: Matrix) -> FloatArray:
        """Scores (n x L)."""
        return mean_scores([as_numpy(label_scores(model, X)) for model in self.models], self.weights)


@dataclass(eq=False, repr=False)
class Committee(LabelClassifier):
    """Several classifiers that score together: what one of them gets wrong by chance, the others outvote.

    Its scores are the weighted mean of theirs, so that they should be on one scale: shares of the labels, say, as
    ridge regression and forests have them.

    Parameters
    ----------
    members : sequence of estimator
        Classifiers, or pipelines that end in one.
    weights : sequence of float, optional
        All alike by default.
    decision, calibration_folds, random_state
        As in `LabelClassifier`.

    Attributes
    ----------
    scorer_ : CommitteeScorer
    decision_, classes_, n_features_in_, feature_names_in_
        As in `LabelClassifier`.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import Committee
    >>> from skfactor.multilabel import ExtraTrees, RidgeBR
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = Committee([RidgeBR(), ExtraTrees(n_estimators=20)]).fit(data.X[:200], data.Y[:200])
    >>> model.predict(data.X[200:]).shape
    (100, 8)
    """

    members: Sequence[Any] = ()
    weights: Sequence[float] | None = None

    def _fit_scorer(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> CommitteeScorer:
        return CommitteeScorer([_undecided(member).fit(X, labels) for member in self.members], self._shares())

    def _shares(self) -> FloatArray:
        weights = np.ones(len(self.members)) if self.weights is None else np.asarray(self.weights, dtype=float)
        return np.asarray(weights / weights.sum())

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        if not self.members or len(self.members) != len(self._shares()):
            raise ValueError("A committee needs members, and a weight for each of them or none at all.")


def mean_scores(tables: Sequence[FloatArray], weights: FloatArray) -> FloatArray:
    """sum_m weights_m tables_m, for weights that sum to 1."""
    return np.asarray(np.sum([weight * table for table, weight in zip(tables, weights, strict=True)], axis=0))


def elect(tables: Sequence[FloatArray], worth: Callable[[FloatArray], float], votes: int) -> IntArray:
    """How many of the votes each table of held-out scores gets, the best table first.

    Half of the votes go to the best tables, one each, and each of the others to where the mean gains most: votes
    that all go by what they gain follow chance where rows are few. Of the numbers of votes from half of them to
    all, the best is kept. R. Caruana et al., "Ensemble selection from libraries of models", ICML 2004.
    """
    seats = min(len(tables), -(-votes // 2))
    counts = np.zeros(len(tables), dtype=np.int64)
    counts[:seats] = 1
    total = np.sum(tables[:seats], axis=0)
    elected, best = counts.copy(), worth(total / seats)
    for vote in range(seats + 1, votes + 1):
        found = [worth((total + table) / vote) for table in tables]
        chosen = int(np.argmax(found))
        counts[chosen] += 1
        total += tables[chosen]
        if found[chosen] > best:
            elected, best = counts.copy(), found[chosen]
    return elected


def committee_of(models: Sequence[Any], rule: Any, votes: int, sign: int = 1) -> Committee | None:
    """The committee of fitted models with calibrated decisions, or None if one of them alone is as good.

    All of them must have held the same rows out: then their held-out scores are those of the committee, too, and
    nothing has to be fitted.

    Parameters
    ----------
    models : sequence of estimator
        Of the same labels, with the same `random_state` and `calibration_folds`; the best first.
    rule : DecisionRule
    votes : int
        See `elect`.
    sign : {1, -1}
        -1 if the metric of the rule is better when lower.

    Returns
    -------
    Committee or None
    """
    held = [last_step(model)[0]._held_out for model in models]
    first = held[0]
    alike = [place for place, one in enumerate(held) if np.array_equal(one.key, first.key)]
    tables = [held[place].scores for place in alike]

    def worth(scores: FloatArray) -> float:
        return sign * float(clone(rule).fit(scores, first.truth, first.weight).value_)

    counts = elect(tables, worth, votes)
    chosen = np.flatnonzero(counts)
    weights = counts[chosen].tolist()
    scores = mean_scores([tables[place] for place in chosen], np.asarray(weights) / sum(weights))
    if worth(scores) <= max(map(worth, tables)):
        return None
    held_out = replace(first, scores=scores)
    return seated([models[alike[place]] for place in chosen], weights, rule, held_out)


def seated(models: Sequence[Any], weights: Sequence[float], rule: Any, held_out: HeldOut) -> Committee:
    """A committee of fitted models, its rule fitted on its held-out scores; one model alone stays what it is."""
    made = Committee([clone(model) for model in models], list(weights), decision=rule)
    made._set_targets(last_step(models[0])[0]._targets)
    made.n_features_in_ = models[0].n_features_in_
    made.scorer_ = CommitteeScorer(list(models), made._shares())
    made._decide(held_out)
    return made


def _undecided(member: Any) -> Any:
    """An unfitted copy that does not calibrate: its scores are all that is asked for."""
    _, prefix = last_step(member)
    return clone(member).set_params(**{f"{prefix}decision": Threshold(value=0.5, min_labels=0)})
