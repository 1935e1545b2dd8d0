import numpy as np
import pytest


@pytest.fixture
def centred(problem):
    """Cxx and Cxy of the problem by the book, with x divided by its standard deviation, and its mean square."""
    X, Y = problem
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    Y = Y - Y.mean(axis=0)
    Cxx = X.T @ X / len(X)
    return Cxx, X.T @ Y / len(X), np.trace(Cxx) / len(Cxx)
