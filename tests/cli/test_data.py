import os

import numpy as np
import pytest

from skfactor.datasets import MultilabelData, RatingsData, save_npz


def test_list_has_the_embedded_data(skfactor):
    (digits,) = [data for data in skfactor.json("data", "list") if data["name"] == "digit-tags"]
    assert (digits["where"], digits["rows"], digits["labels"]) == ("embedded", 1797, 7)
    assert "digit-tags" in skfactor("data", "list")


def test_list_finds_the_folder_of_the_variable(skfactor, tmp_path, monkeypatch):
    (tmp_path / "multilabel").mkdir()
    save_npz(MultilabelData([[1.0]], [[1]]), tmp_path / "multilabel" / "own.npz")
    monkeypatch.setenv("SKFACTOR_DATA", str(tmp_path))
    (own,) = [data for data in skfactor.json("data", "list") if data["name"] == "own"]
    assert own["where"] == "SKFACTOR_DATA"


def test_get_prints_the_path(skfactor, tmp_path, monkeypatch):
    path = tmp_path / "fetched.rar"
    path.write_bytes(b"1234")
    monkeypatch.setattr("skfactor.datasets.fetch", lambda name, progress: path)
    assert skfactor("data", "get", "yeast") == f"{path}\n"
    assert skfactor.json("data", "get", "yeast") == {"name": "yeast", "path": str(path), "bytes": 4}


def test_get_refuses_what_it_does_not_know(skfactor):
    assert "Did you mean 'yeast'" in skfactor.error("data", "get", "yest")


def test_describe_digits(skfactor):
    document = skfactor.json("data", "describe", "digit-tags")
    assert (document["rows"], document["features"], document["labels"]) == (1797, 64, 7)
    assert document["cardinality"] == pytest.approx(document["density"] * 7)
    assert sum(document["frequencies"].values()) == pytest.approx(document["cardinality"] * 1797)
    text = skfactor("data", "describe", "digit-tags")
    assert "1,438 training rows, 359 test rows" in text
    assert "straight strokes" in text


def test_describe_arff_with_its_xml(skfactor, arff):
    document = skfactor.json("data", "describe", arff)
    assert list(document["frequencies"]) == ["sad", "calm"]
    assert document["feature names"] == ["pitch", "loud", "bright"]


@pytest.mark.parametrize(
    ("labels", "names"), [("calm", ["calm"]), ("calm,bright", ["calm", "bright"]), ("-1", ["calm"])]
)
def test_describe_arff_with_labels_of_ones_own(skfactor, arff, labels, names):
    arff.write_text(
        arff.read_text().replace("bright numeric", "bright {0,1}").partition("@data")[0] + "@data\n1,2,0,1,0"
    )
    assert list(skfactor.json("data", "describe", arff, "--labels", labels)["frequencies"]) == names


def test_describe_csv_with_options_of_the_loader(skfactor, tickets):
    assert skfactor.json("data", "describe", tickets, "--drop", "team")["features"] == 1
    tickets.write_text(tickets.read_text().replace(",", "|").replace("tags", "topics"))
    document = skfactor.json("data", "describe", tickets, "--tags", "topics", "--read", "delimiter=|")
    assert document["frequencies"] == {"billing": 10, "urgent": 10}
    assert document["rows without label"] == 5


def test_describe_tells_of_many_labels_the_commonest(skfactor, tmp_path):
    Y = np.tri(15, dtype=int)
    save_npz(MultilabelData(np.eye(15), Y), tmp_path / "many.npz")
    text = skfactor("data", "describe", tmp_path / "many.npz")
    assert "and 5 more, down to 14 with 1" in text


def test_describe_ratings(skfactor, tmp_path):
    save_npz(RatingsData([[1, 1], [1, 2], [2, 1]], [4, 5, 4]), tmp_path / "r.npz")
    document = skfactor.json("data", "describe", tmp_path / "r.npz")
    assert (document["users"], document["items"], document["frequencies"]) == (2, 2, {"4": 2, "5": 1})
    assert "level" in skfactor("data", "describe", tmp_path / "r.npz")


def test_describe_tells_the_line_of_a_malformed_file(skfactor, arff):
    text = arff.read_text().splitlines()
    arff.write_text("\n".join([*text[:10], "1,2", *text[10:]]))
    assert skfactor.error("data", "describe", arff).startswith(f"error: {arff}:11: ")


def test_option_that_the_loader_has_not(skfactor, arff):
    assert "nonsense" in skfactor.error("data", "describe", arff, "--read", "nonsense=1")
    assert "NAME=VALUE" in skfactor.error("data", "describe", arff, "--read", "nonsense")


def test_check_exit_codes(skfactor, tmp_path):
    X = np.random.default_rng(0).normal(size=(30, 3))
    Y = np.column_stack([X[:, 0] > 0, X[:, 0] < 1]).astype(int)
    clean, leaking, broken = (tmp_path / f"{name}.npz" for name in ("clean", "leaking", "broken"))
    save_npz(MultilabelData(X, Y), clean)
    save_npz(MultilabelData(np.column_stack([X, Y[:, 1]]), Y), leaking)
    save_npz(MultilabelData(np.where(np.arange(30)[:, None] == 3, np.nan, X), Y), broken)
    assert skfactor("data", "check", clean, "--strict") == "clean: no findings\n"
    assert "from feature 3" in skfactor("data", "check", leaking)
    skfactor("data", "check", leaking, "--strict", code=1)
    report = skfactor.json("data", "check", broken, code=1)
    assert report["findings"][0]["severity"] == "error"
    assert report["findings"][0]["rows"] == [3]


def test_check_finds_an_empty_cell_rather_than_stops_at_it(skfactor, tickets):
    tickets.write_text(tickets.read_text().replace("80,app", ",app", 1))
    assert "the cell is empty" in skfactor.error("data", "describe", tickets)
    report = skfactor.json("data", "check", tickets, code=1)
    assert report["findings"][0]["rows"] == [1]


def test_warnings_become_remarks(skfactor, tickets):
    arguments = ("data", "describe", tickets, "--read", "max_categories=1")
    skfactor(*arguments)
    assert skfactor.err.startswith("warning: ")
    assert skfactor.err.count("\n") == 1
    skfactor(*arguments, "--quiet")
    assert skfactor.err == ""


@pytest.mark.data
@pytest.mark.skipif("SKFACTOR_DATA" not in os.environ, reason="needs SKFACTOR_DATA")
def test_emotions(skfactor):
    path = os.path.join(os.environ["SKFACTOR_DATA"], "arff", "emotions.arff")
    document = skfactor.json("data", "describe", path)
    assert (document["rows"], document["features"], document["labels"]) == (593, 72, 6)
    assert document["cardinality"] == pytest.approx(1.868, abs=1e-3)
    skfactor("data", "check", path)
    result = skfactor.json("evaluate", path, "--method", "RidgeBR", "--folds", "3", "--metrics", "micro_f1")
    assert 0.6 < result["results"][0]["metrics"]["micro_f1"]["mean"] < 0.75
