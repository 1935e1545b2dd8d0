"""A stranger's file can name nothing but what is allowed, and reach no memory that is not its own."""

from __future__ import annotations

import io
import sys
import zipfile

import numpy as np
import pytest
from scipy import sparse
from skfactor._testing import Rule, craft

from skfactor.persistence import load, save

HOME = "skfactor._testing"


@pytest.mark.parametrize("kind", ["class", "function", "instance", "enum"])
@pytest.mark.parametrize(
    "address",
    [
        "os:system",
        "builtins:eval",
        "subprocess:Popen",
        "skfactor.persistence.file:os.system",
        "skfactor.persistence.file:os",
        "skfactor.persistence.file:zipfile.ZipFile",
        "skfactor.persistence.file:Path",
        "skfactor.persistence.file:save.__globals__",
        "skfactor._testing:Model.__init__.__builtins__",
        "skfactor:load",
        "skfactor.persistence:load",
        "skfactor.cli.__main__:main",
        "skfactor_evil:Model",
        ".os:system",
        "",
        "skfactor.missing:Model",
        "skfactor.persistence.file:Missing",
        "sklearn.utils:Bunch",
        "sklearn.utils._bunch:Bunch",
        "sklearn.datasets._base:load_files",
    ],
)
def test_only_allowed_names_are_loaded(kind, address, path):
    craft(path, [kind, address, None])
    if kind in ("class", "function"):
        craft(path, [kind, address])
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it names "):
        load(path)


def test_a_foreign_module_is_not_even_imported(path, tmp_path, monkeypatch):
    (tmp_path / "stranger_module.py").write_text("class Thing: pass")
    monkeypatch.syspath_prepend(tmp_path)
    craft(path, ["instance", "stranger_module:Thing", None])
    with pytest.raises(ValueError, match="it names stranger_module:Thing"):
        load(path)
    assert "stranger_module" not in sys.modules


def test_functions_and_members_are_not_made_instances(path):
    for address in (f"{HOME}:halve", f"{HOME}:Model.predict"):
        craft(path, ["instance", address, None])
        with pytest.raises(ValueError, match=r"it names skfactor\._testing"):
            load(path)


def test_no_initializer_runs(path):
    craft(path, ["dict", "threshold", 1], ["instance", f"{HOME}:Rule", {"node": 0}])
    assert vars(load(path)) == {"threshold": 1}


def test_pickles_are_not_read(path):
    npy = io.BytesIO()
    np.save(npy, np.array([Rule()], dtype=object), allow_pickle=True)
    craft(path, model={"array": 0})
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("array_0.npy", npy.getvalue())
    with pytest.raises(ValueError, match=r"Cannot load .*allow_pickle=False"):
        load(path)


@pytest.mark.parametrize(
    "nodes",
    [
        [["scalar", "|O", "00" * 8]],
        [["unknown", 1]],
        [["list", {"node": 0}]],
        [["list", {"array": 0}]],
        [["list", {"node": 1, "array": 1}]],
        [["dict", "key without value"]],
        [["list"], ["set", {"node": 0}]],
        [["bytes", "no hex"]],
        [["tuple", 2, 2], ["sparse", "eval_array", {"node": 0}, None]],
    ],
    ids=str,
)
def test_nonsense_is_refused(nodes, path):
    craft(path, *nodes)
    with pytest.raises(ValueError, match=r"Cannot load \S*model.skf: it is damaged or was not written by"):
        load(path)


def tamper(path, member, change):
    """Replace the content of one member of the file by what `change` makes of it."""
    with zipfile.ZipFile(path) as archive:
        contents = {name: archive.read(name) for name in archive.namelist()}
    contents[member] = change(contents[member])
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in contents.items():
            archive.writestr(name, content)


@pytest.mark.parametrize("wrong", [7_000_000, -7_000_000, -(2**31)])
@pytest.mark.parametrize(
    ("name", "members"),
    [
        ("csr_array", ["array_1.npy", "array_2.npy"]),
        ("csc_matrix", ["array_1.npy", "array_2.npy"]),
        ("bsr_array", ["array_1.npy", "array_2.npy"]),
        ("coo_array", ["array_1.npy", "array_2.npy"]),
        ("lil_matrix", ["array_1.npy", "array_2.npy"]),
        ("dok_array", ["array_1.npy", "array_2.npy"]),
        ("dia_matrix", ["array_1.npy"]),
    ],
)
def test_sparse_indices_that_point_outside_are_refused(name, members, wrong, path):
    def last_index(content):
        array = np.load(io.BytesIO(content))
        array[-1] = wrong
        stream = io.BytesIO()
        np.save(stream, array)
        return stream.getvalue()

    for member in members:
        save(getattr(sparse, name)(np.eye(4)), path)
        tamper(path, member, last_index)
        with pytest.raises(ValueError, match="Cannot load"):
            load(path)


def test_a_random_state_outside_of_its_memory_is_refused(path):
    save(np.random.RandomState(0), path)
    tamper(path, "skfactor.json", lambda tree: tree.replace(b'"pos", 624', b'"pos", 100000'))
    with pytest.raises(ValueError, match="outside of its memory"):
        load(path)
