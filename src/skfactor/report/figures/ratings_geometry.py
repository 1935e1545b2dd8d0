"""What a rating model with two factors has learned: items as points, users as lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from skfactor._validation import FloatArray
from skfactor.report.figures.style import COLOURS, SERIES, canvas, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: Length of an arrow, and distance of a label from its point, as shares of the picture's width; and how far out
#: an arrow stands, as a share of the way to the edge.
_ARROW, _LABEL, _EDGE = 0.05, 0.015, 0.85


def likes_and_dislikes(
    U: npt.ArrayLike,
    V: npt.ArrayLike,
    threshold: float = 0.0,
    *,
    users: Any = None,
    items: Any = None,
) -> Figure:
    """Draw a bi-level factorization: each user is a line, and likes what is on the side of its arrow.

    Parameters
    ----------
    U, V : array-like of shape (N, 2) and (M, 2)
        Factors, such as `U_` and `V_` of a `BMMMF` with n_components=2. A few users make a picture, many a mess.
    threshold : float
        The user's line is U_i . v = threshold.
    users, items : sequence, optional
        What to call them; by default U1, U2, ... and V1, V2, ...

    Returns
    -------
    figure : matplotlib.figure.Figure

    Examples
    --------
    >>> likes_and_dislikes([[1, 0.5], [-0.4, 1]], [[0.6, 0.2], [-1, 0.5], [0.1, -0.7]], threshold=0.1)
    <Figure size 520x520 with 1 Axes>
    """
    U, V = _plane(U, "U"), _plane(V, "V")
    figure, axes = canvas(5.2, 5.2)
    with styled():
        limit = _limit(V)
        for number, (normal, name) in enumerate(zip(U, _names(users, "U", len(U)), strict=True)):
            colour = SERIES[number % len(SERIES)]
            _line(axes, normal, threshold, limit, color=colour)
            _arrow(axes, normal, threshold, limit, colour, name)
        axes.scatter(V[:, 0], V[:, 1], s=22, color=COLOURS["ink"], zorder=3)
        for point, name in zip(V, _names(items, "V", len(V)), strict=True):
            axes.annotate(name, _pair(point + 2 * limit * _LABEL), fontsize=9)
        _frame(axes, limit, "A line is a user, a point is an item: liked on the side of the arrow")
    return figure


def levels_of_user(model: Any, user: Any, *, margins: bool = True) -> Figure:
    """Draw how the levels of one user lie in the plane of the items.

    Points are items: filled and in the colour of its level if the user rated it, else in a paler dot of the level
    that is predicted. Of a model with thresholds (`MMMF`, `BMMMF`), the lines are the thresholds, and the dotted
    ones 1 beside them the margins. Of a `PMMMF`, the lines are the planes that the levels gather at, and the
    dashed ones the boundaries between two levels.

    Parameters
    ----------
    model : MMMF, PMMMF or BMMMF
        Fitted, with n_components=2 and without biases.
    user : identifier
    margins : bool
        Whether to draw the dotted lines.

    Returns
    -------
    figure : matplotlib.figure.Figure

    Examples
    --------
    >>> from skfactor.datasets import make_ratings
    >>> from skfactor.ratings import MMMF
    >>> data, _ = make_ratings(n_users=30, n_items=40, random_state=0)
    >>> model = MMMF(n_components=2, ridge=0.5).fit(data.pairs, data.ratings)
    >>> levels_of_user(model, user=3)
    <Figure size 600x520 with 1 Axes>
    """
    U, V = _plane(model.U_, "U_"), _plane(model.V_, "V_")
    number = _number_of(model, user)
    normal, embedding = U[number], model.embedding_
    thresholds = np.asarray(embedding.thresholds_of(np.array([number])), dtype=np.float64)[0]
    planes = getattr(embedding, "planes", None)
    figure, axes = canvas(6.0, 5.2)
    with styled():
        limit = _limit(V)
        _items(axes, model, number, V)
        if planes is None:
            _thresholds(axes, normal, thresholds, limit, margins)
        else:
            _planes(axes, normal, np.asarray(planes, dtype=np.float64)[number], thresholds, limit)
        middle = min(thresholds[np.isfinite(thresholds)], key=abs, default=0.0)
        _arrow(axes, normal, middle, limit, COLOURS["ink"])
        figure.legend(loc="outside right upper", title="level")
        _frame(axes, limit, f"{type(model).__name__}: the levels of user {user}; the arrow points to better ones")
    return figure


def _items(axes: Axes, model: Any, number: int, V: FloatArray) -> None:
    """Dots of the items, rated ones on top."""
    triples = model._triples
    rated = triples.of_user(number)
    places = slice(*triples.user_starts[number : number + 2])
    level = model.embedding_.grid_index(np.array([number]), np.arange(len(V)))[0].astype(int)
    known = np.zeros(len(V), dtype=bool)
    known[rated] = True
    level[rated] = triples.levels[places]
    for index, value in enumerate(model.levels_):
        colour = SERIES[index % len(SERIES)]
        pale, full = V[~known & (level == index)], V[known & (level == index)]
        axes.scatter(pale[:, 0], pale[:, 1], s=6, color=colour, alpha=0.35, linewidth=0, zorder=2)
        axes.scatter(full[:, 0], full[:, 1], s=24, color=colour, label=f"{value:g}", zorder=4)


def _thresholds(axes: Axes, normal: FloatArray, thresholds: FloatArray, limit: float, margins: bool) -> None:
    for threshold in thresholds[np.isfinite(thresholds)]:
        _line(axes, normal, threshold, limit, color=COLOURS["ink"])
        for side in (-1, 1) if margins else ():
            _line(axes, normal, threshold + side, limit, color=COLOURS["muted"], linestyle=":", linewidth=0.7)


def _planes(axes: Axes, normal: FloatArray, planes: FloatArray, thresholds: FloatArray, limit: float) -> None:
    for index, plane in enumerate(planes):
        if np.isfinite(plane):
            _line(axes, normal, plane, limit, color=SERIES[index % len(SERIES)], linewidth=1.4)
    for threshold in np.unique(thresholds[np.isfinite(thresholds)]):
        _line(axes, normal, threshold, limit, color=COLOURS["muted"], linestyle="--", linewidth=0.8)


def _line(axes: Axes, normal: FloatArray, offset: float, limit: float, **style: Any) -> None:
    """The line normal . v = offset, long enough for the picture."""
    size = float(np.linalg.norm(normal))
    if size == 0:
        return  # a user without likes or dislikes has no line
    foot, along = normal * offset / size**2, np.array([-normal[1], normal[0]]) / size
    ends = np.array([foot - 4 * limit * along, foot + 4 * limit * along])
    axes.plot(*ends.T, **{"linewidth": 1.0, "zorder": 1, **style})


def _arrow(axes: Axes, normal: FloatArray, offset: float, limit: float, colour: str, name: str = "") -> None:
    """An arrow from the line to its positive side, near the edge of the picture, with a name at its tip."""
    size = float(np.linalg.norm(normal))
    if size == 0:
        return
    along = np.array([normal[1], -normal[0]]) / size
    foot = normal * offset / size**2
    room = np.sign(along) * _EDGE * limit - foot
    foot += along * min(space / step for space, step in zip(room, along, strict=True) if step)
    tip = foot + 2 * limit * _ARROW * normal / size
    look = {"arrowstyle": "-|>", "color": colour, "lw": 1.4}
    axes.annotate("", _pair(tip), _pair(foot), arrowprops=look, zorder=5)
    axes.annotate(name, _pair(tip + limit * _ARROW * normal / size), color=colour, ha="center", va="center")


def _frame(axes: Axes, limit: float, title: str) -> None:
    axes.set(xlim=(-limit, limit), ylim=(-limit, limit), title=title, aspect="equal")


def _limit(V: FloatArray) -> float:
    return 1.15 * float(np.abs(V).max())


def _pair(point: FloatArray) -> tuple[float, float]:
    return float(point[0]), float(point[1])


def _names(given: Any, letter: str, count: int) -> list[str]:
    names = range(1, count + 1) if given is None else given
    return [f"{letter}{name}" if given is None else str(name) for name in names]


def _plane(factors: Any, name: str) -> FloatArray:
    table = np.asarray(factors, dtype=np.float64)
    if table.ndim != 2 or table.shape[1] != 2:
        remedy = "fit with n_components=2, without biases."
        raise ValueError(f"{name} has shape {table.shape}, and a picture needs two columns: {remedy}")
    return table


def _number_of(model: Any, user: Any) -> int:
    found = np.flatnonzero(model.users_ == user)
    if not len(found):
        raise ValueError(f"The model does not know the user {user!r}.")
    return int(found[0])
