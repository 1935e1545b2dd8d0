import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skfactor.ratings.identifiers import Identifiers


@given(st.lists(st.text(max_size=3), max_size=20), st.lists(st.text(max_size=3), max_size=20))
def test_numbers_follow_first_appearance_and_lead_back(first, second):
    first, second = (np.array(column, dtype=str) for column in (first, second))
    known = Identifiers.of(first, "user")
    assert known.names.tolist() == list(dict.fromkeys(first.tolist()))
    assert (known.names[known.find(first)] == first).all()
    assert ((known.find(second) < 0) == ~np.isin(second, first)).all()
    both = known.extended(second)
    assert both.names.tolist() == list(dict.fromkeys([*first.tolist(), *second.tolist()]))


def test_longer_strings_come_in_whole():
    assert Identifiers.of(np.array(["a"]), "user").extended(np.array(["longer"])).names.tolist() == ["a", "longer"]


def test_numbers_and_strings_do_not_mix():
    known = Identifiers.of(np.array([1, 2]), "item")
    with pytest.raises(TypeError, match="item identifiers were whole numbers in fit and are strings here"):
        known.find(np.array(["1"]))
