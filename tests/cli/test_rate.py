"""`skfactor rate`: what the verbs write is what the library says."""

import csv
import io
import os
import signal
import subprocess
import sys

import numpy as np
import pytest

from skfactor import load
from skfactor.datasets import make_ratings
from skfactor.ratings import MMMF, RatingModel

SMALL = ("--set", "n_components=4", "--set", "ridge=2", "--set", "n_threads=1")


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


@pytest.fixture(scope="module")
def rated():
    return make_ratings(n_users=40, n_items=30, density=0.4, random_state=0)[0]


@pytest.fixture
def u_data(rated, tmp_path):
    """Ratings as MovieLens has them."""
    path = tmp_path / "u.data"
    rows = zip(rated.pairs.tolist(), rated.ratings.astype(int), strict=True)
    path.write_text("".join(f"{user}\t{item}\t{level}\t{user + item}\n" for (user, item), level in rows))
    return path


@pytest.fixture
def drinks(tmp_path):
    """Ratings by names, in half stars."""
    path = tmp_path / "ratings.csv"
    rng = np.random.default_rng(0)
    rows = [(f"u{i}", f"drink {j}", rng.integers(1, 11) / 2) for i in range(20) for j in range(i % 3, 12, 2)]
    path.write_text("user,item,stars\n" + "".join(f"{user},{item},{level:g}\n" for user, item, level in rows))
    return path


@pytest.fixture
def stars(skfactor, u_data, tmp_path):
    path = tmp_path / "stars.skf"
    skfactor("rate", "fit", u_data, "-m", "MMMF", *SMALL, "-o", path)
    return path


def test_fit_is_that_of_the_library(rated, stars):
    model = load(stars)
    expected = MMMF(n_components=4, ridge=2, n_threads=1, levels=[1, 2, 3, 4, 5]).fit(rated.pairs, rated.ratings)
    np.testing.assert_array_equal(model.U_, expected.U_)
    np.testing.assert_array_equal(model.predict(rated.pairs), expected.predict(rated.pairs))
    assert model.callback is None


def test_fit_reports(skfactor, u_data, tmp_path):
    arguments = ("rate", "fit", u_data, *SMALL, "-o", tmp_path / "m.skf")
    text = skfactor(*arguments)
    assert "30 items by 40 users" in text
    assert "HMF" in text  # what is recommended
    document = skfactor.json(*arguments, "--force", "--levels", "0,1,2,3,4,5")
    assert document["data"]["levels"] == [0, 1, 2, 3, 4, 5]
    assert document["training_mae"] < 0.5
    assert not document["interrupted"]
    assert document["bytes"] == (tmp_path / "m.skf").stat().st_size


def test_every_method_can_be_named(skfactor, u_data, tmp_path):
    for method in ("pmmmf", "ALS", "biasonly"):
        document = skfactor.json("rate", "fit", u_data, "-m", method, "-o", tmp_path / f"{method}.skf")
        assert isinstance(load(tmp_path / f"{method}.skf"), RatingModel)
        assert document["method"].lower() == method.lower()


def test_predict_pairs_with_and_without_ratings(skfactor, stars, u_data, rated, tmp_path):
    model, wanted = load(stars), tmp_path / "wanted.csv"
    found = rows_of(skfactor("rate", "predict", stars, u_data))
    assert [int(row["level"]) for row in found] == model.predict(rated.pairs).tolist()
    wanted.write_text("item,user\n3,1\n4,2\n")
    found = rows_of(skfactor("rate", "predict", stars, wanted, "--shares"))
    shares = np.array([[float(row[f"share of {level}"]) for level in range(1, 6)] for row in found])
    np.testing.assert_allclose(shares, model.predict_levels([(1, 3), (2, 4)]), atol=1e-4)


def test_predict_counts_what_is_unknown(skfactor, stars, tmp_path):
    wanted = tmp_path / "wanted.csv"
    wanted.write_text("user,item\n1,3\n999,3\n1,999\n")
    document = skfactor.json("rate", "predict", stars, wanted)
    assert document["unknown"] == 2
    assert len(document["rows"]) == 3
    assert "2 pairs have a user or an item" in skfactor.err
    target = tmp_path / "levels.csv"
    assert skfactor("rate", "predict", stars, wanted, "-o", target) == ""
    assert "3 predictions written" in skfactor.err
    assert len(rows_of(target.read_text())) == 3
    assert "--force" in skfactor.error("rate", "predict", stars, wanted, "-o", target)


def test_new_users_are_folded_in(skfactor, drinks, tmp_path):
    target, mine = tmp_path / "m.skf", tmp_path / "mine.csv"
    skfactor("rate", "fit", drinks, "-m", "MMMF", *SMALL, "-o", target)
    mine.write_text("user,item,rating\nme,drink 1,5\nme,drink 2,0.5\n")
    rows = rows_of(skfactor("rate", "recommend", target, "--user", "me", "--fold-in", mine, "--top", 20))
    assert skfactor.err == ""
    assert [row["rank"] for row in rows] == [str(rank) for rank in range(1, 11)]
    assert not {"drink 1", "drink 2"} & {row["item"] for row in rows}
    wanted = tmp_path / "wanted.csv"
    wanted.write_text("user,item\nme,drink 3\n")
    (row,) = rows_of(skfactor("rate", "predict", target, wanted, "--fold-in", mine))
    assert float(row["level"]) in load(target).levels_


def test_recommend_to_several_and_to_all(skfactor, stars, tmp_path):
    model = load(stars)
    rows = rows_of(skfactor("rate", "recommend", stars, "-u", 3, "-u", 12345, "--top", 4))
    assert [int(row["item"]) for row in rows[:4]] == model.recommend(3, 4).tolist()
    assert [int(row["item"]) for row in rows[4:]] == model.recommend(12345, 4).tolist()
    assert "warning: 1 of the users are unknown and get what is liked by all: 12345" in skfactor.err
    document = skfactor.json("rate", "recommend", stars, "--everyone", "--top", 2, "--seen")
    assert len(document["rows"]) == 2 * len(model.users_)
    levels = {row["level"] for row in document["rows"]}
    assert levels <= set(model.levels_.tolist())


@pytest.mark.parametrize("protocol", ["folds", "weak", "strong", "leave-k-out", "time"])
def test_evaluate_by_each_protocol(skfactor, u_data, protocol):
    arguments = ("rate", "evaluate", u_data, "-m", "MMMF", *SMALL, "--protocol", protocol, "--folds", 2)
    document = skfactor.json(*arguments)
    results = {result["method"]: result for result in document["results"]}
    assert list(results) == ["MMMF", "BiasOnly", "ItemMedian"]
    for result in results.values():
        assert len(result["metrics"]["nmae"]["folds"]) == 2
        assert result["metrics"]["nmae"]["mean"] == pytest.approx(result["metrics"]["mae"]["mean"] / 1.6)
    assert results["MMMF"]["parameters"]["ridge"] == 2


def test_evaluate_tells_once_how_many_pairs_were_unknown(skfactor, u_data, tmp_path):
    """Users who rated once are unknown where they are tested, whatever the method and the fold."""
    with open(u_data, "a") as file:
        file.writelines(f"{user}\t1\t3\t0\n" for user in range(100, 107))
    skfactor("rate", "evaluate", u_data, "-m", "MMMF", *SMALL)
    assert skfactor.err.count("warning") == 1
    assert "warning: 7 of the pairs tested have a user or an item without" in skfactor.err


def test_evaluate_on_other_ratings_and_a_fitted_model(skfactor, u_data, stars):
    text = skfactor("rate", "evaluate", u_data, "-m", "itemmedian", "--test", u_data)
    assert "fitted to" in text
    assert text.count("ItemMedian") == 1
    document = skfactor.json("rate", "evaluate", u_data, "--model", stars, "--metrics", "mae")
    data = load(stars)
    assert document["results"][0]["class"] == "MMMF"
    assert document["results"][0]["metrics"]["mae"]["mean"] < 1
    assert data.n_components == 4


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("fit", "digit-tags", "-o", "m.skf"), "has rows with labels; this verb is for ratings"),
        (("fit", "u.data", "-m", "MMF", "-o", "m.skf"), "no method 'MMF'. Did you mean MMMF"),
        (("fit", "u.data", "-o", "m.skf", "--levels", "1,2,3"), "is not among the levels 1 2 3"),
        (("fit", "u.data", "-o", "m.skf", "--levels", "low,high"), "--levels must be numbers"),
        (("fit", "u.data", "-o", "no/m.skf"), "no folder"),
        (("fit", "twice.data", "-o", "m.skf"), "rate the same item by the same user"),
        (("predict", "u.data", "u.data"), "Cannot load"),
        (("recommend", "stars.skf"), "For whom?"),
        (("recommend", "stars.skf", "--user", "ann"), "are whole numbers, got 'ann'"),
        (("evaluate", "u.data"), "Which method?"),
        (("evaluate", "u.data", "-m", "MMMF", "--metrics", "micro_f1"), "micro_f1 is not for ratings"),
        (("evaluate", "u.data", "-m", "MMMF", "--protocol", "weakly"), "no protocol 'weakly'. Did you mean weak"),
        (("evaluate", "u.data", "-m", "MMMF", "--model", "stars.skf"), "exclude each other"),
    ],
)
def test_errors_are_one_line(skfactor, stars, u_data, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "twice.data").write_text("1\t2\t3\n1\t2\t4\n2\t2\t3\n")
    assert said in skfactor.error("rate", *arguments)
    assert not (tmp_path / "m.skf").exists()


def test_labels_and_ratings_name_each_other(skfactor, u_data):
    assert "use skfactor rate" in skfactor.error("evaluate", u_data, "-m", "PLST")


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_interrupt_saves_the_last_iteration(u_data, tmp_path):
    code = (
        "import os, signal, sys; from skfactor import ratings; from skfactor.cli import main\n"
        "def stop(self, *arguments):\n"
        "    if arguments[0] == 3: os.kill(os.getpid(), signal.SIGINT)\n"
        "from skfactor.ratings.watching import Watch; Watch.__call__ = stop\n"
        "sys.argv[:1] = ['skfactor', 'rate', 'fit', '-m', 'MMMF', '-o']; sys.exit(main())"
    )
    arguments = [sys.executable, "-c", code, tmp_path / "m.skf", u_data]
    done = subprocess.run(arguments, capture_output=True, text=True, check=False)
    assert done.returncode == 128 + signal.SIGINT
    assert "is the model of the last finished iteration" in done.stderr
    assert load(tmp_path / "m.skf").recommend(1, 2).shape == (2,)
