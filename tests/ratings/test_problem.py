import numpy as np
import pytest

from skfactor.ratings import kernels
from skfactor.ratings.pmmmf import moving_planes
from skfactor.ratings.problem import Point, Problem

LOSSES = {
    "all": (kernels.all_threshold, 4, ("U", "V", "thresholds")),
    "immediate": (kernels.immediate_threshold, 4, ("U", "V", "thresholds")),
    "moving planes": (moving_planes, 5, ("U", "V")),
    "held planes": (kernels.proximal, 5, ("V",)),
    "squares": (kernels.squares, 5, ("U", "V")),
    "one side": (kernels.all_threshold, 4, ("U",)),
}
#: With biases, the columns that stay.
ONES = {"U": -1, "V": -2}


def point(triples, width, dtype=np.float64):
    rng = np.random.default_rng(3)
    sizes = [(triples.shape[0], 3), (triples.shape[1], 3), (triples.shape[0], width)]
    return Point(*(rng.normal(size=size).astype(dtype) for size in sizes))


def evaluate(problem, at):
    slopes = Point(*(np.zeros_like(part) for part in at))
    return problem(at, slopes), slopes


@pytest.mark.parametrize(("biases", "power"), [(False, 0.0), (True, 0.0), (True, 0.7)])
@pytest.mark.parametrize("name", LOSSES)
def test_gradient_by_finite_differences(name, biases, power, triples):
    loss, width, free = LOSSES[name]
    problem = Problem(triples, loss, 0.3, free, biases=biases, ridge_power=power)
    at = point(triples, width)
    _, slopes = evaluate(problem, at)
    rng = np.random.default_rng(0)
    for part in free:
        for _ in range(5):
            direction = rng.normal(size=getattr(at, part).shape)
            if biases and part in ONES:
                direction[:, ONES[part]] = 0
                assert not getattr(slopes, part)[:, ONES[part]].any()
            ends = [
                evaluate(problem, at._replace(**{part: getattr(at, part) + step * direction}))[0]
                for step in (1e-6, -1e-6)
            ]
            slope = np.sum(getattr(slopes, part) * direction)
            assert (ends[0] - ends[1]) / 2e-6 == pytest.approx(slope, rel=1e-4, abs=1e-4)


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["all", "moving planes"])
def test_the_number_of_threads_changes_no_bit(name, dtype, triples, many_chunks):
    loss, width, free = LOSSES[name]
    at = point(triples, width, dtype)
    results = [evaluate(Problem(triples, loss, 0.3, free, threads, dtype), at) for threads in (1, 2, 5)]
    for value, slopes in results[1:]:
        assert value == results[0][0]
        for part in free:
            assert np.array_equal(getattr(slopes, part), getattr(results[0][1], part))


def test_a_pair_twice_counts_twice(triples):
    at = point(triples, 4)
    once = evaluate(Problem(triples, kernels.all_threshold, 1e-300, ("U",)), at)
    chosen = np.repeat(np.arange(len(triples)), 2)
    twice = evaluate(Problem(triples.subset(chosen), kernels.all_threshold, 1e-300, ("U",)), at)
    assert twice[0] == pytest.approx(2 * once[0])
    assert np.allclose(twice[1].U, 2 * once[1].U)


def test_the_ridge_grows_with_the_ratings_of_a_row(triples):
    at = point(triples, 4)
    counts = [np.diff(starts) for starts in (triples.user_starts, triples.item_starts)]
    free = ("U", "V", "thresholds")
    loss, _ = evaluate(Problem(triples, kernels.all_threshold, 0.0, free), at)
    found, slopes = evaluate(Problem(triples, kernels.all_threshold, 0.3, free, ridge_power=0.5), at)
    norms = [np.sqrt(n) @ (part**2).sum(axis=1) for n, part in zip(counts, at[:2], strict=True)]
    assert found == pytest.approx(loss + 0.15 * sum(norms))
    _, same = evaluate(Problem(triples, kernels.all_threshold, 0.3, free), at)
    assert np.allclose(slopes.V - same.V, 0.3 * (np.sqrt(counts[1]) - 1)[:, None] * at.V)


def test_with_biases_the_objective_is_that_of_factors_and_biases(triples):
    at = point(triples, 5)
    at.U[:, -1], at.V[:, -2] = 1, 1
    U, b, V, c = at.U[:, :-2], at.U[:, -2], at.V[:, :-2], at.V[:, -1]
    users, items = triples.user_column(), triples.items
    scores = (U[users] * V[items]).sum(axis=1) + b[users] + c[items]
    squares = 0.5 * ((scores - at.thresholds[users, triples.levels]) ** 2).sum()
    norms = sum((part**2).sum() for part in (U, V, b, c))
    found, _ = evaluate(Problem(triples, kernels.squares, 0.3, ("U", "V"), biases=True), at)
    assert found == pytest.approx(squares + 0.15 * norms)
