import bz2

import numpy as np
import pytest

from skfactor.datasets import DataFormatError, load_svmlight

TEXT = "# a comment\n2,5 1:0.5 3:1\n 2:2.5 # no label\n5 1:-1e-3\n"


def write(folder, text):
    path = folder / "train.svm"
    path.write_text(text)
    return path


def test_rows_with_and_without_labels(tmp_path):
    data = load_svmlight(write(tmp_path, TEXT))
    np.testing.assert_array_equal(data.X.toarray(), [[0.5, 0, 1], [0, 2.5, 0], [-0.001, 0, 0]])
    np.testing.assert_array_equal(data.Y.toarray(), [[1, 1], [0, 0], [0, 1]])
    assert data.label_names == ["2", "5"]


def test_compressed_files(tmp_path):
    path = tmp_path / "train.svm.bz2"
    path.write_bytes(bz2.compress(TEXT.encode()))
    assert load_svmlight(path).X.shape == (3, 3)
    path.write_bytes(bz2.compress(TEXT.encode())[:-5])
    with pytest.raises(DataFormatError, match=r"train.svm.bz2: damaged, or not"):
        load_svmlight(path)
    path.write_bytes(bz2.compress(b"1 1:x\n"))
    with pytest.raises(DataFormatError, match=r"train.svm.bz2:1"):
        load_svmlight(path)


def test_columns_can_be_fixed(tmp_path):
    data = load_svmlight(write(tmp_path, TEXT), n_features=9, labels=[5, 2, 1])
    assert data.X.shape == (3, 9)
    assert data.label_names == ["5", "2", "1"]
    assert data.Y.toarray().tolist() == [[1, 1, 0], [0, 0, 0], [1, 0, 0]]
    with pytest.raises(ValueError, match="labels leaves out 2, which occurs"):
        load_svmlight(write(tmp_path, TEXT), labels=[5])


def test_labels_may_be_text(tmp_path):
    data = load_svmlight(write(tmp_path, TEXT), labels=["5", "2", "1"])
    assert data.label_names == ["5", "2", "1"]
    assert load_svmlight(write(tmp_path, "7 1:1\n"), labels="7").label_names == ["7"]
    for wrong in (["a"], "1,2", 3):
        with pytest.raises(ValueError, match=r"labels must list the numbers of the labels, as \[1, 2\], got"):
            load_svmlight(write(tmp_path, TEXT), labels=wrong)


def test_large_numbers_of_labels_keep_their_digits(tmp_path):
    data = load_svmlight(write(tmp_path, "1234567,1234568 1:1\n0.5 1:1\n"))
    assert data.label_names == ["0.5", "1234567", "1234568"]


def test_no_labels_at_all(tmp_path):
    data = load_svmlight(write(tmp_path, " 1:0.5\n 2:1\n"))
    assert (data.X.shape, data.Y.shape) == ((2, 2), (2, 0))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 1:1\n1,a 1:1\n", r"train.svm:2: expected 'label,label number:value ...', got '1,a 1:1'"),
        ("1 1:1\n\n1 1:x\n", r"train.svm:3: expected"),
        ("1 1:1\n1 2:1 1:1\n", r"train.svm:2: the features must be in ascending order"),
    ],
)
def test_malformed_files(tmp_path, text, message):
    with pytest.raises(DataFormatError, match=message):
        load_svmlight(write(tmp_path, text))


def test_other_refusals_name_the_file(tmp_path):
    with pytest.raises(DataFormatError, match=r"train.svm: .*n_features"):
        load_svmlight(write(tmp_path, TEXT), n_features=1)
    with pytest.raises(FileNotFoundError, match=r"absent.svm"):
        load_svmlight(tmp_path / "absent.svm")
