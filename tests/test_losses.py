import numpy as np
import pytest

from skfactor.losses import LOSSES

#: Margins where a loss, its slope or its bend jumps.
KINKS = {"hinge": [1], "smooth_hinge": [0, 1], "modified_square": [1], "zero_one": [0]}
#: Values at the margins -1, 0, 1/2, 1 and 2.
KNOWN = {
    "squared": [4, 1, 0.25, 0, 1],
    "logistic": np.log1p(np.exp([1, 0, -0.5, -1, -2])),
    "hinge": [2, 1, 0.5, 0, 0],
    "smooth_hinge": [1.5, 0.5, 0.125, 0, 0],
    "modified_square": [4, 1, 0.25, 0, 0],
    "zero_one": [1, 1, 0, 0, 0],
}


def away_from_kinks(name):
    """Labels -1 and +1 with scores whose margins lie between the kinks."""
    rng = np.random.default_rng(0)
    y, z = rng.choice([-1.0, 1.0], 500), rng.normal(scale=1.5, size=500)
    far = np.all([np.abs(y * z - kink) > 1e-3 for kink in KINKS.get(name, [])], axis=0)
    return y[far], z[far]


@pytest.mark.parametrize("name", LOSSES)
def test_gradient_and_curvature_are_derivatives(name):
    loss, (y, z) = LOSSES[name], away_from_kinks(name)
    step = 1e-5
    slope = (loss.value(y, z + step) - loss.value(y, z - step)) / (2 * step)
    bend = (loss.gradient(y, z + step) - loss.gradient(y, z - step)) / (2 * step)
    assert np.abs(loss.gradient(y, z) - slope).max() < 1e-8
    assert np.abs(loss.curvature(y, z) - bend).max() < 1e-8


@pytest.mark.parametrize("name", LOSSES)
def test_known_values(name):
    margins = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    for y in (-1.0, 1.0):
        assert np.allclose(LOSSES[name].value(np.full(5, y), y * margins), KNOWN[name])


@pytest.mark.parametrize("name", LOSSES)
def test_convexity_is_as_declared(name):
    """No chord lies below a convex loss; below another one some do."""
    loss, rng = LOSSES[name], np.random.default_rng(1)
    y, a, b = rng.choice([-1.0, 1.0], 2000), *rng.normal(scale=3, size=(2, 2000))
    gap = (loss.value(y, a) + loss.value(y, b)) / 2 - loss.value(y, (a + b) / 2)
    assert (gap.min() >= -1e-12) == loss.convex
    assert not loss.convex or loss.curvature(y, a).min() >= 0


@pytest.mark.parametrize("name", [name for name in LOSSES if name != "zero_one"])
def test_a_subgradient_supports_the_loss(name):
    """Also at the kinks: value(b) >= value(a) + gradient(a) (b - a)."""
    loss, grid = LOSSES[name], np.linspace(-3, 3, 61)
    a, b = np.meshgrid(grid, grid)
    for y in (-np.ones_like(a), np.ones_like(a)):
        assert np.all(loss.value(y, b) >= loss.value(y, a) + loss.gradient(y, a) * (b - a) - 1e-12)


def test_margin_losses_bound_each_other():
    """The smooth hinge lies below the hinge, and every one but these two above zero-one."""
    t = np.linspace(-4, 4, 801)
    y = np.ones_like(t)
    value = {name: loss.value(y, t) for name, loss in LOSSES.items()}
    gap = value["hinge"] - value["smooth_hinge"]
    assert gap.min() > -1e-12
    assert gap.max() < 0.5 + 1e-12
    for name, factor in {"hinge": 1, "modified_square": 1, "logistic": np.log(2), "smooth_hinge": 0.5}.items():
        assert np.all(value[name] >= factor * value["zero_one"] - 1e-12)


def test_squared_takes_any_label():
    y, z = np.array([3.0, -0.5]), np.array([1.0, 0.5])
    assert LOSSES["squared"].value(y, z).tolist() == [4.0, 1.0]
    assert LOSSES["squared"].gradient(y, z).tolist() == [-4.0, 2.0]


@pytest.mark.parametrize("name", LOSSES)
def test_far_scores_do_not_overflow(name):
    y, z = np.array([1.0, -1.0, 1.0, -1.0]), np.array([1e4, 1e4, -1e4, -1e4])
    with np.errstate(over="raise", invalid="raise"):
        for part in (LOSSES[name].value, LOSSES[name].gradient):
            assert np.all(np.isfinite(part(y, z)))
