import numpy as np
import pytest

from skfactor import Moments
from skfactor.multilabel.label_groups import affinity, label_groups, squared_distances


def centred(Y):
    return Moments.of(np.arange(len(Y))[:, None] % 7.0, Y).centred()


@pytest.fixture
def topics():
    """600 rows, each of one of three topics, whose labels (5, 4 and 3 of them) come often with it."""
    rng = np.random.default_rng(0)
    topic = rng.integers(3, size=600)
    own = np.repeat([0, 1, 2], [5, 4, 3])
    return own, (rng.random((600, 12)) < np.where(own == topic[:, None], 0.6, 0.02)).astype(float)


def test_distances_are_those_of_the_columns(topics):
    _, Y = topics
    direct = np.mean((Y[:, :, None] - Y[:, None, :]) ** 2, axis=0)
    np.testing.assert_allclose(squared_distances(centred(Y)), direct, atol=1e-12)


def test_the_seventh_neighbour_is_at_distance_one():
    points = np.sort(np.random.default_rng(0).random(30))
    D = (points[:, None] - points[None, :]) ** 2
    A = affinity(D)
    reach = np.sort(np.sqrt(D), axis=1)[:, 7]
    assert A[3, 8] == pytest.approx(np.exp(-D[3, 8] / (reach[3] * reach[8])))
    np.testing.assert_allclose(A.diagonal(), 1)


def test_topics_are_found(topics):
    own, Y = topics
    np.testing.assert_array_equal(label_groups(centred(Y), 3, 0), own)


def test_groups_do_not_depend_on_the_order_of_rows_nor_on_rows_being_doubled(topics):
    _, Y = topics
    found = label_groups(centred(Y), 4, 0)
    np.testing.assert_array_equal(label_groups(centred(Y[::-1].copy()), 4, 0), found)
    np.testing.assert_array_equal(label_groups(centred(np.vstack([Y, Y])), 4, 0), found)


@pytest.mark.parametrize("count", [1, 2, 5, 11, 12, 40])
def test_no_group_is_empty(topics, count):
    groups = label_groups(centred(topics[1]), count, 0)
    np.testing.assert_array_equal(np.unique(groups), np.arange(groups.max() + 1))
    assert groups.max() + 1 <= min(count, 12)
    if count in (1, 12, 40):
        assert groups.max() + 1 == min(count, 12)


def test_labels_that_are_the_same_come_together():
    rng = np.random.default_rng(0)
    Y = np.repeat((rng.random((50, 3)) < 0.3).astype(float), 9, axis=1)  # more twins than the seventh neighbour
    np.testing.assert_array_equal(label_groups(centred(Y), 3, 0), np.repeat([0, 1, 2], 9))
