"""How the score of a search depends on one parameter, or on two: a curve, or a heat map."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from skfactor._validation import FloatArray


@dataclass(frozen=True)
class Profile:
    """Scores over the values of one or two parameters, each the best that the other parameters allow.

    Attributes
    ----------
    names : tuple of str
    values : tuple of lists
        The values of each parameter, in order.
    mean, sd : ndarray
        Of shape (n_values,), or (n_values of the first, n_values of the second); NaN where nothing was tried.
    metric : str
    """

    names: tuple[str, ...]
    values: tuple[list[Any], ...]
    mean: FloatArray
    sd: FloatArray
    metric: str

    def plot(self, ax: Any = None, *, ring: str = "C3") -> Any:
        """Draw a curve with a band of one standard deviation, or a heat map; the best is marked.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            A new figure by default.
        ring : str
            Colour of the mark of the best.

        Returns
        -------
        matplotlib Axes
        """
        if ax is None:
            import matplotlib.pyplot as plt

            ax = plt.subplots(layout="constrained")[1]
        (_draw_curve if len(self.names) == 1 else _draw_map)(self, ax, ring)
        return ax


def profile(results: Mapping[str, Any], names: Sequence[str], metric: str) -> Profile:
    """The profile of `cv_results_` over the parameters `names`."""
    points = results["params"]
    tried = {name: _ordered(point[name] for point in points if name in point) for name in _names(points)}
    if not names:
        names = sorted((name for name in tried if len(tried[name]) > 1), key=lambda name: -len(tried[name]))[:2]
    unknown = [name for name in names if name not in tried]
    if unknown or not 1 <= len(names) <= 2:
        raise ValueError(f"A profile is over one or two of {', '.join(tried)}; got {list(names)}.")
    values = tuple(tried[name] for name in names)
    means, deviations = results[f"mean_test_{metric}"], results[f"std_test_{metric}"]
    mean, sd = (np.full([len(one) for one in values], np.nan) for _ in range(2))
    for place, point in enumerate(points):
        if all(name in point for name in names):
            cell = tuple(one.index(point[name]) for one, name in zip(values, names, strict=True))
            if not means[place] <= mean[cell]:
                mean[cell], sd[cell] = means[place], deviations[place]
    return Profile(tuple(names), values, mean, sd, metric)


def _names(points: Sequence[Mapping[str, Any]]) -> list[str]:
    return list(dict.fromkeys(name for point in points for name in point))


def _ordered(values: Any) -> list[Any]:
    """Different values: numbers in order, others after them as they came."""
    different: list[Any] = []
    for value in values:
        if value not in different:
            different.append(value)
    return sorted(different, key=lambda value: (0, value) if _is_number(value) else (1, 0))


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def _draw_curve(profile: Profile, ax: Any, ring: str) -> None:
    values, best = profile.values[0], int(np.nanargmax(profile.mean))
    numbers = all(map(_is_number, values))
    places = np.array(values if numbers else range(len(values)), dtype=np.float64)
    sd = np.nan_to_num(profile.sd)
    ax.fill_between(places, profile.mean - sd, profile.mean + sd, alpha=0.2, linewidth=0)
    ax.plot(places, profile.mean, marker="o", markersize=4)
    ax.plot(places[best], profile.mean[best], marker="o", markersize=12, fillstyle="none", color=ring)
    if numbers and _spans_decades(places):
        ax.set_xscale("log")
    elif not numbers:
        ax.set_xticks(places, [_text(value) for value in values])
    ax.set(xlabel=profile.names[0], ylabel=profile.metric)


def _spans_decades(places: FloatArray) -> bool:
    return bool(places.min() > 0 and places.max() > 20 * places.min())


def _draw_map(profile: Profile, ax: Any, ring: str) -> None:
    image = ax.imshow(profile.mean, aspect="auto", origin="lower", cmap="Blues")
    for axis, values in zip((ax.yaxis, ax.xaxis), profile.values, strict=True):
        axis.set_ticks(range(len(values)), [_text(value) for value in values])
    row, column = np.unravel_index(np.nanargmax(profile.mean), profile.mean.shape)
    ax.plot(column, row, marker="s", markersize=20, fillstyle="none", color=ring)
    for (row, column), value in np.ndenumerate(profile.mean):
        if not np.isnan(value):
            colour = "white" if image.norm(value) > 0.6 else "black"
            ax.text(column, row, f"{value:.3f}".lstrip("0"), ha="center", va="center", fontsize=7, color=colour)
    ax.set(xlabel=profile.names[1], ylabel=profile.names[0])
    ax.figure.colorbar(image, ax=ax, label=profile.metric)


def _text(value: Any) -> str:
    return f"{value:.3g}" if _is_number(value) else str(value)
