import numpy as np

from skfactor.multilabel import CPLST, PLST, ReducedRankRidge, RidgeBR


def test_all_components_are_the_full_ridge(problem):
    X, Y = problem
    full = RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X)
    assert np.allclose(CPLST(5, ridge=0.1).fit(X, Y).factors_.scores(X), full)
    assert np.allclose(CPLST(ridge=0.1).fit(X, Y).factors_.scores(X), full)


def test_with_orthonormal_features_that_tell_all_rows_apart_it_is_plst(problem):
    X, Y = np.linalg.qr(np.random.default_rng(0).normal(size=(120, 120)))[0], problem[1]
    own, other = (method(2, ridge=0.1, scale=None).fit(X, Y) for method in (CPLST, PLST))
    assert np.allclose(own.factors_.scores(X), other.factors_.scores(X))
    own, other = (method(2).fit(*problem) for method in (CPLST, PLST))
    assert not np.allclose(own.factors_.decoder, other.factors_.decoder, atol=1e-2)


def test_it_equals_a_direct_computation_with_the_hat_matrix(weighted, budget):
    A, B, shift = weighted.A, weighted.B, weighted.shift(0.1)
    model = weighted.fit(CPLST(3, ridge=0.1, memory_budget=budget))
    regression = np.linalg.inv(A.T @ A + shift * np.eye(10)) @ A.T
    V = np.linalg.eigh(B.T @ (A @ regression) @ B)[1][:, :-4:-1]
    assert weighted.agrees(model, regression @ B @ V @ V.T)


def test_no_projection_has_a_smaller_error_of_encoding_and_decoding(weighted):
    A, B, shift = weighted.A, weighted.B, weighted.shift(0.1)

    def error(V):
        E = np.linalg.solve(A.T @ A + shift * np.eye(10), A.T @ B @ V)
        return np.sum((B @ V - A @ E) ** 2) + shift * np.sum(E**2) + np.sum((B - B @ V @ V.T) ** 2)

    best = error(weighted.fit(CPLST(2, ridge=0.1)).factors_.decoder.T)
    rng = np.random.default_rng(0)
    assert all(best < error(np.linalg.qr(rng.normal(size=(5, 2)))[0]) for _ in range(50))
    assert best < error(weighted.fit(PLST(2, ridge=0.1)).factors_.decoder.T)


def test_it_is_reduced_rank_ridge_by_another_name(problem):
    own, other = (method(2).fit(*problem).factors_ for method in (CPLST, ReducedRankRidge))
    assert np.array_equal(own.encoder, other.encoder)
