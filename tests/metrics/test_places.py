import numpy as np
import pytest
from scipy import sparse

from skfactor.metrics import _places, average_precision, coverage, ndcg_at, precision_at, ranking_loss
from skfactor.metrics._places import mean_over_rows

rng = np.random.default_rng(0)
Y = rng.integers(0, 2, (23, 6))
SCORES = rng.integers(0, 4, (23, 6)).astype(float)


def places_of(true, scores):
    """The places in one block of rows."""
    seen = []
    mean_over_rows(lambda places: seen.append(places) or places.positives, sparse.csr_array(true), scores, None)
    return seen[0]


def test_places_by_hand():
    places = places_of([[1, 0, 1, 0], [0, 0, 0, 0], [0, 0, 0, 1]], [[2, 5, 2, 2], [1, 2, 3, 4], [1, 2, 3, 4]])
    assert places.rows.tolist() == [0, 0, 2]
    assert places.above.tolist() == [1, 1, 0]
    assert places.upto.tolist() == [4, 4, 1]
    assert places.upto_true.tolist() == [2, 2, 1]
    assert places.positives.tolist() == [2, 0, 1]
    assert places.n_labels == 4


def test_places_are_counts_of_comparisons():
    places = places_of(Y, SCORES)
    rows, columns = Y.nonzero()
    own = SCORES[rows, columns][:, np.newaxis]
    np.testing.assert_array_equal(places.above, (SCORES[rows] > own).sum(axis=1))
    np.testing.assert_array_equal(places.upto, (SCORES[rows] >= own).sum(axis=1))
    np.testing.assert_array_equal(places.upto_true, ((SCORES[rows] >= own) & (Y[rows] == 1)).sum(axis=1))


@pytest.mark.parametrize("entries", [1, 13, 40])
@pytest.mark.parametrize("metric", [average_precision, coverage, ranking_loss])
def test_blocks_do_not_matter(monkeypatch, entries, metric):
    whole = metric(Y, SCORES)
    monkeypatch.setattr(_places, "BLOCK_ENTRIES", entries)
    assert metric(Y, SCORES) == pytest.approx(whole)


@pytest.mark.parametrize("entries", [1, 13, 40])
@pytest.mark.parametrize("metric", [precision_at, ndcg_at])
def test_blocks_of_sparse_scores_do_not_matter(monkeypatch, entries, metric):
    scores = sparse.csr_array(SCORES)
    whole = metric(Y, scores, 3)
    monkeypatch.setattr(_places, "BLOCK_ENTRIES", entries)
    assert metric(Y, scores, 3) == pytest.approx(whole)
