"""The mathematics of CNMF: objective, bound, update."""

import numpy as np
import pytest
from scipy import sparse
from scipy.optimize import minimize
from sklearn.metrics.pairwise import cosine_similarity

from skfactor.multilabel.cnmf_updates import Problem, label_similarity, moved, normalized
from skfactor.multilabel.similarity import Similarity


def example(n=12, D=7, L=4, C=3.0, seed=0, given=False):
    """A problem, a T, and A, B, That (0 where not labelled) as matrices."""
    rng = np.random.default_rng(seed)
    X = rng.poisson(0.6, (n, D)).astype(float)
    labelled = rng.permutation(n) < n // 3
    labels = (rng.random((labelled.sum(), L)) < 0.5).astype(float)
    labels[0] = 0  # a labelled row may have no label
    shares = labels / np.maximum(labels.sum(axis=1, keepdims=True), 1)
    B = label_similarity(labels, 2.0)
    A = cosine_similarity(X)
    similarity = Similarity.precomputed(sparse.csr_array(A)) if given else Similarity.cosine(sparse.csr_array(X))
    whole = np.zeros((n, L))
    whole[labelled] = shares
    return Problem(similarity, B, shares, labelled, C), rng.random((n, L)), A, B, whole


def scales(T, shares):
    return np.sum(T * shares, axis=1) / np.maximum(np.sum(shares**2, axis=1), 1e-300)


def direct(T, A, B, shares, labelled, C):
    """The objective, written down as it is."""
    misfit = T[labelled] - scales(T, shares)[labelled, None] * shares[labelled]
    return np.sum((A - T @ B @ T.T) ** 2) + C * np.sum(misfit**2)


def test_objective_is_what_it_says():
    problem, T, A, B, shares = example()
    assert problem.objective(T) == pytest.approx(direct(T, A, B, shares, problem.labelled, problem.C))


def test_the_scale_of_a_labelled_row_is_the_best_one():
    _, T, _, _, shares = example()
    best = scales(T, shares)
    for change in (-1e-3, 1e-3):
        worse = np.sum((T - (best + change)[:, None] * shares) ** 2)
        assert worse > np.sum((T - best[:, None] * shares) ** 2)


def bound(T, T0, A, B, C, goal):
    """What lies above the objective with a That = goal fixed, and touches it at T0."""
    U, V = T0 @ B @ T0.T @ T0 @ B, A @ T0 @ B
    S0 = T0 @ B @ T0.T
    logs = np.log(T / T0)
    first = np.sum(A**2) + np.sum(U * T**4 / T0**3) - 2 * np.sum(A * S0) - 4 * np.sum(V * T0 * logs)
    return first + np.sum(C * (T**2 - 2 * goal * T0 * (logs + 1) + goal**2))


def test_the_bound_is_one():
    problem, T0, A, B, shares = example()
    goal, C = scales(T0, shares)[:, None] * shares, problem.C * problem.labelled[:, None]

    def fixed(T):
        return np.sum((A - T @ B @ T.T) ** 2) + np.sum(C * (T - goal) ** 2)

    assert bound(T0, T0, A, B, C, goal) == pytest.approx(fixed(T0))
    rng = np.random.default_rng(1)
    for _ in range(50):
        T = T0 * np.exp(rng.normal(scale=0.7, size=T0.shape))
        assert bound(T, T0, A, B, C, goal) >= fixed(T) - 1e-9


@pytest.mark.parametrize("seed", range(4))
def test_update_is_the_minimizer_of_the_bound(seed):
    problem, T0, A, B, shares = example(n=3, L=2, seed=seed)
    goal, C = scales(T0, shares)[:, None] * shares, problem.C * problem.labelled[:, None]
    found = minimize(
        lambda z: bound(np.exp(z.reshape(3, 2)), T0, A, B, C, goal),
        np.log(T0).ravel(),
        method="BFGS",
        options={"gtol": 1e-9},
    )
    T, objective = problem.update(T0.copy())
    np.testing.assert_allclose(T, np.exp(found.x.reshape(3, 2)), rtol=1e-4, atol=1e-6)
    assert objective == pytest.approx(direct(T0, A, B, shares, problem.labelled, problem.C))


def test_update_where_the_formula_of_the_paper_divides_by_zero():
    T, q = np.array([[0.5]]), 2 * 0.3 + 4.0 * 0.2
    limit = moved(T, np.zeros((1, 1)), np.array([[0.3]]), np.array([[4.0]]), np.array([[0.2]]))
    np.testing.assert_allclose(limit**2, 0.5 * q / 4.0)  # T^2 = T0 (2 V + C a That) / C
    nearly = moved(T, np.full((1, 1), 1e-12), np.array([[0.3]]), np.array([[4.0]]), np.array([[0.2]]))
    np.testing.assert_allclose(nearly, limit, rtol=1e-6)
    zero = np.zeros((1, 1))
    assert moved(zero, zero, zero, zero, zero) == 0


def test_update_is_the_formula_of_the_paper():
    rng = np.random.default_rng(0)
    T0, U, V, goal, C = (rng.random((5, 3)) + 0.1 for _ in range(5))
    printed = np.sqrt((-C * T0**3 + np.sqrt(C**2 * T0**6 + 8 * U * T0**4 * (2 * V + C * goal))) / (4 * U))
    np.testing.assert_allclose(moved(T0, U, V, C, goal), printed)


@pytest.mark.parametrize("given", [True, False])
@pytest.mark.parametrize("C", [0.0, 1.0, 300.0])
def test_the_objective_never_rises(C, given):
    problem, T, *_ = example(n=30, C=C, given=given)
    objectives = []
    for _ in range(60):
        T, objective = problem.update(T)
        objectives.append(objective)
    assert np.all(np.diff(objectives) <= 1e-10 * objectives[0])
    assert objectives[-1] < 0.9 * objectives[0]


def test_implicit_similarities_do_what_explicit_ones_do():
    implicit, T, *_ = example(n=30)
    explicit, S, *_ = example(n=30, given=True)
    for _ in range(20):
        T, f = implicit.update(T)
        S, g = explicit.update(S)
        assert f == pytest.approx(g, rel=1e-10)
    np.testing.assert_allclose(T, S, rtol=1e-10)


def test_blocks_change_nothing(monkeypatch):
    problem, T, *_ = example(n=30)
    whole, objective = problem.update(T.copy())
    monkeypatch.setattr("skfactor.multilabel.cnmf_updates.BLOCK_ENTRIES", 28)
    parts, again = problem.update(T.copy())
    np.testing.assert_allclose(parts, whole, rtol=1e-13)
    assert again == pytest.approx(objective, rel=1e-13)


def test_scaling_the_similarities_scales_confidences_by_the_root():
    problem, T, A, B, _ = example(C=0.0)
    scaled = Problem(Similarity.precomputed(9 * A), B, problem.shares, problem.labelled, 0.0)
    S = T.copy()
    for _ in range(600):
        (T, _), (S, _) = problem.update(T), scaled.update(S)
    np.testing.assert_allclose(S @ B @ S.T, 9 * (T @ B @ T.T), rtol=1e-3, atol=1e-3)
    once = problem.update(T.copy())[0]
    np.testing.assert_allclose(scaled.update(3 * T)[0], 3 * once, rtol=1e-12)


def test_zeros_stay_and_nothing_else_becomes_zero():
    problem, T, *_ = example()
    T[:, 1] = 0
    T, _ = problem.update(T)
    assert not T[:, 1].any()
    assert np.all(T[problem.similarity.rows.sum(axis=1) > 0][:, [0, 2, 3]] > 0)


def test_label_similarity_depends_on_company_not_on_size():
    labels = np.zeros((10, 4))
    labels[:6, 0] = labels[:6, 1] = 1  # always together
    labels[6:, 2] = 1
    labels[9, 3] = 1
    B = label_similarity(labels, 1.5)
    assert B[0, 1] == pytest.approx(1.0)
    assert B[0, 2] == pytest.approx(np.exp(-3.0))
    assert B[0, 2] < B[2, 3] < 1
    np.testing.assert_array_equal(B, B.T)


def test_rows_of_zeros_become_something_else():
    np.testing.assert_array_equal(
        normalized(np.array([[1.0, 3.0], [0, 0]]), np.array([0.5, 0.5])), [[0.25, 0.75], [0.5, 0.5]]
    )
