"""A contest on small data, and its report."""

import pytest

from skfactor.datasets import MultilabelData, make_multilabel
from skfactor.experiments.contest import Rules, hold
from skfactor.experiments.store import Store
from skfactor.report import write_report

METHODS = {
    "RidgeBR": {"ridge": [0.01, 1.0]},
    "PLST": {"n_components": [2]},
    "CSSP": {"n_components": [4]},
}
METRICS = ["micro_f1", "hamming_loss"]


def named(n_labels, seed, name):
    """Data with names, one of whose labels is called like an attack on the page."""
    data = make_multilabel(n_samples=150, n_features=20, n_labels=n_labels, random_state=seed)
    labels = [f"tag {place}" for place in range(n_labels - 1)] + ["<b onload=x>&amp;"]
    return MultilabelData(data.X, data.Y, [f"word {place}" for place in range(20)], labels, name)


@pytest.fixture(scope="session")
def contest(tmp_path_factory):
    data = [named(20, 0, "many"), named(6, 1, "few")]
    folder = tmp_path_factory.mktemp("results")
    return hold(data, Rules(METRICS, "2-fold", METHODS), Store(folder), lambda line: None)


@pytest.fixture(scope="session")
def page(contest, tmp_path_factory):
    return write_report(contest, tmp_path_factory.mktemp("report") / "report.html")
