import sys

from skfactor.report.figures.style import COLOURS, canvas


def test_a_canvas_has_axes_and_no_pyplot():
    figure, axes = canvas(4, 3)
    axes.plot([1, 2], [3, 4])
    assert figure.axes == [axes]
    assert tuple(figure.get_size_inches()) == (4, 3)
    assert "matplotlib.pyplot" not in sys.modules or not sys.modules["matplotlib.pyplot"].get_fignums()


def test_colours_differ_so_that_each_can_be_replaced():
    assert len(set(COLOURS.values())) == len(COLOURS)
