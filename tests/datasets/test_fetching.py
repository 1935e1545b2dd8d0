import hashlib
import sys
import zipfile
from dataclasses import replace

import pytest

from skfactor.datasets import FetchError, fetch, load
from skfactor.datasets.catalogue import ENTRIES


@pytest.fixture
def publish(tmp_path, monkeypatch):
    """Give ml-100k an address on this machine, where no network is needed."""
    monkeypatch.delenv("SKFACTOR_DATA", raising=False)
    monkeypatch.setenv("SKFACTOR_CACHE", str(tmp_path / "cache"))
    (tmp_path / "public site").mkdir()
    path = tmp_path / "public site" / "ml-100k.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("ml-100k/u.data", "1\t2\t3\t4\n")

    def set_checksum(checksum=None):
        entry = replace(ENTRIES["ml-100k"], address=path.as_uri(), checksum=checksum)
        monkeypatch.setitem(ENTRIES, "ml-100k", entry)
        return path

    return set_checksum


@pytest.mark.parametrize("algorithm", [None, "sha256", "md5"])
def test_is_brought_once(publish, tmp_path, algorithm):
    path = publish()
    if algorithm:
        digest = hashlib.new(algorithm, path.read_bytes()).hexdigest()
        publish(digest if algorithm == "sha256" else f"{algorithm}:{digest}")
    fetched = fetch("ml-100k")
    assert fetched == tmp_path / "cache" / "ml-100k" / "ml-100k.zip"
    assert fetched.read_bytes() == path.read_bytes()
    path.unlink()
    assert fetch("ml-100k", progress=False) == fetched
    data = load("ml-100k")
    assert (data.name, data.pairs.tolist()) == ("ml-100k", [[1, 2]])


def test_the_cache_can_be_named(publish, tmp_path):
    publish()
    assert fetch("ml-100k", cache=tmp_path / "other").is_relative_to(tmp_path / "other")


def test_a_wrong_checksum_leaves_nothing(publish, tmp_path):
    path = publish("0" * 64)
    got = hashlib.sha256(path.read_bytes()).hexdigest()
    message = rf"ml-100k.zip from file://.* its sha256 is {got}, not {'0' * 64}. Nothing was kept. Try again"
    with pytest.raises(FetchError, match=message):
        fetch("ml-100k")
    assert list((tmp_path / "cache" / "ml-100k").iterdir()) == []


def test_a_broken_transfer_leaves_nothing(publish, tmp_path):
    publish().unlink()
    with pytest.raises(
        FetchError, match=r"ml-100k could not be fetched from file://.*You can also get it from https"
    ):
        fetch("ml-100k")
    assert list((tmp_path / "cache" / "ml-100k").iterdir()) == []


def test_a_damaged_file_in_the_cache_is_replaced(publish):
    path = publish()
    publish(hashlib.sha256(path.read_bytes()).hexdigest())
    fetched = fetch("ml-100k")
    fetched.write_text("damaged")
    assert fetch("ml-100k").read_bytes() == path.read_bytes()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "eachmovie",
            r"eachmovie has no address .*withdrawn.*Or save it as \$SKFACTOR_DATA/ratings/eachmovie.npz",
        ),
        ("eurlex-4k", r"You can also get it from http.*XMLRepository.html yourself"),
        ("digit-tags", r"needs no fetching: skfactor.datasets.load\('digit-tags'\) has it"),
    ],
)
def test_what_cannot_be_fetched_says_what_to_do(name, message):
    with pytest.raises(FetchError, match=message):
        fetch(name)


def test_unknown_names():
    with pytest.raises(ValueError, match="Did you mean 'bibtex'"):
        fetch("bibtx")


def test_the_missing_extra_is_named(publish, monkeypatch):
    publish()
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r"fetch needs pooch: pip install 'skfactor\[data\]'"):
        fetch("ml-100k")
