"""What is kept for which metric, and that a path of candidates is a short cut and nothing else."""

import numpy as np
import pytest

from skfactor.datasets import load
from skfactor.decisions import PredictedCount, Threshold
from skfactor.experiments import choosing, fitting, protocols, run_labels
from skfactor.experiments.declared import Entry, Slice, Source, Table
from skfactor.experiments.serving import ServingRule, of_scores
from skfactor.experiments.task import Task
from skfactor.metrics import get_metric

ALL = ["micro_f1", "macro_f1", "accuracy", "example_f1", "subset_accuracy", "hamming_loss", "ranking_loss"]
GRIDS = {
    "RidgeBR": {"ridge": [1e-3, 1e-1, 1e2]},
    "PLST": {"ridge": [1e-2, 1.0], "n_components": [2, 5, 7]},
    "CPLST": {"n_components": [3, 6], "scale": ["none", "std"]},
    "OMMF": {"label_weight": [0.5, 0.9], "encoder_ridge": ["none", 0.3]},
    "sklearn.decomposition.PCA + RidgeBR": {"pca__n_components": [10, 20], "ridgebr__ridge": [1e-3, 1e-1]},
}


def task_of(method, grid, choose="micro_f1"):
    return Task(method, grid, "digit-tags", "", "3-fold", 1, choose)


@pytest.fixture(scope="module")
def digits():
    return load("digit-tags")


@pytest.fixture(scope="module")
def train(digits):
    return digits.subset(protocols.part("3-fold", digits, 1).train)


@pytest.mark.parametrize("method", GRIDS)
def test_a_path_gives_the_figures_of_fits(method, train):
    task = task_of(method, GRIDS[method])
    along = {one.place: one for one in fitting.fitted(task, train)}
    models = [fitting.prepared(task, values, train) for values in task.candidates()]
    fits = {place: model.fit(train.X, train.Y) for place, model in enumerate(models)}
    assert along.keys() == fits.keys()
    for place, model in fits.items():
        assert along[place].values == task.candidates()[place]
        one, other = choosing.decision_of(along[place].model), choosing.decision_of(model)
        assert one.value_ == pytest.approx(other.value_, abs=1e-12)
        scores = choosing.label_scores(along[place].model, train.X)
        np.testing.assert_allclose(scores, choosing.label_scores(model, train.X), atol=1e-8)


def test_fold_moments_are_made_once(train, monkeypatch):
    from skfactor.multilabel import RidgeBR

    made = []
    whole = RidgeBR.fold_moments
    monkeypatch.setattr(RidgeBR, "fold_moments", lambda self, *rows: made.append(1) or whole(self, *rows))
    assert len(list(fitting.fitted(task_of("RidgeBR", GRIDS["RidgeBR"]), train))) == 3
    assert made == [1]


def test_each_metric_has_the_best_of_all_candidates_and_rules(digits, train):
    task = task_of("RidgeBR", GRIDS["RidgeBR"], ALL)
    choices = choosing.choose(task, train)
    assert list(choices) == ALL
    candidates = list(fitting.fitted(task, train))
    for metric, choice in choices.items():
        values = [choosing.decision_of(one.model).served_[metric].value for one in candidates]
        best = max(values) if get_metric(metric).greater_is_better else min(values)
        assert choice.served.value == best
        assert choice.candidate.place == values.index(best)


def test_a_choice_for_one_metric_among_several_is_that_of_the_metric_alone(digits):
    part = protocols.part("3-fold", digits, 1)
    each = run_labels.run(task_of("RidgeBR", GRIDS["RidgeBR"], ["hamming_loss", "micro_f1"]), digits, part)
    alone = run_labels.run(task_of("RidgeBR", GRIDS["RidgeBR"]), digits, part)
    assert each["each"]["micro_f1"]["held_out"] == pytest.approx(alone["held_out"])
    assert each["each"]["micro_f1"]["chosen"] == alone["chosen"]
    assert each["figures"]["micro_f1"] == pytest.approx(alone["figures"]["micro_f1"])
    assert each["figures"]["hamming_loss"] <= alone["figures"]["hamming_loss"]
    assert each["chosen"] == each["each"]["hamming_loss"]["chosen"]
    assert "each" not in alone


@pytest.mark.parametrize("metrics", [["ranking_loss"], ["ranking_loss", "one_error"], ["one_error", "accuracy"]])
def test_a_metric_of_scores_has_a_choice_of_its_own(metrics, digits):
    part = protocols.part("3-fold", digits, 1)
    record = run_labels.run(task_of("RidgeBR", GRIDS["RidgeBR"], metrics), digits, part)
    assert set(metrics) <= set(record["figures"])
    assert record["figures"]["ranking_loss"] < 0.2
    assert record["figures"]["micro_f1"] > 0.7


def test_rules_that_serve_are_fitted_for_their_metric(train):
    rng = np.random.default_rng(0)
    truth = train.Y.toarray() > 0
    scores = truth + rng.normal(scale=0.8, size=truth.shape)
    rule = ServingRule(ALL).fit(scores, truth)
    for metric, served in rule.served_.items():
        assert served.value == max(
            (one.value for one in of_scores(metric, scores, truth)),
            key=lambda value: value if get_metric(metric).greater_is_better else -value,
        )
        if served.rule is None:
            assert served.value == get_metric(metric).function(truth, scores)
        else:
            assert served.rule.metric == metric
            predicted = served.rule.predict(scores)
            assert get_metric(metric).function(truth, predicted) == pytest.approx(served.value)
    assert rule.served_["hamming_loss"].value <= Threshold("hamming_loss").fit(scores, truth).value_
    assert rule.served_["accuracy"].value >= PredictedCount("accuracy").fit(scores, truth).value_


def test_the_vote_of_a_method_is_one_of_the_decisions(digits):
    """Its held-out value is that of predictions by models that had not seen the rows."""
    small = digits.subset(np.arange(240))
    task = task_of("MLCHMF", {"calibration_folds": [3], "max_iter": [20], "tol": [0.01]}, ["micro_f1", "accuracy"])
    choices = choosing.choose(task, small)
    for choice in choices.values():
        assert choice.served.name == "its own" or choice.served.rule is not None
        predicted, scores = choice.predictions(small.X)
        assert predicted.shape == scores.shape == small.Y.shape
    voted = task_of("MLCHMF", {**task.grid, "decision": ["vote"]})
    (choice,) = choosing.choose(voted, small).values()
    assert choice.served.name == "its own"
    assert choice.served.value <= choices["micro_f1"].served.value


def test_a_table_may_choose_each_metric_and_a_method_otherwise():
    table = Table(
        name="small",
        title="",
        published="ommf-2",
        protocol="3-fold",
        metrics=["accuracy", "micro_f1"],
        choose="each",
        note="",
        times=[],
        datasets={"digits": Source("digit-tags")},
        methods={},
        quick=Slice(),
    )
    assert table.choose_for(Entry("RidgeBR"), "3-fold") == ["accuracy", "micro_f1"]
    assert table.choose_for(Entry("RidgeBR", choose="micro_f1"), "3-fold") == "micro_f1"


def test_addresses_of_tasks_that_choose_by_one_metric_stay():
    """Stored results are found under them."""
    task = Task("PLST", {"ridge": [0.1, 1.0]}, "scene", "0a1b", "5-fold", 2, "micro_f1")
    assert task.address() == "scene/PLST-5-fold-2-5a708000e4.json"
