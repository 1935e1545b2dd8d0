import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from skfactor.datasets import DataFormatError, load_arff
from skfactor.datasets.arff_header import split_values, unquote

HEADER = """% a comment
@RELATION flags

@Attribute red {0,1}
@attribute 'area, in km' NUMERIC
@attribute "it's" real
@ATTRIBUTE shape { round, 'two words', square}
@attribute big {YES, NO}
@DATA
"""
DENSE = HEADER + "% another\n1, 2.5, -1e3, 'two words', YES\n\n0,0,7,round,NO\n"
SPARSE = HEADER + "{0 1, 1 2.5 ,2 -1e3,3 'two words'}\n{2 7, 4 NO}\n"
NAMES = ["area, in km", "it's", "shape=round", "shape=two words", "shape=square", "big"]
X = [[2.5, -1000, 0, 1, 0, 1], [0, 7, 1, 0, 0, 0]]


@pytest.fixture
def load(tmp_path):
    """Load text as a file called data.arff."""

    def load_text(text, labels=("red",), **options):
        path = tmp_path / "data.arff"
        path.write_text(text, encoding="utf-8")
        return load_arff(path, labels, **options)

    return load_text


@pytest.mark.parametrize("text", [DENSE, SPARSE, DENSE.replace("\n", "\r\n"), "\ufeff" + DENSE])
def test_dense_and_sparse_say_the_same(load, text):
    data = load(text)
    assert sparse.issparse(data.X) == (text == SPARSE)
    assert data.feature_names == NAMES
    assert data.label_names == ["red"]
    assert data.name == "data"
    X_read = data.X.toarray() if sparse.issparse(data.X) else data.X
    np.testing.assert_array_equal(X_read, X)
    np.testing.assert_array_equal(data.Y.toarray(), [[1], [0]])


def test_an_omitted_entry_of_a_sparse_row_is_the_first_value(load):
    data = load("@relation r\n@attribute a {yes,no}\n@attribute b numeric\n@data\n{}\n{0 no,1 3}\n", ["a"])
    np.testing.assert_array_equal(data.Y.toarray(), [[1], [0]])
    assert data.X.toarray().tolist() == [[0], [3]]


@pytest.mark.parametrize(
    ("values", "column"),
    [("{0,1}", [0, 1]), ("{1,0}", [1, 0]), ("{False, TRUE}", [0, 1]), ("{y,n}", [1, 0]), ("{1}", [1, 1])],
)
def test_binary_nominals_are_one_column(load, values, column):
    words = values.strip("{}").replace(" ", "").split(",")
    rows = "\n".join(f"{word},1" for word in (words * 2)[:2])
    data = load(f"@relation r\n@attribute a {values}\n@attribute b numeric\n@data\n{rows}", ["b"])
    assert data.feature_names == ["a"]
    assert data.X[:, 0].tolist() == column


def test_other_two_valued_nominals_are_two_columns(load):
    data = load("@relation r\n@attribute a {male,female}\n@attribute b {0,1}\n@data\nmale,1\n", ["b"])
    assert data.feature_names == ["a=male", "a=female"]


# Where the labels are


def test_labels_by_xml_in_its_order(tmp_path, load):
    nested = '<label name="big"><label name="red"/></label>'
    xml = f'<labels xmlns="http://mulan.sourceforge.net/labels">{nested}</labels>'
    (tmp_path / "data.xml").write_text(xml)
    for data in (load(DENSE, None), load(DENSE, tmp_path / "data.xml"), load(DENSE, ["big", "red"])):
        assert data.label_names == ["big", "red"]
        np.testing.assert_array_equal(data.Y.toarray(), [[1, 1], [0, 0]])


@pytest.mark.parametrize("text", [DENSE, SPARSE])
def test_a_file_without_labels(tmp_path, load, text):
    absent = [load(text, labels, require_labels=False) for labels in (None, ["blue"])]
    for data in (load(text, []), *absent):
        assert data.feature_names == ["red", *NAMES]
        assert (data.X.shape, data.Y.shape, data.label_names) == ((2, 7), (2, 0), [])
    (tmp_path / "data.xml").write_text('<labels><label name="blue"/><label name="red"/></labels>')
    assert load(text, None, require_labels=False).label_names == ["red"]
    with pytest.raises(DataFormatError, match=r"data.xml names 'blue', which the file has no attribute for"):
        load(text, None)


def test_xml_serves_the_parts_of_a_split(tmp_path):
    (tmp_path / "flags.xml").write_text('<labels><label name="red"/></labels>')
    (tmp_path / "flags-train.arff").write_text(DENSE)
    assert load_arff(tmp_path / "flags-train.arff").label_names == ["red"]


@pytest.mark.parametrize(
    ("relation", "labels", "names"),
    [
        ("'flags: -C 1'", None, ["red"]),
        ("'flags: -C -1 -split 3'", None, ["big"]),
        ("flags", 1, ["red"]),
        ("flags", -1, ["big"]),
    ],
)
def test_labels_by_count(load, relation, labels, names):
    assert load(DENSE.replace("RELATION flags", f"RELATION {relation}"), labels).label_names == names


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        (None, "which attributes are labels.*no data.xml beside it.*Pass labels="),
        (["blue"], "labels names 'blue', which the file has no attribute for"),
        (["red", "red"], "each attribute once"),
        (9, "labels=9 leaves no label or no feature of 5"),
        (["shape"], r"label 'shape' must be numeric or \{0,1\}, but is \{round, two words, square\}"),
    ],
)
def test_refuses_wrong_labels(load, labels, message):
    with pytest.raises(DataFormatError, match=message):
        load(DENSE, labels)


@pytest.mark.parametrize(
    ("xml", "message"),
    [
        ("<labels>\n<label name='a'>", r"labels.xml:2: not well-formed"),
        ("<?xml version='1.0' encoding='nothing'?><labels/>", r"labels.xml: not well-formed XML \(unknown enc"),
        ("<labels/>", "expected elements <label"),
    ],
)
def test_refuses_wrong_xml(tmp_path, load, xml, message):
    (tmp_path / "labels.xml").write_text(xml)
    with pytest.raises(DataFormatError, match=message):
        load(DENSE, tmp_path / "labels.xml")


# What is left out


def test_strings_and_dates_are_left_out_with_a_warning(load):
    text = "@relation r\n@attribute s string\n@attribute d date 'yyyy'\n@attribute a {0,1}\n"
    text += "@attribute b real\n@data\n'some, text',?,1,2\n"
    with pytest.warns(UserWarning, match="left out, because a string or date: s, d"):
        data = load(text, ["a"])
    assert data.feature_names == ["b"]
    assert load(text, ["a"], drop=["s", "d"]).feature_names == ["b"]


def test_nominals_of_many_values_can_be_left_out(load):
    with pytest.warns(UserWarning, match="nominal with more than 2 values: shape"):
        data = load(DENSE, max_categories=2)
    assert data.feature_names == ["area, in km", "it's", "big"]
    assert load(DENSE, drop=["shape"], max_categories=2).feature_names == data.feature_names


@pytest.mark.parametrize("drop", ["nothing", "red"])
def test_refuses_to_drop_what_is_no_feature(load, drop):
    with pytest.raises(ValueError, match=f"drop names '{drop}', which is no feature"):
        load(DENSE, drop=[drop])


# Missing values


def test_missing_values_are_refused_by_default(load):
    with pytest.raises(
        DataFormatError, match=r"data.arff:11: the value of attribute \"it's\" is missing. Pass missing='nan'"
    ):
        load(DENSE.replace("-1e3", "?"))
    with pytest.raises(DataFormatError, match=r"data.arff:10: the value of attribute 'shape' is missing"):
        load(SPARSE.replace("3 'two words'", "3 ?"))


@pytest.mark.parametrize("text", [DENSE, SPARSE])
def test_missing_values_can_be_nan(load, text):
    data = load(
        text.replace("-1e3", "?").replace("'two words'}", "?}").replace("'two words', YES", "?, YES"),
        missing="nan",
    )
    X_read = data.X.toarray() if sparse.issparse(data.X) else data.X
    assert np.isnan(X_read[0]).tolist() == [False, True, True, True, True, False]
    assert not np.isnan(X_read[1]).any()


def test_missing_labels_are_always_refused(load):
    with pytest.raises(DataFormatError, match=r"label 'red' of row 0 \(from 0\) is missing"):
        load(DENSE.replace("\n1, 2.5", "\n?, 2.5"), missing="nan")


def test_labels_are_0_or_1(load):
    with pytest.raises(DataFormatError, match=r"label 'area, in km' of row 0 \(from 0\) must be 0 or 1, got 2.5"):
        load(DENSE, ["area, in km"])


# Malformed files


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("@RELATION", "RELATION", r"data.arff:2: expected @relation, @attribute or @data, got 'RELATION flags'"),
        ("NUMERIC", "", r"data.arff:5: expected '@attribute name type'"),
        ("NUMERIC", "number", r"data.arff:5: attribute 'area, in km' has the type 'number'; known are"),
        ("{0,1}", "{0,0}", r"data.arff:4: attribute 'red' lists an empty or repeated value"),
        ("{0,1}", "{0,,1}", r"data.arff:4: attribute 'red' lists an empty"),
        ("big {", "red {", r"data.arff: attribute 'red' is declared twice"),
        ("@DATA", "% ", r"data.arff:11: expected @relation"),
        ("0,0,7,round,NO", "0,0,7,round", r"data.arff:13: expected 5 values, got 4"),
        (
            "7,round",
            "7,oval",
            r"data.arff:13: attribute 'shape' \(column 3\) must be one of \{round, .*got 'oval'",
        ),
        ("0,0,7", "0,x,7", r"data.arff:13: attribute 'area, in km' \(column 1\) must be a number, got 'x'"),
        ("0,0,7", "0,nan,7", r"data.arff:13: the value of attribute 'area, in km' is missing"),
        ("0,0,7", "0,inf,7", r"data.arff:13: attribute 'area, in km' is infinite"),
        ("0,0,7,round,NO", "{0 1}", r"data.arff:13: dense and sparse rows are mixed"),
    ],
)
def test_malformed_dense_files(load, old, new, message):
    assert old in DENSE
    with pytest.raises(DataFormatError, match=message):
        load(DENSE.replace(old, new))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("{2 7, 4 NO", r"data.arff:11: the row does not end with '}'"),
        ("{2 7}, {5}", r"data.arff:11: expected 'column value'"),
        ("{2 7, 9 1}", r"data.arff:11: column 9 does not exist: the 5 columns count from 0"),
        ("{2 7, -1 1}", r"data.arff:11: expected 'column value', got '-1 1'"),
        ("{2 7, 2 8}", r"data.arff:11: column 2 \(\"it's\"\) occurs twice"),
        ("{2 7, 4}", r"data.arff:11: expected 'column value', got '4'"),
        ("{3 'two words', 4}", r"data.arff:11: expected 'column value', got '4'"),
        ("{2 7 8, 4 NO}", r"data.arff:11: expected 'column value', got '2 7 8'"),
        ("{2 x}", r"data.arff:11: attribute \"it's\" \(column 2\) must be a number, got 'x'"),
        ("{2 inf}", r"data.arff:11: attribute \"it's\" is infinite"),
        ("1,2,3,round,NO", r"data.arff:11: dense and sparse rows are mixed"),
    ],
)
def test_malformed_sparse_files(load, row, message):
    with pytest.raises(DataFormatError, match=message):
        load(SPARSE.replace("{2 7, 4 NO}", row))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no @data line: the file is cut off"),
        ("@relation r\n@data\n1\n", "no @attribute before @data"),
        (HEADER, "no rows after @data"),
    ],
)
def test_files_that_end_early(load, text, message):
    with pytest.raises(DataFormatError, match=message):
        load(text)


def test_refuses_other_encodings_and_says_how_to_read_them(tmp_path):
    path = tmp_path / "data.arff"
    path.write_bytes(DENSE.replace("flags", "länder").encode("latin-1"))
    with pytest.raises(DataFormatError, match=r"not utf-8-sig text .* encoding='latin-1'"):
        load_arff(path, ["red"])
    assert load_arff(path, ["red"], encoding="latin-1").label_names == ["red"]


def test_refuses_wrong_options(load):
    with pytest.raises(ValueError, match="missing must be one of 'error', 'nan'"):
        load(DENSE, missing="zero")
    with pytest.raises(ValueError, match="max_categories must be at least 1"):
        load(DENSE, max_categories=0)


# Properties


def quote(text):
    return "'" + text.replace("\\", r"\\").replace("'", r"\'") + "'"


texts = st.text(st.characters(categories=["L", "N", "P", "S", "Zs"]), min_size=1)


@given(texts)
def test_quoting_is_undone(text):
    assert unquote(quote(text)) == text


@given(st.lists(texts, min_size=1))
def test_quoted_values_are_split_where_they_were_joined(values):
    assert split_values(", ".join(map(quote, values))) == values
