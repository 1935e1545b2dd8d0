import sys

import numpy as np
import pandas as pd
import pytest

from skfactor.datasets import DataFormatError, load_csv, load_parquet

FRAME = pd.DataFrame(
    {
        "words": [120, 80, 60],
        "team": ["web", "app", "web"],
        "open": [True, False, True],
        "tags": ["urgent; billing", "NA", ""],
        "spam": [0, 1, 0],
    }
)


@pytest.fixture
def csv(tmp_path):
    path = tmp_path / "tickets.csv"
    FRAME.to_csv(path, index=False)
    return path


def test_numbers_text_and_tags(csv):
    data = load_csv(csv)
    assert data.feature_names == ["words", "team=app", "team=web", "open", "spam"]
    np.testing.assert_array_equal(data.X, [[120, 0, 1, 1, 0], [80, 1, 0, 0, 1], [60, 0, 1, 1, 0]])
    assert data.label_names == ["NA", "billing", "urgent"]
    np.testing.assert_array_equal(data.Y.toarray(), [[0, 1, 1], [1, 0, 0], [0, 0, 0]])
    assert data.name == "tickets"


def test_tags_that_are_numbers_are_taken_as_written(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,tags\n1,3\n2,\n3,03\n")
    assert load_csv(path).label_names == ["03", "3"]


def test_label_columns(csv):
    data = load_csv(csv, tags=["spam", "open"], drop=["tags"])
    assert data.label_names == ["spam", "open"]
    np.testing.assert_array_equal(data.Y.toarray(), [[0, 1], [1, 0], [0, 1]])
    with pytest.raises(
        DataFormatError, match=r"row 0 \(from 0, without the header\), column 'words': a label must"
    ):
        load_csv(csv, tags=["words"])


@pytest.mark.parametrize("tags", [None, (), []])
@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_table_without_labels(tmp_path, form, tags):
    path = tmp_path / f"new.{form}"
    table = FRAME.drop(columns="tags")
    table.to_csv(path, index=False) if form == "csv" else table.to_parquet(path)
    load = {"csv": load_csv, "parquet": load_parquet}[form]
    for data in (load(path, tags), load(path, require_labels=False)):
        assert data.feature_names == ["words", "team=app", "team=web", "open", "spam"]
        assert (data.X.shape, data.Y.shape, data.label_names) == ((3, 5), (3, 0), [])


def test_labels_that_are_not_required_may_be_there(csv):
    data = load_csv(csv, ["spam", "absent"], drop=["tags"], require_labels=False)
    assert data.label_names == ["spam"]
    assert load_csv(csv, require_labels=False).label_names == ["NA", "billing", "urgent"]


def test_other_separators(tmp_path):
    path = tmp_path / "a.tsv"
    path.write_text("x\tkind\n1\ta|b\n2\tb\n")
    assert load_csv(path, "kind", "|", delimiter="\t").label_names == ["a", "b"]


def test_parquet_with_lists(tmp_path):
    path = tmp_path / "tickets.parquet"
    tags = [["urgent", "billing"], None, []]
    FRAME.assign(tags=tags, team=FRAME["team"].astype("category")).to_parquet(path)
    data = load_parquet(path)
    assert data.feature_names == ["words", "team=app", "team=web", "open", "spam"]
    assert data.label_names == ["billing", "urgent"]
    assert data.Y.toarray().tolist() == [[1, 1], [0, 0], [0, 0]]


def test_parquet_tags_that_are_numbers(tmp_path):
    pd.DataFrame({"x": [1, 2], "tags": pd.array([3, None], dtype="Int64")}).to_parquet(tmp_path / "a.parquet")
    assert load_parquet(tmp_path / "a.parquet").Y.toarray().tolist() == [[1], [0]]


def test_long_text_and_dates_are_left_out_with_a_warning(tmp_path):
    path = tmp_path / "a.parquet"
    FRAME.assign(day=pd.to_datetime("2020-01-01"), parts=[[1], [2], [3]]).to_parquet(path)
    with pytest.warns(UserWarning, match=r"more than 1 different values, a date or a list: team, day, parts"):
        data = load_parquet(path, max_categories=1)
    assert data.feature_names == ["words", "open", "spam"]


def test_empty_cells(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,color,tags\n1,red,a\n,,b\n")
    with pytest.raises(
        DataFormatError, match=r"row 1 \(from 0, without the header\), column 'x': the cell is empty"
    ):
        load_csv(path)
    data = load_csv(path, missing="nan")
    np.testing.assert_array_equal(data.X, [[1, 1], [np.nan, np.nan]])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"tags": "label"}, r"tags names 'label', but the columns of .* are words, team, open, tags, spam"),
        ({"drop": ["label"]}, "drop names 'label'"),
        ({"missing": "zero"}, "missing must be one of"),
        ({"max_categories": 0}, "max_categories must be at least 1"),
    ],
)
def test_refuses_wrong_options(csv, options, message):
    with pytest.raises(ValueError, match=message):
        load_csv(csv, **options)


def test_malformed_files(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("x,tags\n1,a\n1,2,3\n")
    with pytest.raises(DataFormatError, match=r"a.csv: .*line 3"):
        load_csv(path)
    path.write_text("")
    with pytest.raises(DataFormatError, match=r"a.csv: No columns"):
        load_csv(path)
    with pytest.raises(DataFormatError, match=r"a.csv: "):
        load_parquet(path)
    path.write_bytes(b"x,tags\n\xff,a\n")
    with pytest.raises(DataFormatError, match=r"a.csv: damaged, or not .*utf-8"):
        load_csv(path)
    with pytest.raises(FileNotFoundError):
        load_parquet(tmp_path / "absent.parquet")


def test_a_column_of_text_may_be_empty(tmp_path):
    path = tmp_path / "a.parquet"
    pd.DataFrame({"x": [1, 2], "team": pd.array([None, None], dtype="string")}).to_parquet(path)
    assert load_parquet(path, None, missing="nan").feature_names == ["x"]


def test_missing_extras_are_named(csv, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match=r"load_csv needs pandas: pip install 'skfactor\[data\]'"):
        load_csv(csv)
