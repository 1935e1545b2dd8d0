"""The file tells its origin, is never half written, and is refused in one line where it is damaged."""

from __future__ import annotations

import json
import pickle
import warnings
import zipfile

import numpy as np
import pytest
from skfactor._testing import Model, Rule, craft, round_trip, same

import skfactor
from skfactor.persistence import file, load, save


def test_compression_makes_it_smaller(path):
    zeros = np.zeros(10_000)
    save(zeros, path)
    full = path.stat().st_size
    save(zeros, str(path), compressed=True)
    assert path.stat().st_size < full / 10
    assert same(load(str(path)), zeros)


def test_the_file_tells_its_origin_and_numpy_reads_its_arrays(path):
    save(Model().fit([[1.0]]), path)
    with np.load(path, allow_pickle=False) as archive:
        tree = json.loads(archive["skfactor.json"])
        np.testing.assert_array_equal(archive["array_0"], [[2.0]])
    assert tree["format"] == 1
    assert tree["skfactor"] == skfactor.__version__
    assert tree["class"] == "skfactor._testing.Model"
    assert tree["versions"]["numpy"] == np.__version__
    assert set(tree["versions"]) == {"numpy", "scipy", "scikit-learn"}
    assert tree["date"].endswith("+00:00")


# Nothing is half written


def test_a_missing_folder_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere\. Create it first"):
        save(1, tmp_path / "nowhere" / "model.skf")


def test_a_failure_leaves_the_old_file_and_nothing_else(path, monkeypatch):
    save("old", path)

    def full_disk(*_, **__):
        raise OSError("no space left")

    monkeypatch.setattr(file.npy, "write_array", full_disk)
    with pytest.raises(OSError, match="no space left"):
        save(np.ones(3), path)
    assert load(path) == "old"
    assert list(path.parent.iterdir()) == [path]


def test_a_folder_in_the_way_leaves_nothing(tmp_path):
    (tmp_path / "model").mkdir()
    with pytest.raises(OSError, match="model"):
        save(1, tmp_path / "model")
    assert [entry.name for entry in tmp_path.iterdir()] == ["model"]


def test_saving_replaces(path):
    save("old", path)
    assert round_trip("new", path) == "new"
    assert list(path.parent.iterdir()) == [path]


# Damage


def not_a_zip(path):
    path.write_bytes(b"no zip at all")


def empty(path):
    path.write_bytes(b"")


def pickled(path):
    path.write_bytes(pickle.dumps({"a": 1}))


def other_zip(path):
    np.savez(path.with_suffix(".npz"), a=1)
    path.with_suffix(".npz").rename(path)


def truncated(path):
    save(np.arange(1000), path)
    path.write_bytes(path.read_bytes()[:-100])


def bits_flipped(path):
    save(np.arange(1000), path)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def too_deep(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", "[" * 200_000)


def no_dict(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("skfactor.json", "[]")


@pytest.mark.parametrize(
    "make", [not_a_zip, empty, pickled, other_zip, truncated, bits_flipped, too_deep, no_dict]
)
def test_other_and_damaged_files_get_one_line(make, path):
    make(path)
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it is damaged or was not") as raised:
        load(path)
    assert "\n" not in str(raised.value)


def test_every_truncation_is_noticed(path):
    save({"a": np.arange(20), "b": Rule()}, path)
    content = path.read_bytes()
    for length in range(0, len(content), 37):
        path.write_bytes(content[:length])
        with pytest.raises(ValueError, match="Cannot load"):
            load(path)


def test_a_missing_file_is_just_missing(path):
    with pytest.raises(FileNotFoundError, match=r"model\.skf"):
        load(path)


# Versions


def test_a_newer_format_says_what_to_do(path):
    craft(path, ["list"], format=2, skfactor="9.1.0")
    with pytest.raises(ValueError, match=r"skfactor 9\.1\.0 saved it .*pip install --upgrade skfactor"):
        load(path)


def test_another_minor_version_warns(path):
    craft(path, ["list"], skfactor="0.0.7")
    with pytest.warns(UserWarning, match=r"was saved by skfactor 0\.0\.7") as caught:
        assert load(path) == []
    assert caught[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(UserWarning, match="was saved by"):
            load(path)


def test_another_patch_is_silent(path):
    craft(path, ["list"], skfactor=".".join([*skfactor.__version__.split(".")[:2], "99"]))
    assert load(path) == []
