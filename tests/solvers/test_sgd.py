from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

from skfactor.solvers.sgd import descend, shuffled


@dataclass
class Quadratic:
    """Goes down (x - 3)^2 with a noisy gradient; diverges where rate > 1."""

    x: float
    rate: float

    def step(self, batch):
        loss = (self.x - 3) ** 2
        self.x -= 2 * self.rate * (self.x - 3 + batch)
        return loss

    def slow_down(self):
        self.rate /= 2


def batches():
    return np.random.default_rng(0).normal(scale=0.01, size=50)


def test_it_goes_down():
    learner = Quadratic(0.0, 0.1)
    history = descend(learner, batches, max_epochs=5)
    assert learner.x == pytest.approx(3, abs=0.05)
    assert [epoch.number for epoch in history] == [1, 2, 3, 4, 5]
    assert history[-1].loss < history[0].loss
    assert history[-1].recoveries == 0


@pytest.mark.parametrize("rate", [1.5, 30.0, 1e4])
def test_it_recovers_from_divergence_and_says_so(rate):
    learner = Quadratic(0.0, rate)
    with pytest.warns(ConvergenceWarning, match=r"diverged \d+ time"):
        history = descend(learner, batches, max_epochs=20)
    assert learner.x == pytest.approx(3, abs=0.2)
    assert history[-1].recoveries > 0


def test_it_gives_up_where_no_step_is_small_enough():
    class Hopeless(Quadratic):
        def step(self, batch):
            return float("nan")

    with pytest.raises(ValueError, match="even after they were halved 20 times"):
        descend(Hopeless(0.0, 1.0), batches, max_epochs=5)


def test_early_stopping_keeps_the_best_epoch():
    learner = Quadratic(0.0, 0.02)
    target = 1.5
    history = descend(
        learner, lambda: np.zeros(5), max_epochs=100, validate=lambda: abs(learner.x - target), patience=3
    )
    assert len(history) < 100
    best = min(epoch.validation for epoch in history)
    assert abs(learner.x - target) == pytest.approx(best)
    assert history[-4].validation == best


def test_the_callback_may_stop():
    seen = []

    def callback(epoch):
        seen.append(epoch.number)
        return epoch.number == 2

    assert len(descend(Quadratic(0.0, 0.1), batches, max_epochs=9, callback=callback)) == 2
    assert seen == [1, 2]


@given(n=st.integers(1, 300), size=st.integers(1, 100), seed=st.integers(0, 99))
@settings(max_examples=60, deadline=None)
def test_each_row_comes_once_in_each_epoch(n, size, seed):
    for rng in (None, np.random.RandomState(seed)):
        parts = shuffled(n, size, rng)
        assert sorted(np.concatenate(parts).tolist()) == list(range(n))
        assert all(len(part) == size for part in parts[:-1])


def test_orders_differ_between_epochs():
    rng = np.random.RandomState(0)
    first, second = (np.concatenate(shuffled(500, 64, rng)) for _ in range(2))
    assert not np.array_equal(first, second)
