"""The rows of a search, and the scores that its candidates reach on their splits."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from sklearn.base import clone
from sklearn.utils import _safe_indexing, indexable

from skfactor._validation import IntArray
from skfactor.model_selection.candidates import Candidate, clone_settings, groups, last_step
from skfactor.model_selection.fitted_paths import Rows
from skfactor.model_selection.measures import Measure, Test
from skfactor.model_selection.path_scores import Reached, reach
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.reading import row_weights
from skfactor.multilabel.targets import learn_targets


class SearchRows:
    """Rows of a search, read once, and the estimator whose candidates are scored on their splits."""

    def __init__(self, estimator: Any, X: Any, y: Any, sample_weight: Any):
        self.last, self.prefix = last_step(estimator)
        self.estimator = estimator
        self.X, self.y = indexable(X, y)
        self.targets = learn_targets(y)
        self.labels = self.targets.encode(y)
        self.weighted = sample_weight is not None
        self.weight = row_weights(sample_weight, self.labels.shape[0])
        if not self.prefix:
            self.reader = self._reader()
            self.table = self.reader._read_features(X, reset=True)

    def _reader(self) -> MomentClassifier:
        reader: MomentClassifier = clone(self.last)
        reader._set_targets(self.targets)
        return reader

    def reach(
        self, train: IntArray, test: IntArray, candidates: Sequence[Candidate], measures: Mapping[str, Measure]
    ) -> list[Reached]:
        """Scores of all candidates on one split."""
        if not self.labels[train].nnz:
            raise ValueError("The training rows of a split have no label: there is nothing to learn.")
        weight = self.weight[test] if self.weighted else None
        rows = Test(_safe_indexing(self.X, test), _safe_indexing(self.y, test), self.labels[test], weight)
        reached = []
        for same_features in groups(candidates, "head"):
            start = time.perf_counter()
            reader, X_train, X_test = self._features(train, test, rows, same_features[0])
            seconds = (time.perf_counter() - start) / len(same_features)
            read = Rows(X_train, self.labels[train], self.weight[train])
            found = reach(self.last, reader, read, X_test, rows, same_features, measures)
            reached += [one._replace(fit_seconds=one.fit_seconds + seconds) for one in found]
        return reached

    def _features(
        self, train: IntArray, test: IntArray, rows: Test, candidate: Candidate
    ) -> tuple[MomentClassifier, Any, Any]:
        """What the last step reads: the rows themselves, or what the steps before make of them."""
        if not self.prefix:
            return self.reader, self.table[train], self.table[test]
        head = clone(self.estimator[:-1]).set_params(**clone_settings(candidate.head))
        made = head.fit_transform(_safe_indexing(self.X, train), _safe_indexing(self.y, train))
        reader = self._reader()
        X_train = reader._read_features(made, reset=True)
        return reader, X_train, reader._read_features(head.transform(rows.X))
