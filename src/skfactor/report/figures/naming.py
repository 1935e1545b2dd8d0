"""Names beside points, as many as do not cover each other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Offsets in points at which a name is tried, and how it is aligned there.
_PLACES: list[tuple[int, int, str]] = [(6, -3, "left"), (-6, -3, "right"), (0, 6, "center"), (0, -12, "center")]


def name_points(
    axes: Axes, names: Sequence[str], x: Sequence[float], y: Sequence[float], fontsize: float = 8.5
) -> int:
    """Write names beside points, first ones first, where there is room; how many found room.

    Parameters
    ----------
    axes : Axes
        Its limits must not change afterwards.
    names : sequence of str
    x, y : sequence of float
        The points, in data coordinates.
    fontsize : float

    Returns
    -------
    int
    """
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.transforms import Bbox

    figure: Any = axes.figure
    canvas: Any = FigureCanvasAgg(figure)
    renderer = canvas.get_renderer()
    figure.draw_without_rendering()
    frame = axes.get_window_extent(renderer)
    taken = [
        Bbox.from_extents(*(place - 3), *(place + 3))
        for place in axes.transData.transform([*zip(x, y, strict=True)])
    ]
    points = len(taken)
    for name, one, other in zip(names, x, y, strict=True):
        for across, up, side in _PLACES:
            text = axes.annotate(
                name, (one, other), (across, up), textcoords="offset points", ha=side, fontsize=fontsize
            )
            text.set_in_layout(False)
            box = text.get_window_extent(renderer)
            inside = frame.x0 <= box.x0 and box.x1 <= frame.x1 and frame.y0 <= box.y0 and box.y1 <= frame.y1
            if inside and not any(box.overlaps(earlier) for earlier in taken):
                taken.append(box)
                break
            text.remove()
    return len(taken) - points
