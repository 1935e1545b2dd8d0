import re

import numpy as np
import pytest

from skfactor.datasets import MultilabelData, available, load, save_npz
from skfactor.datasets.catalogue import ENTRIES


@pytest.fixture(autouse=True)
def nothing_at_hand(monkeypatch, tmp_path):
    monkeypatch.delenv("SKFACTOR_DATA", raising=False)
    monkeypatch.setenv("SKFACTOR_CACHE", str(tmp_path / "cache"))


def test_entries_are_complete():
    for entry in ENTRIES.values():
        assert entry.kind in ("multilabel", "ratings")
        assert entry.citation
        assert entry.rows > 0
        assert (entry.features and entry.labels) if entry.kind == "multilabel" else (entry.users and entry.items)
        assert entry.checksum is None or re.fullmatch(r"[0-9a-f]{64}|md5:[0-9a-f]{32}", entry.checksum)
        assert entry.address is None or entry.filename


def where(name):
    return {data.name: data.where for data in available()}.get(name)


def test_says_where_each_is_found(monkeypatch, tmp_path):
    assert where("digit-tags") == "embedded"
    assert where("bibtex") == "fetch"
    assert where("eachmovie") == "by hand"
    (tmp_path / "cache" / "bibtex").mkdir(parents=True)
    (tmp_path / "cache" / "bibtex" / "bibtex.rar").touch()
    assert where("bibtex") == "cache"
    (tmp_path / "data" / "multilabel").mkdir(parents=True)
    for name in ("bibtex", "mine"):
        save_npz(MultilabelData(np.eye(2), np.eye(2)), tmp_path / "data" / "multilabel" / f"{name}.npz")
    monkeypatch.setenv("SKFACTOR_DATA", str(tmp_path / "data"))
    assert where("bibtex") == where("mine") == "SKFACTOR_DATA"
    assert len(load("mine")) == 2


def test_is_sorted_by_kind_and_name():
    listed = [(data.kind, data.name) for data in available()]
    assert listed == sorted(listed)


def test_unknown_names_are_answered_with_close_ones():
    with pytest.raises(ValueError, match=r"no data set and no file 'bibtx'. Did you mean 'bibtex'\? .*available"):
        load("bibtx")
    with pytest.raises(ValueError, match=r"no file 'zzz'. 'skfactor data list' lists all"):
        load("zzz")
