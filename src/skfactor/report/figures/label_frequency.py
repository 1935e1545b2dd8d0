"""How well labels are predicted, the rare ones and the frequent ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from skfactor._validation import FloatArray
from skfactor.report.figures.style import SERIES, canvas, spread, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

#: Points of the line of means.
PARTS = 8


@styled()
def label_frequency(counts: FloatArray, f1: Mapping[str, FloatArray]) -> Figure:
    """Draw F1 of each label against its number of rows, and the mean of neighbouring labels as a line.

    Parameters
    ----------
    counts : ndarray of shape (n_labels,)
        Rows that have the label.
    f1 : mapping of str to ndarray of shape (n_labels,)
        By method.

    Returns
    -------
    matplotlib.figure.Figure
        The points of each method have its name as gid.
    """
    figure, axes = canvas()
    for (method, values), colour, marker in zip(f1.items(), SERIES, "osD^v<", strict=False):
        points = axes.scatter(
            np.maximum(counts, 0.7), values, s=20, color=colour, alpha=0.6, linewidth=0, marker=marker
        )
        points.set_gid(method)
        points.set_label(method)
        if len(counts) >= 3 * PARTS:
            axes.plot(*trend(counts, values), color=colour, linewidth=2)
    axes.set(
        xscale=spread(np.maximum(counts, 0.7)),
        xlabel="rows with the label",
        ylabel="F1 of the label",
        ylim=(-0.04, 1.04),
    )
    axes.grid(visible=True)
    axes.legend(loc="upper left", bbox_to_anchor=(0, 1.14), ncols=3, borderpad=0)
    return figure


def trend(counts: FloatArray, values: FloatArray, parts: int = PARTS) -> tuple[FloatArray, FloatArray]:
    """Mean count (on a logarithmic scale) and mean value of up to `parts` groups of labels of like frequency.

    >>> trend(np.array([1.0, 100, 1, 100]), np.array([0.0, 1, 0.5, 1]), parts=2)
    (array([  1., 100.]), array([0.25, 1.  ]))
    """
    order = np.argsort(counts, kind="stable")
    groups = [group for group in np.array_split(order, min(parts, len(order))) if len(group)]
    logs = np.log(np.maximum(counts, 0.7))
    return np.exp([logs[group].mean() for group in groups]), np.array([values[group].mean() for group in groups])
