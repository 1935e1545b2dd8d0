"""The template, proved by a method that has no moments: nearest class means."""

from dataclasses import dataclass

import numpy as np
import pytest
from scipy import sparse
from sklearn.utils.estimator_checks import parametrize_with_checks

from skfactor.decisions import Threshold, TopK
from skfactor.metrics import micro_f1
from skfactor.multilabel import LabelClassifier


@dataclass
class MeanScorer:
    means: np.ndarray

    def scores(self, X):
        return np.asarray(X @ self.means.T - np.sum(self.means**2, axis=1) / 2)


@dataclass(eq=False, repr=False)
class NearestMean(LabelClassifier):
    """Scores by the distance to the mean of a label's rows."""

    shrink: float = 1.0

    def _fit_scorer(self, X, labels, weight):
        weighted = labels.T * weight
        sums = weighted @ X
        sums = sums.toarray() if sparse.issparse(sums) else sums
        return MeanScorer(sums / (weighted.sum(axis=1)[:, None] + self.shrink))


@pytest.mark.filterwarnings("default")
@parametrize_with_checks([NearestMean()])
def test_conformance(estimator, check):
    check(estimator)


def test_what_is_held_out_was_not_fitted(table):
    X, Y, _ = table
    seen = []

    class Spy(NearestMean):
        def _fit_scorer(self, X, labels, weight):
            seen.append(X.shape[0])
            return super()._fit_scorer(X, labels, weight)

    Spy(calibration_folds=4).fit(X, Y)
    assert seen == [45, 45, 45, 45, 60]


def test_the_rule_is_the_best_on_held_out_scores(table):
    X, Y, _ = table
    model = NearestMean().fit(X, Y)
    held_out = model._held_out
    assert len(held_out) == len(X)
    assert micro_f1(held_out.truth, model.decision_.predict(held_out.scores)) == pytest.approx(
        model.decision_.value_
    )


def test_sparse_in_sparse_out(table):
    X, Y, _ = table
    dense = NearestMean().fit(X, Y)
    model = NearestMean().fit(sparse.csr_array(X), sparse.csr_array(Y))
    assert sparse.issparse(model.predict(sparse.csr_array(X)))
    np.testing.assert_allclose(model.label_scores(sparse.csr_array(X)), dense.label_scores(X))


def test_calibrate_fits_the_rule_anew(table):
    X, Y, _ = table
    model = NearestMean(decision=TopK()).fit(X, Y)
    before = model.decision_.threshold_
    model.calibrate(X[:20], np.ones((20, 4)))
    assert model.decision_.threshold_ != before
    assert model.predict(X[:3]).all()


def test_nonnegative_methods_name_the_column(table):
    X, Y, _ = table

    class Positive(NearestMean):
        nonnegative = True

    with pytest.raises(ValueError, match="column 0 has -"):
        Positive().fit(X, Y)
    with pytest.raises(ValueError, match="column 0 has -"):
        Positive().fit(sparse.csr_array(X), Y)
    Positive().fit(np.abs(X), Y)


def test_a_rule_that_is_given_costs_no_refits(table):
    X, Y, _ = table
    fits = []

    class Spy(NearestMean):
        def _fit_scorer(self, X, labels, weight):
            fits.append(X.shape[0])
            return super()._fit_scorer(X, labels, weight)

    for rule, threshold in ((Threshold(value=0.3, min_labels=0), 0.3), (TopK(k=2, min_labels=0), -1.5)):
        model = Spy(decision=rule).fit(X, Y)
        assert model.decision_.threshold_ == threshold
        np.testing.assert_array_equal(
            model.predict(X), rule.fit(model.label_scores(X), Y > 0).predict(model.label_scores(X))
        )
    assert fits == [60, 60]
