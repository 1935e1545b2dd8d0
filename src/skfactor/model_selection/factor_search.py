"""FactorSearchCV: grid search that solves a moment method along paths, rather than fit it at every point."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any, Self

import numpy as np
from joblib import Parallel, delayed
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone, is_classifier
from sklearn.model_selection import GridSearchCV, ParameterGrid, ParameterSampler, check_cv
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import check_number, check_same_rows
from skfactor.model_selection.auto_grids import auto_grid
from skfactor.model_selection.candidates import Candidate, clone_settings, last_step, parted
from skfactor.model_selection.edges import warn_of_edges
from skfactor.model_selection.measures import Measure, measures_of
from skfactor.model_selection.profiles import Profile, profile
from skfactor.model_selection.results import as_results
from skfactor.model_selection.search_rows import SearchRows
from skfactor.model_selection.using_best import UsesBest
from skfactor.multilabel.targets import learn_targets

#: Points that are drawn where distributions are given, as scikit-learn does.
DRAWN = 10


class FactorSearchCV(UsesBest, MetaEstimatorMixin, BaseEstimator):
    """Exhaustive or random search over parameters: scikit-learn's interface and results, at the price of few fits.

    Where the estimator (or the last step of a pipeline) is solved from moments, the data is passed over once for
    each split, whatever the number of points: its calibration folds become moments, and the settings are solved
    along a path that shares what they have in common (decompositions, start vectors, the ranks of one spectrum).
    Every point gets its own decision rule, from the same held-out scores that its own fit would have had: winner
    and scores are those of `GridSearchCV`. Any other estimator is searched by `GridSearchCV` itself.

    Parameters
    ----------
    estimator : estimator
        A method, or a pipeline that ends in one.
    param_grid : dict, list of dicts, or "auto"
        Values to try, or distributions with `rvs`. "auto" takes the method's own grid, from the spectrum of the
        moments (see `auto_grid`).
    n_iter : int, optional
        Number of points to draw from `param_grid`; all of a grid by default, 10 if there are distributions.
    scoring : str, callable, list or dict
        Names of `skfactor.metrics` ("macro_f1", "precision@3", ...), names of scikit-learn, or scorers. Losses are
        negated. By default micro-averaged F1. All of them are taken from the same scores.
    cv : int, splitter or iterable
        As in scikit-learn: 5 folds, not shuffled, by default.
    refit : bool, str or callable
        Whether to fit the best point to all rows; for several metrics, the name of the one that decides.
    n_jobs : int, optional
        Splits that are worked on at the same time.
    error_score : "raise" or number
        The score of a point whose parameters cannot be.
    random_state : int, RandomState instance or None
        Draws points, if `n_iter` is given.
    verbose : int

    Attributes
    ----------
    best_estimator_, best_params_, best_score_, best_index_, cv_results_, scorer_, multimetric_, n_splits_,
    refit_time_
        As in `GridSearchCV`.
    param_grid_ : dict or list of dicts
        What was searched: the grid that "auto" made, or `param_grid`.
    by_moments_ : bool
        Whether paths were followed.

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.model_selection import FactorSearchCV
    >>> from skfactor.multilabel import PLST
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> grid = {"ridge": [0.001, 0.01, 0.1, 1.0], "n_components": [2, 4, 8]}
    >>> search = FactorSearchCV(PLST(), grid, scoring=["micro_f1", "macro_f1"], refit="micro_f1")
    >>> search = search.fit(data.X, data.Y)
    >>> len(search.cv_results_["mean_test_macro_f1"])
    12
    >>> search.predict(data.X).shape
    (300, 8)
    """

    def __init__(
        self,
        estimator: Any,
        param_grid: Any = "auto",
        *,
        n_iter: int | None = None,
        scoring: Any = None,
        cv: Any = None,
        refit: Any = True,
        n_jobs: int | None = None,
        error_score: Any = np.nan,
        random_state: Any = 0,
        verbose: int = 0,
    ):
        self.estimator = estimator
        self.param_grid = param_grid
        self.n_iter = n_iter
        self.scoring = scoring
        self.cv = cv
        self.refit = refit
        self.n_jobs = n_jobs
        self.error_score = error_score
        self.random_state = random_state
        self.verbose = verbose

    # ---------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any, groups: Any = None, **fit_params: Any) -> Self:
        """Try all points, and fit the best one to all rows.

        Parameters
        ----------
        X, y
            As the estimator takes them.
        groups : array of shape (n_samples,), optional
            For splitters that need them.
        **fit_params
                For the estimator's `fit`; `sample_weight` is split with the rows, and weighs the scores too.

        Returns
        -------
        self
        """
        measures = measures_of(self.scoring)
        self._check(measures)
        check_same_rows(X=X, y=y)
        self.param_grid_ = auto_grid(self.estimator, X, y) if _is_auto(self.param_grid) else self.param_grid
        points = self._points()
        splitter = self._splitter(y)
        splits = list(splitter.split(X, y, groups))
        candidates = self._candidates(points, X, y, fit_params)
        self.by_moments_ = candidates is not None
        self.multimetric_ = list(measures) != ["score"]
        self.n_splits_ = len(splits)
        if candidates is None:
            self.cv_results_ = self._by_fits(points, measures, splits, X, y, fit_params)
        else:
            self.cv_results_ = self._by_paths(points, candidates, measures, splits, X, y, fit_params)
        scorers = {name: measure.scorer for name, measure in measures.items()}
        self.scorer_ = scorers if self.multimetric_ else scorers["score"]
        if self.refit or not self.multimetric_:
            self._choose()
        if self.refit:
            self._refit(X, y, fit_params)
        return self

    def _check(self, measures: Mapping[str, Measure]) -> None:
        chosen_by_name = list(measures) != ["score"] and self.refit is not False and not callable(self.refit)
        if chosen_by_name and self.refit not in measures:
            raise ValueError(
                f"With several metrics, refit must name the one that decides ({', '.join(measures)}), be a "
                f"function of cv_results_, or be False; got {self.refit!r}."
            )
        if self.n_iter is not None:
            check_number(self.n_iter, "n_iter", minimum=1, integer=True)

    def _points(self) -> list[dict[str, Any]]:
        """The points of the grid, or as many as asked for drawn from it."""
        grids = [self.param_grid_] if isinstance(self.param_grid_, Mapping) else list(self.param_grid_)
        if any(hasattr(values, "rvs") for grid in grids for values in grid.values()):
            return list(ParameterSampler(grids, self.n_iter or DRAWN, random_state=self.random_state))
        points = ParameterGrid(grids)
        if self.n_iter is None or self.n_iter >= len(points):
            return list(points)
        return list(ParameterSampler(grids, self.n_iter, random_state=self.random_state))

    def _splitter(self, y: Any) -> Any:
        classes = learn_targets(y).exclusive  # label sets and missing labels are nothing that check_cv knows
        return check_cv(self.cv, y if classes else None, classifier=is_classifier(self.estimator))

    def _candidates(
        self, points: list[dict[str, Any]], X: Any, y: Any, fit_params: Mapping[str, Any]
    ) -> list[Candidate] | None:
        """The points as candidates for paths, or None if a fit has to be made for each."""
        candidates = parted(self.estimator, points)
        if candidates is None or set(fit_params) - {"sample_weight"}:
            return None
        last, prefix = last_step(self.estimator)
        if prefix and fit_params:
            return None
        shaped = X if hasattr(X, "shape") else np.asarray(X)
        known = set(clone(last).get_params())
        for candidate in candidates:
            if not {name.split("__")[0] for name in candidate.last} <= known:
                return None  # GridSearchCV tells what is wrong
            if not clone(last).set_params(**candidate.solver, **candidate.moments).fits_by_moments(shaped, y):
                return None
        return candidates

    def _by_fits(
        self,
        points: list[dict[str, Any]],
        measures: Mapping[str, Measure],
        splits: Sequence[Any],
        X: Any,
        y: Any,
        fit_params: Mapping[str, Any],
    ) -> dict[str, Any]:
        """scikit-learn's own search over the same points."""
        scorers = {name: measure.scorer for name, measure in measures.items()}
        search = GridSearchCV(
            self.estimator,
            [{name: [value] for name, value in point.items()} for point in points],
            scoring=scorers if self.multimetric_ else scorers["score"],
            cv=splits,
            refit=False,
            n_jobs=self.n_jobs,
            error_score=self.error_score,
            verbose=self.verbose,
        )
        return dict(search.fit(X, y, **fit_params).cv_results_)

    def _by_paths(
        self,
        points: list[dict[str, Any]],
        candidates: list[Candidate],
        measures: Mapping[str, Measure],
        splits: Sequence[Any],
        X: Any,
        y: Any,
        fit_params: Mapping[str, Any],
    ) -> dict[str, Any]:
        data = SearchRows(self.estimator, X, y, fit_params.get("sample_weight"))
        jobs = Parallel(n_jobs=self.n_jobs, verbose=self.verbose)
        reached = jobs(delayed(data.reach)(train, test, candidates, measures) for train, test in splits)
        return as_results(points, reached, list(measures), self.error_score)

    def _choose(self) -> None:
        """The best point: the first of the highest mean."""
        name = self.refit if self.multimetric_ else "score"
        if callable(self.refit):
            self.best_index_ = int(self.refit(self.cv_results_))
        else:
            self.best_index_ = int(self.cv_results_[f"rank_test_{name}"].argmin())
            self.best_score_ = float(self.cv_results_[f"mean_test_{name}"][self.best_index_])
        self.best_params_ = self.cv_results_["params"][self.best_index_]
        warn_of_edges(self.cv_results_["params"], self.best_params_)

    def _refit(self, X: Any, y: Any, fit_params: Mapping[str, Any]) -> None:
        start = time.perf_counter()
        best = clone(self.estimator).set_params(**clone_settings(self.best_params_))
        self.best_estimator_ = best.fit(X, y, **fit_params)
        self.refit_time_ = time.perf_counter() - start

    # ---------------------------------------------------------------- looking

    def profile(self, *names: str, metric: str | None = None) -> Profile:
        """The score along one parameter, or over two: the best of what the others allow.

        Parameters
        ----------
        *names : str
            One or two parameters; if none is given, the one or two that were tried with most values.
        metric : str, optional
            If there were several; by default the one that decided.

        Returns
        -------
        Profile
            With the values tried, means and standard deviations; its `plot` draws a curve or a heat map.
        """
        if not hasattr(self, "cv_results_"):
            check_is_fitted(self, "cv_results_")
        decided = self.refit if isinstance(self.refit, str) else "score"
        return profile(self.cv_results_, names, metric or (decided if self.multimetric_ else "score"))

    def score(self, X: Any, y: Any) -> float:
        """The measure that decided, of the best estimator."""
        scorer: Any = self.scorer_
        return float((scorer[self.refit] if self.multimetric_ else scorer)(self._best(), X, y))

    @property
    def _like(self) -> Any:
        return self.estimator

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        inner = self.estimator.__sklearn_tags__()
        tags.estimator_type = inner.estimator_type
        tags.classifier_tags = inner.classifier_tags
        tags.transformer_tags = inner.transformer_tags
        tags.target_tags = inner.target_tags
        tags.input_tags = inner.input_tags
        return tags


def _is_auto(param_grid: Any) -> bool:
    if isinstance(param_grid, str) and param_grid != "auto":
        raise ValueError(f'param_grid must be a dict, a list of dicts or "auto", got {param_grid!r}.')
    return isinstance(param_grid, str)
