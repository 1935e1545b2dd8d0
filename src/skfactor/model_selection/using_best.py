"""The using half of a search: what its best estimator can do, it can do."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from skfactor._validation import FloatArray
from skfactor.model_selection.candidates import last_step


def _best_has(name: str) -> Any:
    def check(search: UsesBest) -> bool:
        model = search.best_estimator_ if hasattr(search, "best_estimator_") else search._like
        return hasattr(last_step(model)[0], name)

    return available_if(check)


class UsesBest:
    """Mixin of estimators that, once fitted, stand for their `best_estimator_`."""

    best_estimator_: Any

    @property
    @abstractmethod
    def _like(self) -> Any:
        """An estimator that can do what the best one will be able to do, before there is one."""

    def _best(self) -> Any:
        check_is_fitted(self, "best_estimator_")
        return self.best_estimator_

    @_best_has("predict")  # type: ignore[untyped-decorator]
    def predict(self, X: Any) -> Any:
        """Labels by the best estimator."""
        return self._best().predict(X)

    @_best_has("predict_top")  # type: ignore[untyped-decorator]
    def predict_top(self, X: Any, k: int = 5, **options: Any) -> Any:
        """The k best labels by the best estimator."""
        last, prefix = last_step(self._best())
        return last.predict_top(self._best()[:-1].transform(X) if prefix else X, k, **options)

    @_best_has("decision_function")  # type: ignore[untyped-decorator]
    def decision_function(self, X: Any) -> FloatArray:
        """Scores less thresholds, by the best estimator."""
        scores: FloatArray = self._best().decision_function(X)
        return scores

    @_best_has("transform")  # type: ignore[untyped-decorator]
    def transform(self, X: Any) -> Any:
        """Codes by the best estimator."""
        return self._best().transform(X)

    @_best_has("transform")  # type: ignore[untyped-decorator]
    def fit_transform(self, X: Any, y: Any, **fit_params: Any) -> Any:
        """Search, and the codes of the same rows by the best estimator."""
        return self.fit(X, y, **fit_params).transform(X)  # type: ignore[attr-defined]

    @property
    def classes_(self) -> Any:
        """Names of the labels."""
        return self._best().classes_

    @property
    def n_features_in_(self) -> int:
        """Number of features that the best estimator was fitted to."""
        if not hasattr(self, "best_estimator_"):
            raise AttributeError("n_features_in_ is known after fit, with a best estimator that was fitted.")
        return int(self.best_estimator_.n_features_in_)
