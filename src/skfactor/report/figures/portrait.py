"""A data set at a glance: how frequent its labels (or levels) are, and how many a row has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from skfactor._validation import FloatArray
from skfactor.report.figures.style import COLOURS, canvas, spread, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def frequencies(counts: FloatArray) -> Figure:
    """Draw how many rows each label has, the most frequent first.

    Parameters
    ----------
    counts : ndarray of shape (n_labels,)

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = canvas(4.6, 2.4)
    falling = np.sort(counts)[::-1]
    place = np.arange(1, len(counts) + 1)
    axes.fill_between(place, falling, step="mid", color=COLOURS["first"], alpha=0.35, linewidth=0)
    axes.step(place, falling, where="mid", color=COLOURS["first"], linewidth=1.5)
    axes.set(
        yscale="symlog" if spread(counts) == "log" else "linear",
        ylim=(0, None),
        xlabel="labels, most frequent first",
        ylabel="rows",
    )
    axes.grid(axis="y")
    return figure


@styled()
def bars(names: Sequence[str], heights: Sequence[float], xlabel: str, ylabel: str = "rows") -> Figure:
    """Draw one bar for each name.

    Parameters
    ----------
    names : sequence of str
    heights : sequence of float
    xlabel, ylabel : str

    Returns
    -------
    matplotlib.figure.Figure
    """
    figure, axes = canvas(4.6, 2.4)
    place = np.arange(len(names))
    axes.bar(place, heights, color=COLOURS["first"], width=0.8)
    step = max(1, len(names) // 12)
    axes.set_xticks(place[::step], list(names)[::step])
    axes.set(xlabel=xlabel, ylabel=ylabel)
    axes.grid(axis="y")
    return figure
