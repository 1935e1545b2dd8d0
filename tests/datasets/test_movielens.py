import zipfile

import pytest

from skfactor.datasets import DataFormatError, load_movielens

ROWS = [(196, 242, 3, 881250949), (186, 302, 3.5, 891717742), (196, 242, 4, 881250950)]
FORMS = {
    "u.data": "\n".join("\t".join(map(str, row)) for row in ROWS),
    "ratings.dat": "\n".join("::".join(map(str, row)) for row in ROWS) + "\n",
    "ratings.csv": "userId,movieId,rating,timestamp\r\n" + "\r\n".join(",".join(map(str, row)) for row in ROWS),
}


@pytest.mark.parametrize("name", FORMS)
def test_forms(tmp_path, name):
    folder = tmp_path / "ml"
    folder.mkdir()
    (folder / name).write_text(FORMS[name])
    with zipfile.ZipFile(tmp_path / "packed.zip", "w") as archive:
        archive.write(folder / name, f"ml/{name}")
    for path, called in (
        (folder / name, name.partition(".")[0]),
        (folder, "ml"),
        (tmp_path / "packed.zip", "packed"),
    ):
        data = load_movielens(path)
        assert data.pairs.tolist() == [[196, 242], [186, 302], [196, 242]]
        assert data.ratings.tolist() == [3, 3.5, 4]
        assert data.timestamps.tolist() == [row[3] for row in ROWS]
        assert data.name == called


def test_timestamps_may_be_absent(tmp_path):
    (tmp_path / "u.data").write_text("1\t2\t3\n1\t3\t4\n")
    assert load_movielens(tmp_path / "u.data").timestamps is None


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", r"u.data:1: expected user, item and rating, separated by tabs"),
        ("1 2 3\n", r"u.data:1: expected user, item and rating, separated by"),
        ("1\t2\t3\n\n1\t2\n", r"u.data:3: expected user, item, rating as numbers, got '1,2'"),
        ("1\t2\t3\n1\tx\t3\n", r"u.data:2: expected user, item, rating as numbers, got '1,x,3'"),
        ("1\t2\t3\t4\n1\t2\t3\tlate\n", r"u.data:2: expected user, item, rating, timestamp as numbers"),
        ("1\t2.5\t3\n", r"u.data:1: expected user"),
        ("1\t2\tnan\n", r"u.data:1: expected user"),
        ("1\t2\n", r"u.data: expected user|u.data:1"),
        ("userId,movieId,rating\n", r"u.data: no ratings after the header"),
    ],
)
def test_malformed_files(tmp_path, text, message):
    (tmp_path / "u.data").write_text(text)
    with pytest.raises(DataFormatError, match=message):
        load_movielens(tmp_path / "u.data")


def test_folder_without_ratings(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"has none of u.data, ratings.dat, ratings.csv"):
        load_movielens(tmp_path)


def test_errors_in_an_archive_name_it(tmp_path):
    with zipfile.ZipFile(tmp_path / "ml.zip", "w") as archive:
        archive.writestr("ml/u.data", "1\t2\tx\n")
    with pytest.raises(DataFormatError, match=r"ml.zip/ml/u.data:1: expected"):
        load_movielens(tmp_path / "ml.zip")
