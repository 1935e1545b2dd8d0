"""scikit-learn's own checks, over every public estimator: a new one is found by itself."""

import importlib
import inspect

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import parametrize_with_checks

#: Modules whose public classes are checked. Rating models take pairs and have tests of their own.
MODULES = ("skfactor.multilabel",)
#: Parameters with which the checks are quick, where the defaults are not.
FAST = {"ExtraTrees": {"n_estimators": 5}, "RandomForest": {"n_estimators": 5}}
#: Checks that are expected to fail: {class name: {check: reason}}.
EXPECTED: dict[str, dict[str, str]] = {
    "CCA": dict.fromkeys(
        ("check_transformer_data_not_an_array", "check_transformer_general"),
        "scikit-learn gives any class of this name a y of two columns of numbers, as its own CCA takes",
    )
}


def public_estimators():
    for name in MODULES:
        module = importlib.import_module(name)
        for public in module.__all__:
            found = getattr(module, public)
            if inspect.isclass(found) and issubclass(found, BaseEstimator) and not inspect.isabstract(found):
                yield found(**FAST.get(public, {}))


def expected_failures(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("default")
@parametrize_with_checks(list(public_estimators()), expected_failed_checks=expected_failures)
def test_conformance(estimator, check):
    check(estimator)


@pytest.mark.parametrize("estimator", list(public_estimators()), ids=lambda estimator: type(estimator).__name__)
def test_every_parameter_and_attribute_is_documented(estimator):
    documentation = inspect.getdoc(type(estimator))
    for name in estimator.get_params():
        assert name in documentation, name
    for section in ("Parameters\n", "Attributes\n", "Examples\n"):
        assert section in documentation
