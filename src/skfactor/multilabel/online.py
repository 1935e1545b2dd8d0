"""The part of the template for methods that also learn from a stream of batches."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from scipy import sparse
from sklearn.utils import check_random_state

from skfactor._arrays import as_numpy
from skfactor._validation import FloatArray, IntArray, Matrix, check_choice, check_number
from skfactor.factors import Factors
from skfactor.moments import Moments
from skfactor.multilabel.base import MomentClassifier
from skfactor.multilabel.held_out import KEPT_ENTRIES, HeldOut
from skfactor.multilabel.rows import Pairs, Rows
from skfactor.multilabel.targets import learn_targets
from skfactor.solvers.sgd import Epoch, descend, shuffled

#: Rows of which a copy is made when they are scored.
SCORED_ROWS = 4096


@dataclass(eq=False, repr=False, kw_only=True)
class StreamClassifier(MomentClassifier):
    """Base of the methods that are solved from moments, or learned from batches.

    Parameters
    ----------
    solver : str
        "auto" takes the moments where they fit into `memory_budget`.
    batch_size : int
        Rows of a step.
    max_epochs : int
        Passes over the data, at most.
    shuffle : bool
        Whether each epoch has another order.
    validation_fraction : float
        Share of the rows that the steps do not see: they serve early stopping and the calibration of the decision
        rule. With 0 there is no early stopping, and scores of .5 or more are labels until `calibrate` is called.
    patience : int or None
        Stop after so many epochs without progress on the validation rows. None: never.
    learning_rate : float
        Multiplies the steps, which are set from the curvature.
    warm_start : bool
        Whether `fit` goes on from what was learned before.
    callback : callable, optional
        Is called after each epoch with its `Epoch` (number, loss, validation, recoveries, seconds), and ends the
        fit by returning True.
    """

    #: The solvers that go by batches; the last is what "auto" takes.
    stream_solvers: ClassVar[tuple[str, ...]] = ()

    solver: str = "auto"
    batch_size: int = 64
    max_epochs: int = 20
    shuffle: bool = True
    validation_fraction: float = 0.1
    patience: int | None = 5
    learning_rate: float = 1.0
    warm_start: bool = False
    callback: Callable[[Epoch], bool | None] | None = None

    @abstractmethod
    def _learner(self, X: Rows, Y: Rows, rng: np.random.RandomState) -> Any:
        """What learns, started from some first rows."""

    @abstractmethod
    def _learned(self, learner: Any) -> Factors:
        """Encoder and decoder for centred and scaled data, from what was learned."""

    @abstractmethod
    def _rank(self, n_features: int, n_labels: int) -> int:
        """The rank that was asked for."""

    def fit_batches(
        self, batches: Iterable[Any], classes: Sequence[Any] | None = None, held_out: tuple[Any, Any] | None = None
    ) -> Self:
        """Fit to batches, gone through up to `max_epochs` times.

        Parameters
        ----------
        batches : iterable of pairs (X, Y)
            Such as a list, or an object whose `__iter__` starts anew. A generator is gone through once.
        classes : sequence, optional
            Names of all labels that may come.
        held_out : pair (X, Y), optional
            Rows that are in no batch, for the decision rule. Without them, batches are scored in the first pass,
            each before it is learned from.

        Returns
        -------
        self
        """
        self.__dict__.pop("factors_", None)
        for X, Y in batches:
            self.partial_fit(X, Y, classes)
        if not hasattr(self, "factors_"):
            raise ValueError("There was no batch: the iterable of (X, Y) pairs is empty.")
        repeat = iter(batches) is not batches and self.solver_ != "moments"
        for _ in range(self.max_epochs - 1 if repeat else 0):
            for X, Y in batches:
                self._step_through(*self._read(X, Y, None))
        return self if held_out is None else self.calibrate(*held_out)

    def fit_moments(self, moments: Moments, held_out: tuple[Any, Any] | None = None) -> Self:
        """Fit to moments that were made before; see `MomentClassifier.fit_moments`."""
        self.solver_ = "moments"
        return super().fit_moments(moments, held_out)

    @property
    def n_iter_(self) -> int:
        """Iterations of the moment solver, or epochs."""
        return len(self.objective_ if self.solver_ == "moments" else self.history_)

    def fits_by_moments(self, X: Any, y: Any) -> bool:
        """Whether the moments are solved from, and not the batches."""
        return self._chosen_solver(X, len(learn_targets(y).names)) == "moments"

    def _chosen_solver(self, X: Any, n_labels: int) -> str:
        if self.solver != "auto":
            return self.solver
        size = 8 * (X.shape[1] + n_labels) ** 2 * (self.calibration_folds + 3)
        return "moments" if size <= self.memory_budget * 2**30 else self.stream_solvers[-1]

    def _learn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        self.solver_ = self._chosen_solver(X, labels.shape[1])
        if self.solver_ == "moments":
            return super()._learn(X, labels, weight)
        rng = check_random_state(self.random_state)
        held, seen = self._parted(X.shape[0], rng)
        self.moments_ = self._variances_of(X, labels, weight)
        self._descend(X, labels, weight, seen, held, rng)
        self._decide(self._scored(X, labels, weight, held, rng))
        return self

    def _parted(self, n: int, rng: np.random.RandomState) -> tuple[IntArray, IntArray]:
        """Row numbers for validation, and those that the steps see."""
        chosen = np.zeros(n, dtype=bool)
        chosen[rng.permutation(n)[: int(self.validation_fraction * n)]] = True
        return np.flatnonzero(chosen), np.flatnonzero(~chosen)

    def _scored(
        self, X: Matrix, labels: sparse.csr_array, weight: FloatArray, held: IntArray, rng: np.random.RandomState
    ) -> HeldOut:
        """Scores of the rows `held`, a few at a time, of so many that they stay small."""
        most = max(1, KEPT_ENTRIES // labels.shape[1])
        held = held if len(held) <= most else np.sort(rng.choice(held, most, replace=False))
        parts = np.split(held, np.arange(SCORED_ROWS, len(held), SCORED_ROWS))
        scores = [as_numpy(self.factors_.scores(X[rows])).astype(np.float64) for rows in parts]
        return HeldOut.of(np.concatenate(scores), labels[held], weight[held], rng)

    def _learn_first(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Self:
        self.solver_ = self._chosen_solver(X, labels.shape[1])
        if self.solver_ == "moments":
            return super()._learn(X, labels, weight)
        self.__dict__.pop("_state", None)
        self.moments_ = self._variances_of(X, labels, weight)
        self._step_through(X, labels, weight)
        self._decide(self._no_rows())
        return self

    def _learn_more(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        if self.solver_ == "moments":
            return super()._learn_more(X, labels, weight)
        self.moments_ = self.moments_ + self._variances_of(X, labels, weight)
        return self._step_through(X, labels, weight)

    def _unlearn(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        if self.solver_ != "moments":
            raise ValueError(f'What solver="{self.solver_}" has learned it cannot forget: use solver="moments".')
        super()._unlearn(X, labels, weight)

    def _variances_of(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> Moments:
        return Moments.variances_of(as_numpy(X), labels, sample_weight=weight)

    def _step_through(self, X: Matrix, labels: sparse.csr_array, weight: FloatArray) -> None:
        """One epoch over a batch, without validation."""
        rng = check_random_state(self.random_state)
        self._descend(X, labels, weight, np.arange(X.shape[0]), np.arange(0), rng, one_epoch=True)

    def _descend(
        self,
        X: Matrix,
        labels: sparse.csr_array,
        weight: FloatArray,
        seen: IntArray,
        held: IntArray,
        rng: np.random.RandomState,
        one_epoch: bool = False,
    ) -> None:
        """Step through the rows `seen`, watching the error on those `held`, and take over what was learned."""
        centre = self.moments_.centre(self.scale, units=self.units)
        data = Pairs(X, labels, weight / weight.mean(), centre)
        if not (hasattr(self, "_state") and (self.warm_start or one_epoch)):
            size = max(self.batch_size, 2 * self._rank(X.shape[1], labels.shape[1]))
            self._state = self._learner(*data.rows(seen[shuffled(len(seen), size, rng)[0]]), rng)

        self._state.period = self.moments_.n / self.batch_size

        def batches() -> Iterator[tuple[Rows, Rows]]:
            order = shuffled(len(seen), self.batch_size, rng if self.shuffle else None)
            return (data.rows(seen[rows]) for rows in order)

        watched = len(held) > 0
        self.history_ = descend(
            self._state,
            batches,
            max_epochs=1 if one_epoch else self.max_epochs,
            validate=(lambda: data.error(self._learned(self._state), held)) if watched else None,
            patience=self.patience if watched else None,
            callback=None if one_epoch else self.callback,
        )
        self.factors_ = self._learned(self._state).uncentred(centre)

    def _check_parameters(self, n_features: int, n_labels: int) -> None:
        super()._check_parameters(n_features, n_labels)
        check_choice(self.solver, "solver", ("auto", "moments", *self.stream_solvers))
        check_number(self.batch_size, "batch_size", minimum=1, integer=True)
        check_number(self.max_epochs, "max_epochs", minimum=1, integer=True)
        check_number(self.validation_fraction, "validation_fraction", minimum=0, maximum=0.9)
        check_number(self.learning_rate, "learning_rate", above=0)
        if self.patience is not None:
            check_number(self.patience, "patience", minimum=1, integer=True)
        self._rank(n_features, n_labels)
