"""Estimators by name, fitted so that they know the names of their columns."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skfactor.cli.inputs import by_name, features_like
from skfactor.cli.options import assignments, choose
from skfactor.cli.output import Out

if TYPE_CHECKING:
    from skfactor._validation import FloatArray, Matrix
    from skfactor.datasets import MultilabelData

BASELINE = "RidgeBR"


def methods() -> dict[str, type[Any]]:
    """The classifiers of `skfactor.multilabel`, by name."""
    from sklearn.base import ClassifierMixin

    from skfactor import multilabel

    public = {name: getattr(multilabel, name) for name in multilabel.__all__}
    return {
        name: thing
        for name, thing in public.items()
        if isinstance(thing, type) and issubclass(thing, ClassifierMixin) and not is_abstract(thing)
    }


def is_abstract(cls: type[Any]) -> bool:
    """Whether a class lacks methods that its subclasses have."""
    # Not inspect.isabstract, which sees only classes whose metaclass is ABCMeta.
    return any(getattr(getattr(cls, name, None), "__isabstractmethod__", False) for name in dir(cls))


def make(method: str, settings: Sequence[str], decision: str | None, seed: int | None = None) -> Any:
    """An unfitted estimator.

    Parameters
    ----------
    method : str
        Name of a classifier, in whatever case.
    settings : sequence of str
        Its parameters, as NAME=VALUE. Those of its decision rule are called decision__NAME.
    decision : str, optional
        Name of a decision rule.
    seed : int, optional
        For `random_state`, unless the settings have it.
    """
    model = named(methods(), method)
    _give_rule(model, decision)
    return configured(model, settings, seed)


def named(known: dict[str, type[Any]], method: str) -> Any:
    """An estimator of one of the classes that are `known`, as it is by default."""
    return known[choose(method, known, "There is no method")]()


def configured(model: Any, settings: Sequence[str], seed: int | None = None) -> Any:
    """Give `model` the parameters NAME=VALUE, and the seed unless they have one."""
    values = assignments(settings, "--set")
    if seed is not None and "random_state" in model.get_params():
        values = {"random_state": seed} | values
    return model.set_params(**_checked(model, values))


def _give_rule(model: Any, decision: str | None) -> None:
    """Make an object of the rule's name, so that the rule's own parameters can be set."""
    current = model.get_params().get("decision")
    if decision is not None and current is None:
        raise ValueError(f"{type(model).__name__} has no decision rule to choose.")
    if isinstance(decision or current, str):
        rule = choose(decision or current, model.rules, "There is no decision rule")
        model.set_params(decision=model.rules[rule]())


def _checked(model: Any, values: dict[str, Any]) -> dict[str, Any]:
    lack = f"{type(model).__name__} has no parameter"
    return {choose(name, model.get_params(), lack): value for name, value in values.items()}


def baseline_of(model: Any) -> Any:
    """The plain method with the parameters that `model` shares: then the method alone makes the difference."""
    plain = methods()[BASELINE]()
    given = model.get_params(deep=False)
    return plain.set_params(**{name: given[name] for name in plain.get_params(deep=False) if name in given})


def parameters(model: Any) -> dict[str, Any]:
    """All parameters, those of the decision rule too, as JSON can have them."""
    values = model.get_params()
    return {
        name: type(value).__name__ if hasattr(value, "get_params") else value for name, value in values.items()
    }


def fit_with_names(model: Any, data: MultilabelData) -> Any:
    """Fit `model`, which afterwards knows the names of features and labels as if it had been given frames."""
    if not data.Y.nnz:
        raise ValueError(f"{data.name or 'The data set'} has no labels: there is nothing to learn.")
    if data.label_names is not None and hasattr(model, "partial_fit"):
        # The first call of partial_fit is a fit that also takes the names of the labels.
        model.partial_fit(data.X, data.Y, classes=data.label_names)
    else:
        model.fit(data.X, data.Y)
    if data.feature_names is not None:
        import numpy as np

        model.feature_names_in_ = np.asarray(data.feature_names, dtype=object)
    return model


def with_names(model: Any, data: MultilabelData) -> Any:
    """A fitted classifier, or pipeline that ends in one, as a classifier that knows the names of the columns."""
    from skfactor.model_selection.candidates import last_step
    from skfactor.model_selection.committee import seated
    from skfactor.multilabel.targets import learn_targets

    last, in_pipeline = last_step(model)
    if in_pipeline:  # which has neither scores before the decision nor a place for names
        model = seated([model], [1.0], last.decision, last._held_out)
    model._set_targets(learn_targets(data.Y, data.label_names))
    if data.feature_names is not None:
        import numpy as np

        model.feature_names_in_ = np.asarray(data.feature_names, dtype=object)
    return model


def read_model(path: Path) -> Any:
    """Load a model that `skfactor fit` or `skfactor.save` wrote."""
    return fitted_model(path, "classes_", "classifier")


def fitted_model(path: Path, attribute: str, noun: str) -> Any:
    """Load a model that predicts and has the `attribute` of a fitted `noun`."""
    from skfactor import load

    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    model = load(path)
    if not (hasattr(model, "predict") and hasattr(model, attribute)):
        raise ValueError(f"{path} holds a {type(model).__name__}, which is no fitted {noun}.")
    return model


def feature_names(model: Any) -> list[str] | None:
    """Names of the features that a model was fitted to, if they had names."""
    names = getattr(model, "feature_names_in_", None)
    return None if names is None else [str(name) for name in names]


def label_names(model: Any) -> list[str] | None:
    """Names of the labels, unless they are mere numbers."""
    return None if model.classes_.dtype.kind in "iu" else [str(name) for name in model.classes_]


def scores_of(model: Any, X: Matrix) -> FloatArray:
    """Scores (n x L) as the model makes them, before the decision rule."""
    with warnings.catch_warnings():
        # The columns have been compared by their names already.
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        scores: FloatArray = model.label_scores(X)
    return scores


def labels_of(model: Any, X: Matrix) -> Any:
    """Predicted labels as a sparse indicator (n x L), in whatever type the model predicts."""
    from scipy import sparse
    from sklearn.preprocessing import MultiLabelBinarizer

    with warnings.catch_warnings():
        # The columns have been compared by their names already.
        warnings.filterwarnings("ignore", "X does not have valid feature names")
        predicted = model.predict(X)
    if getattr(predicted, "ndim", 1) == 2:
        return sparse.csr_array(predicted, dtype=float)
    rows = predicted if isinstance(predicted, list) else [[label] for label in predicted]
    return MultiLabelBinarizer(classes=model.classes_, sparse_output=True).fit_transform(rows)


def features_for(model: Any, data: MultilabelData, source: str) -> Matrix:
    """The features of `data` as `model` wants them, checked."""
    X = features_like(data, feature_names(model), source)
    if X.shape[1] != model.n_features_in_:
        raise ValueError(
            f"{source} has {X.shape[1]} features, and the model was fitted to {model.n_features_in_}."
        )
    from skfactor._validation import check_finite

    check_finite(X, source)
    return X


def labels_for(model: Any, data: MultilabelData, out: Out, source: str) -> Matrix:
    """The labels of `data` in the order of those of `model`; labels that the model does not know are left out."""
    from skfactor.datasets.report import some

    wanted, have = label_names(model), data.label_names
    if wanted is not None and have is not None:
        strange = [name for name in have if name not in set(wanted)]
        if strange:
            out.remark(f"warning: labels of {source} that the model does not know are left out: {some(strange)}.")
        return by_name(data.Y, have, wanted)
    if data.Y.shape[1] != len(model.classes_):
        raise ValueError(
            f"{source} has {data.Y.shape[1]} labels, and the model was fitted to {len(model.classes_)}."
        )
    return data.Y
