import numpy as np
import pytest


@pytest.fixture
def problem():
    """Rows X (120 x 10) with labels Y (120 x 5), the last one rare."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 10))
    Y = (X @ rng.normal(size=(10, 5)) + rng.normal(size=(120, 5)) > [0, 0.5, 1, 2, 4]).astype(int)
    return X, Y
