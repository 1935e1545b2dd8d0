"""Tables that are run on embedded data, interrupted, and run again."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from skfactor.cli.app import app
from skfactor.datasets import load
from skfactor.experiments import declared, outcome, protocols, published, rendering, run_labels, runner
from skfactor.experiments.provenance import fingerprint
from skfactor.experiments.reproduce import Plan
from skfactor.experiments.store import Store
from skfactor.experiments.summary import Reproduced, summary
from skfactor.experiments.task import Task
from tests.experiments import interrupted


@pytest.fixture(name="small")
def _small():
    return interrupted.small()


def outcome_of(table, store, **wishes):
    runs = list(Plan(table, store, **wishes).run())
    return runs, list(outcome.cells(table, runs))


def test_cells_say_what_is_missing_and_why(small, tmp_path):
    said = []
    _, cells = outcome_of(small, Store(tmp_path), tell=said.append)
    found = {(cell.dataset, cell.method): cell for cell in cells if cell.metric == "micro_f1"}
    assert len(found[("digits", "RidgeBR")].values) == 3
    assert 0.8 < found[("digits", "RidgeBR")].mean < 0.95
    assert found[("digits", "PLST")].missing.startswith("it failed: n_components=99 is above n_labels=7")
    assert found[("digits", "Dream")].missing == "there is no Dream yet"
    assert found[("gone", "RidgeBR")].missing == "it burnt"
    assert "RidgeBR on digit-tags, 3-fold, part 2" in said


def test_nothing_is_computed_twice(small, tmp_path, monkeypatch):
    _, first = outcome_of(small, Store(tmp_path), tell=lambda line: None)
    monkeypatch.setattr(runner, "_computed", lambda task, data: pytest.fail(f"{task} is run again"))
    _, second = outcome_of(small, Store(tmp_path), methods=["RidgeBR", "Dream"])
    assert [cell for cell in first if cell.method != "PLST"] == second


def test_stored_results_alone(small, tmp_path):
    task = Task("RidgeBR", small.methods["RidgeBR"].grid_for("digits"), "digit-tags", "", "3-fold", 1, "micro_f1")
    data = load("digit-tags")
    task = Task(**{**task.document(), "fingerprint": fingerprint(data)})
    store = Store(tmp_path)
    record = runner.run(task, data, store)
    _, cells = outcome_of(small, store, only_stored=True, methods=["RidgeBR"], datasets=["digits"])
    assert cells[0].values == [record["figures"]["micro_f1"]]
    assert cells[0].missing == "not all parts are run"
    assert set(record["made"]) >= {"date", "skfactor", "numpy", "scikit-learn", "python", "machine"}


def test_quick_part_and_its_bands(small, tmp_path):
    _, cells = outcome_of(small, Store(tmp_path), quick=True, tell=lambda line: None)
    assert {(cell.dataset, cell.method) for cell in cells} == {("digits", "RidgeBR")}
    assert len(cells[0].values) == 1
    assert outcome.outside(small, cells) == []
    small.quick.bands["digits"]["RidgeBR"]["micro_f1"] = [0.1, 0.2]
    (complaint,) = outcome.outside(small, cells)
    assert "is outside of 0.1 to 0.2" in complaint


def test_other_data_and_other_settings_have_other_addresses():
    task = Task("PLST", {"ridge": [0.1]}, "scene", "0a", "5-fold", 1, "micro_f1")
    others = [{"fingerprint": "0b"}, {"grid": {"ridge": [0.2]}}, {"fold": 2}, {"choose": "macro_f1"}]
    addresses = {Task(**{**task.document(), **other}).address() for other in others}
    assert len(addresses | {task.address()}) == 5


def test_fingerprints_follow_the_content():
    data = load("digit-tags")
    assert fingerprint(data) == fingerprint(load("digit-tags"))
    changed = data.subset(slice(None))
    changed.X[0, 0] += 1
    assert fingerprint(changed) != fingerprint(data)


def test_a_damaged_result_is_named(tmp_path):
    store = Store(tmp_path)
    task = Task("PLST", {}, "scene", "0a", "5-fold", 1, "micro_f1")
    store.put(task, {"figures": {}})
    path = tmp_path / task.address()
    path.write_text(path.read_text()[:20])
    with pytest.raises(ValueError, match=r"is damaged .* Delete it"):
        store.get(task)


def test_a_result_that_cannot_be_written_leaves_nothing(tmp_path):
    store = Store(tmp_path)
    task = Task("PLST", {}, "scene", "0a", "5-fold", 1, "micro_f1")
    with pytest.raises(ValueError, match="not JSON compliant"):
        store.put(task, {"figures": {"micro_f1": float("nan")}})
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("name", declared.names())
def test_declared_tables_are_whole(name):
    table = declared.table(name)
    printed = published.figures(table.published)
    assert {figure.dataset for figure in printed} <= set(table.datasets)
    assert {figure.method for figure in printed} <= set(table.methods)
    assert {figure.metric for figure in printed} == set(table.metrics)
    assert table.folds() >= 1
    for entry in table.methods.values():
        assert set(entry.on) <= set(table.datasets)
        if not entry.why_missing():
            keys = {key for dataset in table.datasets for key in entry.grid_for(dataset)}
            from skfactor.experiments.estimators import estimator

            assert keys <= set(estimator(entry.estimator).get_params())
    for dataset, methods in table.quick.bands.items():
        for method, bands in methods.items():
            assert dataset in table.datasets
            assert method in table.methods
            assert set(bands) <= set(table.metrics)


def test_folds_of_a_protocol_part_the_rows():
    data = load("digit-tags")
    parts = [protocols.part("4-fold", data, fold) for fold in range(1, 5)]
    np.testing.assert_array_equal(np.sort(np.concatenate([part.test for part in parts])), np.arange(len(data)))
    for part in parts:
        assert not set(part.train) & set(part.test)
    with pytest.raises(ValueError, match="has no published split"):
        protocols.part("split", data.subset(slice(None)), 1)
    with pytest.raises(ValueError, match="no protocol '1-fold'"):
        protocols.count("1-fold")


def test_the_candidate_is_chosen_without_the_test_rows():
    """The test labels may be anything: the choice and the model stay the same."""
    data = load("digit-tags")
    part = protocols.part("3-fold", data, 1)
    task = Task("RidgeBR", {"ridge": [0.001, 0.1, 100.0]}, "digit-tags", "", "3-fold", 1, "micro_f1")
    record = run_labels.run(task, data, part)
    shuffled = load("digit-tags")
    Y = shuffled.Y.toarray()
    Y[part.test] = 1 - Y[part.test]
    shuffled = type(data)(data.X, Y, name="digit-tags")
    other = run_labels.run(task, shuffled, part)
    assert record["chosen"] == other["chosen"]
    assert record["held_out"] == other["held_out"]
    assert record["labels"]["predicted"] == other["labels"]["predicted"]
    assert record["figures"]["hamming_loss"] == pytest.approx(1 - other["figures"]["hamming_loss"])


def test_counts_of_labels_give_the_metrics():
    data = load("digit-tags")
    task = Task("RidgeBR", {}, "digit-tags", "", "3-fold", 1, "micro_f1")
    record = run_labels.run(task, data, protocols.part("3-fold", data, 1))
    hits, predicted, true = (np.array(record["labels"][name]) for name in ("hits", "predicted", "true"))
    assert record["figures"]["micro_f1"] == pytest.approx(2 * hits.sum() / (predicted.sum() + true.sum()))
    assert record["figures"]["macro_f1"] == pytest.approx(np.mean(2 * hits / (predicted + true)))


def test_a_pipeline_is_run_like_a_classifier():
    data = load("digit-tags")
    part = protocols.part("3-fold", data, 1)
    grid = {"pca__n_components": ["50% of features"], "ridgebr__ridge": [0.01]}
    task = Task("sklearn.decomposition.PCA + RidgeBR", grid, "digit-tags", "", "3-fold", 1, "micro_f1")
    record = run_labels.run(task, data, part)
    assert 0.8 < record["figures"]["micro_f1"] < 0.95
    assert record["chosen"]["pca__n_components"] == "50% of features"


def test_markdown_sets_published_beside_measured(small, tmp_path):
    _, cells = outcome_of(small, Store(tmp_path), methods=["RidgeBR"], tell=lambda line: None)
    text = rendering.markdown(small, cells)
    assert "## digits" in text
    assert f"{cells[0].mean:.4f} ± {cells[0].sd:.4f}" in text
    assert "Not measured: it burnt." in text


def test_a_summary_says_what_is_missing_and_why(small, tmp_path):
    runs, cells = outcome_of(small, Store(tmp_path), tell=lambda line: None)
    text = summary([Reproduced(small, runs, cells)])
    chosen = rendering.runs_markdown(small, runs, [])
    assert "| digits | RidgeBR | 3 of 3-fold |" in chosen
    assert "ridge=0.01" in chosen
    assert "| [small](small.md), [its runs](small-runs.md) | Digits | 2 of 12 | 0 | 0 | 3 |" in text
    assert "- it burnt: all methods on gone" in text
    assert "- there is no Dream yet: Dream on digits" in text
    assert f"Runs by versions: skfactor {runs[0].records['3-fold'][0]['made']['skfactor']}" in text


def killed(moment, number, folder):
    """Run the small table until it is killed."""
    command = [sys.executable, "-m", "tests.experiments.interrupted", moment, str(number), str(folder)]
    root = Path(__file__).parents[2]
    return subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)


def test_killing_it_anywhere_gives_the_same_table(tmp_path, small, monkeypatch):
    """Killed in a run, in a write and before a rename, of results and of the table: it goes on where it was."""
    stored = []
    for moment, number in [("run", 2), ("write", 1), ("rename", 1), ("write", 3)]:
        died = killed(moment, number, tmp_path / "killed")
        assert died.returncode == -signal.SIGKILL, died.stderr
        assert not (tmp_path / "killed" / "small.md").exists()
        stored.append(sorted((tmp_path / "killed").rglob("[!.]*.json")))
        assert all(json.loads(path.read_text())["figures"] for path in stored[-1])
    # Of three parts: the first was stored before a second began, the kill in a write and before a rename cost
    # theirs, and the last kill came while the table was written.
    assert [len(found) for found in stored] == [1, 1, 1, 3]
    died = killed("run", 99, tmp_path / "killed")
    assert died.returncode == 0, died.stderr
    assert "RidgeBR on digit-tags" not in died.stderr  # nothing is left to run
    monkeypatch.setattr(declared, "table", lambda name: small)
    monkeypatch.setattr(declared, "names", lambda: ["small"])
    assert CliRunner().invoke(app, ["reproduce", "small", "--out", str(tmp_path / "whole")]).exit_code == 0
    for name in ("small.md", "small.json"):
        assert (tmp_path / "killed" / name).read_text() == (tmp_path / "whole" / name).read_text()
