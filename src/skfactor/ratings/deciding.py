"""How margins become a level: as the method says, or the median of what the margins leave open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from skfactor._validation import IntArray
from skfactor.ordinal import level_shares
from skfactor.ratings.embedding import Predictor
from skfactor.ratings.levels import LevelIndex

#: So often the losses count in the shares whose median is taken. On ratings that are held out of training parts,
#: fewer are better for some models and more for others (`experiments/ratings_decisions.py`); 2 serves all of them.
SHARPNESS = 2.0
#: Shares of pairs are computed for so many pairs at once.
_BLOCK = 65536


@dataclass(frozen=True)
class MedianLevels:
    """The level at which half of the shares exp(-2 loss) is reached, loss being that of the level, were it true.

    The median has the least expected absolute error. Where the margins are small, it is nearer to the middle of
    the scale than the number of boundaries below the score.

    Attributes
    ----------
    embedding : Predictor
        Its margins are used.
    """

    embedding: Predictor

    def index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of pairs, shape (n,)."""
        blocks = [slice(start, start + _BLOCK) for start in range(0, len(users), _BLOCK)]
        found = [self._medians(users[block], items[block]) for block in blocks]
        return np.concatenate(found or [np.empty(0, dtype=np.int8)])

    def grid_index(self, users: IntArray, items: IntArray) -> LevelIndex:
        """Return levels of all users with all items, shape (n_users, n_items)."""
        pairs = np.repeat(users, len(items)), np.tile(items, len(users))
        return self.index(*pairs).reshape(len(users), len(items))

    def _medians(self, users: IntArray, items: IntArray) -> LevelIndex:
        shares = level_shares(self.embedding.margins(users, items), sharpness=SHARPNESS)
        return np.asarray((np.cumsum(shares[:, :-1], axis=1) < 0.5).sum(axis=1), dtype=np.int8)


#: What gives levels, by the name of the decision.
DECISIONS: dict[str, Callable[[Predictor], Predictor | MedianLevels]] = {
    "thresholds": lambda embedding: embedding,
    "median": MedianLevels,
}
