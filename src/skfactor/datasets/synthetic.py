"""Data sets made at random, of which the truth is known."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import FloatArray, IntArray, Matrix, check_number
from skfactor.datasets.dataset import MultilabelData, RatingsData


def make_multilabel(
    n_samples: int = 200,
    n_features: int = 40,
    n_labels: int = 12,
    *,
    n_components: int = 4,
    n_groups: int = 3,
    cardinality: float = 2.0,
    noise: float = 0.1,
    sparse: bool = False,
    random_state: Any = None,
    return_groups: bool = False,
) -> MultilabelData | tuple[MultilabelData, IntArray]:
    """Make samples whose labels come in groups that occur together.

    Parameters
    ----------
    n_samples, n_features, n_labels : int
        The shapes of X and Y.
    n_components : int
        The rank of what features and labels have in common.
    n_groups : int
        The labels fall into so many groups of about the same size.
    cardinality : float
        Mean number of labels per sample. Every label is equally frequent.
    noise : float
        Standard deviation of what is added to features and to label scores, both of variance 1.
    sparse : bool
        Make X nonnegative and sparse, by keeping what exceeds 1: about every sixth entry.
    random_state : int, Generator or None
        Source of randomness.
    return_groups : bool
        Whether to return the group of each label, too.

    Returns
    -------
    data : MultilabelData
        X and Y.
    groups : ndarray of int, shape (n_labels,)
        Only if `return_groups`.

    Notes
    -----
    With factors Z of n samples, X = Z P + noise, and the scores of the labels are Z times one direction per
    group. A sample has the labels whose scores are among the highest `n_samples * cardinality / n_labels`.

    Examples
    --------
    >>> make_multilabel(random_state=0)
    MultilabelData('synthetic': 200 rows, 40 features (dense), 12 labels, 1.980 per row)
    """
    sizes = {"n_samples": n_samples, "n_features": n_features, "n_labels": n_labels, "n_components": n_components}
    for name, size in sizes.items():
        check_number(size, name, minimum=1, integer=True)
    check_number(n_groups, "n_groups", minimum=1, maximum=n_labels, integer=True)
    check_number(cardinality, "cardinality", above=0, maximum=n_labels)
    check_number(noise, "noise", minimum=0)
    random = np.random.default_rng(random_state)
    factors = random.standard_normal((n_samples, n_components))
    X = factors @ _unit_columns(random, n_components, n_features)
    X += noise * random.standard_normal(X.shape)
    groups = np.sort(np.arange(n_labels) % n_groups)
    scores = factors @ _unit_columns(random, n_components, n_groups)[:, groups]
    scores += noise * random.standard_normal(scores.shape)
    Y = _highest(scores, max(1, round(n_samples * cardinality / n_labels)))
    data = MultilabelData(_exceeding(X) if sparse else X, Y, name="synthetic")
    return (data, groups) if return_groups else data


def _unit_columns(random: np.random.Generator, rows: int, columns: int) -> FloatArray:
    directions = random.standard_normal((rows, columns))
    return np.asarray(directions / np.linalg.norm(directions, axis=0))


def _highest(scores: FloatArray, count: int) -> FloatArray:
    """Mark the `count` highest entries of each column."""
    marks = np.zeros_like(scores)
    np.put_along_axis(marks, np.argsort(-scores, axis=0)[:count], 1.0, axis=0)
    return marks


def _exceeding(X: FloatArray) -> Matrix:
    return sparse.csr_array(np.maximum(X - 1, 0))


def make_ratings(
    n_users: int = 100,
    n_items: int = 80,
    *,
    n_components: int = 4,
    n_levels: int = 5,
    density: float = 0.3,
    max_rounds: int = 100,
    random_state: Any = None,
) -> tuple[RatingsData, FloatArray]:
    """Make a complete table of levels that is near a low rank, and show a part of it.

    Parameters
    ----------
    n_users, n_items : int
        The shape of the table.
    n_components : int
        The rank d.
    n_levels : int
        The levels are 1, ..., R.
    density : float
        The share of the table that is shown.
    max_rounds : int
        Stop after so many rounds if the table still changes.
    random_state : int, Generator or None
        Source of randomness.

    Returns
    -------
    data : RatingsData
        The part that is shown, by users and items, which count from 0.
    levels : ndarray of shape (n_users, n_items)
        The complete table.

    Notes
    -----
    The generator of the papers: from random levels and random U, alternate least squares for V, then for U,
    and replace the table by the rounded product, clipped to the levels, until it no longer changes. U starts
    between 0 and 1: with a start around 0 its span would hardly contain the mean level, and the table would
    collapse to the lowest level.

    Examples
    --------
    >>> data, levels = make_ratings(n_users=20, n_items=10, random_state=0)
    >>> data
    RatingsData('synthetic': 60 ratings of 10 items by 19 users, levels 1 2 3 4 5)
    """
    for name, size in {"n_users": n_users, "n_items": n_items, "max_rounds": max_rounds}.items():
        check_number(size, name, minimum=1, integer=True)
    check_number(n_components, "n_components", minimum=1, maximum=min(n_users, n_items), integer=True)
    check_number(n_levels, "n_levels", minimum=2, integer=True)
    check_number(density, "density", above=0, maximum=1)
    random = np.random.default_rng(random_state)
    levels = random.integers(1, n_levels + 1, (n_users, n_items)).astype(np.float64)
    U = random.random((n_users, n_components))
    for _ in range(max_rounds):
        before = levels
        V = _least_squares(U, levels)
        levels = _to_levels(U @ V, n_levels)
        U = _least_squares(V.T, levels.T).T
        levels = _to_levels(U @ V, n_levels)
        if np.array_equal(levels, before):
            break
    count = max(1, round(density * levels.size))
    shown = np.sort(random.choice(levels.size, count, replace=False))
    pairs = np.column_stack(np.unravel_index(shown, levels.shape))
    scale = np.arange(1.0, n_levels + 1)
    return RatingsData(pairs, levels.ravel()[shown], levels=scale, name="synthetic"), levels


def _least_squares(factors: FloatArray, table: FloatArray) -> FloatArray:
    return np.asarray(np.linalg.lstsq(factors, table)[0])


def _to_levels(scores: FloatArray, n_levels: int) -> FloatArray:
    return np.clip(np.rint(scores), 1, n_levels)
