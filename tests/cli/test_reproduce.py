import json

import pytest

from skfactor.experiments import declared


def test_tables_are_listed(skfactor):
    assert "ommf-2" in skfactor("reproduce")
    assert {row["table"] for row in skfactor.json("reproduce")} == set(declared.names())


def test_names_that_are_not(skfactor, tmp_path):
    assert "no table 'omf-2'. Did you mean ommf-2" in skfactor.error("reproduce", "omf-2")
    line = skfactor.error("reproduce", "ommf-2", "--methods", "OMFM", "--out", tmp_path)
    assert "The table has no method OMFM. Choose from RidgeBR" in line


def test_nothing_stored_says_so(skfactor, tmp_path):
    document = skfactor.json("reproduce", "ommf-2", "--stored", "--out", tmp_path / "new")
    (table,) = document["tables"]
    assert len(table["cells"]) >= 36
    assert all(cell["measured"] is None and cell["missing"] for cell in table["cells"])
    assert (tmp_path / "new" / "ommf-2.md").read_text().startswith("# OMMF, table 2")


@pytest.mark.data
def test_a_slice_is_run_stored_and_shown(skfactor, tmp_path):
    arguments = ["reproduce", "OMMF-2", "--datasets", "scene", "--methods", "ridgebr", "--out", tmp_path]
    shown = skfactor(*arguments)
    assert "RidgeBR on scene, 5-fold, part 1" in skfactor.err
    assert "5 of 5" in shown
    assert len(list((tmp_path / "results").rglob("*.json"))) == 5
    (table,) = skfactor.json(*arguments)["tables"]
    assert "part 1" not in skfactor.err
    assert 0.7 < table["cells"][0]["measured"] < 0.76
    assert not (tmp_path / "ommf-2.md").exists(), "a part does not stand for the whole"
    runs = (tmp_path / "ommf-2-part-runs.md").read_text()
    assert "scikit-learn" in runs


@pytest.mark.data
def test_bands_decide_the_exit_code(skfactor, tmp_path, monkeypatch):
    bands = {"scene": {"RidgeBR": {"micro_f1": [0.7, 0.76]}}}
    real = declared.table("ommf-2")
    monkeypatch.setattr(
        declared, "table", lambda name: declared.Table(**{**vars(real), "quick": declared.Slice(1, bands)})
    )
    assert "within their bands" in skfactor("reproduce", "ommf-2", "--quick", "--out", tmp_path)
    assert (tmp_path / "ommf-2-quick.md").exists()
    bands["scene"]["RidgeBR"]["micro_f1"] = [0.9, 1.0]
    out = skfactor("reproduce", "ommf-2", "--quick", "--out", tmp_path, "--json", code=1)
    assert "is outside of 0.9 to 1" in json.loads(out)["outside"][0]
