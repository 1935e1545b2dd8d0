"""What tests of several rooms share."""

import os
from pathlib import Path

import numpy as np
import pytest


def pytest_collection_modifyitems(items):
    """Leave out what needs the benchmark data where SKFACTOR_DATA does not say where it is."""
    if os.environ.get("SKFACTOR_DATA"):
        return
    for item in items:
        if item.get_closest_marker("data"):
            item.add_marker(pytest.mark.skip(reason="SKFACTOR_DATA is not set"))


@pytest.fixture(scope="session")
def data_folder() -> Path:
    return Path(os.environ["SKFACTOR_DATA"])


@pytest.fixture
def table():
    """X (60 x 7, half of it zeros), Y (60 x 4, 0/1) and whole weights."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 7)) * (rng.random((60, 7)) < 0.5)
    Y = (X[:, :4] + rng.normal(scale=0.5, size=(60, 4)) > 0.3).astype(float)
    return X, Y, rng.integers(0, 4, 60).astype(float)
