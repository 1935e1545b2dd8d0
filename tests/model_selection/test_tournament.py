import numpy as np
import pytest
from scipy import sparse
from sklearn.base import clone

from skfactor.datasets import load, make_multilabel
from skfactor.decisions import Threshold
from skfactor.metrics import macro_f1
from skfactor.model_selection import Entrant, Tournament, nested_cross_validate
from skfactor.model_selection import tournament as module
from skfactor.model_selection.entrants import methods, usual_entrants
from skfactor.multilabel import BPMLL, PLST, ExtraTrees, RidgeBR

QUICK = {"RidgeBR", "PLST", "CPLST", "OMMF", "GroPLE", "FaIE", "MLkNN", "MLDT", "BSVM", "CNMF"}
FEW = ["RidgeBR", "PLST", "RidgeBR on kernel"]


@pytest.fixture(scope="module")
def data():
    return make_multilabel(n_samples=160, n_features=12, n_labels=5, random_state=0)


def test_the_winner_has_the_best_held_out_value_and_is_fitted(data):
    contest = Tournament(FEW, committee=0).fit(data.X, data.Y)
    values = [one.value for one in contest.standings_]
    assert values == sorted(values, reverse=True)
    assert contest.best_score_ == values[0] == max(value for _, value in contest.best_.tried)
    assert contest.score(data.X, data.Y) > 0.5
    assert set(contest.best_params_) == {"entrant", *contest.best_.params}


def test_values_are_those_of_a_fit(data):
    """What a path gives for free is what each point's own fit would have calibrated."""
    (standing,) = Tournament(["PLST"], committee=0).fit(data.X, data.Y).standings_
    for params, value in standing.tried:
        fitted = PLST(**params, decision=Threshold()).fit(data.X, data.Y)
        assert fitted.decision_.value_ == pytest.approx(value, abs=1e-10)


@pytest.mark.parametrize("table", [np.asarray, sparse.csr_array])
def test_a_model_on_blocks_is_its_own_pipeline_fitted_to_the_rows(data, table):
    X = table(data.X)
    contest = Tournament(["RidgeBR on raw + kernel + leaves"]).fit(X, data.Y)
    again = clone(contest.best_estimator_).fit(X, data.Y)
    np.testing.assert_allclose(again.decision_function(X), contest.decision_function(X), atol=1e-8)


def test_rounds_halve_entrants_and_grow_rows(data, monkeypatch):
    monkeypatch.setattr(module, "FIRST_ROWS", 15)
    entrants = [Entrant(f"ridge {k}", RidgeBR(), grid={"ridge": [10.0**k]}) for k in range(-4, 10)]
    contest = Tournament(entrants, committee=0)
    seen = list(contest.rounds(data.X, data.Y))
    rows = [one.rows for one in seen]
    assert [rows.count(count) for count in (17, 53, 160)] == [14, 7, 6]
    assert len(seen) == contest.trials(data.X, data.Y)
    last = [one for one in contest.standings_ if one.rows == 160]
    assert [one.name for one in contest.standings_[:6]] == [one.name for one in last]
    assert all(one.reason and one.model is None for one in contest.standings_[6:])


def test_no_time(data, monkeypatch):
    """Nothing is begun that is expected to take longer than there is, but somebody is fitted to all rows."""
    monkeypatch.setattr(module, "FIRST_ROWS", 15)
    clock = iter(np.arange(0.0, 1000.0, 1.0))
    monkeypatch.setattr(module.time, "monotonic", lambda: next(clock))
    entrants = [Entrant(f"ridge {k}", RidgeBR(), grid={"ridge": [10.0**k]}) for k in range(8)]
    contest = Tournament(entrants, committee=0, time_limit=12.0).fit(data.X, data.Y)
    assert any("no time" in one.reason for one in contest.standings_)
    assert contest.best_.rows == 160


def test_those_that_fail_do_not_stop_the_others(data):
    broken = Entrant("broken", PLST(n_components=99), grid={})
    contest = Tournament(["RidgeBR", broken]).fit(data.X, data.Y)
    assert contest.best_.name == "RidgeBR"
    assert "n_components=99" in contest.standings_[-1].reason
    with pytest.raises(ValueError, match="No entrant could be fitted: broken"):
        Tournament([broken]).fit(data.X, data.Y)


def test_one_class_for_each_row(data):
    y = np.array(["no", "yes"])[data.Y.toarray()[:, 0].astype(int)]
    contest = Tournament(["RidgeBR", "ExtraTrees"]).fit(data.X, y)
    assert contest.best_score_ > np.mean(y == "no")
    assert set(contest.predict(data.X)) <= {"no", "yes"}


def test_the_committee_names_its_members(data):
    entrants = [
        Entrant("straight", RidgeBR(), grid={"ridge": [0.1]}),
        Entrant("trees", ExtraTrees(n_estimators=20), grid={}),
    ]
    contest = Tournament(entrants).fit(data.X, data.Y)
    if contest.best_.name == "committee":
        assert set(contest.best_.params) == {"straight", "trees"}
        assert contest.best_score_ > max(one.value for one in contest.standings_[1:])


def test_another_metric_decides_and_calibrates(data):
    contest = Tournament(FEW, metric="macro_f1").fit(data.X, data.Y)
    assert contest.score(data.X, data.Y) == pytest.approx(macro_f1(data.Y, contest.predict(data.X)))
    losses = Tournament(FEW, metric="hamming_loss", committee=0).fit(data.X, data.Y)
    assert losses.best_score_ == min(one.value for one in losses.standings_)


def test_grids_with_many_points_are_drawn_from(data):
    (standing,) = Tournament(["PLST"], n_iter=3, committee=0).fit(data.X, data.Y).standings_
    assert len(standing.tried) == 3


def test_usual_entrants_are_all_methods_and_richer_features(data):
    names = {one.name for one in usual_entrants(data.X)}
    assert set(methods()) <= names
    assert "RidgeBR on raw + kernel + leaves" in names
    assert "RidgeBR on standardized" in {one.name for one in usual_entrants(sparse.csr_array(data.X))}
    assert methods()["BPMLL"] is BPMLL
    pairs = {one.name for one in usual_entrants(data.X)} - {one.name for one in usual_entrants(data.X, 300)}
    assert pairs == {"CalibratedRanking"}


def test_nested(data):
    found = nested_cross_validate(Tournament(["RidgeBR", "PLST"]), data.X, data.Y, cv=2)
    assert 0 < found.mean() < 1
    assert all("entrant" in chosen for chosen in found.chosen)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"entrants": "most"}, "entrants must be"),
        ({"entrants": ["RidgeXY"]}, "no entrant 'RidgeXY'"),
        ({"metric": "one_error"}, "metric must be"),
        ({"time_limit": 0}, "time_limit must be above 0"),
        ({"n_iter": 0}, "n_iter must be at least 1"),
    ],
)
def test_what_cannot_be(data, arguments, said):
    with pytest.raises(ValueError, match=said):
        Tournament(**{"entrants": ["RidgeBR"], **arguments}).fit(data.X, data.Y)


def test_methods_of_every_kind_meet():
    """Every entrant is fitted, or says why not."""
    digits = load("digit-tags").subset(slice(0, 60))
    quick = [one for one in usual_entrants(digits.X) if one.blocks == ("raw", "kernel") or one.name in QUICK]
    standings = list(Tournament(quick, n_iter=1, committee=0).rounds(digits.X, digits.Y))
    assert {one.name for one in standings} == {*QUICK, "RidgeBR on raw + kernel"}
    assert all(np.isfinite(one.value) for one in standings), [one.reason for one in standings if one.reason]


def test_it_does_what_its_winner_does(data):
    assert not hasattr(Tournament(FEW), "transform")
    for entrants in (["PLST"], ["RidgeBR on kernel"]):  # alone, and in a pipeline
        contest = Tournament(entrants, committee=0).fit(data.X, data.Y)
        assert np.array_equal(
            contest.predict_top(data.X, 1)[:, 0], contest.decision_function(data.X).argmax(axis=1)
        )
        assert np.array_equal(contest.transform(data.X), contest.best_estimator_.transform(data.X))
        assert np.array_equal(contest.classes_, contest.best_estimator_.classes_)
