import numpy as np
import pytest

from skfactor.metrics import list_length_curve
from skfactor.report.figures.list_length import draw_list_length


@pytest.fixture
def runs():
    rng = np.random.default_rng(0)
    return [list_length_curve(rng.random((20, 6)) < 0.4, rng.random((20, 6))) for _ in range(3)]


def test_means_are_drawn_and_the_best_f1_marked(runs):
    figure = draw_list_length({"several": runs, "one": runs[0]})
    f1 = figure.axes[2]
    mean = np.mean([run.f1 for run in runs], axis=0)
    lines = f1.get_lines()
    np.testing.assert_allclose(lines[0].get_ydata(), mean)
    assert lines[1].get_xdata()[0] == mean.argmax() + 1
    np.testing.assert_allclose(lines[2].get_ydata(), runs[0].f1)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["several", "one"]


def test_one_curve_needs_no_legend_and_a_picture_comes_out(runs, tmp_path):
    figure = draw_list_length({"one": runs[0]})
    assert not figure.legends
    figure.savefig(tmp_path / "curve.png")
    assert (tmp_path / "curve.png").stat().st_size > 1000
