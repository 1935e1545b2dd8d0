import numpy as np
import pytest

from skfactor import Moments
from skfactor.multilabel import CSSP, RidgeBR


def test_all_labels_are_the_full_ridge(problem):
    X, Y = problem
    model = CSSP(ridge=0.1).fit(X, Y)
    assert np.array_equal(model.selected_labels_, np.arange(5))
    assert np.allclose(model.factors_.scores(X), RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X))


def test_it_equals_a_direct_computation_on_the_data(weighted, budget):
    A, B, shift = weighted.A, weighted.B, weighted.shift(0.1)
    model = weighted.fit(CSSP(3, ridge=0.1, memory_budget=budget))
    chosen = B[:, model.selected_labels_]
    E = np.linalg.solve(A.T @ A + shift * np.eye(10), A.T @ chosen)
    assert weighted.agrees(model, E @ np.linalg.lstsq(chosen, B, rcond=None)[0])


def test_selected_labels_reconstruct_what_they_span(problem):
    X, Y = problem[0], np.hstack([problem[1], 1 - problem[1], problem[1]])
    model = CSSP(6, ridge=0.1).fit(X, Y)
    scores, full = (fitted.factors_.scores(X) for fitted in (model, RidgeBR(ridge=0.1).fit(X, Y)))
    spanned = {int(label) % 5 for label in model.selected_labels_}
    assert len(spanned) < 6  # a copy or a complement was drawn too: labels that depend on each other do no harm
    for label in spanned:
        copies = [label, label + 5, label + 10]
        assert np.allclose(scores[:, copies], full[:, copies])


def test_the_draw_is_reproducible_by_its_seed(problem):
    first, same, *others = (CSSP(2, random_state=seed).fit(*problem) for seed in (0, 0, 1, 2, 3, 4))
    assert np.array_equal(first.selected_labels_, same.selected_labels_)
    assert np.array_equal(first.factors_.encoder, same.factors_.encoder)
    assert any(not np.array_equal(first.selected_labels_, other.selected_labels_) for other in others)


def test_labels_are_drawn_in_proportion_to_their_leverage(problem):
    moments = Moments.of(*problem).centred()
    leverage = np.linalg.eigh(np.cov(problem[1].T))[1][:, -1] ** 2
    rng = np.random.RandomState(0)
    drawn = [CSSP(1, random_state=rng).solve(moments).selected[0] for _ in range(2000)]
    assert np.allclose(np.bincount(drawn, minlength=5) / 2000, leverage, atol=0.04)


@pytest.mark.parametrize("rank", [1, 4, 8])
def test_labels_that_never_come_can_be_left_or_drawn(rank, problem):
    X, Y = problem[0], np.hstack([problem[1], np.zeros((120, 3), dtype=int)])
    model = CSSP(rank).fit(X, Y)
    assert len(set(model.selected_labels_)) == rank
    assert np.allclose(model.factors_.scores(X)[:, 5:], 0)


def test_selected_labels_have_their_names_once_fitted(problem):
    X, Y = problem
    names = np.array(["a", "b", "c", "d", "e"])
    sets = [names[row > 0].tolist() for row in Y]
    model = CSSP(2)
    assert not hasattr(model, "selected_labels_")
    assert set(model.fit(X, sets).selected_labels_) < set(names)
