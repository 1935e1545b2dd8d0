import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV, KFold

from skfactor.datasets import make_multilabel
from skfactor.metrics import hamming_loss, micro_f1
from skfactor.model_selection import FactorSearchCV, nested_cross_validate
from skfactor.multilabel import RidgeBR

GRID = {"ridge": [0.01, 1.0]}
CV = KFold(3, shuffle=True, random_state=1)


@pytest.fixture(scope="module")
def data():
    return make_multilabel(n_samples=120, n_features=10, n_labels=5, random_state=0)


@pytest.mark.parametrize("search", [FactorSearchCV, GridSearchCV])
def test_scores_are_of_searches_that_never_saw_the_rows(data, search):
    found = nested_cross_validate(
        search(RidgeBR(), GRID, cv=2), data.X, data.Y, cv=CV, scoring=["micro_f1", "hamming_loss"]
    )
    for fold, (train, test) in zip(found.folds, CV.split(data.X), strict=True):
        again = FactorSearchCV(RidgeBR(), GRID, cv=2).fit(data.X[train], data.Y[train])
        predicted = again.predict(data.X[test])
        assert fold.scores["micro_f1"] == pytest.approx(micro_f1(data.Y[test], predicted))
        assert fold.scores["hamming_loss"] == pytest.approx(-hamming_loss(data.Y[test], predicted))
    assert found.mean("micro_f1") == pytest.approx(np.mean(found.values("micro_f1")))
    assert found.sd("micro_f1") == pytest.approx(np.std(found.values("micro_f1"), ddof=1))


def test_what_each_fold_chose(data):
    found = nested_cross_validate(FactorSearchCV(RidgeBR(), GRID, cv=2), data.X, data.Y, cv=CV)
    assert len(found.chosen) == 3
    assert all(point["ridge"] in GRID["ridge"] for point in found.chosen)


def test_an_estimate_on_noise_is_no_better_than_chance():
    """The best of many ridges looks better than it is; on rows of its own it does not."""
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(150, 40)), (rng.random((150, 3)) < 0.5).astype(float)
    found = nested_cross_validate(FactorSearchCV(RidgeBR(), GRID, cv=3), X, Y, cv=CV)
    assert found.mean() < micro_f1(Y, np.ones_like(Y)) + 0.03
