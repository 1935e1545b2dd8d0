import shutil

import numpy as np
import pytest

from skfactor.datasets import DataFormatError, MultilabelData, RatingsData, load, save_npz

ARFF = "@relation 'r: -C 1'\n@attribute a {0,1}\n@attribute b real\n@data\n1,2\n"
FILES = {
    "a.arff": ARFF,
    "a.csv": "x,tags\n1,p;q\n",
    "a.xmc": "1 2 2\n0,1 0:1\n",
    "a.txt": "1 2 2\n0,1 0:1\n",
    "b.txt": "0,1 1:1\n",
    "a.svm": "0,1 1:1\n",
    "A.LIBSVM": "0,1 1:1\n",
    "u.data": "1\t2\t3\n",
    "ratings.dat": "1::2::3\n",
    "ratings.csv": "userId,movieId,rating\n1,2,3\n",
    "plain.csv": "1,2,3\n",
}


@pytest.fixture(autouse=True)
def no_data_folder(monkeypatch):
    monkeypatch.delenv("SKFACTOR_DATA", raising=False)


@pytest.mark.parametrize("name", FILES)
def test_the_ending_says_which_loader(tmp_path, name):
    (tmp_path / name).write_text(FILES[name])
    for source in (tmp_path / name, str(tmp_path / name)):
        data = load(source)
        assert len(data) == 1
        assert isinstance(data, RatingsData) == (
            "::" in FILES[name] or name in ("u.data", "ratings.csv", "plain.csv")
        )


def test_options_go_to_the_loader(tmp_path):
    (tmp_path / "a.csv").write_text("x,kind\n1,p|q\n")
    assert load(tmp_path / "a.csv", tags="kind", separator="|").label_names == ["p", "q"]


def test_npz_and_parquet(tmp_path):
    save_npz(MultilabelData(np.eye(2), np.eye(2)), tmp_path / "a.npz")
    assert len(load(tmp_path / "a.npz")) == 2
    pd = pytest.importorskip("pandas")
    pd.DataFrame({"x": [1.0], "tags": ["p"]}).to_parquet(tmp_path / "a.parquet")
    assert load(tmp_path / "a.parquet").label_names == ["p"]


def test_folders_and_archives(tmp_path):
    folder = tmp_path / "flags"
    folder.mkdir()
    for name in ("flags.arff", "flags-train.arff", "flags-test.arff"):
        (folder / name).write_text(ARFF)
    assert load(folder).name == "flags"
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "flags")
    assert load(packed).name == "packed"
    (folder / "other.arff").write_text(ARFF)
    with pytest.raises(ValueError, match=r"several data sets: flags.arff, other.arff. Give the path"):
        load(folder)


def test_errors_in_archives_name_the_file_and_line(tmp_path):
    (tmp_path / "flags").mkdir()
    (tmp_path / "flags" / "flags.arff").write_text(ARFF + "1,x\n")
    packed = shutil.make_archive(str(tmp_path / "packed"), "zip", tmp_path, "flags")
    with pytest.raises(DataFormatError, match=r"packed.zip/flags/flags.arff:6: attribute 'b'"):
        load(packed)


def test_a_folder_with_nothing(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"neither an .arff file nor ratings"):
        load(tmp_path)


def test_other_endings_and_absent_files(tmp_path):
    (tmp_path / "a.doc").touch()
    with pytest.raises(ValueError, match=r"a.doc: which form is it\? Known endings are .npz, .arff"):
        load(tmp_path / "a.doc")
    with pytest.raises(FileNotFoundError, match=r"There is no file .*absent.arff"):
        load(tmp_path / "absent.arff")
    with pytest.raises(FileNotFoundError, match=r"There is no file absent.arff"):
        load("absent.arff")


def test_a_name_wins_over_a_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "digit-tags").mkdir()
    (tmp_path / "digit-tags" / "a.arff").write_text(ARFF)
    assert len(load("digit-tags")) == 1797
    assert len(load("./digit-tags")) == 1


def test_importing_is_light():
    import subprocess
    import sys

    code = "import sys, skfactor.datasets; print([m for m in ('pandas', 'pooch', 'sklearn') if m in sys.modules])"
    assert (
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"
    )
