import numpy as np
import pytest
import sklearn.metrics
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.metrics import fre, mae, nmae, rmse, zero_one_error

problems = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        *2 * [hnp.arrays(np.int64, n, elements=st.integers(1, 5))],
        hnp.arrays(np.float64, n, elements=st.floats(0.1, 3)),
    )
)


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (mae, sklearn.metrics.mean_absolute_error),
        (rmse, sklearn.metrics.root_mean_squared_error),
        (zero_one_error, sklearn.metrics.zero_one_loss),
    ],
)
@settings(max_examples=40, deadline=None)
@given(problem=problems)
def test_agrees_with_scikit_learn(ours, theirs, problem):
    true, predicted, weights = problem
    assert ours(true, predicted) == pytest.approx(theirs(true, predicted))
    assert ours(true, predicted, sample_weight=weights) == pytest.approx(
        theirs(true, predicted, sample_weight=weights)
    )


@pytest.mark.parametrize(
    ("levels", "guess"),
    [
        (range(1, 6), 1.6),
        (range(1, 7), 35 / 18),
        ([5, 4, 3, 2, 1, 1], 1.6),
        (np.arange(1, 11) / 2, 99 / 60),
        ([0, 1, 10], 2 * (1 + 10 + 9) / 9),
    ],
)
def test_nmae_divides_by_the_error_of_a_guess(levels, guess):
    levels = list(levels)
    assert nmae([levels[0]], [levels[0] + 1], levels=levels) == pytest.approx(1 / guess)


def test_nmae_takes_the_levels_that_are_there():
    assert nmae([1, 2, 3, 4, 5], [2, 2, 3, 4, 5]) == pytest.approx(0.2 / 1.6)


def test_a_uniform_guess_has_nmae_one():
    true, guessed = (grid.ravel() for grid in np.meshgrid([1, 2, 4], [1, 2, 4]))
    assert nmae(true, guessed) == pytest.approx(1)


def test_half_stars():
    assert zero_one_error([3.5, 4.0], [3.5, 4.5]) == 0.5


def test_fre_by_hand():
    assert fre([[3, 0], [0, 4]], [[3, 0], [0, 3]]) == pytest.approx(0.2)
    assert fre([3, 4], [0, 0]) == 1
    assert fre([3, 4], [3, 3], sample_weight=[2, 1]) == pytest.approx(1 / np.sqrt(9 + 9 + 16))


def test_unsigned_levels_do_not_wrap():
    low, high = np.array([1], dtype=np.uint8), np.array([2], dtype=np.uint8)
    assert mae(low, high) == rmse(low, high) == 1


@pytest.mark.parametrize("metric", [mae, rmse, zero_one_error, nmae, fre])
def test_wrong_input(metric):
    with pytest.raises(ValueError, match=r"y_true has shape \(2,\), y_pred has shape \(1,\)"):
        metric([1, 2], [1])
    with pytest.raises(ValueError, match=r"y_pred contains NaN \(row 1\)"):
        metric([1, 2], [1, np.nan])
    with pytest.raises(ValueError, match="y_pred is sparse"):
        metric([1, 2], sparse.csr_array([[1, 2]]))


@pytest.mark.parametrize("metric", [mae, rmse, zero_one_error, fre])
def test_no_ratings(metric):
    with pytest.raises(ValueError, match="y_true holds no rating"):
        metric([], [])


def test_one_level_is_no_scale():
    with pytest.raises(ValueError, match=r"levels must be at least two, got \[3\.0\]"):
        nmae([3, 3], [3, 2])


def test_fre_of_nothing():
    with pytest.raises(ValueError, match="not defined"):
        fre([0, 0], [1, 1])
