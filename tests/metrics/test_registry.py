import subprocess
import sys

import numpy as np
import pytest

from skfactor import metrics
from skfactor.metrics import METRICS, get_metric, rating_metric

PREDICTION = {
    "labels": ([[1, 0], [1, 1]], [[1, 0], [1, 1]]),
    "scores": ([[1, 0], [1, 0]], [[0.9, 0.1], [0.8, 0.2]]),
    "levels": ([1, 2, 3], [1, 2, 3]),
}


@pytest.mark.parametrize("name", [*METRICS, "precision@1", "recall@3", "ndcg@2"])
def test_perfect_predictions_are_best(name):
    metric = get_metric(name)
    assert metric.function(*PREDICTION[metric.needs]) == float(metric.greater_is_better)


@pytest.mark.parametrize("name", METRICS)
def test_every_name_is_a_public_function(name):
    assert METRICS[name].function is getattr(metrics, name)


def test_every_public_metric_has_a_name():
    others = {"METRICS", "Metric", "get_metric", "propensities", "rating_metric"}
    others |= {"ListLengthCurve", "list_length_curve"}
    assert set(metrics.__all__) - others - set(METRICS) == {"precision_at", "recall_at", "ndcg_at", "psp_at"}


def test_places_are_part_of_the_name():
    rng = np.random.default_rng(0)
    true, scores = rng.integers(0, 2, (9, 5)), rng.normal(size=(9, 5))
    assert get_metric("ndcg@3").function(true, scores) == metrics.ndcg_at(true, scores, 3)


@pytest.mark.parametrize("name", ["f1", "precision@", "precision@x", "precision@0", "psp@3", "micro_f1@3", ""])
def test_unknown_names_are_refused_with_the_known_ones(name):
    with pytest.raises(ValueError, match=rf"no metric '{name}'. Choose from micro_f1, .*, ndcg@k"):
        get_metric(name)


def test_import_stays_light():
    heavy = "import sys, skfactor.metrics; sys.exit(bool({'sklearn', 'numba', 'pandas'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", heavy], check=False).returncode == 0


def test_metrics_of_ratings_on_a_scale():
    assert rating_metric("nmae", range(1, 7)).function([1, 2], [2, 2]) == pytest.approx(0.5 / (35 / 18))
    assert rating_metric("mae", [1, 2]) == get_metric("mae")
    with pytest.raises(ValueError, match="micro_f1 is not for ratings"):
        rating_metric("micro_f1", [1, 2])
