"""What a method costs and what it gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from skfactor.report.figures.naming import name_points
from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def time_quality(names: Sequence[str], seconds: Sequence[float], values: Sequence[float], metric: str) -> Figure:
    """Draw seconds of a fit (on a logarithmic scale) against a metric.

    Parameters
    ----------
    names : sequence of str
    seconds, values : sequence of float
    metric : str

    Returns
    -------
    matplotlib.figure.Figure
        Its points have the gid "methods".
    """
    figure, axes = canvas()
    points = axes.scatter(seconds, values, s=36, color=COLOURS["first"])
    points.set_gid("methods")
    low, high = max(min(seconds), 1e-4), max(max(seconds), 1e-4)
    axes.set(xscale="log", xlim=(low / 2, high * 6), xlabel="seconds of a fit", ylabel=metric)
    axes.margins(y=0.15)
    axes.grid(visible=True)
    name_points(axes, names, seconds, values)
    return figure
