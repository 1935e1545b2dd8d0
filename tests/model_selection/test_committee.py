import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

from skfactor import load, save
from skfactor.datasets import make_multilabel
from skfactor.decisions import Threshold
from skfactor.features import KernelFeatures
from skfactor.metrics import micro_f1
from skfactor.model_selection import Committee
from skfactor.model_selection.committee import committee_of, elect, label_scores, seated
from skfactor.multilabel import ExtraTrees, RidgeBR


@pytest.fixture(scope="module")
def data():
    return make_multilabel(n_samples=150, n_features=10, n_labels=5, random_state=0)


def members():
    return [RidgeBR(), make_pipeline(KernelFeatures(20), RidgeBR(ridge=0.1)), ExtraTrees(n_estimators=10)]


def test_scores_are_the_weighted_mean(data):
    model = Committee(members(), weights=[1, 2, 1]).fit(data.X, data.Y)
    each = [label_scores(member.fit(data.X, data.Y), data.X) for member in members()]
    np.testing.assert_allclose(model.label_scores(data.X), (each[0] + 2 * each[1] + each[2]) / 4)
    assert Committee(members()).fit(data.X, data.Y).scorer_.weights == pytest.approx(np.full(3, 1 / 3))


def test_a_fitted_committee_needs_no_fit(data):
    """Made of the held-out scores of its members, it decides as one that was fitted."""
    one, other = RidgeBR(ridge=0.1), RidgeBR(ridge=1.0)
    models = [one.fit(data.X, data.Y), other.fit(data.X, data.Y)]
    held = [model._held_out for model in models]
    whole = type(held[0])((held[0].scores + held[1].scores) / 2, *list(vars(held[0]).values())[1:])
    made = seated(models, [1, 1], Threshold(), whole)
    fitted = Committee(models).fit(data.X, data.Y)
    assert made.decision_.threshold_ == pytest.approx(fitted.decision_.threshold_)
    np.testing.assert_allclose(made.decision_function(data.X), fitted.decision_function(data.X), atol=1e-10)


def test_votes_go_to_the_best_and_to_where_the_mean_gains_most():
    rng = np.random.default_rng(0)
    truth, noise = rng.normal(size=50), rng.normal(size=(2, 50))
    above, between, below = truth + 1 + noise[0], truth + noise[1], truth - 3 - noise[0]

    def worth(scores):
        return -float(np.square(scores - truth).sum())

    counts = elect([between, above, below], worth, 4)
    assert counts[:2].min() >= 1
    means = [(between + above + extra) / 3 for extra in (between, above, below)]
    assert worth(np.average([between, above, below], axis=0, weights=counts)) >= max(map(worth, means))


def test_a_committee_is_never_worse_than_its_best_member(data):
    models = [member.fit(data.X, data.Y) for member in members()]
    made = committee_of(models, Threshold(), 5)
    best = max(model.decision_.value_ for model in (models[0], models[1][-1], models[2]))
    assert made is None or made.decision_.value_ > best
    assert committee_of(models[:1], Threshold(), 5) is None


def test_rows_that_were_held_out_differently_are_not_mixed(data):
    one, other = RidgeBR().fit(data.X, data.Y), RidgeBR(ridge=1.0, random_state=7).fit(data.X, data.Y)
    assert committee_of([one, other], Threshold(), 5) is None


def test_saved_and_loaded(data, tmp_path):
    model = Committee(members()).fit(data.X, data.Y)
    save(model, tmp_path / "model.skf")
    np.testing.assert_array_equal(
        load(tmp_path / "model.skf").predict(data.X).toarray(), model.predict(data.X).toarray()
    )


def test_what_cannot_be(data):
    with pytest.raises(ValueError, match="needs members"):
        Committee([]).fit(data.X, data.Y)
    with pytest.raises(ValueError, match="a weight for each"):
        Committee(members(), weights=[1.0]).fit(data.X, data.Y)


def test_forms_of_labels(data):
    sets = [{f"l{label}" for label in np.flatnonzero(row)} for row in data.Y.toarray()]
    model = Committee([RidgeBR(), RidgeBR(ridge=1.0)]).fit(data.X, sets)
    assert isinstance(model.predict(data.X)[0], set)
    plain = Committee([RidgeBR(), RidgeBR(ridge=1.0)]).fit(data.X, data.Y)
    assert micro_f1(data.Y, plain.predict(data.X)) == pytest.approx(model.score(data.X, sets))
