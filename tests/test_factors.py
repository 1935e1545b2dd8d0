import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from skfactor import factors as module
from skfactor.factors import Factors, ranks, top_of
from skfactor.moments.second import Centre


@pytest.fixture
def factors():
    rng = np.random.default_rng(0)
    return Factors(rng.normal(size=(7, 3)), rng.normal(size=(3, 9)), rng.normal(size=9))


def test_scores_are_an_affine_map(factors, table):
    X = table[0]
    expected = X @ factors.encoder @ factors.decoder + factors.intercept
    assert np.allclose(factors.scores(X), expected)
    assert np.allclose(factors.scores(sparse.csr_array(X)), expected)
    assert np.allclose(factors.transform(X), X @ factors.encoder)
    assert (factors.n_components, factors.n_labels) == (3, 9)


def test_no_decoder_is_the_identity(factors, table):
    assert np.allclose(Factors(factors.encoder).scores(table[0]), table[0] @ factors.encoder)


def test_single_precision_stays(factors, table):
    assert factors.scores(table[0].astype(np.float32)).dtype == np.float32


def test_a_map_found_on_centred_data_serves_the_data_itself(factors, table):
    X = table[0]
    rng = np.random.default_rng(1)
    centre = Centre(60.0, X.mean(axis=0), rng.normal(size=9), rng.uniform(1, 2, 7), 3.0)
    inner = Factors(factors.encoder, factors.decoder)
    expected = inner.scores((X - centre.mean_x) / centre.scale) * centre.unit_y + centre.mean_y
    assert np.allclose(inner.uncentred(centre).scores(X), expected)


@pytest.mark.parametrize("block", [1, 8 * 9 * 7, 2**26])
def test_top_does_not_depend_on_the_blocks(monkeypatch, factors, table, block):
    monkeypatch.setattr(module, "BLOCK_BYTES", block)
    X = table[0]
    top = factors.top(X, 4)
    assert isinstance(top, sparse.csr_array)
    assert top.shape == (60, 9)
    scores = factors.scores(X)
    best = np.argsort(-scores, axis=1)[:, :4]
    assert np.array_equal(top.indices.reshape(60, 4), best)
    assert np.allclose(top.data.reshape(60, 4), np.take_along_axis(scores, best, axis=1))


def test_top_wants_a_number_of_labels_that_there_are(factors, table):
    with pytest.raises(ValueError, match="k must be at least 1 and at most 9, got 10"):
        factors.top(table[0], 10)


@given(seed=st.integers(0, 999), k=st.integers(1, 5))
@settings(max_examples=50, deadline=None)
def test_top_and_ranks_against_a_full_sort_with_ties(seed, k):
    scores = np.random.default_rng(seed).integers(0, 3, (6, 5)) / 2
    order = np.argsort(-scores, axis=1, kind="stable")
    columns, values = top_of(scores, k)
    assert np.array_equal(columns, order[:, :k])
    assert np.array_equal(values, np.take_along_axis(scores, columns, axis=1))
    assert np.array_equal(np.minimum(np.argsort(order, axis=1), k), ranks(scores, k))
