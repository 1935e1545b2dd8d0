import numpy as np
import pytest

from skfactor.ordinal import level_shares
from skfactor.ratings import ALS, HMF, MMMF
from skfactor.ratings.deciding import SHARPNESS, MedianLevels
from skfactor.ratings.embedding import Embedding


@pytest.fixture
def embedding():
    rng = np.random.default_rng(0)
    return Embedding(rng.normal(size=(9, 3)), rng.normal(size=(7, 3)), np.sort(rng.normal(size=(9, 4)), axis=1))


def everyone(embedding):
    users, items = np.divmod(np.arange(63), 7)
    return users, items, embedding.margins(users, items)


def test_the_median_has_the_least_expected_absolute_error(embedding):
    users, items, margins = everyone(embedding)
    shares = level_shares(margins, sharpness=SHARPNESS)
    levels = np.arange(5)
    expected = shares @ np.abs(levels[:, None] - levels)
    found = MedianLevels(embedding).index(users, items)
    assert np.allclose(expected[np.arange(63), found], expected.min(axis=1))


def test_far_from_the_thresholds_the_decisions_agree(embedding):
    users, items, _ = everyone(embedding)
    far = Embedding(100 * embedding.U, embedding.V, 100 * embedding.thresholds)
    sure = np.abs(far.margins(users, items)).min(axis=1) > 5
    assert sure.sum() > 40
    assert np.array_equal(MedianLevels(far).index(users, items)[sure], far.index(users, items)[sure])


def test_the_whole_table_and_its_pairs_agree(embedding):
    users, items, _ = everyone(embedding)
    median = MedianLevels(embedding)
    assert np.array_equal(median.grid_index(np.arange(9), np.arange(7)).ravel(), median.index(users, items))


@pytest.mark.parametrize(
    "model", [MMMF(n_components=3, ridge=2), HMF(n_components=3, ridge=2), ALS(n_components=3)]
)
def test_models_decide_so_when_they_are_asked(model, ratings):
    pairs, levels = ratings
    own = model.fit(pairs, levels).predict(pairs)
    model.set_params(decision="median")
    medians = model.predict(pairs)
    assert (own != medians).any()
    table = model.complete(np.arange(30), np.arange(24))
    assert np.array_equal(table[pairs[:, 0], pairs[:, 1]], medians)


def test_an_unknown_decision_is_refused(ratings):
    with pytest.raises(ValueError, match="decision"):
        MMMF(decision="mode").fit(*ratings)
