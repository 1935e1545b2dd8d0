import numpy as np
import pytest

from skfactor.cli.models import baseline_of, labels_of, make, methods, parameters
from skfactor.multilabel import PLST, RidgeBR


def test_methods_are_the_classifiers_that_can_be_made():
    assert {"RidgeBR", "PLST"} <= set(methods())
    assert "MomentClassifier" not in methods()
    for cls in methods().values():
        assert cls()


def test_types_and_cases():
    settings = ["N_Components=3", "ridge=1e-2", "scale=none", "decision__shrinkage=5"]
    model = make("plst", settings, "label-thresholds", seed=4)
    assert (model.n_components, model.ridge, model.scale, model.random_state) == (3, 0.01, None, 4)
    assert model.decision.shrinkage == 5
    assert make("PLST", ["random_state=7"], None, seed=4).random_state == 7


def test_names_that_are_not():
    with pytest.raises(
        ValueError, match=r"RidgeBR has no parameter 'rigde'. Did you mean ridge\? Choose from .*scale"
    ):
        make("RidgeBR", ["rigde=1"], None)
    with pytest.raises(ValueError, match=r"no decision rule 'treshold'. Did you mean threshold"):
        make("RidgeBR", [], "treshold")


def test_baseline_shares_parameters():
    plain = baseline_of(PLST(n_components=2, ridge=7.0, calibration_folds=3))
    assert isinstance(plain, RidgeBR)
    assert (plain.ridge, plain.calibration_folds) == (7.0, 3)


def test_parameters_are_plain():
    assert parameters(make("RidgeBR", [], "top_k"))["decision"] == "TopK"


@pytest.mark.parametrize("form", [list, np.asarray])
def test_labels_of_other_targets(form):
    X = np.vstack([np.eye(3)] * 5)
    Y = [("a",), ("b", "a"), ()] * 5 if form is list else np.asarray(["a", "b", "c"] * 5)
    model = RidgeBR(ridge=0.01, decision=make("RidgeBR", ["decision__value=0.5"], None).decision).fit(X, Y)
    expected = [[1, 0], [1, 1], [0, 0]] if form is list else np.eye(3)
    np.testing.assert_array_equal(labels_of(model, X).toarray()[:3], expected)
