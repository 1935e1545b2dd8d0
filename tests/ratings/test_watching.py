import numpy as np

from skfactor.ratings.problem import Point
from skfactor.ratings.watching import Watch

HERE = Point(np.zeros((1, 1)), np.zeros((1, 1)), np.zeros((1, 1)))


def test_patience_counts_iterations_without_a_lower_error():
    errors = iter([5.0, 3.0, 4.0, 3.0, 6.0, 1.0])
    points = [HERE._replace(U=np.full((1, 1), n)) for n in range(6)]
    watch = Watch("model", measure=lambda point: next(errors), patience=3)
    stops = [watch(n, 0.0, point) for n, point in enumerate(points[:5])]
    assert stops == [False, False, False, False, True]
    assert watch.best is points[3]  # of equal errors the later: it fits the rest better


def test_a_callback_that_returns_nothing_stops_nothing():
    assert not Watch("model", callback=lambda progress: None)(1, 0.0, HERE)
    assert Watch("model", callback=lambda progress: True)(1, 0.0, HERE)
