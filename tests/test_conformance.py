"""scikit-learn's own checks, over every public estimator of every room: a new one is found by itself."""

import importlib
import inspect
import pkgutil

import pytest
from sklearn.base import BaseEstimator
from sklearn.utils.estimator_checks import estimator_checks_generator, parametrize_with_checks

import skfactor
from skfactor.model_selection import FactorSearchCV
from skfactor.multilabel import RidgeBR

#: Rooms whose estimators are not fitted to rows of X and y, so that few checks apply.
OTHER_INPUT = {
    "ratings": "models of (user, item) pairs: tests/ratings/test_conformance.py says which checks apply to them",
    "decisions": "rules take a table of scores and a table of truth: RULE_CHECKS below",
}
#: Checks of what an estimator is before it is fitted: all that apply to a decision rule. The others fit random X.
RULE_CHECKS = {
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
}
#: Parameters with which the checks are quick, or iterations exact to the digits that the checks compare, where the
#: defaults are not; or that have no default.
PARAMETERS = {
    "Committee": {"members": [RidgeBR(), RidgeBR(ridge=1.0)]},
    "ExtraTrees": {"n_estimators": 5},
    "FactorSearchCV": {"estimator": RidgeBR(), "param_grid": {"scale": [None, "std"]}, "cv": 2},
    "KernelFeatures": {"n_components": 20},
    "LeafFeatures": {"n_estimators": 5},
    "RandomForest": {"n_estimators": 5},
    "TWOMF": {"tol": 1e-10},
    "Tournament": {"entrants": ["RidgeBR"]},
}
#: Checks that are expected to fail: {class name: {check: reason}}.
EXPECTED: dict[str, dict[str, str]] = {
    "CCA": dict.fromkeys(
        ("check_transformer_data_not_an_array", "check_transformer_general"),
        "scikit-learn gives any class of this name a y of two columns of numbers, as its own CCA takes",
    ),
    "LeafFeatures": dict.fromkeys(
        ("check_transformer_data_not_an_array", "check_transformer_general"),
        "rows that are fitted to are served by trees that have not seen them, so they are not transformed alike",
    ),
}


def rooms():
    """The packages and modules of skfactor that say what is public."""
    for info in pkgutil.iter_modules(skfactor.__path__):
        if not info.name.startswith("_"):
            yield info.name, importlib.import_module(f"skfactor.{info.name}")


def public_classes(rooms_wanted):
    found = [getattr(room, public) for name, room in rooms_wanted for public in getattr(room, "__all__", [])]
    return [
        cls
        for cls in found
        if inspect.isclass(cls) and issubclass(cls, BaseEstimator) and not inspect.isabstract(cls)
    ]


def estimators():
    classes = public_classes([(name, room) for name, room in rooms() if name not in OTHER_INPUT])
    return [cls(**PARAMETERS.get(cls.__name__, {})) for cls in dict.fromkeys(classes)]


def rules():
    return public_classes([("decisions", importlib.import_module("skfactor.decisions"))])


def rule_checks():
    for cls in rules():
        for estimator, check in estimator_checks_generator(cls()):
            name = getattr(check, "func", check).__name__
            if name in RULE_CHECKS:
                yield pytest.param(estimator, check, id=f"{cls.__name__}-{name}")


def expected_failures(estimator):
    return EXPECTED.get(type(estimator).__name__, {})


@pytest.mark.filterwarnings("default")
@parametrize_with_checks(estimators(), expected_failed_checks=expected_failures)
def test_conformance(estimator, check):
    check(estimator)


@pytest.mark.parametrize(("rule", "check"), list(rule_checks()))
def test_conformance_of_decision_rules(rule, check):
    check(rule)


@pytest.mark.parametrize("cls", [type(estimator) for estimator in estimators()] + rules())
def test_every_parameter_is_documented(cls):
    documentation = inspect.getdoc(cls)
    for name in inspect.signature(cls).parameters:
        assert name in documentation, name
    for section in ("Parameters\n", "Attributes\n"):
        assert section in documentation


@pytest.mark.parametrize("estimator", estimators(), ids=lambda estimator: type(estimator).__name__)
def test_every_estimator_has_an_example(estimator):
    assert "Examples\n" in inspect.getdoc(type(estimator))


def test_the_rooms_and_names_of_this_file_exist():
    names = {type(estimator).__name__ for estimator in estimators()}
    assert {"RidgeBR", "MDDM", "MNMTF", "LeafFeatures", "FactorSearchCV"} <= names
    assert set(PARAMETERS) | set(EXPECTED) <= names
    assert set(OTHER_INPUT) <= {name for name, _ in rooms()}
    assert FactorSearchCV in {type(estimator) for estimator in estimators()}
