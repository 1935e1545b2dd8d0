import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skfactor.ratings.levels import Levels, median_level


@pytest.mark.parametrize(
    "values", [[1, 2, 3, 4, 5], np.arange(0.5, 5.5, 0.5), np.arange(6) * 0.2, [-10, 0, 1000], [0, 1]]
)
def test_there_and_back(values):
    scale = Levels.of(np.repeat(np.asarray(values)[::-1], 2))
    drawn = np.random.default_rng(0).choice(values, 30)
    assert np.array_equal(scale.values[scale.encode(drawn)], drawn)
    assert scale.values.dtype == np.asarray(values).dtype


def test_rounding_errors_make_no_levels():
    scale = Levels.of(np.array([0.0, 0.2, 0.4, 0.6, 0.2 + 0.4, 0.8, 1.0, 1 - 0.2]))
    assert len(scale) == 6
    assert scale.encode(np.array([0.1 + 0.2 + 0.3])).tolist() == [3]


def test_given_levels_win_over_those_seen():
    scale = Levels.of(np.array([1, 5]), given=[5, 4, 3, 2, 1])
    assert scale.values.tolist() == [1, 2, 3, 4, 5]


@given(st.lists(st.floats(-3, 8), min_size=1, max_size=20))
def test_nearest(ratings):
    values = np.array([0.0, 0.5, 2.0, 5.0])
    nearest = Levels.of(values).nearest(np.array(ratings))
    assert np.array_equal(nearest, np.abs(np.subtract.outer(ratings, values)).argmin(axis=1))


@pytest.mark.parametrize(
    ("ratings", "given_levels", "says"),
    [
        ([1, 1], None, "two levels or more, got .1.. Pass all"),
        (np.linspace(0, 1, 200), None, "200 different values.*Round them"),
        ([1, 2], [1, np.nan], "levels contains NaN"),
    ],
)
def test_what_is_no_scale(ratings, given_levels, says):
    with pytest.raises(ValueError, match=says):
        Levels.of(np.asarray(ratings), given_levels)


def test_levels_are_numbers():
    with pytest.raises(TypeError, match="levels must be numbers"):
        Levels.of(np.array([1]), ["good", "bad"])


def test_a_rating_off_the_scale_is_named_with_its_row():
    with pytest.raises(ValueError, match=r"Row 2: the rating 7 is not among the levels 1 2 3.*`levels`"):
        Levels.of(np.array([1, 2, 3])).encode(np.array([1, 3, 7]))


def test_the_median_is_the_lower_of_two():
    assert median_level(np.array([[2, 0, 2], [1, 0, 2], [0, 0, 0]])).tolist() == [0, 2, 0]
