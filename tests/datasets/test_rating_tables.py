import numpy as np
import pytest

from skfactor.datasets import DataFormatError, RatingsData, load, load_pairs, load_ratings


@pytest.mark.parametrize(
    ("text", "pairs", "times"),
    [
        ("user,item,rating\nann,tea,4.5\nbob,7,3\n", [["ann", "tea"], ["bob", "7"]], None),
        ("rating;USER_ID;Item;when\n4.5;1;2;x\n\n3;1;3;y\n", [[1, 2], [1, 3]], None),
        ("stars\tproduct\tcustomer\ttime\n4.5\ta b\tc,d\t9\n3\tb\td\t8\n", [["c,d", "a b"], ["d", "b"]], [9, 8]),
        ('user,item,rating\n"ann, b",tea,4.5\nbob,tea,3\n', [["ann, b", "tea"], ["bob", "tea"]], None),
    ],
)
def test_columns_by_their_names(tmp_path, text, pairs, times):
    path = tmp_path / "drinks.csv"
    path.write_text(text)
    data = load_ratings(path)
    assert data.pairs.tolist() == pairs
    assert data.ratings.tolist() == [4.5, 3]
    assert (data.timestamps is None) == (times is None)
    if times:
        assert data.timestamps.tolist() == times
    assert isinstance(load(path), RatingsData)
    np.testing.assert_array_equal(load_pairs(path), data.pairs)


def test_pairs_need_no_ratings(tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("item,user\ntea,ann\n")
    assert load_pairs(path).tolist() == [["ann", "tea"]]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("user,item\n1,2\n", 1, "no column for rating"),
        ("user,item,rating\n1,2,3\n1,3\n", 3, "expected 3 cells, got 2"),
        ("user,item,rating\n1,,3\n", 2, "the item is missing"),
        ("user,item,rating\n1,2,\n", 2, "the rating is missing"),
        ("user,item,rating\n1,2,good\n", None, "ratings must be numbers"),
        ("user,item,rating\n1,2,inf\n", None, "must be finite"),
        ("user,item,rating\n", None, "no ratings after the header"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path, text, line, said):
    path = tmp_path / "bad.csv"
    path.write_text(text)
    with pytest.raises(DataFormatError, match=said) as caught:
        load_ratings(path)
    assert caught.value.line == line


def test_a_table_of_tags_with_users_is_no_table_of_ratings(tmp_path):
    path = tmp_path / "posts.csv"
    path.write_text("user,item,tags\n1,2,p;q\n")
    assert not isinstance(load(path), RatingsData)
