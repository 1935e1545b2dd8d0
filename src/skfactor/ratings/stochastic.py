"""Stochastic descent: a step for each batch, of the users and items that occur in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np
from sklearn.utils import check_random_state
from threadpoolctl import threadpool_limits

from skfactor._validation import FloatArray, IntArray, check_number
from skfactor.ratings.batches import Batch, Batches, Census, read_batches
from skfactor.ratings.descending import DescendingModel
from skfactor.ratings.levels import Levels
from skfactor.ratings.problem import Factor, Point, Problem, row_ridges
from skfactor.ratings.triples import Triples

#: Added to the sum of squared slopes, so that the first steps are no longer than the factors at the start.
_CAUTION = 1.0


class StochasticModel(DescendingModel):
    """Base of the models whose objective is a sum over the ratings, so that a batch tells something of it."""

    def _models(self) -> Sequence[DescendingModel]:
        """Return the models, each with factors of its own, that this one consists of."""
        return [self]

    def _assembled(self, embeddings: Sequence[Any]) -> Any:
        """Return the embedding that those of the models make up."""
        return embeddings[0]

    def _seen_by(self, model: int, triples: Triples) -> Triples:
        """Return a batch as one of the models sees it."""
        return triples

    def fit_batches(self, batches: Batches, *, n_epochs: int = 20, learning_rate: float = 0.1) -> Self:
        """Fit to ratings that do not fit into memory.

        A first pass over the batches numbers users and items; each epoch is one more pass, with a step for each
        batch. What has to fit into memory is a batch, and twice the factors. No rating is kept: to recommend,
        state exclude_seen=False; to learn more, call this again with all batches.

        Parameters
        ----------
        batches : iterable or callable
            A list of batches, or a function that returns an iterator from the beginning. A batch is a tuple
            (pairs, ratings), a frame, or a sparse matrix, as in `fit`. Ratings in random order are best; a few
            thousand at a time do well. A pair that occurs twice counts twice.
        n_epochs : int
        learning_rate : float
            Length of the first steps; later ones are shorter, for each entry of the factors by itself (AdaGrad).

        Returns
        -------
        self

        Examples
        --------
        >>> from skfactor.datasets import make_ratings
        >>> from skfactor.ratings import MMMF
        >>> data, _ = make_ratings(n_users=60, n_items=40, random_state=0)
        >>> def batches():
        ...     for start in range(0, len(data), 100):
        ...         yield data.pairs[start : start + 100], data.ratings[start : start + 100]
        >>> model = MMMF(n_components=5, ridge=2, levels=[1, 2, 3, 4, 5]).fit_batches(batches)
        >>> model.score(data.pairs, data.ratings) > -0.4
        True
        """
        check_number(n_epochs, "n_epochs", minimum=1, integer=True)
        check_number(learning_rate, "learning_rate", above=0)
        self._check_parameters()
        census = self._counted(batches)
        descents = [BatchDescent(model, census, learning_rate) for model in self._models()]
        interrupted = False
        try:
            with threadpool_limits(1):
                for _ in range(n_epochs):
                    self._epoch(batches, census, descents)
                    stops = [descent.end_epoch() for descent in descents]
                    if all(stops):
                        break
        except KeyboardInterrupt:
            interrupted = True
        self._record(descents)
        self._adopt_census(census, self._assembled([descent.embedding() for descent in descents]))
        if interrupted:  # The model has learned from what it has seen; whoever interrupted is told.
            raise KeyboardInterrupt
        return self

    def _epoch(self, batches: Batches, census: Census, descents: Sequence[BatchDescent]) -> None:
        for users, items, ratings in read_batches(batches):
            batch = census.batch(users, items, ratings)
            for number, descent in enumerate(descents):
                descent.step(batch, self._seen_by(number, batch.triples))

    def _record(self, descents: Sequence[BatchDescent]) -> None:
        """Keep the epochs and their objectives as `fit` keeps its iterations."""
        objectives = [descent.objectives for descent in descents]
        alone = descents[0].model is self
        self.objectives_ = objectives[0] if alone else objectives
        self.n_iter_ = len(objectives[0]) if alone else [len(one) for one in objectives]
        self.validation_errors_ = [] if alone else [[] for _ in objectives]

    def _counted(self, batches: Batches) -> Census:
        if self.levels is None:
            raise ValueError("fit_batches needs all levels of the scale beforehand: pass them as `levels`.")
        levels = Levels.of(np.empty(0), self.levels)
        self._check_levels(len(levels))
        census = Census.of(batches, levels)
        self._check_rank(len(census.users), len(census.items))
        self._level_values = levels.values.astype(np.float64)
        self._see_counts(census.of_items.sum(axis=0))
        return census

    def _see_counts(self, counts: IntArray) -> None:
        """Learn what a method needs to know of the ratings at each level."""


class BatchDescent:
    """The factors of a model, and the squared slopes that AdaGrad divides by."""

    def __init__(self, model: DescendingModel, census: Census, rate: float) -> None:
        self.model, self.rate, self.none = model, rate, census.without_ratings()
        self.counts = census.of_users.sum(axis=1), census.of_items.sum(axis=1)
        self.ridges = [row_ridges(model.ridge, model.ridge_power, counts) for counts in self.counts]
        self.point = model._start(self.none.shape, None, check_random_state(model.random_state))
        self.squares = Point(*(np.full_like(part, _CAUTION) for part in self.point))
        self.watch, self.loss = model._watch(), 0.0
        self.objectives: list[float] = []

    def step(self, batch: Batch, triples: Triples) -> None:
        """Go down the objective of a batch, which has its share of the ridge."""
        rows = Point(batch.users, batch.items, batch.users)
        at = Point(*(part[chosen] for part, chosen in zip(self.point, rows, strict=True)))
        slopes = Point(*(np.empty_like(part) for part in at))
        self.loss += self._problem(triples)(at, slopes)
        self._shrink(slopes.U, at.U, np.diff(triples.user_starts), batch.users, 0)
        self._shrink(slopes.V, at.V, np.diff(triples.item_starts), batch.items, 1)
        for name in self.model._free:
            slope, chosen = getattr(slopes, name), getattr(rows, name)
            squares = getattr(self.squares, name)
            squares[chosen] += slope**2
            getattr(self.point, name)[chosen] -= self.rate * slope / np.sqrt(squares[chosen])

    def end_epoch(self) -> bool:
        """Note the loss that the batches had when they came, and J with it; whether to stop."""
        norms = (float(r @ (part**2).sum(axis=1)) for r, part in zip(self.ridges, self.point[:2], strict=True))
        self.objectives.append(self.loss + sum(norms) / 2)
        self.loss = 0.0
        return self.watch(len(self.objectives), self.objectives[-1], self.point)

    def embedding(self) -> Any:
        """Return what was learned."""
        return self.model._embed(self.point, self.none)

    def _problem(self, triples: Triples) -> Problem:
        model, dtype = self.model, np.dtype(self.model.dtype).type
        return Problem(triples, model._loss(), 0.0, model._free, model._threads(), dtype, model.biases)

    def _shrink(self, slopes: Factor, at: Factor, counts: IntArray, rows: IntArray, side: int) -> None:
        """Add the slope of the ridge, of which a batch has the share of its ratings."""
        shares: FloatArray = self.ridges[side][rows] * counts / self.counts[side][rows]
        slopes += shares[:, None].astype(at.dtype) * at
        if self.model.biases:
            slopes[:, (-1, -2)[side]] = 0
