import numpy as np
import pytest

from skfactor.multilabel import PLST, FaIE
from skfactor.solvers import spectral


def direct(weighted, rank, ridge, feature_weight):
    """W by the n x n matrix of the paper."""
    A, B = weighted.A, weighted.B
    regression = np.linalg.inv(A.T @ A + weighted.shift(ridge) * np.eye(10)) @ A.T
    alpha = feature_weight * np.linalg.norm(B, ord=2) ** 2
    C = np.linalg.eigh(B @ B.T + alpha * A @ regression)[1][:, : -rank - 1 : -1]
    return regression @ C @ C.T @ B


@pytest.mark.parametrize("feature_weight", [0.01, 0.3, 10.0])
def test_it_equals_a_direct_computation_with_codes_of_the_rows(feature_weight, weighted, budget):
    model = weighted.fit(FaIE(3, ridge=0.1, feature_weight=feature_weight, memory_budget=budget))
    assert weighted.agrees(model, direct(weighted, 3, 0.1, feature_weight))


def test_large_pencils_are_solved_by_products(weighted, budget, monkeypatch):
    monkeypatch.setattr(spectral, "SMALL", 0)
    model = weighted.fit(FaIE(3, ridge=0.1, memory_budget=budget))
    assert weighted.agrees(model, direct(weighted, 3, 0.1, 0.1))


def test_without_weight_on_the_features_it_is_plst(problem):
    own = FaIE(2, ridge=0.1, feature_weight=1e-9).fit(*problem).factors_
    assert np.allclose(own.scores(problem[0]), PLST(2, ridge=0.1).fit(*problem).factors_.scores(problem[0]))


def test_with_all_weight_on_them_its_codes_are_principal_components(problem):
    X, Y = problem
    codes = FaIE(3, feature_weight=1e9, scale=None).fit(X, Y).transform(X - X.mean(axis=0))
    components = np.linalg.svd(X - X.mean(axis=0), full_matrices=False)[0][:, :3]
    assert np.allclose(np.abs(components.T @ codes / np.linalg.norm(codes, axis=0)), np.eye(3), atol=1e-6)


def test_no_codes_have_a_larger_objective(weighted):
    A, B, shift = weighted.A, weighted.B, weighted.shift(0.1)
    H = A @ np.linalg.inv(A.T @ A + shift * np.eye(10)) @ A.T
    K = B @ B.T + 0.1 * np.linalg.norm(B, ord=2) ** 2 * H
    factors = weighted.fit(FaIE(3, ridge=0.1)).factors_
    # the codes, known by their decoder C'B and by what regression makes of them, H C
    values = np.diag(factors.decoder @ factors.decoder.T) + 0.1 * np.linalg.norm(B, ord=2) ** 2 * np.sum(
        (A @ factors.encoder) * (np.linalg.pinv(H) @ A @ factors.encoder), axis=0
    )
    rng = np.random.default_rng(0)
    for _ in range(50):
        C = np.linalg.qr(rng.normal(size=(120, 3)))[0]
        assert np.trace(C.T @ K @ C) < values.sum()
    assert values.sum() == pytest.approx(np.linalg.eigvalsh(K)[-3:].sum())


@pytest.mark.parametrize("name", ["ridge", "feature_weight"])
def test_neither_weight_can_be_zero(name, problem):
    with pytest.raises(ValueError, match=f"{name} must be above 0, got 0"):
        FaIE(**{name: 0}).fit(*problem)


def test_labels_that_all_rows_have_are_scored_one(problem):
    X = problem[0]
    assert np.allclose(FaIE().fit(X, np.ones((120, 3), dtype=int)).factors_.scores(X), 1)
