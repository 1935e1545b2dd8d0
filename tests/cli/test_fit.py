import numpy as np
import pytest

from skfactor import load
from skfactor.datasets import MultilabelData, save_npz
from skfactor.datasets import load as load_data
from skfactor.multilabel import RidgeBR


def test_model_equals_that_of_the_library(skfactor, model):
    data = load_data("digit-tags")
    fitted = load(model)
    expected = RidgeBR(ridge=0.01).fit(data.X, data.Y)
    np.testing.assert_array_equal(fitted.factors_.encoder, expected.factors_.encoder)
    assert fitted.decision_.threshold_ == expected.decision_.threshold_
    assert list(fitted.classes_) == data.label_names
    assert list(fitted.feature_names_in_) == data.feature_names


def test_report(skfactor, tmp_path):
    arguments = ("fit", "digit-tags", "-m", "plst", "-s", "n_components=4", "-o", tmp_path / "m.skf")
    text = skfactor(*arguments)
    assert "micro_f1 0." in text
    assert "1797 rows" in text
    document = skfactor.json(*arguments, "--force", "--decision", "label_thresholds")
    assert document["parameters"]["n_components"] == 4
    assert document["decision"]["rule"] == "LabelThresholds"
    assert 0.8 < document["decision"]["held_out"] < 1
    assert document["bytes"] == (tmp_path / "m.skf").stat().st_size


def test_refuses_to_overwrite(skfactor, model):
    before = model.read_bytes()
    assert "--force" in skfactor.error("fit", "digit-tags", "-m", "PLST", "-o", model)
    assert model.read_bytes() == before


@pytest.mark.parametrize(("target", "said"), [("missing/m.skf", "no folder"), (".", "is a folder")])
def test_refuses_targets_before_any_work(skfactor, tmp_path, target, said):
    assert said in skfactor.error("fit", "no-such-data", "-m", "PLST", "-o", tmp_path / target)


def test_parameter_of_a_wrong_value(skfactor, tmp_path):
    target = tmp_path / "m.skf"
    assert "ridge must be" in skfactor.error("fit", "digit-tags", "-m", "RidgeBR", "-s", "ridge=-1", "-o", target)
    assert "n_components=50" in skfactor.error(
        "fit", "digit-tags", "-m", "PLST", "-s", "n_components=50", "-o", target
    )
    assert not target.exists()


def test_data_that_cannot_be_fitted(skfactor, tmp_path):
    save_npz(MultilabelData(np.eye(3), np.zeros((3, 2))), tmp_path / "none.npz")
    target = tmp_path / "m.skf"
    assert "no labels" in skfactor.error("fit", tmp_path / "none.npz", "-m", "PLST", "-o", target)
    (tmp_path / "u.data").write_text("1\t2\t3\t4\n")
    assert "has ratings" in skfactor.error("fit", tmp_path / "u.data", "-m", "PLST", "-o", target)


def test_parameter_of_a_wrong_type(skfactor, tmp_path):
    arguments = ("fit", "digit-tags", "-m", "RidgeBR", "-s", "ridge=much", "-o", tmp_path / "m.skf")
    assert skfactor.error(*arguments) == "error: ridge must be a number, got 'much' (str)."
