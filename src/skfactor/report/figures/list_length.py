"""Precision, recall and F1 over the number of labels returned, a line per method."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from skfactor.metrics import ListLengthCurve
from skfactor.report.figures.style import COLOURS, SERIES, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MEASURES = ("precision", "recall", "f1")
TITLES = {"precision": "Precision", "recall": "Recall", "f1": "F1"}


def draw_list_length(curves: Mapping[str, ListLengthCurve | Sequence[ListLengthCurve]]) -> Figure:
    """Draw curves of `skfactor.metrics.list_length_curve`; the best F1 of each is marked.

    Parameters
    ----------
    curves : dict of name to curve, or to several curves of the same lengths
        Of several, for instance of random splits, the mean is drawn, with a band of one standard deviation.

    Returns
    -------
    matplotlib.figure.Figure
        Three panels, as in the paper of CNMF.

    Examples
    --------
    >>> from skfactor.metrics import list_length_curve
    >>> from skfactor.report.figures.list_length import draw_list_length
    >>> curve = list_length_curve([[1, 0, 1], [0, 1, 0]], [[0.9, 0.5, 0.1], [0.2, 0.6, 0.4]])
    >>> figure = draw_list_length({"my ranking": curve})
    >>> [axes.get_title() for axes in figure.axes]
    ['Precision', 'Recall', 'F1']
    """
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(9.0, 3.1), layout="constrained")
        panels = figure.subplots(1, len(MEASURES))
        for axes, measure in zip(panels, MEASURES, strict=True):
            axes.set(title=TITLES[measure], xlabel="labels returned")
            axes.grid(color=COLOURS["grid"], linewidth=0.6)
            for (name, several), colour in zip(curves.items(), _colours(len(curves)), strict=True):
                runs = [several] if isinstance(several, ListLengthCurve) else list(several)
                values = np.array([getattr(run, measure) for run in runs])
                length, mean, spread = runs[0].length, values.mean(axis=0), values.std(axis=0)
                axes.plot(length, mean, color=colour, linewidth=1.6, label=name)
                axes.fill_between(length, mean - spread, mean + spread, color=colour, alpha=0.15, linewidth=0)
                if measure == "f1":
                    axes.plot(length[mean.argmax()], mean.max(), "o", color=colour, markersize=4.5)
            axes.set_ylim(bottom=0)
        handles, names = panels[-1].get_legend_handles_labels()
        if len(curves) > 1:
            figure.legend(handles, names, loc="outside lower center", ncols=len(names))
        return figure


def _colours(count: int) -> list[str]:
    return [SERIES[place % len(SERIES)] for place in range(count)]
