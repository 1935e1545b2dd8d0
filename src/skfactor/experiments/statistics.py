"""What can be said of k methods on N data sets, as Demsar (2006) recommends.

J. Demsar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7, 2006. Intervals over folds:
C. Nadeau and Y. Bengio, "Inference for the generalization error", Machine Learning 52, 2003.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np
from scipy import stats

from skfactor._validation import FloatArray


@dataclass(frozen=True)
class Comparison:
    """Average ranks of methods, and whether they differ.

    Attributes
    ----------
    methods : list of str
    ranks : ndarray of shape (n_methods,)
        Average rank of each method; 1 is best.
    n : int
        Number of data sets.
    statistic : float
        F_F, the F form of the Friedman statistic. Infinite if all data sets rank alike.
    critical, p : float
        The value that `statistic` has to exceed, and its probability if all methods were alike.
    difference : float
        Nemenyi's critical difference of average ranks.
    alpha : float
        The level of both tests.
    """

    methods: list[str]
    ranks: FloatArray
    n: int
    statistic: float
    critical: float
    p: float
    difference: float
    alpha: float

    @property
    def differ(self) -> bool:
        """Whether the methods differ at all."""
        return self.statistic > self.critical

    def pairs(self) -> list[tuple[str, str, float, bool]]:
        """Each pair of methods, better one first: its difference of ranks, and whether that is critical."""
        order = np.argsort(self.ranks, kind="stable")
        gaps = [
            (self.methods[a], self.methods[b], self.ranks[b] - self.ranks[a]) for a, b in combinations(order, 2)
        ]
        return [(a, b, float(gap), bool(gap >= self.difference)) for a, b, gap in gaps]

    def cliques(self) -> list[tuple[float, float]]:
        """Ranges of ranks that do not differ critically, longest ones only: the bars of the diagram."""
        ranks = np.sort(self.ranks)
        ends = [(rank, ranks[ranks - rank < self.difference].max()) for rank in ranks]
        whole = [(a, b) for place, (a, b) in enumerate(ends) if a < b and not any(b <= d for _, d in ends[:place])]
        return [(float(a), float(b)) for a, b in whole]


def rank_rows(values: FloatArray, *, greater_is_better: bool) -> FloatArray:
    """Ranks of the methods within each data set; ties share the average of their ranks.

    Parameters
    ----------
    values : ndarray of shape (n_datasets, n_methods)
    greater_is_better : bool

    Returns
    -------
    ndarray of shape (n_datasets, n_methods)

    Examples
    --------
    >>> rank_rows(np.array([[0.2, 0.5, 0.5]]), greater_is_better=True)
    array([[3. , 1.5, 1.5]])
    """
    ranks: FloatArray = stats.rankdata(-values if greater_is_better else values, axis=1)
    return ranks


def compare(methods: list[str], values: FloatArray, *, greater_is_better: bool, alpha: float = 0.05) -> Comparison:
    """Friedman's test in its F form, and Nemenyi's critical difference.

    With average ranks R_j of k methods on N data sets,

        chi2 = 12 N / (k (k + 1)) (sum_j R_j^2 - k (k + 1)^2 / 4)
        F_F  = (N - 1) chi2 / (N (k - 1) - chi2),    with k - 1 and (k - 1)(N - 1) degrees of freedom

    Parameters
    ----------
    methods : list of str
    values : ndarray of shape (n_datasets, n_methods)
        A figure of each method on each data set.
    greater_is_better : bool
    alpha : float

    Returns
    -------
    Comparison

    Examples
    --------
    >>> values = np.array([[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.2, 0.1, 0.4]])
    >>> found = compare(["a", "b", "c"], values, greater_is_better=True)
    >>> found.ranks.round(2), round(found.statistic, 2), found.differ
    (array([2.67, 2.33, 1.  ]), 7.0, True)
    """
    n, k = values.shape
    if n < 2 or k < 2:
        raise ValueError(f"A comparison of ranks needs two methods on two data sets, got {k} on {n}.")
    if not np.isfinite(values).all():
        raise ValueError("A comparison of ranks needs a figure of every method on every data set.")
    ranks = rank_rows(values, greater_is_better=greater_is_better).mean(axis=0)
    chi2 = 12 * n / (k * (k + 1)) * (np.square(ranks).sum() - k * (k + 1) ** 2 / 4)
    room = n * (k - 1) - chi2
    statistic = (n - 1) * chi2 / room if room > 1e-9 else np.inf
    law = stats.f(k - 1, (k - 1) * (n - 1))
    return Comparison(
        list(methods),
        ranks,
        n,
        float(statistic),
        float(law.ppf(1 - alpha)),
        float(law.sf(statistic)),
        critical_difference(k, n, alpha),
        alpha,
    )


def critical_difference(k: int, n: int, alpha: float = 0.05) -> float:
    """Nemenyi's critical difference q sqrt(k (k + 1) / 6 n), q the Studentized range over sqrt(2).

    >>> round(critical_difference(8, 11), 3)
    3.166
    """
    return float(stats.studentized_range.ppf(1 - alpha, k, np.inf) / np.sqrt(2) * np.sqrt(k * (k + 1) / (6 * n)))


def wins(values: FloatArray, *, greater_is_better: bool) -> FloatArray:
    """On how many data sets the method of the row is better than that of the column, a tie counting half.

    >>> wins(np.array([[0.1, 0.2], [0.3, 0.3]]), greater_is_better=True)
    array([[0. , 0.5],
           [1.5, 0. ]])
    """
    signed = values if greater_is_better else -values
    gaps = signed[:, :, None] - signed[:, None, :]
    counts: FloatArray = ((np.sign(gaps) + 1) / 2).sum(axis=0)
    np.fill_diagonal(counts, 0)
    return counts


def interval(values: FloatArray, test_share: float, level: float = 0.95) -> float:
    """Half the width of the interval of a mean over folds, corrected for their common training rows.

    For J folds with a share p of test rows, the variance of the mean is s^2 (1/J + p / (1 - p)).

    Parameters
    ----------
    values : array of shape (n_folds,)
    test_share : float
        Share of the rows that each fold tests on.
    level : float

    Returns
    -------
    float
        NaN for a single fold.

    Examples
    --------
    >>> round(interval([0.4, 0.5, 0.6], test_share=1 / 3), 2)
    0.39
    """
    count = len(values)
    if count < 2:
        return float("nan")
    spread = np.std(values, ddof=1) * np.sqrt(1 / count + test_share / (1 - test_share))
    return float(stats.t.ppf((1 + level) / 2, count - 1) * spread)
