import numpy as np
import pytest

from skfactor.ordinal import threshold_loss
from skfactor.ratings import kernels
from skfactor.ratings.pmmmf import moving_planes

R = 5


def slopes_by_differences(function, at, step=1e-6):
    slopes = np.empty_like(at)
    for place in np.ndindex(at.shape):
        moved = at.copy()
        moved[place] += step
        high = function(moved)
        moved[place] -= 2 * step
        slopes[place] = (high - function(moved)) / (2 * step)
    return slopes


def evaluated(loss, triples, thresholds, scores):
    """Total loss, dJ/dx and dJ/dthresholds."""
    values, losses, slopes = scores.copy(), np.empty(triples.shape[0]), np.empty_like(thresholds)
    held = thresholds.copy()
    loss(0, triples.shape[0], triples.user_starts, triples.levels, held, values, losses, slopes)
    return losses.sum(), values, slopes


@pytest.fixture
def scores(triples):
    return np.random.default_rng(1).normal(scale=1.5, size=len(triples))


@pytest.mark.parametrize(
    ("loss", "width", "thresholds_move"),
    [
        (kernels.all_threshold, R - 1, True),
        (kernels.immediate_threshold, R - 1, True),
        (kernels.proximal, R, False),
        (moving_planes, R, False),
        (kernels.squares, R, False),
    ],
)
def test_slopes_are_those_of_the_loss(loss, width, thresholds_move, triples, scores):
    thresholds = np.random.default_rng(2).normal(size=(triples.shape[0], width))
    _, by_score, by_threshold = evaluated(loss, triples, thresholds, scores)
    numeric = slopes_by_differences(lambda x: evaluated(loss, triples, thresholds, x)[0], scores)
    assert np.allclose(by_score, numeric, atol=1e-5)
    if thresholds_move:
        numeric = slopes_by_differences(lambda t: evaluated(loss, triples, t, scores)[0], thresholds)
        assert np.allclose(by_threshold, numeric, atol=1e-5)


@pytest.mark.parametrize("immediate", [False, True])
def test_threshold_losses_are_those_of_ordinal(immediate, triples, scores):
    thresholds = np.random.default_rng(2).normal(size=(triples.shape[0], R - 1))
    kernel = kernels.immediate_threshold if immediate else kernels.all_threshold
    margins = scores[:, None] - thresholds[triples.user_column()]
    expected = threshold_loss(margins, triples.levels, immediate=immediate).sum()
    assert evaluated(kernel, triples, thresholds, scores)[0] == pytest.approx(expected)


def test_planes_are_means_and_their_squares_alone_are_the_variance(triples, scores):
    planes = np.empty((triples.shape[0], R))
    parts = triples.user_starts, triples.levels
    kernels.level_means(0, triples.shape[0], *parts, planes, scores)
    users = triples.user_column()
    for user in range(triples.shape[0]):
        for level in range(R):
            own = scores[(users == user) & (triples.levels == level)]
            assert np.isnan(planes[user, level]) if not len(own) else np.isclose(planes[user, level], own.mean())


def test_a_level_that_a_user_never_gave_costs_nothing(triples, scores):
    planes = np.zeros((triples.shape[0], R))
    planes[:, 2] = np.nan
    total, values, _ = evaluated(kernels.proximal, triples, planes, scores)
    assert np.isfinite(total)
    assert np.isfinite(values).all()


def test_scores_and_gathered_gradients(triples):
    rng = np.random.default_rng(0)
    N, M = triples.shape
    U, V = rng.normal(size=(N, 3)), rng.normal(size=(M, 3))
    values = np.empty(len(triples))
    kernels.score(0, N, triples.user_starts, triples.items, U, V, values)
    users = triples.user_column()
    assert np.allclose(values, (U @ V.T)[users, triples.items])
    table = np.zeros((N, M))
    table[users, triples.items] = values
    by_user, by_item, penalties = np.empty_like(U), np.empty_like(V), np.empty(N)
    kernels.gather(0, N, triples.user_starts, triples.items, values, V, U, np.full(N, 0.7), by_user, penalties)
    assert np.allclose(by_user, 0.7 * U + table @ V)
    assert np.allclose(penalties, 0.35 * (U**2).sum(axis=1))
    turned = np.empty_like(values)
    kernels.turn(0, M, triples.item_starts, triples.places, values, turned)
    ridges = rng.random(M)
    kernels.gather(0, M, triples.item_starts, triples.users, turned, U, V, ridges, by_item, np.empty(M))
    assert np.allclose(by_item, ridges[:, None] * V + table.T @ U)


@pytest.mark.parametrize("threads", [1, 2, 3, 50])
@pytest.mark.parametrize("lengths", [[1, 1, 1], [0, 0, 9], [1000, 0, 1, 0], [0]])
def test_chunks_cover_every_row_once(threads, lengths, monkeypatch):
    monkeypatch.setattr(kernels, "LEAST_CHUNK", 1)
    starts = np.concatenate([[0], np.cumsum(lengths)])
    seen = []
    kernels.in_chunks(lambda first, last: seen.extend(range(first, last)), starts, threads)
    assert sorted(seen) == list(range(len(lengths)))
