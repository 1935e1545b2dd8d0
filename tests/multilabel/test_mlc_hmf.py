import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import ConvergenceWarning

import skfactor
from skfactor.datasets import load
from skfactor.metrics import hamming_loss, micro_f1
from skfactor.multilabel import MLCHMF, RidgeBR
from skfactor.multilabel.margin_embedding import learn_embedding


@pytest.fixture(scope="module")
def opposite():
    """Two clusters with opposite rules: what is above a plane in one is below it in the other."""
    rng = np.random.default_rng(0)
    side = rng.integers(2, size=400)
    X = rng.normal(size=(400, 6))
    scores = X @ rng.normal(size=(6, 4))
    X, scores = X[np.abs(scores).min(axis=1) > 0.3], scores[np.abs(scores).min(axis=1) > 0.3]
    side = side[: len(X)]
    Y = (np.where(side[:, None] == 1, scores, -scores) > 0).astype(float)
    X = np.hstack([X, np.where(side, 6.0, -6.0)[:, None] + 0.1 * rng.normal(size=(len(X), 1))])
    return X, Y


def halves(X, Y):
    return X[::2], Y[::2], X[1::2], Y[1::2]


def test_opposite_rules_take_a_tree(opposite):
    X, Y, X_new, Y_new = halves(*opposite)
    single, _ = learn_embedding(X, Y, 4, 0.1, solver="lbfgs", max_iter=5000, tol=1e-9)
    assert hamming_loss(Y_new, single.outputs(X_new) > 0) > 0.3
    model = MLCHMF(n_components=4, ridge=0.1, scale=None).fit(X, Y)
    assert hamming_loss(Y_new, model.predict(X_new)) < 0.1
    assert hamming_loss(Y_new, RidgeBR().fit(X, Y).predict(X_new)) > 0.3


def test_scores_are_mean_outputs_and_votes_are_their_signs(opposite):
    X, Y, X_new, _ = halves(*opposite)
    model = MLCHMF(ridge=3.0, n_neighbors=3).fit(X, Y)
    scores, explained = model.label_scores(X_new[:20]), model.explain(X_new[:20])
    for i, explanation in enumerate(explained):
        outputs = np.repeat(
            [vote.outputs for vote in explanation.votes],
            [len(vote.neighbours) for vote in explanation.votes],
            axis=0,
        )
        assert len(outputs) == 3
        np.testing.assert_allclose(scores[i], outputs.mean(axis=0))
        np.testing.assert_array_equal(model.predict(X_new[[i]])[0], np.mean(outputs > 0, axis=0) > 0.5)


def test_neighbours_that_voted_are_the_nearest_rows_that_were_kept(opposite):
    X, Y, X_new, _ = halves(*opposite)
    model = MLCHMF(scale=None).fit(X, Y)
    kept = np.concatenate([node.kept for node in model.tree_.voters])
    for x, explanation in zip(X_new[:10], model.explain(X_new[:10]), strict=True):
        nearest = kept[np.argsort(np.sum((X[kept] - x) ** 2, axis=1))[:5]]
        voted = np.concatenate([vote.neighbours for vote in explanation.votes])
        assert set(voted) == set(nearest)
        for vote in explanation.votes:
            assert set(vote.neighbours) <= set(model.tree_.nodes[vote.node].kept)


def test_an_explanation_can_be_read(opposite):
    X, Y, X_new, _ = halves(*opposite)
    names = ["north", "south", "east", "west"]
    model = MLCHMF().fit(X, pd.DataFrame(Y, columns=names))
    lines = str(model.explain(X_new[:1])[0]).splitlines()
    assert all(line.startswith("node ") and "(depth " in line and " by rows " in line for line in lines)
    said = {name for line in lines for name in line.rsplit(": ", 1)[1].split(", ")}
    assert said <= {*names, "no label"}


def test_decision_function_and_predict_agree(opposite):
    X, Y, X_new, _ = halves(*opposite)
    for decision in ("vote", "threshold"):
        model = MLCHMF(decision=decision).fit(X, Y)
        np.testing.assert_array_equal(model.decision_function(X_new) > 0, model.predict(X_new) > 0)


def test_thresholds_are_fitted_on_held_out_scores(opposite):
    X, Y, X_new, Y_new = halves(*opposite)
    model = MLCHMF(decision="threshold", ridge=3.0).fit(X, Y)
    assert 0.5 < model.decision_.value_ <= 1
    assert micro_f1(Y_new, model.predict(X_new)) > 0.8


def test_units_of_the_features_do_not_matter(opposite):
    X, Y, X_new, _ = halves(*opposite)
    model = MLCHMF().fit(X, Y)
    units = 10.0 ** np.arange(-3, 4)
    again = MLCHMF().fit(X * units + 5, Y)
    np.testing.assert_array_equal(again.predict(X_new * units + 5), model.predict(X_new))


def test_sparse_rows_are_the_same_as_dense_ones(opposite):
    X, Y, X_new, _ = halves(*opposite)
    X, X_new = np.maximum(X, 0), np.maximum(X_new, 0)
    model = MLCHMF(n_components=4, ridge=3.0, scale=None, tol=1e-9, max_iter=5000)
    dense = clone(model).fit(X - X.mean(axis=0), Y)
    model.fit(sparse.csr_array(X), sparse.csr_array(Y))
    predicted = model.predict(sparse.csr_array(X_new))
    assert sparse.issparse(predicted)
    agreement = np.mean(predicted.toarray() == dense.predict(X_new - X.mean(axis=0)))
    assert agreement > 0.98


def test_sparse_rows_with_wide_indices():
    rng = np.random.default_rng(0)
    X = sparse.csr_array(rng.poisson(0.5, (40, 6)).astype(float))
    X.indices, X.indptr = X.indices.astype(np.int64), X.indptr.astype(np.int64)
    assert MLCHMF().fit(X, (rng.random((40, 3)) < 0.4).astype(int)).predict(X).shape == (40, 3)


def test_rows_of_a_label_set_that_repeats(opposite):
    """Duplicated rows, some with other labels, and labels that no row or every row has."""
    X, Y, *_ = halves(*opposite)
    X, Y = np.vstack([X[:30]] * 3), np.vstack([Y[:30], Y[:30], 1 - Y[:30]])
    Y[:, 0], Y[:, 1] = 0, 1
    model = MLCHMF().fit(X, Y)
    predicted = model.predict(X)
    assert not predicted[:, 0].any()
    assert predicted[:, 1].all()


def test_too_few_rows_for_any_node_fall_back(opposite):
    X, Y = opposite
    with pytest.warns(UserWarning, match="one embedding of all rows"):
        model = MLCHMF(min_samples=1000).fit(X[:50], Y[:50])
    assert model.tree_.nodes[0].depth == 0
    assert model.predict(X[:3]).shape == (3, 4)


def test_not_converging_is_told(opposite):
    with pytest.warns(ConvergenceWarning, match="not converged after 2 iterations"):
        MLCHMF(max_iter=2).fit(*opposite)


def test_both_solvers_grow_trees_that_agree(opposite):
    X, Y, X_new, _ = halves(*opposite)
    model = MLCHMF(n_components=4, ridge=3.0, tol=1e-8)  # with fewer components there are several minima
    trees = [clone(model).set_params(solver=solver).fit(X, Y) for solver in ("lbfgs", "conjugate_gradient")]
    assert np.mean(trees[0].predict(X_new) == trees[1].predict(X_new)) > 0.97


def test_threads_change_nothing(opposite):
    X, Y, X_new, _ = halves(*opposite)
    one, two = (MLCHMF(n_jobs=n_jobs).fit(X, Y) for n_jobs in (None, 2))
    np.testing.assert_array_equal(one.label_scores(X_new), two.label_scores(X_new))
    assert [node.kept.tolist() for node in one.tree_.nodes] == [node.kept.tolist() for node in two.tree_.nodes]


def test_save_and_load(opposite, tmp_path):
    X, Y, X_new, _ = halves(*opposite)
    model = MLCHMF().fit(X, Y)
    skfactor.save(model, tmp_path / "tree.skf")
    again = skfactor.load(tmp_path / "tree.skf")
    np.testing.assert_array_equal(again.predict(X_new), model.predict(X_new))
    assert len(again.tree_.nodes) == len(model.tree_.nodes)
    assert str(again.explain(X_new[:1])[0]) == str(model.explain(X_new[:1])[0])


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"n_components": 0}, "n_components"),
        ({"ridge": -1.0}, "ridge"),
        ({"tolerance": 1.5}, "tolerance must be at least 0 and at most 1"),
        ({"max_depth": 0}, "max_depth"),
        ({"min_samples": 0}, "min_samples"),
        ({"n_neighbors": 0}, "n_neighbors"),
        ({"solver": "newton"}, "solver must be one of 'lbfgs', 'conjugate_gradient'"),
        ({"decision": "majority"}, "decision must be one of 'vote', 'threshold'"),
    ],
)
def test_bad_parameters_are_refused(opposite, parameters, message):
    with pytest.raises(ValueError, match=message):
        MLCHMF(**parameters).fit(*opposite)


@pytest.mark.data
def test_objectives_fall_on_real_data():
    for name in ("emotions", "corel5k"):
        data = load(name)
        X, Y = data.X[:600], data.Y[:600].toarray()
        X = (X - X.mean(axis=0)) / X.std(axis=0) if isinstance(X, np.ndarray) else X
        for solver in ("lbfgs", "conjugate_gradient"):
            rank = min(20, Y.shape[1] // 2)
            _, minimum = learn_embedding(X, Y, rank, 10.0, solver=solver, max_iter=60, tol=1e-5)
            assert np.all(np.diff(minimum.objectives) <= 0)
