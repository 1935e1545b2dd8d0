"""scikit-learn's own checks, as far as they apply to models of pairs."""

import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import estimator_checks_generator

from skfactor import ratings

#: The other checks of scikit-learn fit tables of random real features with any number of columns, many with
#: labels or one-dimensional weights. These models take pairs of identifiers (two columns, whole numbers or
#: strings, whose size and sign mean nothing) and levels, and refuse the rest by name: see test_reading.py.
#: What those checks are about is tested on pairs instead: fitting twice, refusals of NaN, infinity and wrong
#: shapes, unfitted use, unchanged parameters and data, frames, subsets and order of pairs (test_base.py).
APPLICABLE = {
    "check_estimator_cloneable",
    "check_estimator_tags_renamed",
    "check_valid_tag_types",
    "check_estimator_repr",
    "check_no_attributes_set_in_init",
    "check_do_not_raise_errors_in_init_or_set_param",
    "check_parameters_default_constructible",
    "check_get_params_invariance",
    "check_set_params",
    "check_mixin_order",
    "check_estimators_unfitted",
    "check_fit_score_takes_y",
    "check_estimators_overwrite_params",
    "check_dont_overwrite_attributes",
}
#: These of them fit random real features.
NOT_ON_PAIRS = {"check_fit_score_takes_y", "check_estimators_overwrite_params", "check_dont_overwrite_attributes"}


def public_models():
    found = [getattr(ratings, name) for name in ratings.__all__]
    return [cls for cls in found if issubclass(cls, BaseEstimator) and cls is not ratings.RatingModel]


def checks():
    for cls in public_models():
        for estimator, check in estimator_checks_generator(cls()):
            name = getattr(check, "func", check).__name__
            if name in APPLICABLE - NOT_ON_PAIRS:
                yield pytest.param(estimator, check, id=f"{cls.__name__}-{name}")


@pytest.mark.parametrize(("estimator", "check"), list(checks()))
def test_conformance(estimator, check):
    check(estimator)


@pytest.mark.parametrize("cls", public_models())
def test_fitting_changes_neither_parameters_nor_data(cls, binary):
    pairs, likes = binary
    model, before = cls(), cls().get_params()
    kept = pairs.copy(), likes.copy()
    model.fit(pairs, likes)
    model.predict(pairs)
    assert model.get_params() == before
    assert (pairs == kept[0]).all()
    assert (likes == kept[1]).all()


@pytest.mark.parametrize("cls", public_models())
def test_a_prediction_does_not_depend_on_the_others(cls, binary):
    pairs, likes = binary
    model = cls().fit(pairs, likes)
    whole = model.predict(pairs)
    assert [model.predict(pairs[row : row + 1])[0] for row in range(10)] == whole[:10].tolist()
    assert (model.predict(pairs[::-1]) == whole[::-1]).all()


@pytest.mark.parametrize("cls", public_models())
def test_every_parameter_and_attribute_is_documented(cls, binary):
    documentation = inspect.getdoc(cls)
    model = cls().fit(*binary)
    public = [name for name in vars(model) if name.endswith("_") and not name.startswith("_")]
    for name in [*model.get_params(), *public]:
        assert name in documentation, name
    for section in ("Parameters\n", "Attributes\n", "Examples\n"):
        assert section in documentation
