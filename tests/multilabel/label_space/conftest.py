from types import SimpleNamespace

import numpy as np
import pytest


@pytest.fixture
def weighted(problem):
    """A weighted problem, with its centred rows A and B of which A'A = Cxx, A'B = Cxy and B'B = Cyy."""
    X, Y = problem
    weight = np.random.default_rng(1).uniform(0.5, 2.0, len(X))
    total = weight.sum()
    mean_x, mean_y = weight @ X / total, weight @ Y / total
    root = np.sqrt(weight / total)[:, None]
    A, B = root * (X - mean_x), root * (Y - mean_y)

    def shift(ridge):
        return ridge * np.mean(np.sum(A**2, axis=0))

    def fit(model):
        return model.set_params(scale=None).fit(X, Y, sample_weight=weight)

    def agrees(model, W, atol=1e-8):
        """Whether the fitted model is x -> (x - mean_x) W + mean_y."""
        return np.abs(model.factors_.scores(X) - ((X - mean_x) @ W + mean_y)).max() < atol

    return SimpleNamespace(**locals())


@pytest.fixture(params=[4.0, 0.0], ids=["held", "streamed"])
def budget(request):
    return request.param
