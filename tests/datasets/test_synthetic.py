import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from skfactor.datasets import make_multilabel, make_ratings

seeds = st.integers(0, 2**32 - 1)


@settings(max_examples=40, deadline=None)
@given(
    seeds, st.integers(1, 60), st.integers(1, 8), st.integers(1, 9), st.integers(1, 5), st.booleans(), st.data()
)
def test_multilabel_is_what_was_asked_for(seed, n, d, n_labels, rank, is_sparse, draw):
    n_groups = draw.draw(st.integers(1, n_labels))
    cardinality = draw.draw(st.floats(0.1, n_labels))
    options = {"n_components": rank, "n_groups": n_groups, "cardinality": cardinality, "sparse": is_sparse}
    data, groups = make_multilabel(n, d, n_labels, random_state=seed, return_groups=True, **options)
    assert (data.X.shape, data.Y.shape, sparse.issparse(data.X)) == ((n, d), (n, n_labels), is_sparse)
    assert set(groups) == set(range(n_groups))
    assert abs(data.Y.sum() - n * cardinality) <= n_labels
    again = make_multilabel(n, d, n_labels, random_state=seed, **options)
    assert (again.Y != data.Y).nnz == 0


def test_without_noise_the_rank_is_planted_and_groups_are_identical():
    data, groups = make_multilabel(n_components=3, noise=0, random_state=0, return_groups=True)
    assert np.linalg.matrix_rank(data.X) == 3
    Y = data.Y.toarray()
    together = (Y.T @ Y)[groups[:, np.newaxis] == groups]
    assert (together == Y[:, 0].sum()).all()


def test_labels_of_a_group_occur_together():
    data, groups = make_multilabel(2000, noise=0.3, random_state=0, return_groups=True)
    correlation = np.corrcoef(data.Y.toarray().T)
    same = groups[:, np.newaxis] == groups
    assert correlation[same].min() > correlation[~same].max()


def test_ratings_follow_the_generator():
    data, levels = make_ratings(60, 50, n_components=3, n_levels=4, density=0.25, random_state=1)
    assert len(data) == 750
    assert data.levels.tolist() == [1, 2, 3, 4]
    assert set(np.unique(levels)) <= {1, 2, 3, 4}
    np.testing.assert_array_equal(levels[tuple(data.pairs.T)], data.ratings)
    # At rest: the nearest table of rank 3 rounds to the levels wherever alternation has come to an end.
    left, values, right = np.linalg.svd(levels)
    near = (left[:, :3] * values[:3]) @ right[:3]
    random = np.random.default_rng(0).integers(1, 5, levels.shape)
    spread = np.linalg.svd(random, compute_uv=False)
    assert np.linalg.norm(levels - near) < 0.5 * np.sqrt((spread[3:] ** 2).sum())


@settings(max_examples=25, deadline=None)
@given(seeds, st.integers(1, 20), st.integers(1, 20), st.integers(2, 6), st.floats(0.01, 1), st.data())
def test_ratings_are_what_was_asked_for(seed, n_users, n_items, n_levels, density, draw):
    rank = draw.draw(st.integers(1, min(n_users, n_items)))
    options = {"n_components": rank, "n_levels": n_levels, "density": density, "random_state": seed}
    data, levels = make_ratings(n_users, n_items, **options)
    assert levels.shape == (n_users, n_items)
    assert levels.min() >= 1
    assert levels.max() <= n_levels
    assert (levels == np.rint(levels)).all()
    assert len(np.unique(data.pairs, axis=0)) == len(data) == max(1, round(density * levels.size))


@pytest.mark.parametrize(
    ("make", "options", "message"),
    [
        (make_multilabel, {"n_samples": 0}, "n_samples must be at least 1"),
        (make_multilabel, {"n_groups": 13}, "n_groups must be at least 1 and at most 12"),
        (make_multilabel, {"cardinality": 0}, "cardinality must be above 0"),
        (make_multilabel, {"noise": -1}, "noise must be at least 0"),
        (make_ratings, {"n_components": 99}, "n_components must be at least 1 and at most 80"),
        (make_ratings, {"n_levels": 1}, "n_levels must be at least 2"),
        (make_ratings, {"density": 2}, "density must be"),
    ],
)
def test_refuses_wrong_sizes(make, options, message):
    with pytest.raises(ValueError, match=message):
        make(**options)


def test_ratings_use_more_than_one_level():
    """A start around 0 would collapse to the lowest level."""
    _, levels = make_ratings(100, 80, n_components=4, random_state=0)
    assert np.bincount(levels.astype(int).ravel())[1:].max() < 0.6 * levels.size
