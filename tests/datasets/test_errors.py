import pickle

from skfactor.datasets import DataFormatError


def test_is_a_value_error_of_one_line():
    error = DataFormatError("a.arff", "wrong.", line=3)
    assert isinstance(error, ValueError)
    assert str(error) == "a.arff:3: wrong."
    assert str(DataFormatError("a.arff", "wrong.")) == "a.arff: wrong."


def test_survives_pickling():
    error = pickle.loads(pickle.dumps(DataFormatError("a.arff", "wrong.", line=3)))
    assert (error.path, error.message, error.line) == ("a.arff", "wrong.", 3)
