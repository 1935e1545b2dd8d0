import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import nnls as one_row
from sklearn.decomposition import NMF
from sklearn.pipeline import make_pipeline

from skfactor import Moments, datasets
from skfactor.multilabel import MNMTF, RidgeBR
from skfactor.multilabel.mnmtf_updates import LabelSums, factorize


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    Y = (rng.random((300, 6)) < 0.3).astype(float)
    X = Y @ rng.random((6, 15)) + 0.1 * rng.random((300, 15))
    return X, Y


def declared(X, Y, U, S, graph_weight):
    K = Y.T @ Y
    laplacian = np.diag(K.sum(axis=1)) - K
    unit = np.sum(X**2) / len(X)
    return (np.sum((X.T - U @ S @ Y.T) ** 2) + graph_weight * unit * np.trace(S @ laplacian @ S.T)) / len(X)


def factors(X, Y, rank, graph_weight, **stop):
    sums = LabelSums.of(X, sparse.csr_array(Y), np.ones(len(X)))
    return factorize(sums, rank, graph_weight, np.random.RandomState(0), **stop)


@pytest.mark.parametrize("graph_weight", [0.0, 0.1, 5.0])
@pytest.mark.parametrize("rank", [3, 10])
def test_the_objective_is_the_declared_one_and_never_rises(rows, graph_weight, rank):
    X, Y = rows
    (U, S), objectives = factors(X, Y, rank, graph_weight, tol=1e-6, max_iter=5000)
    assert (np.diff(objectives) <= 1e-12 * objectives[0]).all()
    assert len(objectives) > 20
    assert min(U.min(), S.min()) >= 0
    assert declared(X, Y, U, S, graph_weight) == pytest.approx(objectives[-1], rel=2e-3)


def test_it_ends_where_the_gradient_vanishes_or_points_outwards(rows):
    X, Y = rows
    (U, S), _ = factors(X, Y, 3, 0.1, tol=1e-8, max_iter=20_000)
    step, unit = 1e-6, np.sum(X**2) / len(X)
    for block in (U, S):
        for place in [(0, 0), (1, 2), (2, 1)]:
            values = []
            for change in (step, -step):
                block[place] += change
                values.append(declared(X, Y, U, S, 0.1))
                block[place] -= change
            slope = (values[0] - values[1]) / (2 * step)
            assert slope > -0.01 * unit
            assert abs(slope * block[place]) < 0.01 * unit


def test_with_one_label_each_it_is_nmf_of_the_class_means():
    """Y = identity blocks of equal size, no graph: ||X' - U S Y'||^2 differs from ||M - U S||^2 by a constant."""
    rng = np.random.default_rng(0)
    Y = np.repeat(np.eye(8), 20, axis=0)
    X = Y @ (rng.random((8, 3)) @ rng.random((3, 12))) + 0.2 * rng.random((160, 12))
    means = (X.T @ Y) / 20
    ours = [MNMTF(3, 0.0, tol=1e-9, max_iter=50_000, random_state=seed).fit(X, Y) for seed in range(4)]
    left = min(np.sum((means - m.components_.T @ m.label_codes_.T) ** 2) for m in ours)
    theirs = NMF(3, tol=1e-10, max_iter=20_000, init="nndsvda").fit(means)
    assert left == pytest.approx(theirs.reconstruction_err_**2, rel=0.02)


def test_rows_are_projected_by_nonnegative_least_squares(rows):
    X, Y = rows
    model = MNMTF(5).fit(X, Y)
    expected = [one_row(model.components_.T, x)[0] for x in X[:40]]
    np.testing.assert_allclose(model.transform(X[:40]), expected, atol=1e-8)
    np.testing.assert_array_equal(MNMTF(5).fit_transform(X, Y), model.transform(X))


def test_training_codes_may_be_those_of_the_labels(rows):
    X, Y = rows
    model = MNMTF(5, training_codes="labels")
    np.testing.assert_allclose(model.fit_transform(X, Y), Y @ model.label_codes_)


def test_batches_forgetting_weights_and_moments_agree(rows):
    X, Y = rows
    whole = MNMTF(4).fit(X, Y).components_
    batches = MNMTF(4).partial_fit(X[:100], Y[:100]).partial_fit(X[100:], Y[100:])
    forgetful = MNMTF(4).fit(np.vstack([X, 7 * X[:50]]), np.vstack([Y, Y[:50]])).forget(7 * X[:50], Y[:50])
    twice = MNMTF(4).fit(X, Y, sample_weight=np.full(300, 2.0))
    moments = MNMTF(4).fit_moments(Moments.of(X, Y))
    streamed = MNMTF(4).fit_moments(Moments.of(X, Y, memory_budget=0))
    others = MNMTF(4).fit(sparse.csr_array(X), sparse.csr_array(Y))
    for model in (batches, forgetful, twice, moments, streamed, others):
        np.testing.assert_allclose(model.components_, whole, rtol=1e-6, atol=1e-8)
    with pytest.raises(ValueError, match="leaves none"):
        batches.forget(X, Y)


def test_weights_are_repeated_rows(rows):
    X, Y = rows
    weight = np.arange(300) % 3.0
    repeated = np.repeat(np.arange(300), weight.astype(int))
    np.testing.assert_allclose(
        MNMTF(4).fit(X, Y, sample_weight=weight).components_, MNMTF(4).fit(X[repeated], Y[repeated]).components_
    )


@pytest.mark.parametrize("make", [np.asarray, sparse.csr_array])
def test_a_negative_entry_is_refused_with_its_column(rows, make):
    X, Y = rows
    wrong = X.copy()
    wrong[7, 3] = -0.5
    for call in (lambda: MNMTF(4).fit(make(wrong), Y), lambda: MNMTF(4).fit(X, Y).transform(make(wrong))):
        with pytest.raises(ValueError, match=r"MNMTF: column 3 has -0\.5"):
            call()


def test_parameters_are_checked_before_any_work(rows):
    with pytest.raises(ValueError, match="n_components=16 is above n_features=15"):
        MNMTF(16).fit(*rows)
    with pytest.raises(ValueError, match="training_codes must be one of 'projected', 'labels'"):
        MNMTF(training_codes="own").fit(*rows)
    assert MNMTF().fit(*rows).components_.shape == (4, 15)  # 30 % of 15, rounded


def test_it_stands_before_a_classifier(rows):
    X, Y = rows
    model = make_pipeline(MNMTF(6), RidgeBR(ridge=0.01)).fit(X[:200], Y[:200])
    assert model.score(X[200:], Y[200:]) > 0.9
    assert MNMTF(2).fit(X, Y).get_feature_names_out().tolist() == ["mnmtf0", "mnmtf1"]


def test_an_iteration_knows_nothing_of_rows(rows):
    """The sums have no dimension of size n, and the solver takes nothing else."""
    X, Y = rows
    sums = LabelSums.of(X, sparse.csr_array(Y), np.ones(300))
    assert {np.shape(value) for value in vars(sums).values()} == {(), (15, 6), (6, 6)}


def test_basis_vectors_have_length_one_and_the_product_is_that_of_the_factorization(rows):
    X, Y = rows
    model = MNMTF(4, 0.1, tol=1e-6, random_state=0).fit(X, Y)
    np.testing.assert_allclose(np.linalg.norm(model.components_, axis=1), 1)
    (U, S), objectives = factors(X, Y, 4, 0.1, tol=1e-6, max_iter=1000)
    np.testing.assert_allclose(model.label_codes_ @ model.components_, (U @ S).T)
    assert model.objective_ == objectives


def test_units_of_the_features_do_not_matter(rows):
    X, Y = rows
    model, other = MNMTF(4).fit(X, Y), MNMTF(4).fit(1000 * X, Y)
    np.testing.assert_allclose(other.components_, model.components_, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(other.transform(1000 * X), 1000 * model.transform(X), rtol=1e-5, atol=1e-6)


@pytest.mark.data
@pytest.mark.parametrize("name", ["emotions", "corel5k"])
def test_the_objective_only_falls_on_real_data(name):
    real = datasets.load(name)
    model = MNMTF(20, tol=1e-6).fit(abs(real.X), real.Y)
    assert model.n_iter_ > 20
    assert (np.diff(model.objective_) <= 1e-12 * model.objective_[0]).all()
    assert min(model.components_.min(), model.label_codes_.min()) >= 0
