import numpy as np
import pytest

from skfactor.datasets import DataFormatError, load_xmc

TEXT = "4 3 5\n0,4 0:0.5 2:-1e-3\n 1:2\n3\n\n"


@pytest.fixture
def load(tmp_path):
    def load_text(text):
        path = tmp_path / "train.txt"
        path.write_text(text)
        return load_xmc(path)

    return load_text


@pytest.mark.parametrize("text", [TEXT, TEXT + "\n", TEXT.replace("\n", "\r\n"), TEXT.replace(" 1:2", "  1:2 ")])
def test_rows_without_labels_and_without_features(load, text):
    data = load(text)
    np.testing.assert_array_equal(data.X.toarray(), [[0.5, 0, -0.001], [0, 2, 0], [0, 0, 0], [0, 0, 0]])
    np.testing.assert_array_equal(np.diff(data.Y.indptr), [2, 0, 1, 0])
    assert data.Y.indices.tolist() == [0, 4, 3]
    assert (data.X.shape, data.Y.shape, data.name) == ((4, 3), (4, 5), "train")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"train.txt:1: expected the numbers of rows, features and labels, got ''"),
        ("2 3\n", r"train.txt:1: expected the numbers"),
        ("2 3 5\n0 1:1\n", r"train.txt:2: the file ends after 1 of the 2 rows"),
        ("1 3 5\n0 1:1\n0 1:1\n", r"train.txt:3: more rows than the 1"),
        ("1 3 5\n1:1\n", r"train.txt:2: a row without label must start with a space"),
        ("1 3 5\n7 1:1\n", r"train.txt:2: label 7 does not exist: line 1 announces 5"),
        ("1 3 5\n-1 1:1\n", r"train.txt:2: expected a label as a whole number, got '-1'"),
        ("1 3 5\n1,,2 1:1\n", r"train.txt:2: expected a label as a whole number, got ''"),
        ("1 3 5\n1,1 1:1\n", r"train.txt:2: label 1 occurs twice"),
        ("1 3 5\n1 3:1\n", r"train.txt:2: feature 3 does not exist: line 1 announces 3"),
        ("1 3 5\n1 1:1 1:2\n", r"train.txt:2: feature 1 occurs twice"),
        ("1 3 5\n1 1:x\n", r"train.txt:2: expected a feature as number:value, got '1:x'"),
        ("1 3 5\n1 1:2:3\n", r"train.txt:2: expected a feature as number:value, got '1:2:3'"),
        ("1 3 5\n1 2\n", r"train.txt:2: expected a feature as number:value, got '2'"),
        ("1 3 5\n1 1:nan\n", r"train.txt:2: expected a feature as number:value, got '1:nan'"),
    ],
)
def test_malformed_files(load, text, message):
    with pytest.raises(DataFormatError, match=message):
        load(text)
