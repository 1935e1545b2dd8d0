"""Real data that needs no network: handwritten digits, tagged by what is true of the digit."""

from __future__ import annotations

import numpy as np

from skfactor.datasets.dataset import MultilabelData

#: Which digits have a tag. 0 is even, the square of 0 and three times 0, so every digit has two tags or more.
TAGS = {
    "even": (0, 2, 4, 6, 8),
    "prime": (2, 3, 5, 7),
    "square": (0, 1, 4, 9),
    "multiple of three": (0, 3, 6, 9),
    "above four": (5, 6, 7, 8, 9),
    "closed loop": (0, 6, 8, 9),
    "straight strokes": (1, 4, 7),
}
_N_TRAIN = 1438


def load_digit_tags() -> MultilabelData:
    """Load 1797 images of handwritten digits, each with two to five tags.

    Returns
    -------
    data : MultilabelData
        The 64 pixels, 0 to 16, and seven tags, some about the number and some about its shape. The test part
        of the split is the last fifth, which other people wrote.

    Examples
    --------
    >>> load_digit_tags()
    MultilabelData('digit-tags': 1797 rows, 64 features (dense), 7 labels, ... per row)
    """
    from sklearn.datasets import load_digits

    digits = load_digits()
    rows = np.arange(len(digits.target))
    return MultilabelData(
        digits.data,
        np.column_stack([np.isin(digits.target, members) for members in TAGS.values()]),
        digits.feature_names,
        list(TAGS),
        "digit-tags",
        rows[:_N_TRAIN],
        rows[_N_TRAIN:],
    )
