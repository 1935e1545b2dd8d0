"""Which codes the groups of labels use: the decoder of GroPLE, group by group."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from skfactor._validation import FloatArray, IntArray
from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

#: With no more labels than that, each is named.
NAMED = 40


def label_groups(model: Any) -> Figure:
    """Draw the decoder, labels sorted by group: a code that a group does not use is an empty row of its block.

    Parameters
    ----------
    model : GroPLE
        Fitted.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import GroPLE
    >>> from skfactor.report.figures.label_groups import label_groups
    >>> data = make_multilabel(n_samples=300, n_features=20, n_labels=8, random_state=0)
    >>> model = GroPLE(n_components=6, n_groups=3).fit(data.X, data.Y)
    >>> label_groups(model).savefig("groups.png")  # doctest: +SKIP
    """
    V, groups = model.factors_.decoder, model.label_groups_
    by_group = np.argsort(groups, kind="stable")
    codes = order_of_codes(V, groups)
    few = len(groups) <= NAMED
    figure, axes = canvas(min(9.0, 3.0 + 0.1 * len(groups)), min(7.0, 1.8 + 0.06 * len(V)) + 0.8 * few)
    with styled():
        _shade(axes, V[codes][:, by_group])
        _separate(axes, np.bincount(groups))
        axes.set_ylabel(f"{len(V)} codes")
        if few:
            names = [str(name) for name in model.classes_[by_group]]
            axes.set_xticks(range(len(names)), names, rotation=90, fontsize=7)
        else:
            axes.set_xticks([])
            axes.set_xlabel(f"{len(groups)} labels")
    return figure


def order_of_codes(V: FloatArray, groups: IntArray) -> IntArray:
    """Codes by the group that they weigh most in, then by how much: so that blocks catch the eye."""
    member = np.eye(int(groups.max()) + 1)[groups]
    lengths = np.sqrt(np.square(V) @ member / np.maximum(member.sum(axis=0), 1))
    return np.lexsort((-lengths.max(axis=1), lengths.argmax(axis=1)))


def _shade(axes: Axes, V: FloatArray) -> None:
    """Size of the entries, each row in the unit of its largest so that weak codes show; zeros stay empty."""
    from matplotlib.colors import LinearSegmentedColormap

    size = np.abs(V)
    unit = np.maximum(size.max(axis=1, keepdims=True), np.finfo(float).tiny)
    shades = LinearSegmentedColormap.from_list("ink", ["#c9def0", COLOURS["first"], COLOURS["ink"]])
    axes.imshow(
        np.ma.masked_equal(np.sqrt(size / unit), 0.0),
        aspect="auto",
        cmap=shades,
        vmin=0,
        vmax=1,
        interpolation="nearest",
    )
    axes.set_yticks([])


def _separate(axes: Axes, sizes: IntArray) -> None:
    """A line between two groups, and above each its number of labels."""
    edges = np.concatenate([[0], np.cumsum(sizes)]) - 0.5
    for edge in edges[1:-1]:
        axes.axvline(edge, color=COLOURS["second"], linewidth=0.8)
    middles = [(first + last) / 2 for first, last in pairwise(edges)]
    above = axes.secondary_xaxis("top")
    above.set_xticks(middles, [str(size) for size in sizes], fontsize=8)
    above.set_xlabel("labels in the group")
    above.tick_params(length=0)
    above.spines["top"].set_visible(False)
