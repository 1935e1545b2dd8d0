"""Why MLC-HMF predicts what it does: which nodes voted, by which neighbours, for which labels."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from skfactor._validation import FloatArray, IntArray, Matrix
from skfactor.multilabel.mlc_hmf_tree import Tree
from skfactor.multilabel.mlc_hmf_votes import VoteScorer
from skfactor.multilabel.targets import Names


@dataclass(frozen=True)
class Vote:
    """What one node has to say of a row.

    Attributes
    ----------
    node : int
        Its number in `tree_.nodes`.
    depth : int
    neighbours : ndarray of int
        The rows of `fit` that it keeps and that are among the nearest: it has a vote for each.
    distances : ndarray of shape (n_neighbours,)
        In the features as the tree sees them.
    labels : list
        Names of the labels that it votes for.
    outputs : ndarray of shape (n_labels,)
        What it says of all labels, in the order of `classes_`; a label is voted for above 0.
    """

    node: int
    depth: int
    neighbours: IntArray
    distances: FloatArray
    labels: list[object]
    outputs: FloatArray


@dataclass(frozen=True)
class Explanation:
    """The votes on a row, those with most neighbours first; printed, a line for each."""

    votes: list[Vote]

    def __str__(self) -> str:
        lines = []
        for vote in self.votes:
            rows = ", ".join(map(str, vote.neighbours))
            said = ", ".join(map(str, vote.labels)) or "no label"
            many = f"{len(vote.neighbours)} vote{'s' if len(vote.neighbours) > 1 else ''}"
            lines.append(f"node {vote.node} (depth {vote.depth}), {many} by rows {rows}: {said}")
        return "\n".join(lines)


def explain(scorer: VoteScorer, tree: Tree, names: Names, X: Matrix) -> list[Explanation]:
    """The votes on each row of X."""
    X = scorer.frame.of(X)
    rows = np.concatenate([node.kept for node in tree.voters])
    return [
        _explained(scorer, tree, names, X[[i]], distances, nearest, rows)
        for i, (distances, nearest) in enumerate(zip(*scorer.neighbours(X), strict=True))
    ]


def _explained(
    scorer: VoteScorer,
    tree: Tree,
    names: Names,
    x: Matrix,
    distances: FloatArray,
    nearest: IntArray,
    rows: IntArray,
) -> Explanation:
    votes = []
    for place in np.unique(scorer.place[nearest]):
        mine = scorer.place[nearest] == place
        outputs = scorer.embeddings[place].outputs(x)[0]
        node = tree.voters[place]
        votes.append(
            Vote(
                node.number, node.depth, rows[nearest[mine]], distances[mine], names[outputs > 0].tolist(), outputs
            )
        )
    return Explanation(sorted(votes, key=lambda vote: -len(vote.neighbours)))
