import numpy as np
import pytest

from skfactor.datasets import MultilabelData, save_npz
from skfactor.datasets import load as load_data
from skfactor.multilabel import RidgeBR


def test_folds_beside_the_baseline(skfactor):
    arguments = ("evaluate", "digit-tags", "-m", "PLST", "-s", "n_components=4", "--folds", 3)
    document = skfactor.json(*arguments)
    assert [result["method"] for result in document["results"]] == ["PLST", "RidgeBR"]
    figures = document["results"][0]["metrics"]["micro_f1"]
    assert len(figures["folds"]) == 3
    assert figures["mean"] == pytest.approx(np.mean(figures["folds"]))
    assert figures["sd"] == pytest.approx(np.std(figures["folds"], ddof=1))
    text = skfactor(*arguments, "--metrics", "micro_f1,hamming_loss", "--seed", 1)
    assert "3 random folds of digit-tags, seed 1: mean ± standard deviation" in text
    assert "hamming_loss (lower is better)" in text
    assert text.count("*") == 2


def test_baseline_can_be_left_out(skfactor):
    arguments = ("evaluate", "digit-tags", "-m", "PLST", "--folds", 2, "--metrics", "micro_f1")
    assert "RidgeBR" not in skfactor(*arguments, "--no-baseline")


def test_split(skfactor):
    train, test = load_data("digit-tags").split()
    expected = RidgeBR().fit(train.X, train.Y).score(test.X, test.Y)
    document = skfactor.json("evaluate", "digit-tags", "-m", "RidgeBR", "--split")
    (result,) = document["results"]
    assert result["metrics"]["micro_f1"]["mean"] == pytest.approx(expected)
    assert result["metrics"]["micro_f1"]["sd"] is None


def test_test_set_with_other_labels(skfactor, tickets, tmp_path):
    test = tmp_path / "test.csv"
    test.write_text("words,team,tags\n120,web,urgent;strange\n80,app,\n")
    arguments = (
        "evaluate",
        tickets,
        "--test",
        test,
        "-m",
        "RidgeBR",
        "-s",
        "ridge=0.01",
        "--metrics",
        "one_error",
    )
    assert skfactor.json(*arguments)["results"][0]["metrics"]["one_error"]["mean"] in (0.5, 1.0, 0.0)
    assert "does not know are left out: strange" in skfactor.err


def test_fitted_model(skfactor, model):
    data = load_data("digit-tags")
    expected = RidgeBR(ridge=0.01).fit(data.X, data.Y).score(data.X, data.Y)
    document = skfactor.json("evaluate", "digit-tags", "--model", model, "--metrics", "micro_f1")
    assert document["results"][0]["metrics"]["micro_f1"]["mean"] == pytest.approx(expected)
    assert "seconds" not in skfactor("evaluate", "digit-tags", "--model", model)


def test_fitted_model_and_other_labels(skfactor, model, tmp_path):
    save_npz(MultilabelData(np.eye(64), np.ones((64, 2))), tmp_path / "two.npz")
    assert "has 2 labels" in skfactor.error("evaluate", tmp_path / "two.npz", "--model", model)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Give --method, or --model"),
        (("-m", "PLST", "--split", "--folds", "3"), "--folds and --split exclude each other"),
        (("--model", "m.skf", "-m", "PLST"), "--model and --method exclude each other"),
        (("-m", "PLST", "--metrics", "rmse"), "rmse is for ratings"),
        (("-m", "PLST", "--metrics", "f1"), "There is no metric 'f1'"),
        (("-m", "PLST", "--metrics", ","), "names no metric"),
        (("-m", "PLST", "--folds", "9999"), "more than the 1797 rows"),
    ],
)
def test_what_cannot_be_meant(skfactor, arguments, said):
    assert said in skfactor.error("evaluate", "digit-tags", *arguments)


def test_no_split(skfactor, arff):
    assert "no stored split" in skfactor.error("evaluate", arff, "-m", "PLST", "--split")
