import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from skfactor.datasets import DataFormatError, load
from skfactor.datasets.archives import unpacked

ARFF = "@relation 'r: -C 1'\n@attribute a {0,1}\n@attribute b real\n@data\n1,2\n"


def test_the_folder_vanishes(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").touch()
    archive = Path(shutil.make_archive(str(tmp_path / "packed"), "gztar", tmp_path / "in"))
    with unpacked(archive) as folder:
        assert [path.name for path in folder.iterdir()] == ["a.txt"]
    assert not folder.exists()


def test_refuses_what_is_no_archive(tmp_path):
    (tmp_path / "a.zip").write_text("text")
    with pytest.raises(DataFormatError, match=r"a.zip: damaged, or not"), unpacked(tmp_path / "a.zip"):
        pass


@pytest.fixture
def rar(tmp_path):
    """A .zip that is called .rar, for a tool that takes what it gets."""
    with zipfile.ZipFile(tmp_path / "flags.rar", "w") as archive:
        archive.writestr("flags.arff", ARFF)
    return tmp_path / "flags.rar"


@pytest.fixture
def tools(tmp_path, monkeypatch):
    """A folder for tools, the only place where they are looked for."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")
    monkeypatch.setattr("skfactor.datasets.archives.shutil.which", lambda name: (folder / name).exists() or None)

    def add(name, script):
        (folder / name).write_text(script)
        (folder / name).chmod(0o755)

    return add


def test_rar_needs_a_tool(rar, tools):
    with pytest.raises(OSError, match=r"flags.rar needs one of bsdtar, .* none is installed. Install one"):
        load(rar)
    with pytest.raises(FileNotFoundError, match=r"absent.rar"), unpacked(rar.with_name("absent.rar")):
        pass


def test_rar_by_a_tool(rar, tools):
    tools("unrar", f'#!/bin/sh\n"{sys.executable}" -m zipfile -e "$4" "$5"\n')
    data = load(rar)
    assert (data.name, data.label_names) == ("flags", ["a"])


def test_rar_that_the_tool_refuses(rar, tools):
    tools("bsdtar", "#!/bin/sh\necho broken header >&2\nexit 1\n")
    with pytest.raises(DataFormatError, match=r"flags.rar: cannot be unpacked by bsdtar: broken header"):
        load(rar)
