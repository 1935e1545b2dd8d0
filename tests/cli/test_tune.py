import pytest


@pytest.fixture
def quick(skfactor, arff):
    """The verb on sixty rows, with three entrants."""
    fixed = ["--methods", "ridgebr,PLST,RidgeBR on kernel", "--nested", "2"]

    def run(*arguments, call=skfactor, **extra):
        return call("tune", arff, *fixed, *arguments, **extra)

    return run


def test_the_best_is_named_with_an_honest_estimate(quick, skfactor):
    document = quick(call=skfactor.json)
    names = [one["entrant"] for one in document["standings"] if one["entrant"] != "committee"]
    assert sorted(names) == ["PLST", "RidgeBR", "RidgeBR on kernel"]
    assert document["best"]["entrant"] == document["standings"][0]["entrant"]
    assert len(document["nested"]["folds"]) == len(document["nested"]["winners"]) == 2
    assert sum(document["nested"]["folds"]) / 2 == pytest.approx(document["nested"]["mean"])
    shown = quick()
    assert "what to expect on new rows" in shown
    assert "the best of many" in shown


def test_the_winner_is_saved_with_the_names_of_its_columns(skfactor, arff, tmp_path):
    path = tmp_path / "best.skf"
    for entrant in ("RidgeBR", "RidgeBR on kernel"):
        skfactor("tune", arff, "--methods", entrant, "--nested", "0", "--out", path, "--force")
        lines = skfactor("predict", path, arff).splitlines()
        assert lines[0].startswith("row,labels")
        assert {name for line in lines[1:] for name in line.partition(",")[2].split(";")} <= {"sad", "calm", ""}


def test_a_report(quick, skfactor, tmp_path):
    path = tmp_path / "tuning.html"
    document = quick("--report", path, call=skfactor.json)
    text = path.read_text()
    assert document["report"] == str(path)
    assert "nested estimate" in text
    assert text.count("<svg") >= 3
    assert "is there already" in quick("--report", path, call=skfactor.error)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--methods", "RidgeXY"], "There is no entrant 'RidgeXY'"),
        (["--metric", "one_error"], "No thresholds can be fitted for"),
        (["--nested", "1"], "at least 2 folds"),
    ],
)
def test_what_cannot_be(skfactor, arff, arguments, said):
    assert said in skfactor.error("tune", arff, *arguments)


def test_no_estimate_and_little_time(skfactor, arff):
    document = skfactor.json("tune", arff, "--methods", "RidgeBR", "--nested", "0", "--time", "60")
    assert document["nested"] is None
    assert document["standings"][0]["points"] > 1
