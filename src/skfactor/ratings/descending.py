"""The template of the models that L-BFGS fits: a loss, what is free, and where to start."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from sklearn.utils import check_random_state

from skfactor._validation import check_choice, check_number
from skfactor.ratings.base import Before, RatingModel
from skfactor.ratings.embedding import Embedding
from skfactor.ratings.kernels import Loss
from skfactor.ratings.lbfgs import SOLVERS, Descent, minimize
from skfactor.ratings.problem import Factor, Point, Problem
from skfactor.ratings.triples import Triples, held_out
from skfactor.ratings.watching import Progress, Watch

#: Factors start as normal numbers of this size.
START_SIZE = 0.1
#: Fitting a few users to fixed items is convex and quick: it may go to its end.
FOLD_ITERATIONS, FOLD_TOLERANCE = 300, 1e-7


@dataclass(eq=False, repr=False, kw_only=True)
class DescendingModel(RatingModel):
    """Base of the models that minimize a smooth objective over factors U (N x d) and V (M x d).

    Parameters
    ----------
    n_components : int
        The number of factors, d.
    ridge : float
        Weight of the squared norms (lambda of the paper).
    ridge_power : float
        The ridge of a user or item with n ratings is ridge * n ** ridge_power. At 0, as in the papers, it is the
        same for all; at 0.5, with a ridge of 1 to 2, it grows with the noise in their slopes, which lowers errors
        where some have many more ratings than others (the weighted trace norm).
    biases : bool
        Whether scores are U_i . V_j + b_i + c_j, the biases of users and items shrunk as the factors are. Then two
        more columns of U are [b_i, 1], and of V [1, c_j]. The papers have none; with them, fewer factors do.
    solver : {"lbfgs", "cg"}
        L-BFGS makes fewer passes over the ratings; conjugate gradients (as the papers) need less memory: six times
        that of the factors instead of ten times.
    max_iter : int
        Most iterations.
    tol : float
        Stop when the objective falls by less than this share of itself in an iteration, on average of the last 5.
    early_stopping : bool
        Hold `validation_fraction` of the ratings out, stop when their mean absolute error has not fallen for
        `n_iter_no_change` iterations, and keep the best iteration.
    validation_fraction : float
    n_iter_no_change : int
    warm_start : bool
        Whether `fit` starts from the factors of the last fit, of the users and items that were in it.
    n_threads : int, optional
        Threads of the compiled loops; by default as many as Numba would use. The result does not depend on it.
    dtype : {"float64", "float32"}
        Of the factors. float32 takes about half the time.
    time_limit : float, optional
        Stop after so many seconds, at the end of an iteration.
    callback : callable, optional
        Called with a `Progress` after each iteration; if it returns True, the fit stops.
    verbose : int
        Print the objective every so many iterations.
    random_state : int, RandomState instance or None
        Draws the start and the held-out ratings.
    levels, duplicates, decision
        As in `RatingModel`.

    Attributes
    ----------
    n_iter_ : int
        Finished iterations. After an interrupt (Ctrl-C), the model is that of the last of them.
    objectives_ : list of float
        The objective after each.
    validation_errors_ : list of float
        With early stopping, the held-out error after each.
    """

    n_components: int = 100
    ridge: Any = 15.0
    ridge_power: float = 0.0
    biases: bool = False
    solver: str = "lbfgs"
    max_iter: int = 200
    tol: float = 1e-4
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int = 5
    warm_start: bool = False
    n_threads: int | None = None
    dtype: str = "float64"
    time_limit: float | None = None
    callback: Callable[[Progress], bool | None] | None = None
    verbose: int = 0
    random_state: Any = 0

    #: What a fit moves, and what is moved to fit new users.
    _free: ClassVar[tuple[str, ...]] = ("U", "V")
    _user_parts: ClassVar[tuple[str, ...]] = ("U",)
    _not_saved: ClassVar[tuple[str, ...]] = ("callback",)

    @property
    def U_(self) -> Factor:  # noqa: N802
        """Factors of the users, shape (N, d)."""
        return np.asarray(self.embedding_.U)

    @property
    def V_(self) -> Factor:  # noqa: N802
        """Factors of the items, shape (M, d)."""
        return np.asarray(self.embedding_.V)

    @property
    def thresholds_(self) -> Factor:
        """What separates the levels, shape (N, R - 1), or (1, R - 1) where all users have the same."""
        return np.asarray(self.embedding_.thresholds)

    # ---------------------------------------------------------------- what a method supplies

    @abstractmethod
    def _loss(self) -> Loss:
        """Return the loss of a user's row."""

    @abstractmethod
    def _first_thresholds(self, n_users: int) -> Factor:
        """Return the thresholds that a fit starts from, or holds."""

    @abstractmethod
    def _embed(self, point: Point, triples: Triples) -> Any:
        """Return the embedding of a point that was fitted to `triples`."""

    def _held_thresholds(self, embedding: Any) -> Factor:
        """Return the thresholds that are held while items are folded in."""
        return np.asarray(embedding.thresholds)

    def _held_loss(self) -> Loss:
        """Return the loss of ratings under held thresholds."""
        return self._loss()

    # ---------------------------------------------------------------- fitting

    def _learn(self, triples: Triples, before: Before | None) -> tuple[Any, bool]:
        rng = check_random_state(self.random_state)
        start = self._start(triples.shape, before, rng)
        train, watch = triples, self._watch()
        if self.early_stopping:
            train, held = held_out(triples, self.validation_fraction, rng)
            watch.measure = lambda point: _error(self._decided(self._embed(point, train)), held)
        problem = self._problem(train, self._loss(), self._free)
        descent = minimize(problem, start, max_iter=self.max_iter, tol=self.tol, watch=watch, solver=self.solver)
        self.n_iter_: Any = descent.n_iter
        self.objectives_: list[Any] = descent.objectives
        self.validation_errors_: list[Any] = watch.errors
        return self._embed(watch.best or descent.point, train), descent.interrupted

    def _fold_users(self, embedding: Any, triples: Triples) -> Any:
        n = triples.shape[0]
        U = np.zeros((n, embedding.U.shape[1] - 2 * self.biases))
        start = Point(self._with_ones(U, first=False), embedding.V, self._first_thresholds(n))
        descent = self._fold(triples, start, self._loss(), self._user_parts)
        return self._embed(descent.point, triples)

    def _fold_items(self, embedding: Any, triples: Triples) -> Any:
        V = np.zeros((triples.shape[1], embedding.V.shape[1] - 2 * self.biases))
        start = Point(embedding.U, self._with_ones(V, first=True), self._held_thresholds(embedding))
        descent = self._fold(triples, start, self._held_loss(), ("V",))
        return Embedding(embedding.U, descent.point.V, embedding.thresholds)

    def _fold(self, triples: Triples, start: Point, loss: Loss, free: tuple[str, ...]) -> Descent:
        problem = self._problem(triples, loss, free)
        return minimize(problem, start, max_iter=FOLD_ITERATIONS, tol=FOLD_TOLERANCE, solver=self.solver)

    def _problem(self, triples: Triples, loss: Loss, free: tuple[str, ...]) -> Problem:
        dtype = np.dtype(self.dtype).type
        return Problem(triples, loss, self.ridge, free, self._threads(), dtype, self.biases, self.ridge_power)

    def _threads(self) -> int:
        if self.n_threads is not None:
            return self.n_threads
        import numba

        return int(numba.config.NUMBA_NUM_THREADS)  # type: ignore[attr-defined]

    def _start(self, shape: tuple[int, int], before: Before | None, rng: np.random.RandomState) -> Point:
        U, V = (START_SIZE * rng.standard_normal((rows, self.n_components)) for rows in shape)
        thresholds = self._first_thresholds(shape[0])
        start = Point(self._with_ones(U, first=False), self._with_ones(V, first=True), thresholds)
        if before is None:
            return start
        _carry(start.U, before.embedding.U, before.users)
        _carry(start.V, before.embedding.V, before.items)
        if "thresholds" in self._free:
            _carry(start.thresholds, before.embedding.thresholds, before.users)
        return start

    def _with_ones(self, factors: Factor, *, first: bool) -> Factor:
        """Append what biases need: the ones and the biases, which start at 0, in one order or the other."""
        if self.biases:
            ones_and_biases = np.tile([1.0, 0.0] if first else [0.0, 1.0], (len(factors), 1))
            factors = np.hstack([factors, ones_and_biases])
        return factors.astype(self.dtype)

    def _watch(self) -> Watch:
        return Watch(
            getattr(self, "_name", type(self).__name__),
            callback=self.callback,
            time_limit=self.time_limit,
            verbose=self.verbose,
            patience=self.n_iter_no_change,
        )

    def _check_parameters(self) -> None:
        super()._check_parameters()
        for name in ("n_components", "max_iter", "n_iter_no_change"):
            check_number(getattr(self, name), name, minimum=1, integer=True)
        for ridge in np.ravel(self.ridge).tolist():
            check_number(ridge, "ridge", above=0)
        check_number(self.ridge_power, "ridge_power", minimum=0, maximum=1)
        check_number(self.tol, "tol", minimum=0)
        check_number(self.validation_fraction, "validation_fraction", above=0, maximum=0.9)
        if self.n_threads is not None:
            check_number(self.n_threads, "n_threads", minimum=1, integer=True)
        if self.time_limit is not None:
            check_number(self.time_limit, "time_limit", above=0)
        check_choice(self.dtype, "dtype", ("float64", "float32"))
        check_choice(self.solver, "solver", SOLVERS)
        check_number(self.verbose, "verbose", minimum=0, integer=True)


def _carry(start: Factor, before: Factor, numbers: Any) -> None:
    """Rows that were there before start where they were."""
    if before.shape[1] != start.shape[1]:
        raise ValueError(
            f"The fitted factors have {before.shape[1]} columns, and {start.shape[1]} are asked for. Call fit "
            "with warm_start=False after a change of n_components, biases or levels."
        )
    known = numbers >= 0
    start[known] = before[numbers[known]]


def _error(decided: Any, held: Triples) -> float:
    predicted = decided.index(held.user_column(), held.items)
    return float(np.abs(predicted - held.levels).mean())
