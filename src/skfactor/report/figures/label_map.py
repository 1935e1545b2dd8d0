"""Labels as points of a plane: those that the model treats alike lie close together."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from skfactor._validation import FloatArray
from skfactor.report.figures.naming import name_points
from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure


@styled()
def label_map(places: FloatArray, counts: FloatArray, names: Sequence[str]) -> Figure:
    """Draw labels, larger if frequent; the frequent ones get their names as far as there is room.

    Parameters
    ----------
    places : ndarray of shape (n_labels, 2)
    counts : ndarray of shape (n_labels,)
    names : sequence of str

    Returns
    -------
    matplotlib.figure.Figure
        Its points have the gid "labels".
    """
    figure, axes = canvas(4.6, 4.4)
    share = counts / max(counts.max(), 1)
    x, y = places.T
    points = axes.scatter(
        x, y, s=10 + 110 * share, color=COLOURS["first"], alpha=0.6, edgecolor=COLOURS["paper"], linewidth=0.5
    )
    points.set_gid("labels")
    axes.axis("off")
    axes.margins(x=0.15, y=0.06)
    order = np.argsort(-counts, kind="stable")[:60]
    name_points(axes, [names[place] for place in order], x[order].tolist(), y[order].tolist(), fontsize=8)
    return figure


def layout(vectors: FloatArray) -> FloatArray:
    """Places in a plane (L x 2) for vectors (L x r), so that those of like direction are neighbours.

    t-SNE of the cosines; for few labels, their two principal components.
    """
    from sklearn.decomposition import PCA
    from sklearn.manifold import TSNE

    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit = vectors / np.where(length > 0, length, 1)
    L = len(unit)
    if L < 15 or unit.shape[1] < 2:
        padded = np.pad(unit, ((0, 0), (0, max(0, 2 - unit.shape[1]))))
        return np.asarray(PCA(min(2, L)).fit_transform(padded))
    small = PCA(min(30, L, unit.shape[1]), random_state=0).fit_transform(unit)
    # Of some hundred points, exact gradients are quicker than those by trees, and need no threads.
    tsne = TSNE(perplexity=min(20, (L - 1) / 3), init="pca", random_state=0, method="exact")
    return np.asarray(tsne.fit_transform(small))
