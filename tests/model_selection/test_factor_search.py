"""The search along paths against scikit-learn's own, which fits every point anew."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import FitFailedWarning
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.multiclass import OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skfactor import metrics, multilabel
from skfactor.datasets import load, make_multilabel
from skfactor.decisions import LabelThresholds, TopK
from skfactor.model_selection import FactorSearchCV, GridEdgeWarning
from skfactor.multilabel import CPLST, LEML, OMMF, PLST, MomentClassifier, RidgeBR

pytestmark = [
    pytest.mark.filterwarnings("ignore::skfactor.model_selection.GridEdgeWarning"),
    pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning"),
]

KINDS = {
    "dense": lambda: make_multilabel(n_samples=110, n_features=12, n_labels=6, random_state=1),
    "digits": lambda: load("digit-tags").subset(slice(0, 150)),
    "sparse": lambda: sparsed(make_multilabel(n_samples=130, n_features=30, n_labels=9, random_state=2)),
}
GRIDS = {
    "label_weight": [0.3, 0.8],
    "feature_weight": [0.05, 0.3],
    "link_weight": [1.0, 2.0],
    "label_ridge": [0.1, 1.0],
    "encoder_ridge": [None, 0.3],
}


def sparsed(data):
    X = np.where(np.abs(data.X) > 1, data.X, 0)
    return type(data)(sparse.csr_array(X), data.Y, None, None, None)


def moment_methods():
    public = (getattr(multilabel, name) for name in multilabel.__all__)
    return [
        cls
        for cls in public
        if isinstance(cls, type)
        and issubclass(cls, MomentClassifier)
        and not any(getattr(getattr(cls, name, None), "__isabstractmethod__", False) for name in dir(cls))
    ]


def grid_of(method):
    known = method().get_params()
    grid = {name: values for name, values in GRIDS.items() if name in known}
    if "ridge" in known:
        default = known["ridge"]
        grid["ridge"] = [0.1 * default, default, 10 * default]
    if "n_components" in known:
        grid["n_components"] = [2, 4, None]
    return {
        name: values if len(grid) < 4 or name in ("ridge", "n_components") else values[:1]
        for name, values in grid.items()
    }


def assert_same(search, own, names=("score",)):
    """The winner, and all scores to 1e-8."""
    for name in names:
        for key in (f"mean_test_{name}", f"std_test_{name}", f"split0_test_{name}"):
            np.testing.assert_allclose(search.cv_results_[key], own.cv_results_[key], atol=1e-8, rtol=0)
        np.testing.assert_array_equal(
            search.cv_results_[f"rank_test_{name}"], own.cv_results_[f"rank_test_{name}"]
        )
    assert search.best_params_ == own.best_params_
    assert search.best_score_ == pytest.approx(own.best_score_, abs=1e-8)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("method", moment_methods(), ids=lambda cls: cls.__name__)
def test_same_winner_and_scores_as_grid_search(method, kind):
    data = KINDS[kind]()
    cv = KFold(3, shuffle=True, random_state=4)
    own = GridSearchCV(method(), grid_of(method), cv=cv).fit(data.X, data.Y)
    search = FactorSearchCV(method(), grid_of(method), cv=cv).fit(data.X, data.Y)
    assert search.by_moments_
    assert_same(search, own)
    assert set(own.cv_results_) <= set(search.cv_results_) | {"param_"}
    np.testing.assert_array_equal(
        sparse.csr_array(search.predict(data.X)).toarray(), sparse.csr_array(own.predict(data.X)).toarray()
    )


def test_decisions_templates_and_ranks_in_one_grid():
    data = KINDS["dense"]()
    grid = [
        {"decision": ["threshold", "label_thresholds", TopK(k=2)], "n_components": [2, 3], "scale": ["std", None]},
        {"decision": [LabelThresholds()], "decision__shrinkage": [1.0, 50.0], "calibration_folds": [3, 4]},
        {"ridge": [0.01], "random_state": [0, 1]},
    ]
    own = GridSearchCV(PLST(), grid, cv=3).fit(data.X, data.Y)
    search = FactorSearchCV(PLST(), grid, cv=3).fit(data.X, data.Y)
    assert search.by_moments_
    assert_same(search, own)
    assert search.best_estimator_.get_params().keys() == own.best_estimator_.get_params().keys()


def test_a_rule_with_nothing_to_choose_beside_others():
    data = KINDS["dense"]()
    grid = {"decision": [TopK(k=2), "threshold"], "ridge": [0.1, 1.0]}
    own = GridSearchCV(RidgeBR(decision=TopK(k=1)), grid, cv=3).fit(data.X, data.Y)
    assert_same(FactorSearchCV(RidgeBR(decision=TopK(k=1)), grid, cv=3).fit(data.X, data.Y), own)


def test_several_metrics_from_the_same_scores():
    data = KINDS["dense"]()
    scoring = {
        "macro": make_scorer(metrics.macro_f1),
        "ranking": make_scorer(metrics.ranking_loss, greater_is_better=False, response_method="decision_function"),
        "theirs": "jaccard_micro",
    }
    names = {"macro": "macro_f1", "ranking": "ranking_loss", "theirs": "jaccard_micro"}
    own = GridSearchCV(CPLST(), grid_of(CPLST), cv=3, scoring=scoring, refit="macro").fit(data.X, data.Y.toarray())
    search = FactorSearchCV(CPLST(), grid_of(CPLST), cv=3, scoring=names, refit="macro")
    assert_same(search.fit(data.X, data.Y.toarray()), own, scoring)
    assert search.score(data.X, data.Y.toarray()) == pytest.approx(own.score(data.X, data.Y.toarray()))


def test_pipelines_fit_their_first_steps_once_for_each_split():
    data = KINDS["dense"]()
    pipe = make_pipeline(Counting(), PLST())
    grid = {"counting__with_std": [True, False], "plst__ridge": [0.1, 1.0], "plst__n_components": [2, 5]}
    own = GridSearchCV(pipe, grid, cv=3).fit(data.X, data.Y)
    Counting.fits = 0
    search = FactorSearchCV(pipe, grid, cv=3).fit(data.X, data.Y)
    assert Counting.fits == 3 * 2 + 1
    assert_same(search, own)


class Counting(StandardScaler):
    fits = 0

    def fit(self, X, y=None, sample_weight=None):
        type(self).fits += 1
        return super().fit(X, y, sample_weight)


def test_weights_frames_and_names():
    data = KINDS["dense"]()
    X = pd.DataFrame(data.X).rename(columns=str)
    Y = pd.DataFrame(data.Y.toarray().astype(int), columns=list("abcdef"))
    weight = np.random.default_rng(0).integers(0, 3, len(X)).astype(float)
    own = GridSearchCV(PLST(), grid_of(PLST), cv=3).fit(X, Y, sample_weight=weight)
    search = FactorSearchCV(PLST(), grid_of(PLST), cv=3).fit(X, Y, sample_weight=weight)
    assert_same(search, own)
    pd.testing.assert_frame_equal(search.predict(X), own.predict(X))
    assert list(search.classes_) == list("abcdef")


def test_label_sets_whose_labels_are_not_in_every_split():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    sets = [{"up"} if row[0] > 0 else {"down", "deep"} for row in X]
    sets[3] = {"up", "rare"}
    search = FactorSearchCV(RidgeBR(), {"ridge": [0.1, 1.0, 10.0]}, cv=4).fit(X, sets)
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert isinstance(search.predict(X)[0], set)


def test_classes():
    data = KINDS["dense"]()
    y = np.array(["no", "yes"])[data.Y.toarray()[:, 0].astype(int)]
    own = GridSearchCV(RidgeBR(), {"ridge": [0.1, 1.0]}, cv=3).fit(data.X, y)
    assert_same(FactorSearchCV(RidgeBR(), {"ridge": [0.1, 1.0]}, cv=3).fit(data.X, y), own)


def test_what_is_not_solved_from_moments_is_searched_by_scikit_learn():
    data = KINDS["dense"]()
    Y = data.Y.toarray()
    estimator = OneVsRestClassifier(LogisticRegression())
    grid = {"estimator__C": [0.1, 1.0]}
    own = GridSearchCV(estimator, grid, cv=3).fit(data.X, Y)
    search = FactorSearchCV(estimator, grid, cv=3, scoring=make_scorer(metrics.subset_accuracy)).fit(data.X, Y)
    assert not search.by_moments_
    assert_same(search, own)


@pytest.mark.parametrize(
    ("model", "grid"),
    [
        (LEML(loss="logistic", max_iter=3), {"ridge": [0.1, 1.0]}),
        (OMMF(max_epochs=2), {"solver": ["sgd", "moments"]}),
    ],
)
def test_solvers_that_need_the_rows(model, grid):
    data = KINDS["dense"]()
    search = FactorSearchCV(model, grid, cv=2).fit(data.X, data.Y)
    assert not search.by_moments_
    assert_same(search, GridSearchCV(model, grid, cv=2).fit(data.X, data.Y))


def test_missing_labels_are_left_to_fits():
    data = KINDS["dense"]()
    Y = data.Y.toarray().astype(float)
    Y[::7, 1] = np.nan
    search = FactorSearchCV(LEML(max_iter=3), {"ridge": [0.1]}, cv=2, scoring=lambda model, X, y: 0.0)
    assert not search.fit(data.X, Y).by_moments_


def test_many_ridges_by_one_decomposition():
    data = KINDS["dense"]()
    grid = {"ridge": list(np.logspace(-3, 2, 15)), "n_components": [2, 5]}
    own = GridSearchCV(PLST(), grid, cv=3).fit(data.X, data.Y)
    assert_same(FactorSearchCV(PLST(), grid, cv=3).fit(data.X, data.Y), own)


def test_two_jobs():
    data = KINDS["dense"]()
    one, two = (FactorSearchCV(PLST(), grid_of(PLST), cv=3, n_jobs=n).fit(data.X, data.Y) for n in (1, 2))
    np.testing.assert_array_equal(one.cv_results_["mean_test_score"], two.cv_results_["mean_test_score"])


def test_matrix_free_moments():
    data = KINDS["sparse"]()
    model = PLST(memory_budget=0)
    own = GridSearchCV(model, grid_of(PLST), cv=2).fit(data.X, data.Y)
    assert_same(FactorSearchCV(model, grid_of(PLST), cv=2).fit(data.X, data.Y), own)


def test_points_that_cannot_be():
    data = KINDS["dense"]()
    grid = {"n_components": [3, 99], "ridge": [0.1]}
    with pytest.warns(FitFailedWarning, match="n_components=99 is above"):
        search = FactorSearchCV(PLST(), grid, cv=3).fit(data.X, data.Y)
    assert search.best_params_["n_components"] == 3
    assert np.isnan(search.cv_results_["mean_test_score"]).tolist() == [False, True]
    with pytest.raises(ValueError, match="n_components=99"):
        FactorSearchCV(PLST(), grid, cv=3, error_score="raise").fit(data.X, data.Y)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"param_grid": "best"}, "a dict, a list of dicts or"),
        ({"param_grid": {"ridge": [1.0]}, "scoring": ["micro_f1", "macro_f1"]}, "refit must name the one"),
        ({"param_grid": {"ridge": [1.0]}, "scoring": "f2"}, "no metric 'f2'"),
        ({"param_grid": {"rigde": [1.0]}}, "rigde"),
        ({"param_grid": {"ridge": [1.0]}, "n_iter": 0}, "n_iter must be at least 1"),
    ],
)
def test_what_cannot_be_searched(arguments, said):
    data = KINDS["dense"]()
    with pytest.raises(ValueError, match=said):
        FactorSearchCV(RidgeBR(), **arguments).fit(data.X, data.Y)


def test_distributions_and_random_points():
    from scipy.stats import loguniform

    data = KINDS["dense"]()
    search = FactorSearchCV(PLST(), {"ridge": loguniform(1e-3, 1e2), "n_components": [2, 4]}, n_iter=7, cv=3)
    assert len(search.fit(data.X, data.Y).cv_results_["params"]) == 7
    few = FactorSearchCV(PLST(), grid_of(PLST), n_iter=4, cv=3).fit(data.X, data.Y)
    assert len(few.cv_results_["params"]) == 4


@pytest.mark.parametrize("method", moment_methods(), ids=lambda cls: cls.__name__)
def test_auto(method):
    data = KINDS["dense"]()
    search = FactorSearchCV(method(), n_iter=7, cv=ShuffleSplit(1, random_state=0)).fit(data.X, data.Y)
    assert len(search.cv_results_["params"]) >= 5
    assert np.isfinite(search.cv_results_["mean_test_score"]).all()


def test_edges_are_told():
    data = KINDS["dense"]()
    with pytest.warns(GridEdgeWarning, match=r"ridge=\S+ is the largest value that was tried"):
        FactorSearchCV(RidgeBR(), {"ridge": [1e-6, 1e-5, 1e-4]}, cv=3).fit(data.X, data.Y)
    with warnings.catch_warnings():
        warnings.simplefilter("error", GridEdgeWarning)
        FactorSearchCV(RidgeBR(), {"ridge": [1e-6, 0.1]}, cv=3).fit(data.X, data.Y)


def test_profiles():
    data = KINDS["dense"]()
    search = FactorSearchCV(PLST(), {"ridge": [10.0, 0.1, 1.0], "n_components": [2, None]}, cv=3).fit(
        data.X, data.Y
    )
    curve, table = search.profile("ridge"), search.profile("ridge", "n_components")
    assert curve.values == ([0.1, 1.0, 10.0],)  # noqa: PD011
    assert table.mean.shape == (3, 2)
    np.testing.assert_allclose(curve.mean, table.mean.max(axis=1))
    assert curve.mean.max() == search.best_score_
    assert search.profile().names == ("ridge", "n_components")
    with pytest.raises(ValueError, match="one or two of"):
        search.profile("rank")


@pytest.mark.parametrize("names", [("ridge",), ("n_components",), ("ridge", "n_components")])
def test_plots(names):
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    data = KINDS["dense"]()
    search = FactorSearchCV(PLST(), {"ridge": [0.01, 0.1, 10.0], "n_components": [2, None]}, cv=3)
    ax = search.fit(data.X, data.Y).profile(*names).plot()
    ax.figure.canvas.draw()
    assert names[0] in (ax.get_xlabel(), ax.get_ylabel())
    matplotlib.pyplot.close(ax.figure)


def test_clone_and_before_fit():
    search = FactorSearchCV(RidgeBR(), {"ridge": [0.1]})
    assert clone(search).get_params()["estimator__ridge"] == 0.3
    assert hasattr(search, "predict_top")
    assert not hasattr(FactorSearchCV(LogisticRegression(), {}), "predict_top")
    with pytest.raises(Exception, match="not fitted"):
        search.predict(np.eye(3))
