import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skfactor.ratings.levels import Levels
from skfactor.ratings.triples import RatedPairs, Triples, held_out

SCALE = Levels(np.array([1, 2, 3, 4, 5]))


def dense(triples):
    table = np.full(triples.shape, -1)
    table[triples.user_column(), triples.items] = triples.levels
    return table


@given(st.integers(0, 999))
def test_both_orders_hold_the_same_table(seed):
    rng = np.random.default_rng(seed)
    N, M = rng.integers(1, 9, 2)
    table = rng.integers(-1, 4, (N, M))
    users, items = np.argwhere(table >= 0).T
    shuffled = rng.permutation(len(users))
    triples = Triples.of(users[shuffled], items[shuffled], table[users, items][shuffled].astype(np.int8), (N, M))
    assert np.array_equal(dense(triples), table)
    by_items = np.full((N, M), -1)
    columns = np.repeat(np.arange(M), np.diff(triples.item_starts))
    by_items[triples.users, columns] = triples.levels[triples.places]
    assert np.array_equal(by_items, table)
    counts = np.stack([(table == level).sum(axis=1) for level in range(4)], axis=1)
    assert np.array_equal(triples.level_counts(4, axis=0), counts)
    assert triples.level_counts(4, axis=1).sum() == len(users)


def test_thirteen_bytes_a_rating(triples):
    per_rating = (triples.items, triples.levels, triples.users, triples.places)
    assert sum(part.nbytes for part in per_rating) == 13 * len(triples)


def test_joining_adds_users_and_items(triples):
    joined = triples.joined([30, 30], [24, 0], np.array([4, 0], dtype=np.int8), (31, 25))
    table = dense(joined)
    assert np.array_equal(table[:30, :24], dense(triples))
    assert table[30, [0, 24]].tolist() == [0, 4]


def test_held_out_ratings_are_apart(triples):
    train, held = held_out(triples, 0.2, np.random.RandomState(0))
    assert len(held) == round(0.2 * len(triples))
    together = np.maximum(dense(train), dense(held))
    assert np.array_equal(together, dense(triples))
    assert len(train) + len(held) == len(triples)


class TestDuplicates:
    users, items, ratings = np.array([3, 1, 3, 3, 1]), np.array([0, 0, 1, 0, 0]), np.array([1, 5, 2, 4, 5])

    def settled(self, policy):
        pairs = RatedPairs(self.users, self.items, self.ratings)
        users, items, levels = pairs.without_duplicates(policy, SCALE)
        return list(zip(users.tolist(), items.tolist(), SCALE.values[levels].tolist(), strict=True))

    def test_last(self):
        assert self.settled("last") == [(3, 0, 4), (1, 0, 5), (3, 1, 2)]

    def test_mean_goes_to_the_nearest_level_the_lower_of_two(self):
        assert self.settled("mean") == [(3, 0, 2), (1, 0, 5), (3, 1, 2)]

    def test_error_names_rows_and_remedy(self):
        with pytest.raises(ValueError, match=r"Rows 0 and 3 rate the same .* 2 rows .* duplicates='last'"):
            self.settled("error")
