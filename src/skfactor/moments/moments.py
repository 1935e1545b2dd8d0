"""Moments: everything that a least-squares factor model needs to know of its data."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any, Literal

import numpy as np

from skfactor._validation import FloatArray, check_choice
from skfactor.moments.centred import CentredMoments
from skfactor.moments.second import Centre, HeldMoments, StreamedMoments, Variances
from skfactor.moments.tables import Batches, Block, Chunks, as_block, as_blocks, names_of

#: In GiB. Moments that would take more are not kept as matrices.
MEMORY_BUDGET = 4.0

Scale = Literal["auto", "std"] | None


@dataclass(frozen=True)
class Moments:
    r"""Weighted sums and second moments of rows (x, y), from one pass over the data.

    With weights w_i >= 0 (1 unless given), x_i of D features and y_i of L labels::

        n = sum w_i            sx = sum w_i x_i             sy = sum w_i y_i
        Sxx = sum w_i x_i x_i' (D x D)    Sxy = sum w_i x_i y_i' (D x L)    Syy = sum w_i y_i y_i' (L x L)

    Moments of two disjoint samples add, and those of a part can be taken away again: so batches, files,
    machines, `partial_fit`, `forget` and the training sets of a cross-validation are all sums.

    Make them with `Moments.of`.

    Attributes
    ----------
    n : float
        Sum of the weights.
    sum_x, sum_y : ndarray of shape (D,) and (L,)
    second : HeldMoments or StreamedMoments
        The second moments as matrices, or, beyond the memory budget, as products computed from the data.
    sparse : bool
        Whether a part of X came as a sparse table.
    feature_names, label_names : tuple of str or None

    Examples
    --------
    >>> import numpy as np
    >>> from skfactor import Moments
    >>> X, Y = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), np.array([[1], [0], [1]])
    >>> first, rest = Moments.of(X[:1], Y[:1]), Moments.of(X[1:], Y[1:])
    >>> (first + rest).n
    3.0
    >>> (first + rest).second.Sxx
    array([[35., 49.],
           [49., 69.]])
    >>> (first + rest - rest).sum_x
    array([1., 2.])
    """

    n: float
    sum_x: FloatArray
    sum_y: FloatArray
    second: HeldMoments | StreamedMoments | Variances
    sparse: bool = False
    feature_names: tuple[str, ...] | None = None
    label_names: tuple[str, ...] | None = None

    @classmethod
    def of(
        cls,
        X: Any,
        Y: Any = None,
        *,
        sample_weight: Any = None,
        memory_budget: float = MEMORY_BUDGET,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> Moments:
        """Moments of tables, or of an iterable of batches.

        Parameters
        ----------
        X : array, SciPy sparse matrix or array, data frame, or iterable of batches
            Rows of numbers. Without `Y`, an iterable of pairs (X, Y) or triples (X, Y, sample_weight); it is
            gone through once, unless the moments do not fit into `memory_budget`: then it has to be something
            that can be gone through again, such as a list. Dask arrays are taken a chunk of rows at a time.
        Y : array, sparse matrix or array, or data frame
            Labels (0/1) or any other numbers, in rows.
        sample_weight : array of shape (n_rows,), optional
        memory_budget : float
            In GiB: above it, (D + L)^2 numbers are not kept, and products are computed from the data.
        feature_names, label_names : sequences of str, optional
            Taken from data frames where they are not given.

        Returns
        -------
        Moments
        """
        if Y is None:
            return cls._of_batches(X, memory_budget, feature_names, label_names)
        if Chunks.suit(X):
            return cls._of_batches(Chunks(X, Y, sample_weight), memory_budget, feature_names, label_names)
        block = as_block(X, Y, sample_weight)
        names = (_names(feature_names, X), _names(label_names, Y))
        return _empty(block, names, memory_budget, [block])._with(block.slices())

    @classmethod
    def variances_of(cls, X: Any, Y: Any, *, sample_weight: Any = None) -> Moments:
        """Moments without covariances: enough for a `centre`, and as small as the data is wide."""
        block = as_block(X, Y, sample_weight)
        D, L = block.X.shape[1], block.Y.shape[1]
        empty = cls(0.0, np.zeros(D), np.zeros(L), Variances.zeros(D, L), False, names_of(X), names_of(Y))
        return empty._with(block.slices())

    @classmethod
    def _of_batches(cls, source: Iterable[Any], memory_budget: float, *given: Sequence[str] | None) -> Moments:
        if hasattr(source, "shape"):
            raise TypeError("Moments.of needs Y beside X, or an iterable of (X, Y) pairs.")
        batches = iter(source)
        first = next(batches, None)
        if first is None:
            raise ValueError("Moments.of got no batch: the iterable of (X, Y) pairs is empty.")
        head = list(as_blocks([first]))
        block = head[0]
        names = (_names(given[0], first[0]), _names(given[1], first[1]))
        moments = _empty(block, names, memory_budget, Batches(source))
        if isinstance(moments.second, StreamedMoments) and batches is source:
            raise ValueError(
                f"Moments of {block.X.shape[1]} features do not fit into memory_budget={memory_budget} GiB, so "
                "the batches are gone through many times, which a generator cannot: pass a list, or an object "
                "whose __iter__ starts anew."
            )
        return moments._with(head)._with(as_blocks(batches, first=1))

    def _with(self, blocks: Iterable[Block]) -> Moments:
        """Add the rows of `blocks`, in place where matrices are held."""
        n, sum_x, sum_y, sparse = self.n, self.sum_x.copy(), self.sum_y.copy(), self.sparse
        for block in blocks:
            self._check_width(block)
            X, Y, root = block.weighted()
            n += float(root @ root)
            sum_x += X.T @ root
            sum_y += Y.T @ root
            sparse |= not isinstance(X, np.ndarray)
            if not isinstance(self.second, StreamedMoments):
                with np.errstate(over="ignore", invalid="ignore"):  # told below, with the column
                    self.second.add(X, Y)
        if isinstance(self.second, HeldMoments):
            _check_overflow(self.second)
        return replace(self, n=n, sum_x=sum_x, sum_y=sum_y, sparse=sparse)

    def _check_width(self, block: Block) -> None:
        for name, table, width in (("X", block.X, self.n_features), ("Y", block.Y, self.n_labels)):
            if table.shape[1] != width:
                raise ValueError(f"Every batch of {name} must have {width} columns, got {table.shape[1]}.")

    @property
    def n_features(self) -> int:
        """D."""
        return len(self.sum_x)

    @property
    def n_labels(self) -> int:
        """L."""
        return len(self.sum_y)

    @property
    def binary(self) -> bool:
        """Whether X has entries 0 and 1 only, told by x^2 and x having the same sums."""
        return bool(np.allclose(self.second.diagonal_xx(), self.sum_x, rtol=1e-9, atol=1e-9))

    def __add__(self, other: Moments) -> Moments:
        return self._combined(other, 1.0)

    def __sub__(self, other: Moments) -> Moments:
        rest = self._combined(other, -1.0)
        squares = rest.second.diagonal_xx()
        if rest.n < 0.5 * np.finfo(float).eps * self.n or rest.n <= 0:
            raise ValueError(f"Taking away {other.n:g} of {self.n:g} rows (by weight) leaves none.")
        if squares.min() < -1e-8 * max(self.second.diagonal_xx().max(), 1e-300):
            raise ValueError("These moments hold rows that are no part of the others: they cannot be taken away.")
        return rest

    def _combined(self, other: Moments, sign: float) -> Moments:
        if not isinstance(other, Moments):
            raise TypeError(f"Moments combine with Moments, got {type(other).__name__}.")
        for what in ("n_features", "n_labels", "feature_names", "label_names"):
            mine, theirs = getattr(self, what), getattr(other, what)
            if mine != theirs and mine is not None and theirs is not None:
                raise ValueError(f"Moments differ in {what}: {_first_difference(mine, theirs)}.")
        if type(self.second) is not type(other.second):
            raise ValueError(
                "Moments made with different memory budgets cannot be combined: use the same for both."
            )
        return replace(
            self,
            n=self.n + sign * other.n,
            sum_x=self.sum_x + sign * other.sum_x,
            sum_y=self.sum_y + sign * other.sum_y,
            second=self.second.plus(other.second, sign),  # type: ignore[arg-type]
            sparse=self.sparse or other.sparse,
            feature_names=self.feature_names or other.feature_names,
            label_names=self.label_names or other.label_names,
        )

    @staticmethod
    def merge(parts: Iterable[Moments]) -> Moments:
        """The moments of all `parts` together."""
        parts = list(parts)
        if not parts:
            raise ValueError("Moments.merge got no moments: the iterable is empty.")
        return reduce(Moments.__add__, parts)

    def centred(self, scale: Scale = None, *, units: bool = False) -> CentredMoments:
        """Covariances, with x divided by its standard deviation if `scale` asks for it.

        Parameters
        ----------
        scale : {"auto", "std"} or None
            "auto" scales dense real-valued data, and leaves sparse or binary data as it is.
        units : bool
            Whether x and y are each divided by a number on top, so that the mean variance of a feature is 1, and
            that of a label.
        """
        if isinstance(self.second, Variances):
            raise ValueError("These moments have variances only: make them with Moments.of.")
        centre = self.centre(scale, units=units)
        return CentredMoments(self.second.centred(centre), centre)

    def centre(self, scale: Scale = None, *, units: bool = False) -> Centre:
        """Means, and what x and y are divided by, as `centred` takes them."""
        check_choice(scale, "scale", ("auto", "std", None))
        mean_x, mean_y = self.sum_x / self.n, self.sum_y / self.n
        scaled = scale == "std" or (scale == "auto" and not self.sparse and not self.binary)
        deviation = self._deviation(mean_x) if scaled else np.ones(self.n_features)
        unit_y = 1.0
        if units:
            deviation = deviation * _root_mean(self.second.diagonal_xx() / self.n - mean_x**2, deviation)
            unit_y = _root_mean(self.second.diagonal_yy() / self.n - mean_y**2, 1.0)
        return Centre(self.n, mean_x, mean_y, deviation, unit_y)

    def _deviation(self, mean_x: FloatArray) -> FloatArray:
        """Standard deviations; 1 for features that are constant but for rounding."""
        square = self.second.diagonal_xx() / self.n
        variance = square - mean_x**2
        return np.sqrt(np.where(variance > 1e-12 * square, variance, 1.0))


def _empty(block: Block, names: tuple[Any, Any], memory_budget: float, source: Iterable[Block]) -> Moments:
    """Moments of no rows, as wide as `block`, held or streamed from `source` as the budget allows."""
    D, L = block.X.shape[1], block.Y.shape[1]
    for what, given, width in (("feature_names", names[0], D), ("label_names", names[1], L)):
        if given is not None and len(given) != width:
            raise ValueError(f"{what} has {len(given)} names for {width} columns.")
    fits = memory_budget * 2**30 >= 8 * (D + L) ** 2
    second = HeldMoments.zeros(D, L) if fits else StreamedMoments(((1.0, source),), memory_budget)
    return Moments(0.0, np.zeros(D), np.zeros(L), second, False, *names)


def _check_overflow(second: HeldMoments) -> None:
    """Refuse entries whose squares are beyond what a number can be."""
    for name, squares in (("X", second.diagonal_xx()), ("Y", second.diagonal_yy())):
        if not np.isfinite(squares).all():
            column = int(np.argmin(np.isfinite(squares)))
            raise ValueError(
                f"{name} has entries in column {column} whose squares overflow: divide it by its largest entry."
            )


def _root_mean(variance: FloatArray, scale: FloatArray | float) -> float:
    """Root of the mean of variance / scale^2, or 1 where that is 0."""
    return float(np.sqrt(np.mean(np.maximum(variance, 0.0) / np.square(scale)))) or 1.0


def _names(given: Sequence[str] | None, table: Any) -> tuple[str, ...] | None:
    return names_of(table) if given is None else tuple(map(str, given))


def _first_difference(mine: Any, theirs: Any) -> str:
    if isinstance(mine, int) or len(mine) != len(theirs):
        sizes = (mine, theirs) if isinstance(mine, int) else (len(mine), len(theirs))
        return f"{sizes[0]} and {sizes[1]}"
    place = next(i for i, pair in enumerate(zip(mine, theirs, strict=True)) if pair[0] != pair[1])
    return f"column {place} is {mine[place]!r} and {theirs[place]!r}"
