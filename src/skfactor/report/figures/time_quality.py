"""What a method costs and what it gives."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from skfactor.report.figures.naming import name_points
from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

#: From so many decades on, powers of ten are ticks enough.
WIDE = 2.5


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
    _plain_ticks(axes.xaxis, decades=math.log10(12 * high / low))
    axes.margins(y=0.15)
    axes.grid(visible=True)
    name_points(axes, names, seconds, values)
    return figure


def _plain_ticks(axis: Axis, decades: float) -> None:
    """Ticks of a logarithmic axis as people say seconds: .5, 1, 2, rather than products of powers."""
    from matplotlib.ticker import LogLocator, NullFormatter, StrMethodFormatter

    axis.set_major_locator(LogLocator(subs=(1.0,) if decades > WIDE else (1.0, 2.0, 5.0)))
    axis.set_major_formatter(StrMethodFormatter("{x:g}"))
    axis.set_minor_formatter(NullFormatter())
