"""What the template gives to methods that learn from batches, shown on OMMF and TWOMF."""

import pickle

import numpy as np
import pytest
from scipy import sparse
from sklearn.exceptions import ConvergenceWarning

import skfactor
from skfactor.metrics import micro_f1
from skfactor.multilabel import OMMF, TWOMF

STREAMS = [OMMF(4, solver="sgd"), OMMF(4, solver="online"), TWOMF(4, solver="sgd", ridge=0.3)]


@pytest.fixture(params=STREAMS, ids=lambda model: f"{type(model).__name__} {model.solver}")
def model(request):
    from sklearn.base import clone

    return clone(request.param)


@pytest.fixture
def many(problem):
    X, Y = problem
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 120, 1200)
    return X[rows] + 0.1 * rng.normal(size=(1200, 10)), Y[rows]


def test_they_learn(model, many):
    X, Y = many
    model.fit(X[:900], Y[:900])
    assert micro_f1(Y[900:], model.predict(X[900:])) > 0.7
    assert 1 <= model.n_iter_ <= 20
    assert model.history_[-1].loss < model.history_[0].loss


def test_the_moments_are_taken_where_they_fit(many):
    X, Y = many
    assert OMMF(4).fit(X, Y).solver_ == "moments"
    assert OMMF(4, memory_budget=1e-9).fit(X, Y).solver_ == "online"
    assert TWOMF(4, memory_budget=1e-9, ridge=0.3).fit(X, Y).solver_ == "sgd"


def test_batches_one_by_one(model, many):
    X, Y = many
    for start in range(0, 900, 100):
        model.partial_fit(X[start : start + 100], Y[start : start + 100])
    assert model.moments_.n == 900
    assert micro_f1(Y[900:], model.predict(X[900:])) > 0.65


@pytest.mark.parametrize("form", [list, iter])
def test_batches_as_an_iterable(model, many, form):
    X, Y = many
    batches = [(sparse.csr_array(X[s : s + 100]), Y[s : s + 100]) for s in range(0, 900, 100)]
    model.set_params(max_epochs=5).fit_batches(form(batches), held_out=(X[900:1000], Y[900:1000]))
    assert micro_f1(Y[1000:], model.predict(X[1000:])) > 0.65
    with pytest.raises(ValueError, match="no batch"):
        model.fit_batches([])


def test_what_was_learned_by_steps_cannot_be_forgotten(model, many):
    X, Y = many
    model.fit(X, Y)
    with pytest.raises(ValueError, match='use solver="moments"'):
        model.forget(X[:10], Y[:10])
    assert OMMF(4).fit(X, Y).forget(X[:10], Y[:10]).moments_.n == 1190


def test_a_warm_start_goes_on(model, many):
    X, Y = many
    model.set_params(warm_start=True, max_epochs=2, patience=None).fit(X, Y)
    first = model.history_[0].loss
    assert model.fit(X, Y).history_[0].loss < first


def test_the_callback_sees_every_epoch(model, many):
    epochs = []
    model.set_params(callback=epochs.append, max_epochs=3, patience=None).fit(*many)
    assert [epoch.number for epoch in epochs] == [1, 2, 3]
    assert epochs[-1].validation is not None


def test_the_same_seed_gives_the_same_model(model, many):
    from sklearn.base import clone

    X, Y = many
    one, other = clone(model).fit(X, Y), clone(model).fit(X, Y)
    assert np.array_equal(one.decision_function(X), other.decision_function(X))
    third = clone(model).set_params(random_state=1).fit(X, Y)
    assert not np.array_equal(third.decision_function(X), one.decision_function(X))


def test_rows_in_order_without_shuffling(model, many):
    assert model.set_params(shuffle=False).fit(*many).score(*many) > 0.65


def test_single_precision_all_the_way(model, many):
    X, Y = many
    model.fit(X.astype(np.float32), Y)
    state = model._state
    blocks = state.blocks if hasattr(state, "blocks") else [state.W]
    assert all(block.dtype == np.float32 for block in blocks)


def test_whole_weights_count_rows(many):
    """With batches of all rows and no validation, a weight of two is the row twice."""
    X, Y = many
    weight = np.random.default_rng(0).integers(1, 3, 1200)
    rows = np.repeat(np.arange(1200), weight)
    settings = {"solver": "sgd", "validation_fraction": 0.0, "shuffle": False, "max_epochs": 200, "ridge": 0.3}
    one = OMMF(3, batch_size=4000, **settings).fit(X, Y, sample_weight=weight)
    other = OMMF(3, batch_size=4000, **settings).fit(X[rows], Y[rows])
    assert np.allclose(one.factors_.scores(X), other.factors_.scores(X), atol=1e-2)


@pytest.mark.parametrize("way", ["pickle", "save"])
def test_a_stored_model_learns_on(model, many, tmp_path, way):
    X, Y = many
    model.partial_fit(X[:600], Y[:600])
    if way == "pickle":
        again = pickle.loads(pickle.dumps(model))
    else:
        skfactor.save(model, tmp_path / "model.skf")
        again = skfactor.load(tmp_path / "model.skf")
    for one in (model, again):
        one.partial_fit(X[600:900], Y[600:900])
    assert np.allclose(again.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"solver": "adam"}, "solver must be one of 'auto', 'moments', 'sgd'"),
        ({"batch_size": 0}, "batch_size must be at least 1"),
        ({"max_epochs": 0}, "max_epochs must be at least 1"),
        ({"validation_fraction": 1.0}, "validation_fraction must be at least 0 and at most 0.9"),
        ({"learning_rate": 0}, "learning_rate must be above 0"),
        ({"patience": 0}, "patience must be at least 1"),
    ],
)
def test_bad_parameters_are_named(model, many, parameters, message):
    with pytest.raises(ValueError, match=message):
        model.set_params(**parameters).fit(*many)


def test_steps_that_are_too_long_are_taken_back_and_told(many):
    X, Y = many
    with pytest.warns(ConvergenceWarning, match="the last good parameters were taken up again with half the step"):
        wild = TWOMF(4, solver="sgd", ridge=0.3, learning_rate=1e4).fit(X[:900], Y[:900])
    assert wild.history_[-1].recoveries > 0
    assert micro_f1(Y[900:], wild.predict(X[900:])) > 0.65


@pytest.mark.parametrize("solver", ["sgd", "online"])
@pytest.mark.parametrize("learning_rate", [0.3, 10.0, 1e4])
def test_the_steps_of_ommf_bear_any_learning_rate(solver, learning_rate, many):
    X, Y = many
    model = OMMF(4, solver=solver, learning_rate=learning_rate).fit(X[:900], Y[:900])
    assert micro_f1(Y[900:], model.predict(X[900:])) > 0.65


def test_sparse_rows_are_made_dense_for_the_start_only(model, monkeypatch):
    """Batches of a wide sparse table stay sparse; only the rows that the start is found from are not."""
    rng = np.random.default_rng(0)
    X = sparse.random_array((600, 2000), density=0.01, format="csr", random_state=0)
    Y = (rng.random((600, 6)) < 0.3).astype(int)
    dense, toarray = [], sparse.csr_array.toarray

    def watched(table, *arguments, **named):
        dense.append(table.shape)
        return toarray(table, *arguments, **named)

    monkeypatch.setattr(sparse.csr_array, "toarray", watched)
    model.set_params(max_epochs=2).fit(X, Y).predict(X)
    wide = [rows for rows, columns in dense if columns == 2000]
    assert wide == [model.batch_size]
