import numpy as np
import pytest

from skfactor.model_selection.profiles import Profile
from skfactor.report.figures.search import search_profile


def test_a_curve_rings_its_best_point():
    mean = np.array([0.5, 0.7, 0.6])
    figure = search_profile(Profile(("ridge",), ([0.01, 0.1, 10.0],), mean, np.full(3, 0.1), "micro_f1"))
    (axes,) = figure.axes
    curve, ring = axes.get_lines()
    np.testing.assert_allclose(curve.get_ydata(), mean)
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (0.1, 0.7)
    assert (axes.get_xlabel(), axes.get_ylabel(), axes.get_xscale()) == ("ridge", "micro_f1", "log")


def test_a_map_has_a_number_in_every_cell_that_was_tried(tmp_path):
    mean = np.array([[0.5, np.nan], [0.6, 0.7]])
    figure = search_profile(Profile(("ridge", "n_components"), ([0.1, 1.0], [2, None]), mean, mean, "f1"))
    axes = figure.axes[0]
    assert sorted(text.get_text() for text in axes.texts) == [".500", ".600", ".700"]
    (ring,) = axes.get_lines()
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (1, 1)
    assert [label.get_text() for label in axes.get_xticklabels()] == ["2", "None"]
    figure.savefig(tmp_path / "map.png")
    assert (tmp_path / "map.png").stat().st_size > 1000


@pytest.mark.parametrize("values", [["std", "auto"], [True, False]])
def test_values_that_are_no_numbers_are_named(values):
    figure = search_profile(Profile(("scale",), (values,), np.array([0.1, 0.2]), np.full(2, np.nan), "f1"))
    assert [label.get_text() for label in figure.axes[0].get_xticklabels()] == [str(value) for value in values]
