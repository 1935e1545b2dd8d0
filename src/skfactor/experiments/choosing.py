"""Which candidate of a task, and which decision, is kept for which metric: by held-out training scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.base import clone
from sklearn.model_selection import KFold

from skfactor._validation import FloatArray, Matrix
from skfactor.datasets import MultilabelData
from skfactor.experiments.fitting import Candidate, fitted
from skfactor.experiments.serving import Served, ServingRule, best, of_scores
from skfactor.experiments.task import Task
from skfactor.metrics import get_metric
from skfactor.model_selection.candidates import last_step
from skfactor.model_selection.committee import label_scores


@dataclass(frozen=True)
class Choice:
    """What is kept for a metric: a candidate, and how it decides."""

    candidate: Candidate
    served: Served

    def predictions(self, X: Matrix) -> tuple[Matrix, FloatArray]:
        """Predicted labels (sparse, n x L) and scores (n x L)."""
        model, scores = self.candidate.model, label_scores(self.candidate.model, X)
        predicted = model.predict(X) if self.served.rule is None else self.served.rule.predict(scores)
        return sparse.csr_array(predicted, dtype=np.float64), scores

    def document(self) -> dict[str, Any]:
        """As JSON has it."""
        return {"chosen": self.candidate.values, "rule": self.served.name, "held_out": self.served.value}


def choose(task: Task, train: MultilabelData) -> dict[str, Choice]:
    """For each metric of the task, the first of the candidates with the best held-out value."""
    found: dict[str, Choice] = {}
    for candidate in fitted(task, train):
        for served in _serving(task, candidate.model, train):
            choice = Choice(candidate, served)
            if served.metric not in found or _before(choice, found[served.metric]):
                found[served.metric] = choice
    return found


def _before(one: Choice, other: Choice) -> bool:
    if one.served.value == other.served.value:
        return one.candidate.place < other.candidate.place
    return one.served.better_than(other.served)


def _serving(task: Task, model: Any, train: MultilabelData) -> Sequence[Served]:
    """How well a fitted model serves each metric: by the decision that it has, or by the best of several."""
    decision = decision_of(model)
    if isinstance(decision, ServingRule):
        return list(decision.served_.values())
    if decision.given() is not None:
        return _by_hand(task, model, train)
    (metric,) = task.metrics
    return [Served(metric, float(decision.value_), None, "its own")]


def _by_hand(task: Task, model: Any, train: MultilabelData) -> list[Served]:
    """The same for a model whose own decision leaves nothing to choose, and so has no held-out scores.

    They are made here, by as many fits as the model has calibration folds. Where every metric may have a rule
    that serves it, the decision of the model is one of them.
    """
    last, _ = last_step(model)
    folds = KFold(last.calibration_folds, shuffle=True, random_state=0)
    truth, predicted, scores = [], [], []
    for inner, outer in folds.split(train.X):
        part = clone(model).fit(train.X[inner], train.Y[inner])
        truth.append(sparse.csr_array(train.Y[outer]).toarray() > 0)
        predicted.append(sparse.csr_array(part.predict(train.X[outer])).toarray())
        scores.append(label_scores(part, train.X[outer]))
    true, guess, score = (np.concatenate(tables) for tables in (truth, predicted, scores))
    served = []
    for metric in task.metrics:
        given = guess if get_metric(metric).needs == "labels" else score
        own = Served(metric, float(get_metric(metric).function(true, given)), None, "its own")
        served.append(best([own, *(of_scores(metric, score, true) if task.choose_each else [])]))
    return served


def decision_of(model: Any) -> Any:
    """The fitted decision rule of a classifier, or of the last step of a pipeline."""
    return last_step(model)[0].decision_
