"""What other thresholds would have given."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from skfactor._validation import FloatArray
from skfactor.report.figures.style import COLOURS, SERIES, canvas, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def thresholds(shifts: FloatArray, curves: Mapping[str, FloatArray]) -> Figure:
    """Draw metrics against how far the threshold is moved from the calibrated one.

    Parameters
    ----------
    shifts : ndarray of shape (n,)
        0 is the calibrated threshold.
    curves : mapping of str to ndarray of shape (n,)

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = canvas()
    styles = ("-", "--", "-.", ":")
    for (name, values), colour, style in zip(curves.items(), SERIES, styles, strict=False):
        axes.plot(shifts, values, color=colour, linestyle=style, linewidth=2, label=name)
    axes.axvline(0, color=COLOURS["muted"], linewidth=1)
    axes.annotate(
        "calibrated", (0, 0.01), (-3, 0), textcoords="offset points", ha="right", rotation=90, fontsize=8.5
    )
    axes.set(xlabel="threshold, less the calibrated one", ylim=(0, 1.04))
    axes.grid(visible=True)
    axes.legend(
        loc="upper left", bbox_to_anchor=(-0.1, 1.15), ncols=4, borderpad=0, columnspacing=1, handlelength=1.6
    )
    return figure
