import numpy as np
import pytest

from skfactor.experiments import published
from skfactor.metrics import METRICS


def test_every_table_is_there():
    counted = {table: len(published.figures(table)) for table in published.tables()}
    assert counted == {
        "mnmtf-2": 72,
        "ommf-2": 36,
        "twomf-3": 3,
        "thesis-5.9/5.10": 504,
        "thesis-6.2": 384,
        "thesis-3.19": 40,
        "thesis-4.1": 6,
        "twomf-1": 18,
        "twomf-4": 6,
    }


def test_figures_are_shares_of_one_and_known_metrics():
    for figure in published.figures():
        if "time" in figure.metric:
            assert figure.mean > 0
            continue
        metric = figure.metric.removesuffix("_weak").removesuffix("_strong")
        assert metric in METRICS
        if metric not in ("coverage", "rmse") and figure.note != "not run":
            assert 0 <= figure.mean < 1


def test_a_matrix_has_holes_where_the_table_has_none():
    datasets, methods, values = published.matrix("ommf-2", "micro_f1")
    row = dict(zip(methods, values[datasets.index("mediamill")], strict=True))
    assert np.isnan(row["PLST"])
    assert row["OMMF"] == 0.503


def test_unknown_table():
    with pytest.raises(ValueError, match=r"No figures of a table 'thesis-9'. Choose from .*ommf-2"):
        published.figures("thesis-9")
