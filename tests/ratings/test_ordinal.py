import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skfactor.ordinal import level_shares, smooth_hinge, threshold_loss


def three_pieces(z):
    if z >= 1:
        return 0.0
    return (1 - z) ** 2 / 2 if z > 0 else 0.5 - z


@given(st.floats(-50, 50))
def test_smooth_hinge_is_its_three_pieces(z):
    assert smooth_hinge(z) == pytest.approx(three_pieces(z), abs=1e-12)


def test_losses_of_thresholds_one_by_one():
    margins = np.array([[1.4, 0.3, -0.2, -2.0]])
    h = smooth_hinge
    assert threshold_loss(margins, [2]) == pytest.approx(h(1.4) + h(0.3) + h(0.2) + h(2.0))
    assert threshold_loss(margins, [2], immediate=True) == pytest.approx(h(0.3) + h(0.2))
    assert threshold_loss(margins, [0], immediate=True) == pytest.approx(h(-1.4))


@given(st.lists(st.floats(-5, 5), min_size=1, max_size=5))
def test_the_largest_share_is_that_of_the_level_with_sorted_thresholds(margins):
    falling = np.sort(margins)[::-1]
    shares = level_shares(falling[None, :])
    assert shares.sum() == pytest.approx(1)
    assert shares[0, int((falling > 0).sum())] == pytest.approx(shares.max())


def test_levels_beyond_infinite_boundaries_have_no_share():
    shares = level_shares(np.array([[np.inf, 0.5, -np.inf]]))
    assert np.isfinite(shares).all()
    assert shares[0, [0, 3]].max() == 0


def test_shares_are_those_of_the_losses():
    margins = np.random.default_rng(0).normal(size=(50, 4))
    losses = np.column_stack([threshold_loss(margins, np.full(50, level)) for level in range(5)])
    for sharpness in (0.5, 1.0, 3.0):
        weights = np.exp(-sharpness * losses)
        shares = weights / weights.sum(axis=1, keepdims=True)
        assert np.allclose(level_shares(margins, sharpness=sharpness), shares)
