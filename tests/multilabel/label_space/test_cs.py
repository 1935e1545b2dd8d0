import numpy as np
import pytest
from scipy.linalg import hadamard
from sklearn.linear_model import Ridge, orthogonal_mp

from skfactor.multilabel import CS, RidgeBR
from skfactor.multilabel.label_space.cs import PROJECTIONS


@pytest.fixture
def sparse_labels():
    """600 rows with 1 to 3 of 32 labels each."""
    rng = np.random.default_rng(0)
    Y = np.zeros((600, 32), dtype=int)
    for row in Y:
        row[rng.choice(32, rng.integers(1, 4), replace=False)] = 1
    return Y


@pytest.mark.parametrize("projection", ["hadamard", "gaussian"])
def test_sparse_labels_are_recovered_from_exact_codes(projection, sparse_labels, budget):
    """With the labels as features, and no ridge, codes are predicted exactly; 24 of them tell 32 labels."""
    Y = sparse_labels
    model = CS(24, ridge=1e-12, projection=projection, n_nonzero=3, scale=None, memory_budget=budget)
    model.fit(Y.astype(float), Y)
    found = model.factors_.scores(Y.astype(float))
    assert np.mean(np.all(np.abs(found - Y) < 1e-6, axis=1)) > (0.99 if projection == "hadamard" else 0.95)
    assert model.score(Y.astype(float), Y) > 0.97


@pytest.mark.parametrize("projection", ["hadamard", "gaussian"])
def test_it_equals_a_direct_computation_on_the_data(projection, weighted, budget):
    model = weighted.fit(CS(4, ridge=0.1, projection=projection, n_nonzero=2, memory_budget=budget))
    P = model.factors_.decoder.T
    assert np.allclose(np.linalg.norm(P, axis=1), 1)
    regression = Ridge(weighted.shift(0.1) * weighted.total)
    regression.fit(weighted.X, weighted.Y @ P, sample_weight=weighted.weight)
    expected = orthogonal_mp(P.T, regression.predict(weighted.X).T, n_nonzero_coefs=2).T
    assert np.abs(model.factors_.scores(weighted.X) - expected).max() < 1e-8


def test_one_label_is_found_by_its_correlation_with_the_code(problem):
    X, Y = problem
    factors = CS(4, n_nonzero=1).fit(X, Y).factors_
    correlation = (factors.transform(X) + factors.code_intercept) @ factors.decoder
    best = np.abs(correlation).argmax(axis=1)
    found = factors.scores(X)
    assert np.array_equal(np.abs(found).argmax(axis=1), best)
    assert np.allclose(found[range(120), best], correlation[range(120), best])
    assert np.all(np.count_nonzero(found, axis=1) == 1)


def test_by_correlation_with_all_of_a_hadamard_matrix_it_is_the_full_ridge(problem):
    X, Y = problem[0], problem[1][:, :4]
    full = RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X)
    model = CS(ridge=0.1, projection="hadamard", decoding="correlation").fit(X, Y)
    assert np.allclose(model.factors_.scores(X), full)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 8, 21])
def test_hadamard_projections_are_columns_of_the_whole_matrix(n_labels):
    whole = hadamard(1 << (n_labels - 1).bit_length())[:n_labels]
    P = PROJECTIONS["hadamard"](n_labels, n_labels, np.random.RandomState(0)) * np.sqrt(n_labels)
    columns = {tuple(column) for column in whole.T}
    assert {tuple(column) for column in np.round(P.T)} <= columns


def test_it_finds_twice_as_many_labels_as_a_row_has_in_the_mean(problem):
    X, Y = problem
    factors = CS(5).fit(X, Y).factors_
    assert factors.n_nonzero == np.ceil(2 * Y.sum(axis=1).mean()) < 5
    assert CS(5).fit(X, np.arange(120) % 5).factors_.n_nonzero == 2
    assert CS(5, n_nonzero=4).fit(X, Y).factors_.n_nonzero == 4
    assert CS(2, n_nonzero=4).fit(X, Y).factors_.n_nonzero == 2


def test_the_projection_is_reproducible_by_its_seed(problem):
    one, same, other = (CS(3, random_state=seed).fit(*problem).factors_.decoder for seed in (0, 0, 1))
    assert np.array_equal(one, same)
    assert not np.array_equal(one, other)


@pytest.mark.parametrize("n_labels", [1, 2, 3, 5])
@pytest.mark.parametrize("projection", ["hadamard", "gaussian"])
def test_any_number_of_labels_and_of_rows_will_do(n_labels, projection, problem):
    X, Y = problem[0], problem[1][:, :n_labels]
    model = CS(projection=projection).fit(X, Y)
    assert model.factors_.scores(X[:1]).shape == (1, n_labels)
    assert np.allclose(model.factors_.scores(X[:1]), model.factors_.scores(X)[:1])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"projection": "fourier"}, "projection must be one of 'gaussian', 'hadamard'"),
        ({"decoding": "lasso"}, "decoding must be one of 'omp', 'correlation'"),
        ({"n_nonzero": 0}, "n_nonzero must be at least 1"),
    ],
)
def test_parameters_that_cannot_be_are_refused(wrong, message, problem):
    with pytest.raises(ValueError, match=message):
        CS(**wrong).fit(*problem)
