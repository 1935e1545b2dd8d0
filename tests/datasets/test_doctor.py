import json

import numpy as np
import pytest
from scipy import sparse

from skfactor.datasets import MultilabelData, RatingsData, check, make_multilabel, make_ratings


def findings(data):
    return {finding.title: finding for finding in check(data).findings}


@pytest.fixture(params=[False, True], ids=["dense", "sparse"])
def sick(request):
    """Tables with one of everything that can be wrong."""
    healthy = make_multilabel(60, 8, 6, random_state=0)
    X, Y = np.abs(healthy.X), healthy.Y.toarray()
    Y[:, 0] = 0
    Y[:, 1] = 1
    Y[:, 2] = Y[:, 3]
    Y[5], Y[5, 1] = 0, 1
    X[:, 4] = Y[:, 3]
    X[:, 5] = 0
    X[:, 6] = 2 - Y[:, 4]
    X[7, [0, 1, 2, 3, 5, 7]] = X[9, [0, 1, 2, 3, 5, 7]]
    X[7, [4, 6]], Y[7] = X[9, [4, 6]], Y[9]
    return MultilabelData(sparse.csr_array(X) if request.param else X, Y, name="sick")


def test_finds_everything(sick):
    found = findings(sick)
    assert found["labels never occur"].labels == [0]
    assert found["labels occur in every row"].labels == [1]
    assert found["labels are identical"].labels == [2, 3]
    assert found["features give labels away"].features == [4, 6]
    assert found["features give labels away"].labels == [2, 3, 4]
    assert found["features are constant"].features == [5]
    assert found["rows are duplicated"].rows == [9]
    assert "1 rows have the features of an earlier one, in 1 groups, of which 0 disagree" in (
        found["rows are duplicated"].detail
    )


def test_finds_nothing_in_healthy_data():
    report = check(make_multilabel(random_state=0, cardinality=6, noise=0.5))
    assert {finding.title for finding in report.findings} <= {"rows have no labels"}
    data, _ = make_ratings(random_state=0)
    assert check(data).findings == []
    assert str(check(data)).endswith("nothing to report")


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_entries_that_are_not_finite_do_not_stop_the_rest(container):
    X = np.array([[1.0, 0, 2], [np.nan, 0, 2], [1, 0, np.inf], [0, 0, 0]])
    found = findings(MultilabelData(container(X), np.eye(4)[:, :2]))
    assert found["entries are not finite"].severity == "error"
    assert (found["entries are not finite"].rows, found["entries are not finite"].features) == ([1, 2], [0, 2])
    assert found["rows have no features"].rows == [1, 3] or found["rows have no features"].rows == [3]
    assert found["rows have no labels"].rows == [2, 3]


def test_near_leaks_and_rare_labels_are_told_apart():
    random = np.random.default_rng(0)
    X = random.integers(0, 2, (1000, 3)).astype(float)
    Y = X.copy()
    Y[:3, 0] = 1 - Y[:3, 0]
    Y[:, 1] = 0
    X[:, 2] = random.integers(0, 2, 1000)
    Y[17, 1] = 1
    X[:, 1] = Y[:, 1]
    found = findings(MultilabelData(X, Y, ["a", "b", "c"], ["p", "q", "r"]))
    assert found["features nearly give labels away"].labels == [0]
    assert (
        "label 0 ('p') from feature 0 ('a') (correlation 0.99" in found["features nearly give labels away"].detail
    )
    assert found["features give rare labels away"].severity == "note"
    assert found["features give rare labels away"].labels == [1]
    assert "features give labels away" not in found


@pytest.mark.parametrize("container", [np.asarray, sparse.csr_array])
def test_identifiers_are_found_by_their_column(container):
    random = np.random.default_rng(0)
    size, team = random.normal(size=(60, 1)), np.eye(3)[random.integers(0, 3, 60)]
    one_each = np.eye(60)[random.permutation(60)]
    one_each[4] = one_each[5]  # 58 rows have a value of their own, and one value never occurs
    names = ["size", *(f"team={value}" for value in "abc"), *(f"id=n{row}" for row in range(60))]
    X = container(np.hstack([size, team, one_each]))
    Y = random.integers(0, 2, (60, 2))
    found = findings(MultilabelData(X, Y, names))["features identify rows"]
    assert (found.severity, found.features) == ("warning", list(range(4, 64)))
    assert found.detail.endswith("Load the data with drop=['id'].")
    found = findings(MultilabelData(X, Y))["features identify rows"]
    assert len(found.features) == 58
    assert found.detail.endswith("Leave them out.")


def test_rare_words_and_few_rows_are_no_identifiers():
    random = np.random.default_rng(0)
    Y = random.integers(0, 2, (300, 2))
    words = random.random((300, 2000)) < 1 / 300
    words[:, 0] = 1
    alone = words[:, words.sum(axis=0) == 1].sum(axis=1)
    assert (alone > 0).mean() > 0.85  # most rows have words that no other row has, but some have several
    assert "features identify rows" not in findings(MultilabelData(sparse.csr_array(words * 1.0), Y))
    few = MultilabelData(np.eye(5), Y[:5], [f"name={row}" for row in range(5)])
    assert "features identify rows" not in findings(few)


def test_a_table_without_labels_is_examined():
    report = check(MultilabelData(np.random.default_rng(0).normal(size=(30, 3)), np.empty((30, 0))))
    assert (report.summary["labels"], report.findings) == (0, [])


def test_minus_zero_is_zero():
    assert findings(MultilabelData([[0.0, 1], [-0.0, 1]], [[1], [1]]))["rows are duplicated"].rows == [1]


def test_the_summary_counts():
    summary = check(MultilabelData(np.eye(4), [[1, 0], [1, 1], [1, 1], [0, 0]])).summary
    assert summary == {
        "rows": 4,
        "features": 4,
        "filled": 0.25,
        "labels": 2,
        "cardinality": 1.25,
        "density": 0.625,
        "distinct label sets": 3,
        "rows per label": {"least": 2, "median": 2.5, "most": 3},
    }


def test_ratings():
    data = RatingsData(
        [[1, 1], [1, 2], [1, 1], [2, 1], [1, 1]], [3, 4, 5, 3, 3], levels=[1, 2, 3, 4, 5], name="few"
    )
    report = check(data)
    assert report.summary["ratings per level"] == {"1": 0, "2": 0, "3": 3, "4": 1, "5": 1}
    assert (report.summary["users"], report.summary["items"]) == (2, 2)
    found = findings(data)
    assert found["pairs occur more than once"].rows == [2, 4]
    assert "1 such pairs got different ratings" in found["pairs occur more than once"].detail
    assert found["users have a single rating"].rows == [3]
    assert found["items have a single rating"].rows == [1]


def test_the_report_can_be_read_and_stored(sick):
    report = check(sick)
    text = str(report)
    assert text.startswith("sick\n  rows ")
    assert "warning: labels never occur\n" in text
    severities = [finding.severity for finding in report.findings]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    assert json.loads(json.dumps(report.as_dict()))["summary"]["rows"] == 60


@pytest.mark.parametrize(
    "data", [MultilabelData(np.empty((0, 2)), np.empty((0, 3))), RatingsData(np.empty((0, 2), dtype=int), [])]
)
def test_empty_data(data):
    assert "nothing to report" in str(check(data)) or check(data).findings


def test_refuses_other_things():
    with pytest.raises(TypeError, match="data must be MultilabelData or RatingsData, got ndarray"):
        check(np.eye(2))
