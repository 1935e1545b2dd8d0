"""What the models that L-BFGS fits have in common."""

import numpy as np
import pytest

from skfactor.metrics import mae
from skfactor.ratings import EMMMF, HMF, MMMF, PMMMF

from .conftest import DESCENDING, SMALL, rated


def flat(record):
    """Records of HMF and EMMMF are lists of those of their parts."""
    return record[0] if np.ndim(record[0]) or isinstance(record[0], list) else record


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_number_of_threads_changes_no_bit(make_descending, ratings, dtype, many_chunks):
    one, two, many = (make_descending(n_threads=n, dtype=dtype).fit(*ratings) for n in (1, 2, 5))
    for other in (two, many):
        assert np.array_equal(one.U_, other.U_)
        assert np.array_equal(one.V_, other.V_)
        assert np.array_equal(one.thresholds_, other.thresholds_)


@pytest.mark.parametrize(("name", "backend"), [("HMF", "loky"), ("HMF", "threading"), ("EMMMF", "threading")])
def test_parts_in_parallel_agree_with_serial_to_the_last_bit(name, backend, ratings):
    import joblib

    serial = SMALL[name]().fit(*ratings)
    with joblib.parallel_config(backend=backend):
        parallel = SMALL[name](n_jobs=2).fit(*ratings)
    assert np.array_equal(serial.U_, parallel.U_)
    assert np.array_equal(serial.V_, parallel.V_)
    assert serial.objectives_ == parallel.objectives_


def test_single_precision(make_descending, ratings):
    pairs, levels = ratings
    single, double = make_descending(dtype="float32").fit(*ratings), make_descending().fit(*ratings)
    assert single.U_.dtype == np.float32
    assert single.score(pairs, levels) == pytest.approx(double.score(pairs, levels), abs=0.15)


def test_the_objective_falls(make_descending, ratings):
    model = make_descending().fit(*ratings)
    assert (np.diff(flat(model.objectives_)) <= 0).all()


def test_a_warm_start_goes_on_where_it_was(make_descending, ratings):
    model = make_descending(max_iter=3, warm_start=True, tol=0).fit(*ratings)
    first = flat(model.objectives_)
    second = flat(model.fit(*ratings).objectives_)
    assert second[-1] < first[-1]
    cold = flat(make_descending(max_iter=3, tol=0).fit(*ratings).objectives_)
    assert cold == first


def test_a_warm_start_finds_users_and_items_by_name(ratings):
    pairs, levels = ratings
    model = MMMF(n_components=4, ridge=2, warm_start=True, n_threads=1, max_iter=500, tol=1e-10).fit(pairs, levels)
    n_iter = model.n_iter_
    model.fit(pairs[::-1], levels[::-1])  # other numbers for the same users
    assert model.n_iter_ < n_iter / 2


@pytest.mark.parametrize("change", [{"n_components": 7}, {"levels": range(9)}])
def test_a_warm_start_of_another_shape(change, ratings):
    for name in ("MMMF", "HMF"):
        model = SMALL[name](warm_start=True).fit(*ratings).set_params(**change)
        with pytest.raises(ValueError, match="warm_start=False"):
            model.fit(*ratings)


def test_callbacks_see_every_iteration_and_can_stop(make_descending, ratings):
    seen = []

    def callback(progress):
        seen.append(progress)
        return progress.iteration == 4

    model = make_descending(callback=callback).fit(*ratings)
    assert set(np.ravel(model.n_iter_)) == {4}
    own = [progress for progress in seen if progress.name == seen[0].name]
    assert [progress.iteration for progress in own] == [1, 2, 3, 4]
    assert [progress.objective for progress in own] == flat(model.objectives_)
    assert own[0].U.shape == (30, 4)
    assert own[0].seconds <= own[-1].seconds


@pytest.mark.parametrize("name", ["MMMF", "PMMMF", "PMF"])
def test_early_stopping_keeps_the_best_iteration(name, ratings):
    model = SMALL[name](
        early_stopping=True, ridge=0.01, tol=0, n_iter_no_change=3, validation_fraction=0.3, max_iter=100
    )
    model.fit(*ratings)
    errors = model.validation_errors_
    assert len(errors) == model.n_iter_ < 100
    assert np.argmin(errors) == len(errors) - 4
    assert min(errors) <= errors[0]


def test_early_stopping_of_parts(ratings):
    for name in ("HMF", "EMMMF"):
        model = SMALL[name](early_stopping=True, ridge=0.01).fit(*ratings)
        assert all(len(errors) == n for errors, n in zip(model.validation_errors_, model.n_iter_, strict=True))


def test_a_time_limit(make_descending, ratings):
    assert set(np.ravel(make_descending(time_limit=1e-9).fit(*ratings).n_iter_)) == {1}


def test_progress_lines(make_descending, ratings, capsys):
    make_descending(verbose=2, max_iter=5, tol=0, early_stopping=True, n_iter_no_change=9).fit(*ratings)
    lines = capsys.readouterr().out.splitlines()
    assert "iteration 2: objective" in lines[0]
    assert "held-out error" in lines[0]
    assert "iteration 4" in lines[1]


@pytest.mark.parametrize("name", DESCENDING)
def test_an_interrupt_leaves_the_last_finished_iteration(name, ratings):
    calls = 0

    def interrupt(progress):
        nonlocal calls
        calls += 1
        if calls == 7:
            raise KeyboardInterrupt

    model = SMALL[name](callback=interrupt, max_iter=6 if name in ("HMF", "EMMMF") else 50, tol=0)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*ratings)
    assert len(model.predict(ratings[0])) == len(ratings[0])
    assert sum(np.ravel(model.n_iter_)) == 7
    model.set_params(callback=None).partial_fit([(0, 99)], [3])
    assert model.predict([(0, 99)]).shape == (1,)


@pytest.mark.parametrize("make_fold", [lambda p: p[:, 0] >= 27, lambda p: p[:, 1] >= 21])
@pytest.mark.parametrize("name", ["MMMF", "PMMMF", "HMF"])
def test_fold_in_is_the_best_for_fixed_others(name, make_fold):
    pairs, levels, _ = rated(n_users=30, n_items=24, share=0.8)
    new = make_fold(pairs)
    model = SMALL[name](ridge=0.5, max_iter=500).fit(pairs[~new], levels[~new]).fold_in(pairs[new], levels[new])
    assert mae(levels[new], model.predict(pairs[new])) < 0.6


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"n_components": 0}, "n_components must be at least 1"),
        ({"ridge": 0}, "ridge must be above 0"),
        ({"ridge": [1, 1, 1, -1]}, "ridge must be above 0"),
        ({"max_iter": 1.5}, "max_iter must be a whole number"),
        ({"tol": -1}, "tol must be at least 0"),
        ({"validation_fraction": 1.0}, "validation_fraction must be above 0 and at most 0.9"),
        ({"n_threads": 0}, "n_threads must be at least 1"),
        ({"time_limit": 0}, "time_limit must be above 0"),
        ({"dtype": "float16"}, "dtype must be one of"),
        ({"verbose": -1}, "verbose must be at least 0"),
    ],
)
def test_wrong_parameters(make_descending, wrong, says, ratings):
    with pytest.raises((ValueError, TypeError), match=says):
        make_descending(**wrong).fit(*ratings)


def test_parameters_of_one_method():
    pairs, levels, _ = rated()
    for model, says in [
        (MMMF(threshold_loss="none"), "threshold_loss must be one of 'all', 'immediate'"),
        (HMF(ridge=[1, 2]), "ridge has 2 values, and 5 levels make 4 stages"),
        (HMF(n_jobs="two"), "n_jobs must be a whole number"),
        (EMMMF(combine="max"), "combine must be one of 'mean', 'median'"),
        (EMMMF(n_estimators=0), "n_estimators must be at least 1"),
        (PMMMF(ridge="big"), "ridge must be a number"),
    ]:
        with pytest.raises((ValueError, TypeError), match=says):
            model.fit(pairs, levels)


def test_biases_are_columns_of_the_factors(make_descending, ratings):
    pairs, levels = ratings
    model = make_descending(biases=True, n_components=2).fit(pairs, levels)
    U, V = model.U_, model.V_
    assert U.shape[-1] == V.shape[-1] == 4
    assert (U[..., -1] == 1).all()
    assert (V[..., -2] == 1).all()
    assert (V[..., -1] != 0).all()
    newcomer = np.column_stack([np.full(10, 99), np.arange(10)])
    model.fold_in(newcomer, [5] * 10).partial_fit([(99, 11)], [5])
    assert (model.U_[..., -1] == 1).all()
    assert model.predict(newcomer).mean() > 4


def test_biases_explain_what_they_can(ratings):
    """A table of popularity alone needs no factors."""
    pairs = ratings[0]
    levels = 1 + (pairs[:, 0] % 3) + (pairs[:, 1] % 3)
    known = np.random.default_rng(0).random(len(pairs)) < 0.8
    errors = [
        -HMF(n_components=1, ridge=0.5, biases=biases, n_threads=1)
        .fit(pairs[known], levels[known])
        .score(pairs[~known], levels[~known])
        for biases in (False, True)
    ]
    assert errors[1] < errors[0] / 2


def test_conjugate_gradients_as_the_papers(make_descending, ratings):
    pairs, levels = ratings
    by_newton, by_gradients = (make_descending(solver=solver).fit(pairs, levels) for solver in ("lbfgs", "cg"))
    assert flat(by_gradients.objectives_)[-1] == pytest.approx(flat(by_newton.objectives_)[-1], rel=0.1)
    assert by_gradients.score(pairs, levels) == pytest.approx(by_newton.score(pairs, levels), abs=0.15)
