import pickle

import pytest

from skfactor.datasets import DataFormatError
from skfactor.datasets.errors import damage_told


def test_is_a_value_error_of_one_line():
    error = DataFormatError("a.arff", "wrong.", line=3)
    assert isinstance(error, ValueError)
    assert str(error) == "a.arff:3: wrong."
    assert str(DataFormatError("a.arff", "wrong.")) == "a.arff: wrong."


def test_is_one_line_whatever_it_quotes():
    assert str(DataFormatError("a.npz", "two\n  lines.")) == "a.npz: two lines."


def test_what_the_system_refuses_is_not_called_damage(tmp_path):
    with pytest.raises(FileNotFoundError), damage_told(tmp_path / "a"):
        (tmp_path / "a").read_text()
    with pytest.raises(DataFormatError, match=r"a: damaged, or not .*ended early"), damage_told("a"):
        raise EOFError("ended early")


def test_survives_pickling():
    error = pickle.loads(pickle.dumps(DataFormatError("a.arff", "wrong.", line=3)))
    assert (error.path, error.message, error.line) == ("a.arff", "wrong.", 3)
