"""MLSF: clusters, features and machines, each against scikit-learn."""

import numpy as np
import pytest
from scipy import sparse
from sklearn.cluster import SpectralClustering
from sklearn.linear_model import MultiTaskLasso
from sklearn.svm import LinearSVC

from skfactor import Moments
from skfactor.multilabel import BSVM, MLSF
from skfactor.multilabel.comparators import mlsf


@pytest.fixture
def grouped():
    """Twelve labels in three groups of four, each group with two features of its own among ten."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 10))
    signal = np.repeat(X[:, [0, 2, 4]] + X[:, [1, 3, 5]], 4, axis=1)
    return X, (signal + 0.5 * rng.normal(size=(400, 12)) > 0.5).astype(int)


def same_partition(one, other):
    return len(set(zip(one, other, strict=True))) == len(set(one)) == len(set(other))


def test_groups_and_their_features_are_found(grouped):
    X, Y = grouped
    scorer = MLSF(n_groups=3, sparsity=0.3).fit(X, Y).scorer_
    assert same_partition(scorer.groups, np.repeat([0, 1, 2], 4))
    for k in range(3):
        used = np.flatnonzero(scorer.features[:, scorer.groups[4 * k]])
        np.testing.assert_array_equal(used, [2 * k, 2 * k + 1])


def test_clusters_are_those_of_scikit_learn(grouped):
    affinity = mlsf.label_affinity(Moments.of(*grouped).centred(), 0.5)
    theirs = SpectralClustering(3, affinity="precomputed", random_state=0).fit_predict(affinity)
    assert same_partition(mlsf.clustered(affinity, 3, 0), theirs)


def test_one_group_is_a_multi_task_lasso(problem):
    X, Y = problem
    moments = Moments.of(X, Y).centred()
    chosen = mlsf.chosen_features(moments, np.zeros(5, dtype=np.int64), 0.2)[:, 0]
    theirs = MultiTaskLasso(0.2 * np.sqrt(moments.mean_square)).fit(X, Y.astype(float))
    np.testing.assert_array_equal(chosen, (theirs.coef_ != 0).any(axis=0))
    assert 0 < chosen.sum() < 10


def test_machines_see_the_chosen_features_only(grouped):
    X, Y = grouped
    model = MLSF(n_groups=3, sparsity=0.3).fit(X, Y)
    used = model.scorer_.features[:, model.scorer_.groups[5]]
    machine = LinearSVC(dual="auto", max_iter=10_000, random_state=0).fit(X[:, used], Y[:, 5])
    np.testing.assert_allclose(model.label_scores(X)[:, 5], machine.decision_function(X[:, used]), atol=1e-8)


def test_with_all_features_it_is_bsvm(problem):
    X, Y = problem
    thin = sparse.csr_array(X)
    model = MLSF(n_groups=1, sparsity=0).fit(thin, sparse.csr_array(Y))
    np.testing.assert_allclose(model.label_scores(thin), BSVM().fit(thin, Y).label_scores(thin), atol=1e-8)


def test_a_group_without_weight_keeps_its_strongest_feature(problem):
    X, Y = problem
    model = MLSF(n_groups=2, sparsity=100.0).fit(X, Y)
    assert (model.scorer_.features.sum(axis=0) == 1).all()
