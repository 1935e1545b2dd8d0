"""Epochs of mini-batches: shared by everything that learns from a stream.

What is learned, and how one step goes, is the learner's own business. Here are the order of the batches, the guard
against divergence, early stopping, and the history.
"""

from __future__ import annotations

import copy
import math
import time
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from skfactor._validation import IntArray

#: Rows that stay together when rows are shuffled: a batch is made of such runs from all over the table, which a
#: memory map reads much faster than single rows.
RUN = 16
#: Batches over which the loss is averaged before it is compared.
WINDOW = 20
#: After so many halvings from the same parameters the data is given up.
MOST_HALVINGS = 20


class Learner(Protocol):
    """What makes steps. All of its state is in its attributes."""

    def step(self, batch: Any) -> float:
        """Take one step on a batch, and return the loss of the batch before it."""
        ...

    def slow_down(self) -> None:
        """Halve the steps."""
        ...


@dataclass
class Epoch:
    """What one epoch was like: mean loss of its batches, loss on validation rows, recoveries, seconds so far."""

    number: int
    loss: float
    validation: float | None
    recoveries: int
    seconds: float


@dataclass
class Guard:
    """Goes back to the last good parameters, with half the step, where the loss explodes.

    It explodes if it is not finite, or more than a thousand times the first loss, or if its mean over a window of
    batches is above twice the best window plus a tenth of the first loss.
    """

    learner: Any
    recoveries: int = 0
    halvings: int = 0  # since the good parameters were taken down
    first: float = math.nan
    best: float = math.inf
    losses: list[float] = field(default_factory=list)
    good: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.good = copy.deepcopy(vars(self.learner))

    def watch(self, loss: float) -> None:
        """Take note of the loss of one batch."""
        self.first = loss if math.isnan(self.first) else self.first
        if not math.isfinite(loss) or loss > 1e3 * self.first:
            self.recover()
            return
        self.losses.append(loss)
        if len(self.losses) < WINDOW:
            return
        mean, self.losses = sum(self.losses) / WINDOW, []
        if mean > 2 * self.best + 0.1 * self.first:
            self.recover()
        else:
            self.best, self.halvings = min(self.best, mean), 0
            self.good = copy.deepcopy(vars(self.learner))

    def recover(self) -> None:
        """Go back and slow down."""
        self.recoveries, self.halvings, self.losses = self.recoveries + 1, self.halvings + 1, []
        if self.halvings > MOST_HALVINGS:
            raise ValueError(
                f"The steps diverge even after they were halved {MOST_HALVINGS} times. Are there features of "
                'enormous size? Try scale="std", or a lower learning_rate.'
            )
        vars(self.learner).update(copy.deepcopy(self.good))
        for _ in range(self.halvings):
            self.learner.slow_down()


def shuffled(n: int, batch_size: int, rng: np.random.RandomState | None) -> list[IntArray]:
    """Row numbers of each batch, in random order by runs of rows; in order without `rng`."""
    if rng is None:
        return np.split(np.arange(n), np.arange(batch_size, n, batch_size))
    run = max(1, min(RUN, batch_size // 8))
    starts = rng.permutation(np.arange(rng.randint(run) - run + 1, n, run))
    rows = (starts[:, None] + np.arange(run)).ravel()
    rows = rows[(rows >= 0) & (rows < n)]
    return np.split(rows, np.arange(batch_size, n, batch_size))


def descend(
    learner: Learner,
    batches: Callable[[], Iterable[Any]],
    *,
    max_epochs: int,
    validate: Callable[[], float] | None = None,
    patience: int | None = None,
    tol: float = 1e-4,
    callback: Callable[[Epoch], bool | None] | None = None,
) -> list[Epoch]:
    """Go through the batches up to `max_epochs` times.

    Parameters
    ----------
    learner : Learner
        Is changed in place. With `validate`, it ends with the parameters of its best epoch.
    batches : callable
        Starts an epoch: returns its batches.
    max_epochs : int
    validate : callable, optional
        The loss on rows that the steps do not see.
    patience : int, optional
        Stop after so many epochs in which the validation loss has not fallen by `tol` times itself.
    tol : float
    callback : callable, optional
        Is called with each `Epoch`; if it returns True, that was the last.

    Returns
    -------
    list of Epoch
    """
    guard, history, started = Guard(learner), [], time.perf_counter()
    best, kept, stale = math.inf, None, 0
    for number in range(1, max_epochs + 1):
        losses = []
        for batch in batches():
            losses.append(learner.step(batch))
            guard.watch(losses[-1])
        loss = float(np.mean([value for value in losses if math.isfinite(value)] or [math.nan]))
        seconds = time.perf_counter() - started
        history.append(Epoch(number, loss, validate() if validate else None, guard.recoveries, seconds))
        stop = callback(history[-1]) if callback else False
        validation = history[-1].validation
        if validation is not None:
            stale = 0 if validation < best * (1 - tol) else stale + 1
            if validation < best:
                best, kept = validation, copy.deepcopy(vars(learner))
        if stop or (patience is not None and stale >= patience):
            break
    if kept is not None:
        vars(learner).update(kept)
    if guard.recoveries:
        warnings.warn(
            f"The steps diverged {guard.recoveries} time(s). Each time the last good parameters were taken up "
            "again with half the step; a lower learning_rate avoids this.",
            ConvergenceWarning,
            stacklevel=2,
        )
    return history
