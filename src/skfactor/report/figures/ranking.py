"""Methods in their order, with the interval of each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def ranking(
    names: Sequence[str], means: Sequence[float], halves: Sequence[float], metric: str, baseline: str = ""
) -> Figure:
    """Draw a dot for each method, the first at the top, and its interval.

    Parameters
    ----------
    names : sequence of str
    means, halves : sequence of float
        Mean of each, and half the width of its interval; NaN if it has none.
    metric : str
        What the means are of.
    baseline : str
        A method whose mean is drawn as a line through all.

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = canvas(4.6, 1.0 + 0.3 * len(names))
    y = np.arange(len(names))
    error = np.nan_to_num(np.asarray(halves, dtype=float))
    axes.errorbar(means, y, xerr=error, fmt="o", color=COLOURS["first"], ecolor=COLOURS["muted"], capsize=3)
    if baseline in names:
        axes.axvline(means[list(names).index(baseline)], color=COLOURS["second"], linewidth=1, linestyle="--")
    axes.set_yticks(y, names)
    axes.set(ylim=(len(names) - 0.4, -0.6), xlabel=metric)
    axes.grid(axis="x")
    return figure
