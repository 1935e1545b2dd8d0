"""How pictures look: paper to draw on, and colours that the report replaces in dark mode."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Colours by what they are for. They are told apart by people who do not see red or green, too; the report
#: replaces each by a variable of the same name, which has another value in dark mode.
COLOURS = {
    "ink": "#1c2430",
    "muted": "#6a7484",
    "grid": "#d5dae2",
    "paper": "#fefefe",
    "first": "#1f6fb4",
    "second": "#d1581b",
    "third": "#2a8c5f",
    "fourth": "#8e5bb5",
    "fifth": "#b08a00",
    "sixth": "#c2477f",
}
#: Colours of one series after another.
SERIES = [COLOURS[name] for name in ("first", "second", "third", "fourth", "fifth", "sixth")]
_STYLE: Any = {
    "font.family": "sans-serif",
    "font.size": 10,
    "axes.titlesize": 10,
    "axes.edgecolor": COLOURS["muted"],
    "axes.labelcolor": COLOURS["ink"],
    "axes.facecolor": "none",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "figure.facecolor": "none",
    "grid.color": COLOURS["grid"],
    "legend.frameon": False,
    "legend.fontsize": 9,
    "svg.fonttype": "none",
    "svg.hashsalt": "skfactor",
    "text.color": COLOURS["ink"],
    "xtick.color": COLOURS["muted"],
    "xtick.labelcolor": COLOURS["ink"],
    "ytick.color": COLOURS["muted"],
    "ytick.labelcolor": COLOURS["ink"],
}


@contextmanager
def styled() -> Iterator[None]:
    """Draw and save in the style of the report; as a decorator, all that a function draws.

    Colours and fonts are read when a line or a text is made, so that the function as a whole has to be in style.
    """
    import matplotlib as mpl

    with mpl.rc_context(_STYLE):
        yield


def canvas(width: float = 4.6, height: float = 3.2) -> tuple[Figure, Axes]:
    """A figure with one pair of axes, small enough that its text can be read on a phone.

    No figure is registered with pyplot: nothing has to be closed, and no screen is needed.

    Parameters
    ----------
    width, height : float
        In inches.

    Returns
    -------
    figure : matplotlib.figure.Figure
    axes : matplotlib.axes.Axes
    """
    from matplotlib.figure import Figure

    with styled():
        figure = Figure(figsize=(width, height), layout="constrained")
        return figure, figure.subplots()


def spread(values: Any) -> str:
    """Which scale an axis needs for positive values: "log" if they are of different magnitudes, else "linear".

    >>> spread([1, 5, 200]), spread([100, 150])
    ('log', 'linear')
    """
    return "log" if max(values) > 10 * max(min(values), 1e-9) else "linear"
