"""The tree of MLC-HMF: how many rows come to each node, and how many of them it keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skfactor.report.figures.style import COLOURS, canvas, styled

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from skfactor.multilabel.mlc_hmf_tree import Tree

#: Share of all rows that a letter takes: a box is written on where the text has room.
LETTER = 0.009
#: Height of a box; levels are 1 apart.
HEIGHT = 0.8
FILLED = {"kept": COLOURS["first"], "passed on": COLOURS["grid"], "residue": COLOURS["second"]}


def draw_label_tree(tree: Tree) -> Figure:
    """Draw a level of boxes for each depth, as wide as the rows that come there.

    A box stands under the rows that its parent passed on. Of its own rows it keeps the blue ones, passes the grey
    ones on, and lets go of the orange ones, which nothing was learned for.

    Parameters
    ----------
    tree : Tree
        `tree_` of a fitted `MLCHMF`.

    Returns
    -------
    matplotlib.figure.Figure

    Examples
    --------
    >>> from skfactor.datasets import make_multilabel
    >>> from skfactor.multilabel import MLCHMF
    >>> from skfactor.report.figures.label_tree import draw_label_tree
    >>> data = make_multilabel(n_samples=200, n_features=10, n_labels=6, random_state=0)
    >>> figure = draw_label_tree(MLCHMF().fit(data.X, data.Y).tree_)
    >>> figure.axes[0].get_xlabel()
    'training rows'
    """
    depth = max(node.depth for node in tree.nodes)
    figure, axes = canvas(7.5, 1.2 + 0.62 * (depth + 1))
    total = sum(node.n_rows for node in tree.nodes if node.parent < 0)
    left: dict[int, float] = {-1: 0.0}  # where the next child of a node begins
    with styled():
        for node in tree.nodes:
            x, kept = left[node.parent], len(node.kept)
            left[node.parent] += node.n_rows
            left[node.number] = x + kept
            rest = "passed on" if any(child.parent == node.number for child in tree.nodes) else "residue"
            _box(axes, x, node.depth, kept, "kept")
            _box(axes, x + kept, node.depth, node.n_rows - kept, rest)
            text = f"{node.number}: {kept}/{node.n_rows}"
            if node.n_rows > LETTER * len(text) * total:
                _write(axes, x + node.n_rows / 2, node.depth, text)
        _finish(axes, tree, total)
        return figure


def _box(axes: Axes, x: float, depth: int, width: float, kind: str) -> None:
    if width:
        shape: dict[str, Any] = {"edgecolor": COLOURS["paper"], "linewidth": 0.6}
        axes.barh(depth, width, left=x, height=HEIGHT, color=FILLED[kind], label=kind, **shape)


def _write(axes: Axes, x: float, depth: int, text: str) -> None:
    background = {"facecolor": COLOURS["paper"], "edgecolor": "none", "pad": 1.2, "alpha": 0.85}
    axes.text(x, depth, text, ha="center", va="center", fontsize=7.5, bbox=background)


def _finish(axes: Axes, tree: Tree, total: int) -> None:
    axes.set(xlim=(0, total), xlabel="training rows", ylabel="depth")
    levels = sorted({node.depth for node in tree.nodes})
    axes.set_yticks(levels, [str(level) for level in levels])
    axes.invert_yaxis()
    axes.spines["left"].set_visible(False)
    axes.tick_params(axis="y", length=0)
    handles = dict(zip(*reversed(axes.get_legend_handles_labels()), strict=True))
    shown = [kind for kind in FILLED if kind in handles]
    axes.legend([handles[kind] for kind in shown], shown, loc="lower right", bbox_to_anchor=(1, 1), ncols=3)
    axes.set_title(
        f"{len(tree.voters)} nodes keep {total - len(tree.residue)} of {total} rows", loc="left", fontsize=9
    )
