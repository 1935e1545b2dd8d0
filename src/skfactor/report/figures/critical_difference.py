"""The critical-difference diagram: average ranks, and which of them do not differ."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from skfactor.experiments.statistics import Comparison
from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


@styled()
def critical_difference(comparison: Comparison) -> Figure:
    """Draw average ranks on a line, the best at the left; a bar joins methods that do not differ critically.

    Parameters
    ----------
    comparison : Comparison

    Returns
    -------
    matplotlib.figure.Figure
    """
    order = np.argsort(comparison.ranks, kind="stable")
    names = [comparison.methods[place] for place in order]
    ranks, k = comparison.ranks[order], len(order)
    bars = comparison.cliques()
    rows = (k + 1) // 2
    top = 1 + 0.35 * len(bars)
    figure, axes = canvas(4.6, 0.9 + 0.27 * (rows + top))
    axes.set(xlim=(1 - 0.75 * k**0.9 / 2, k + 0.75 * k**0.9 / 2), ylim=(-rows - top, 2.2))
    axes.axis("off")
    _ruler(axes, k, comparison.difference)
    for height, (low, high) in enumerate(bars):
        y = -0.55 - 0.35 * height
        axes.plot([low - 0.05, high + 0.05], [y, y], color=COLOURS["second"], linewidth=3, solid_capstyle="round")
    for place, (name, rank) in enumerate(zip(names, ranks, strict=True)):
        left = place < rows
        line = place if left else k - 1 - place
        _method(axes, name, float(rank), -top - line, left=left)
    return figure


def _ruler(axes: Axes, k: int, difference: float) -> None:
    """The line of ranks, and the length of a critical difference above it."""
    axes.plot([1, k], [0, 0], color=COLOURS["ink"], linewidth=1)
    for rank in range(1, k + 1):
        axes.plot([rank, rank], [0, 0.2], color=COLOURS["ink"], linewidth=1)
        axes.annotate(str(rank), (rank, 0.3), ha="center", va="bottom", fontsize=9)
    end = min(1 + difference, k)
    axes.plot([1, end], [1.5, 1.5], color=COLOURS["muted"], linewidth=1.5, marker="|")
    axes.annotate(f"critical difference {difference:.2f}", (1, 1.65), ha="left", va="bottom", fontsize=9)


def _method(axes: Axes, name: str, rank: float, y: float, *, left: bool) -> None:
    """A line from the rank down and out to the name."""
    low, high = axes.get_xlim()
    k_end = low + (high - low) * (0.22 if left else 0.78)
    axes.plot([rank, rank, k_end], [0, y, y], color=COLOURS["first"], linewidth=1)
    side: Any = {"ha": "right", "xytext": (-3, 0)} if left else {"ha": "left", "xytext": (3, 0)}
    text = f"{name}  {rank:.2f}" if left else f"{rank:.2f}  {name}"
    axes.annotate(text, (k_end, y), va="center", fontsize=9, textcoords="offset points", **side)
