import numpy as np
import pytest

from skfactor.datasets import make_multilabel
from skfactor.multilabel import GroPLE
from skfactor.report.figures.label_groups import label_groups, order_of_codes


@pytest.fixture(scope="module")
def model():
    data = make_multilabel(n_samples=300, n_features=20, n_labels=9, random_state=0)
    return GroPLE(n_components=6, n_groups=3, group_sparsity=0.01).fit(data.X, data.Y)


def test_empty_cells_are_the_zeros_of_the_decoder(model):
    axes = label_groups(model).axes[0]
    shown = axes.images[0].get_array()
    V = model.factors_.decoder
    codes, labels = order_of_codes(V, model.label_groups_), np.argsort(model.label_groups_, kind="stable")
    np.testing.assert_array_equal(np.ma.getmaskarray(shown), V[codes][:, labels] == 0)
    assert np.ma.getmaskarray(shown).any()


def test_groups_are_parted_and_labels_named(model):
    axes = label_groups(model).axes[0]
    assert len(axes.lines) == 2
    names = [text.get_text() for text in axes.get_xticklabels()]
    np.testing.assert_array_equal(
        names, model.classes_[np.argsort(model.label_groups_, kind="stable")].astype(str)
    )


def test_each_code_stands_with_the_group_that_it_weighs_most_in():
    V = np.array([[0.0, 0.0, 2.0], [1.0, 1.0, 0.0], [0.0, 0.0, 5.0], [0.1, 0.1, 1.0]])
    np.testing.assert_array_equal(order_of_codes(V, np.array([0, 0, 1])), [1, 2, 0, 3])
