import csv
import io
import os

import numpy as np
import pandas as pd
import pytest

from skfactor import load, save
from skfactor.cli.models import labels_of
from skfactor.datasets import MultilabelData, save_npz
from skfactor.datasets import load as load_data


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_labels_are_those_of_the_model(skfactor, model):
    rows = rows_of(skfactor("predict", model, "digit-tags"))
    fitted, data = load(model), load_data("digit-tags")
    expected = labels_of(fitted, data.X).toarray() > 0
    assert [set(row["labels"].split(";")) for row in rows] == [set(fitted.classes_[row]) for row in expected]
    assert [row["row"] for row in rows] == [str(place) for place in range(1797)]


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_top_with_scores(skfactor, model):
    rows = rows_of(skfactor("predict", model, "digit-tags", "--top", 3, "--scores"))
    names, scores = load(model).predict_top(np.asarray(load_data("digit-tags").X), 3, return_scores=True)
    assert rows[7]["labels"].split(";") == list(names[7])
    np.testing.assert_allclose([float(score) for score in rows[7]["scores"].split(";")], scores[7], rtol=1e-5)


def test_json(skfactor, model):
    document = skfactor.json("predict", model, "digit-tags", "--top", 2, "--scores")
    assert len(document["rows"]) == 1797
    assert document["rows"][0]["scores"] == sorted(document["rows"][0]["scores"], reverse=True)


def test_file(skfactor, model, tmp_path):
    target = tmp_path / "tags.csv"
    assert skfactor("predict", model, "digit-tags", "-o", target) == ""
    assert skfactor.err == f"1797 rows written to {target}\n"
    assert target.read_text() == skfactor("predict", model, "digit-tags")
    assert "--force" in skfactor.error("predict", model, "digit-tags", "-o", target)
    document = skfactor.json("predict", model, "digit-tags", "-o", target, "--force")
    assert document["rows"] == 1797
    assert [path.name for path in tmp_path.glob(".*")] == []


def test_failure_leaves_no_file(skfactor, model, tmp_path, monkeypatch):
    def broken(*arguments):
        raise ValueError("no scores")

    monkeypatch.setattr("skfactor.cli.models.scores_of", broken)
    skfactor.error("predict", model, "digit-tags", "-o", tmp_path / "tags.csv")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["digits.skf"]


def test_many_blocks(skfactor, model, monkeypatch):
    whole = skfactor("predict", model, "digit-tags")
    monkeypatch.setattr("skfactor.cli.predict._SCORES", 700)
    assert skfactor("predict", model, "digit-tags") == whole


def test_columns_are_matched_by_name(skfactor, tickets, tmp_path):
    target = tmp_path / "m.skf"
    skfactor("fit", tickets, "-m", "RidgeBR", "-s", "ridge=0.01", "-o", target)
    whole = rows_of(skfactor("predict", target, tickets, "--scores"))
    new = tmp_path / "new.csv"
    new.write_text("team,words\nweb,120\n")  # another order, no tags, and only one team
    assert rows_of(skfactor("predict", target, new, "--scores")) == whole[:1]
    new.write_text("team,words\nsales,120\n")
    assert len(rows_of(skfactor("predict", target, new))) == 1


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_tables_without_labels(skfactor, tickets, tmp_path, form):
    frame = pd.read_csv(tickets, keep_default_na=False)
    labelled, new, target = tmp_path / f"all.{form}", tmp_path / f"new.{form}", tmp_path / "m.skf"
    for path, table in ((labelled, frame), (new, frame.drop(columns="tags"))):
        table.to_csv(path, index=False) if form == "csv" else table.to_parquet(path)
    skfactor("fit", labelled, "-m", "RidgeBR", "-o", target)
    expected = skfactor("predict", target, labelled)
    assert skfactor("predict", target, new) == expected
    assert skfactor("predict", target, new, "--tags", "") == expected
    assert "tags names 'tags'" in skfactor.error("fit", new, "-m", "RidgeBR", "-o", tmp_path / "n.skf")


def test_label_columns_need_not_be_there(skfactor, tmp_path):
    labelled, new, target = tmp_path / "all.csv", tmp_path / "new.csv", tmp_path / "m.skf"
    labelled.write_text("a,b,p,q\n" + "1,0,1,0\n0,1,0,1\n" * 10)
    new.write_text("a,b,q\n1,0,0\n0,1,1\n")
    skfactor("fit", labelled, "--tags", "p,q", "-m", "RidgeBR", "-s", "ridge=0.01", "-o", target)
    assert [row["labels"] for row in rows_of(skfactor("predict", target, new, "--tags", "p,q"))] == ["p", "q"]
    assert "not fitted to: q" in skfactor.error("predict", target, new)


def test_arff_without_labels(skfactor, arff, tmp_path):
    target, new = tmp_path / "m.skf", tmp_path / "new.arff"
    skfactor("fit", arff, "-m", "RidgeBR", "-o", target)
    expected = skfactor("predict", target, arff)
    lines = [line for line in arff.read_text().splitlines() if "{0,1}" not in line]
    lines = [line.rsplit(",", 2)[0] if line[:1] not in "@" else line for line in lines]
    new.write_text("\n".join(lines) + "\n")
    assert skfactor("predict", target, new) == expected
    assert skfactor("predict", target, new, "--labels", arff.with_suffix(".xml")) == expected
    new.write_text(new.read_text().replace("@relation sounds", "@relation 'sounds: -C 2'"))
    assert skfactor("predict", target, new, "--labels", "") == expected
    assert "which the file has no attribute for" in skfactor.error(
        "fit", new, "--labels", "sad,calm", "-m", "RidgeBR", "-o", tmp_path / "n.skf"
    )


def test_svmlight_with_the_labels_named(skfactor, tmp_path):
    labelled, new, target = tmp_path / "all.svm", tmp_path / "new.svm", tmp_path / "m.skf"
    labelled.write_text("1 1:1\n2 2:1\n" * 10)
    new.write_text(" 1:1\n 2:1\n")
    skfactor("fit", labelled, "--labels", "1,2", "-m", "RidgeBR", "-s", "ridge=0.01", "-o", target)
    assert [row["labels"] for row in rows_of(skfactor("predict", target, new))] == ["1", "2"]
    assert "must list the numbers" in skfactor.error("predict", target, new, "--labels", "a,b")


def test_columns_that_differ(skfactor, tickets, tmp_path, model):
    target, new = tmp_path / "m.skf", tmp_path / "new.csv"
    skfactor("fit", tickets, "-m", "RidgeBR", "-o", target)
    new.write_text("words\n120\n")
    assert f"{new} lacks features that the model was fitted to: team=app" in skfactor.error("predict", target, new)
    new.write_text("words,team,id\n120,web,7\n")
    assert "not fitted to: id" in skfactor.error("predict", target, new)
    assert len(rows_of(skfactor("predict", target, new, "--drop", "id"))) == 1
    new.write_text("words,team\n120,\n")
    assert skfactor.error("predict", target, new).startswith(f"error: {new}: row 0")
    save_npz(MultilabelData(np.eye(3), np.eye(3)), tmp_path / "nameless.npz")
    assert "has 3 features" in skfactor.error("predict", model, tmp_path / "nameless.npz")


def test_what_is_no_model(skfactor, tmp_path, tickets):
    assert "no file" in skfactor.error("predict", tmp_path / "none.skf", "digit-tags")
    assert "Cannot load" in skfactor.error("predict", tickets, "digit-tags")
    save({"a": 1}, tmp_path / "dict.skf")
    assert "holds a dict" in skfactor.error("predict", tmp_path / "dict.skf", "digit-tags")


def test_too_many(skfactor, model):
    assert "at most 7" in skfactor.error("predict", model, "digit-tags", "--top", 8)


@pytest.mark.data
@pytest.mark.skipif("SKFACTOR_DATA" not in os.environ, reason="needs SKFACTOR_DATA")
def test_emotions_by_hand(skfactor, tmp_path):
    path = os.path.join(os.environ["SKFACTOR_DATA"], "arff", "emotions.arff")
    skfactor("fit", path, "-m", "PLST", "-s", "n_components=4", "-o", tmp_path / "emotions.skf")
    rows = rows_of(skfactor("predict", tmp_path / "emotions.skf", path, "--top", 2))
    assert len(rows) == 593
    assert "quiet-still" in {label for row in rows for label in row["labels"].split(";")}
