"""scikit-learn's own tools take the models as they are."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, cross_val_predict, cross_validate, learning_curve

from skfactor.metrics import rmse
from skfactor.ratings import MMMF, BiasOnly

FOLDS = KFold(3, shuffle=True, random_state=0)


@pytest.mark.parametrize("form", ["array", "list", "frame"])
def test_cross_validate(form, make, ratings):
    pairs, levels = ratings
    X = {"array": pairs, "list": pairs.tolist(), "frame": pd.DataFrame(pairs, columns=["user", "item"])}[form]
    scorers = {"rmse": make_scorer(rmse, greater_is_better=False)}
    found = cross_validate(make(), X, levels, cv=FOLDS, scoring=scorers)
    assert (found["test_rmse"] < 0).all()
    assert np.isfinite(found["test_rmse"]).all()


def test_grid_search_by_mean_absolute_error(ratings):
    pairs, levels = ratings
    search = GridSearchCV(MMMF(n_components=4, n_threads=1), {"ridge": [0.5, 2.0, 1000.0]}, cv=FOLDS)
    search.fit(pairs, levels)
    assert search.best_params_["ridge"] < 1000
    assert search.best_score_ == search.cv_results_["mean_test_score"].max() < 0
    assert search.predict(pairs[:3]).shape == (3,)


@pytest.mark.filterwarnings("ignore:.*pairs have a user or an item")
def test_cross_val_predict_and_learning_curve(ratings):
    pairs, levels = ratings
    assert set(cross_val_predict(BiasOnly(), pairs, levels, cv=FOLDS)) <= {1, 2, 3, 4, 5}
    _, train, test = learning_curve(BiasOnly(), pairs, levels, cv=FOLDS, train_sizes=[0.5, 1.0], shuffle=True)
    assert (train.mean(axis=1) >= test.mean(axis=1)).all()
