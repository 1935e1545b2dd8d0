"""Time against quality: ticks of the seconds can be read, whatever they span."""

from itertools import pairwise

import pytest

from skfactor.report.figures.time_quality import time_quality


@pytest.mark.parametrize("seconds", [(0.4, 0.8, 1.4), (0.05, 0.06, 0.5), (0.01, 3.0, 2000.0), (2.0, 2.0, 2.0)])
def test_ticks_of_seconds_are_plain_and_apart(seconds):
    figure = time_quality(["one", "two", "three"], seconds, [0.1, 0.2, 0.3], "micro_f1")
    figure.canvas.draw()
    axis = figure.axes[0].xaxis
    low, high = figure.axes[0].get_xlim()
    shown = [label for label in axis.get_ticklabels() if low <= label.get_position()[0] <= high]
    assert len(shown) >= 2
    assert [float(label.get_text()) for label in shown] == pytest.approx([x.get_position()[0] for x in shown])
    boxes = [label.get_window_extent() for label in shown]
    assert all(left.x1 < right.x0 for left, right in pairwise(boxes))
    assert not any(label.get_text() for label in axis.get_ticklabels(minor=True))
