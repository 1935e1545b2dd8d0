"""The pictures show what the model says: points on the right sides of the right lines."""

import numpy as np
import pytest

from skfactor.datasets import make_ratings
from skfactor.ratings import BMMMF, HMF, MMMF, PMMMF
from skfactor.report.figures.ratings_geometry import levels_of_user, likes_and_dislikes

U = np.array([[-0.63, -0.5], [-0.69, -0.96], [0.27, -1.09]])
V = np.array([[-0.37, 0.94], [-0.7, -1.02], [-1.06, 0.42], [0.55, -0.97]])


def drawn(axes):
    return [np.column_stack(line.get_data()) for line in axes.lines]


def tips(axes):
    """Heads and feet of the arrows."""
    return [(np.array(note.xy), np.array(note.xyann)) for note in axes.texts if note.arrow_patch]


@pytest.fixture(scope="module")
def rated():
    return make_ratings(n_users=5, n_items=200, n_components=2, density=0.3, random_state=1)[0]


def test_lines_are_the_users_and_arrows_show_what_they_like():
    axes = likes_and_dislikes(U, V, 0.1).axes[0]
    for normal, line in zip(U, drawn(axes), strict=True):
        np.testing.assert_allclose(line @ normal, 0.1)
    for normal, (tip, foot) in zip(U, tips(axes), strict=True):
        assert foot @ normal == pytest.approx(0.1)
        assert tip @ normal > 0.1
    np.testing.assert_array_equal(axes.collections[0].get_offsets(), V)
    assert {"V1", "V4", "U3"} <= {note.get_text() for note in axes.texts}


def test_the_arrow_of_every_user_is_inside_of_the_picture(rated):
    model = MMMF(n_components=2, ridge=0.1, n_threads=1).fit(rated.pairs, rated.ratings)
    for user in model.users_:
        axes = levels_of_user(model, user).axes[0]
        ((tip, foot),) = tips(axes)
        assert np.abs([tip, foot]).max() < axes.get_xlim()[1]


def test_thresholds_part_the_levels_of_a_user(rated):
    model = MMMF(n_components=2, ridge=0.1, n_threads=1).fit(rated.pairs, rated.ratings)
    user = model.users_[2]
    axes = levels_of_user(model, user).axes[0]
    heights = sorted({round(float(line[0] @ model.U_[2]), 4) for line in drawn(axes)})
    expected = {round(float(t + side), 4) for t in model.thresholds_[2] for side in (-1, 0, 1)}
    np.testing.assert_allclose(heights, sorted(expected), atol=2e-4)
    assert len(drawn(levels_of_user(model, user, margins=False).axes[0])) == 4
    own = rated.pairs[:, 0] == user
    shown = [len(points.get_offsets()) for points in axes.collections]
    assert sum(shown) == len(model.items_)
    assert sum(shown[1::2]) == own.sum()


def test_planes_of_a_proximal_model(rated):
    model = PMMMF(n_components=2, ridge=0.1, n_threads=1).fit(rated.pairs, rated.ratings)
    axes = levels_of_user(model, model.users_[1]).axes[0]
    heights = [float(line[0] @ model.U_[1]) for line in drawn(axes)]
    planes, thresholds = model.planes_[1], model.thresholds_[1]
    expected = [*planes[np.isfinite(planes)], *np.unique(thresholds[np.isfinite(thresholds)])]
    np.testing.assert_allclose(heights, expected, atol=1e-8)


def test_likes_of_one_user():
    pairs = [(0, 0), (0, 1), (1, 0), (1, 2)]
    model = BMMMF(n_components=2, ridge=0.1, n_threads=1).fit(pairs, [0, 1, 1, 0])
    assert len(levels_of_user(model, 0).axes[0].lines) == 3


def test_what_cannot_be_drawn(rated):
    model = MMMF(n_components=3, n_threads=1, max_iter=2).fit(rated.pairs, rated.ratings)
    with pytest.raises(ValueError, match="n_components=2"):
        levels_of_user(model, 0)
    with pytest.raises(ValueError, match="does not know the user 99"):
        levels_of_user(model.set_params(n_components=2).fit(rated.pairs, rated.ratings), 99)
    with pytest.raises(ValueError, match="needs two columns"):
        levels_of_user(HMF(n_components=2, n_threads=1, max_iter=2).fit(rated.pairs, rated.ratings), 0)
