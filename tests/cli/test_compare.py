import json

import numpy as np
import pytest


@pytest.fixture
def two_tables(tmp_path):
    """Two data sets of sixty rows each: tags follow from the words."""
    for seed, name in enumerate(("spring", "autumn")):
        random = np.random.default_rng(seed)
        words = random.integers(0, 9, (60, 3))
        tags = [";".join(t for t, w in zip(("late", "wet", "cold"), row, strict=True) if w > 4) for row in words]
        lines = [",".join([*map(str, row), tag]) for row, tag in zip(words, tags, strict=True)]
        (tmp_path / f"{name}.csv").write_text("a,b,c,tags\n" + "\n".join(lines) + "\n")
    return [tmp_path / "spring.csv", tmp_path / "autumn.csv"]


@pytest.fixture
def quick(skfactor, two_tables, tmp_path):
    """The verb with its results below `tmp_path`."""
    fixed = ["--protocol", "3-fold", "--results", tmp_path / "results"]

    def run(*arguments, call=skfactor, **extra):
        return call("compare", *two_tables, *fixed, *arguments, **extra)

    run.json = lambda *arguments: json.loads(run(*arguments, "--json"))
    run.error = lambda *arguments: run(*arguments, call=skfactor.error)
    return run


def test_methods_are_ranked_and_tested(quick):
    document = quick.json("--methods", "ridgebr,PLST", "--metrics", "micro_f1,ranking_loss")
    assert {(one["data"], one["method"]) for one in document["results"]} == {
        (name, method) for name in ("spring", "autumn") for method in ("RidgeBR", "PLST")
    }
    assert all(len(one["metrics"]["micro_f1"]["parts"]) == 3 for one in document["results"])
    assert sum(document["tests"]["micro_f1"]["ranks"].values()) == pytest.approx(3)
    shown = quick("--methods", "RidgeBR,PLST")
    assert "Average ranks by micro_f1" in shown
    assert "Critical difference of ranks: 1.39" in shown


def test_it_goes_on_where_it_was(quick, skfactor):
    quick("--methods", "RidgeBR")
    assert "RidgeBR on spring, 3-fold, part 3" in skfactor.err
    quick("--methods", "RidgeBR,PLST")
    assert "RidgeBR" not in skfactor.err
    assert "PLST on autumn, 3-fold, part 1" in skfactor.err


def test_given_parameters_are_not_chosen(quick):
    document = quick.json("--methods", "PLST", "--set", "plst.ridge=7", "--set", "PLST.n_components=2")
    assert document["results"][0]["chosen"] == [{"n_components": 2, "ridge": 7}] * 3
    assert quick.json("--methods", "PLST", "--no-tune")["results"][0]["chosen"] == [{}] * 3


def test_a_method_that_fails_does_not_stop_the_others(quick, skfactor):
    document = quick.json("--methods", "RidgeBR,PLST", "--set", "PLST.n_components=9")
    assert {one["method"] for one in document["results"]} == {"RidgeBR"}
    assert "n_components=9 is above" in document["failures"][0]["reason"]
    quick("--methods", "PLST", "--set", "PLST.n_components=9", code=2)
    assert "error: No method could be run: n_components=9 is above" in skfactor.err


def test_a_report_is_written(quick, tmp_path):
    path = tmp_path / "report.html"
    assert f"Report: {path}" in quick("--methods", "RidgeBR,PLST", "--report", path)
    assert path.read_text().startswith("<!doctype html>")
    assert "report.html is there already: --force replaces it" in quick.error("--report", path)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--methods", "RigdeBR"], "There is no method 'RigdeBR'. Did you mean RidgeBR"),
        (["--metrics", "mae"], "mae is for ratings, and the data has none"),
        (["--protocol", "weak"], "The protocol weak does not fit this kind of data. Choose from K-fold, split"),
        (["--protocol", "fold"], "There is no protocol 'fold'"),
        (["--set", "ridge=1"], "--set needs METHOD.NAME=VALUE here, got 'ridge'"),
        (["--set", "RidgeBR.rigde=1"], "RidgeBR has no parameter 'rigde'"),
        (["--methods", "PLST", "--set", "RidgeBR.ridge=1"], "Not among the methods is 'RidgeBR'"),
    ],
)
def test_what_is_wrong_is_said_before_any_work(quick, arguments, message, tmp_path):
    assert message in quick.error(*arguments)
    assert not (tmp_path / "results").exists()


def test_kinds_do_not_mix(skfactor, two_tables, tmp_path):
    ratings = tmp_path / "stars.csv"
    ratings.write_text(
        "user,item,rating\n" + "".join(f"{u},{i},{1 + (u + i) % 5}\n" for u in range(9) for i in range(9))
    )
    assert "compare them apart" in skfactor.error("compare", two_tables[0], ratings)
    assert "the same name" in skfactor.error("compare", two_tables[0], two_tables[0])
    results = ["--results", tmp_path / "results", "--methods", "BiasOnly,ItemMedian"]
    document = skfactor.json("compare", ratings, *results)
    assert {one["method"] for one in document["results"]} == {"BiasOnly", "ItemMedian"}
    report = tmp_path / "ratings.html"
    skfactor("compare", ratings, *results, "--report", report)
    assert "How often each level was given" in report.read_text()
