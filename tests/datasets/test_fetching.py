import gc
import hashlib
import sys
import threading
import zipfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest

from skfactor.datasets import FetchError, MultilabelData, fetch, load, save_npz
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

    def set_checksum(checksum=None, address=None):
        entry = replace(ENTRIES["ml-100k"], address=address or path.as_uri(), checksum=checksum)
        monkeypatch.setitem(ENTRIES, "ml-100k", entry)
        return path

    return set_checksum


class Silent(SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture
def site(publish, tmp_path, monkeypatch):
    """The address of a server that has what was published."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    handler = partial(Silent, directory=tmp_path / "public site")
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


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


@pytest.mark.parametrize("progress", [False, True])
def test_http(publish, site, progress, capfd):
    content = publish().read_bytes()
    publish(hashlib.sha256(content).hexdigest(), f"{site}/ml-100k.zip")
    assert fetch("ml-100k", progress=progress).read_bytes() == content
    assert ("100%" in capfd.readouterr().err) == progress
    assert load("ml-100k").pairs.tolist() == [[1, 2]]


def test_http_with_a_wrong_checksum(publish, site, tmp_path):
    publish("0" * 64, f"{site}/ml-100k.zip")
    with pytest.raises(FetchError, match=rf"ml-100k.zip from {site}/ml-100k.zip is not the file .* Nothing was"):
        fetch("ml-100k", progress=False)
    assert list((tmp_path / "cache" / "ml-100k").iterdir()) == []


@pytest.mark.filterwarnings("ignore:unclosed <socket:ResourceWarning")
def test_http_of_what_is_gone(publish, site, tmp_path):
    publish(address=f"{site}/absent.zip")
    with pytest.raises(FetchError, match=r"could not be fetched from http.*404.*You can also get it") as caught:
        fetch("ml-100k", progress=False)
    assert "\n" not in str(caught.value)
    del caught
    gc.collect()  # pooch leaves the refused connection to it
    assert list((tmp_path / "cache" / "ml-100k").iterdir()) == []


def test_unknown_names():
    with pytest.raises(ValueError, match="Did you mean 'bibtex'"):
        fetch("bibtx")


def test_the_missing_extra_is_named(publish, monkeypatch):
    publish()
    monkeypatch.setitem(sys.modules, "pooch", None)
    with pytest.raises(ImportError, match=r"fetch needs pooch: pip install 'skfactor\[data\]'"):
        fetch("ml-100k")


def test_what_is_here_already_is_not_brought(tmp_path, monkeypatch):
    (tmp_path / "multilabel").mkdir()
    save_npz(MultilabelData([[1.0]], [[1]]), tmp_path / "multilabel" / "yeast.npz")
    monkeypatch.setenv("SKFACTOR_DATA", str(tmp_path))
    assert fetch("yeast") == tmp_path / "multilabel" / "yeast.npz"


def test_an_error_of_the_network_is_told_by_its_cause(publish, monkeypatch):
    publish()
    chain = (
        "HTTPSConnectionPool(host='a.org', port=443): Max retries exceeded with url: /b (Caused by "
        "NameResolutionError(\"HTTPSConnection(host='a.org', port=443): Failed to resolve 'a.org'\"))"
    )

    def refuse(*_, **__):
        raise OSError(chain)

    monkeypatch.setattr("pooch.retrieve", refuse)
    with pytest.raises(FetchError, match=r"zip: HTTPSConnection\(.*443\): Failed to resolve 'a.org'\. You"):
        fetch("ml-100k")
