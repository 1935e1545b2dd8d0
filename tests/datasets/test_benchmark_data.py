"""The loaders and the examination, on the benchmark data sets themselves."""

import os
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from skfactor.datasets import available, check, folds, load, load_arff, load_npz

pytestmark = [
    pytest.mark.data,
    pytest.mark.skipif("SKFACTOR_DATA" not in os.environ, reason="SKFACTOR_DATA is not set"),
]
FOLDER = Path(os.environ.get("SKFACTOR_DATA", "."))


@pytest.mark.parametrize(
    ("name", "options"), [("bibtex", {}), ("emotions", {}), ("genbase", {"drop": ["protein"]})]
)
def test_arff_says_what_npz_says(name, options):
    read = load_arff(FOLDER / "arff" / f"{name}.arff", **options)
    expected = load_npz(FOLDER / "multilabel" / f"{name}.npz")
    assert read.feature_names == expected.feature_names
    assert read.label_names == expected.label_names
    assert (read.Y != expected.Y).nnz == 0
    assert abs(sparse.csr_array(read.X) - sparse.csr_array(expected.X)).max() < 1e-9


def test_genbase_has_an_identifier():
    path = FOLDER / "arff" / "genbase.arff"
    assert load_arff(path).X.shape == (662, 1185 + 662)
    with pytest.warns(UserWarning, match="nominal with more than 100 values: protein"):
        assert load_arff(path, max_categories=100).X.shape == (662, 1185)
    found = {finding.title: finding for finding in check(load_arff(path)).findings}["features identify rows"]
    assert len(found.features) == 662
    assert "drop=['protein']" in found.detail


def titles(name):
    return {finding.title: finding for finding in check(load(name)).findings}


def test_doctor_on_bibtex():
    leak = titles("bibtex")["features give labels away"]
    assert (leak.features, leak.labels) == ([951, 1823], [134])


def test_doctor_on_medical():
    leak = titles("medical")["features nearly give labels away"]
    assert (leak.features, leak.labels) == ([871], [24])


def test_doctor_on_genbase():
    found = titles("genbase")
    assert len(found["features give labels away"].labels) == 14
    assert set(found["features give rare labels away"].labels) == {20, 21, 22, 23, 24, 25}
    assert len(found["features are constant"].features) > 1000
    assert len(found["rows are duplicated"].rows) == 456


def test_doctor_on_the_large_ones():
    assert len(titles("mediamill")["rows have no labels"].rows) == 1730
    assert len(titles("delicious")["rows have no labels"].rows) == 14
    assert "features give labels away" not in titles("rcv1subset1-full")
    assert check(load("ml-100k")).summary["users"] == 943


def test_catalogue_agrees_with_the_files():
    for data in available():
        if data.where == "SKFACTOR_DATA" and data.kind == "multilabel" and data.rows is not None:
            with np.load(FOLDER / "multilabel" / f"{data.name}.npz") as file:
                assert (data.rows, data.features) == tuple(file["X_shape"]), data.name
                assert data.labels == file["Y_shape"][1], data.name


def test_splits_and_folds():
    assert [len(part) for part in load("bibtex").split()] == [4880, 2515]
    assert [len(part) for part in load("mediamill").split()] == [30993, 12914]
    assert [len(part) for part in load("ml-100k", test_fold=3).split()] == [80000, 20000]
    fold = folds("bibtex")
    assert fold.shape == (7395, 10)
    assert set(np.unique(fold)) == {1, 2, 3, 4, 5}
