import numpy as np
from sklearn.datasets import load_digits

from skfactor.datasets import check, load


def test_tags_are_true_of_the_digit():
    data = load("digit-tags")
    digits = load_digits().target
    tags = dict(zip(data.label_names, data.Y.toarray().T, strict=True))
    np.testing.assert_array_equal(tags["even"], digits % 2 == 0)
    np.testing.assert_array_equal(tags["multiple of three"], digits % 3 == 0)
    np.testing.assert_array_equal(tags["square"], np.sqrt(digits) % 1 == 0)
    np.testing.assert_array_equal(tags["above four"], digits > 4)
    np.testing.assert_array_equal(tags["prime"], [all(d % i for i in range(2, d)) and d > 1 for d in digits])


def test_it_is_sound():
    data = load("digit-tags")
    assert data.Y.sum(axis=1).min() >= 2
    train, test = data.split()
    assert (len(train), len(test)) == (1438, 359)
    titles = {finding.title for finding in check(data).findings}
    assert titles <= {"features are constant"}
