import numpy as np
import pytest
from scipy import linalg, optimize

from skfactor import Moments, datasets
from skfactor.multilabel import PLST, GroPLE, RidgeBR, grople, grople_codes, grople_encoder
from skfactor.penalties import group_rows


@pytest.fixture(scope="module")
def data():
    return datasets.make_multilabel(n_samples=400, n_features=15, n_labels=12, random_state=0)


@pytest.fixture(scope="module")
def moments(data):
    return Moments.of(data.X, data.Y).centred("auto")


GROUPS = np.array([0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2])
LIGHT = {"code_ridge": 0.001, "group_sparsity": 0.003, "max_iter": 5000, "tol": 1e-7}


# ---------------------------------------------------------------- stage 2


def code_objective(G, T, V, groups, code_ridge=0.001, group_sparsity=0.003, **_):
    U = linalg.sqrtm(G).real
    fit = np.sum((U - U @ T @ V) ** 2) + code_ridge * np.sum((U @ T) ** 2)
    return fit + group_sparsity * group_rows(groups).value(V)


@pytest.mark.parametrize("groups", [GROUPS, np.zeros(12, dtype=int), np.arange(12)], ids=["three", "one", "all"])
def test_the_objective_of_the_codes_never_rises_and_is_the_one_declared(moments, groups):
    G = moments.yy(np.eye(12))
    T, V, objectives = grople_codes.solve(G, groups, 5, **LIGHT)
    assert len(objectives) > 2
    assert (np.diff(objectives) <= 1e-12).all()
    assert -1e-9 <= objectives[-1] - code_objective(G, T, V, groups) <= 1e-4 * objectives[-1]


def test_no_small_change_of_codes_or_decoder_is_better(moments):
    G, rng = moments.yy(np.eye(12)), np.random.default_rng(0)
    T, V, _ = grople_codes.solve(G, GROUPS, 5, **LIGHT)
    best = code_objective(G, T, V, GROUPS)
    for _ in range(200):
        size = 10.0 ** rng.uniform(-4, -1)
        dT, dV = size * rng.normal(size=T.shape), size * rng.normal(size=V.shape) * (V != 0)
        assert code_objective(G, T + dT, V + dV, GROUPS) >= best - 1e-7


def test_without_penalties_the_codes_are_principal_components(moments):
    """lam_2 = 0: what is left unexplained is what the truncated eigendecomposition leaves, up to lam_1."""
    G = moments.yy(np.eye(12))
    T, V, _ = grople_codes.solve(G, GROUPS, 4, code_ridge=1e-6, group_sparsity=0.0, max_iter=500, tol=1e-8)
    left = np.trace(G) - 2 * np.trace(V @ G @ T) + np.trace(V.T @ T.T @ G @ T @ V)
    assert left == pytest.approx(linalg.eigvalsh(G)[:-4].sum(), rel=1e-4)
    _, W = moments.leading_y(4)
    angles = linalg.subspace_angles(V.T, W)
    assert angles.max() < 1e-3


def test_groups_use_few_codes_and_each_row_of_a_group_is_zero_as_a_whole(moments):
    G = moments.yy(np.eye(12))
    light = grople_codes.solve(G, GROUPS, 8, **LIGHT).V
    heavy = grople_codes.solve(G, GROUPS, 8, **{**LIGHT, "group_sparsity": 0.05}).V
    used = grople.pattern(heavy, GROUPS)
    assert used.sum() < grople.pattern(light, GROUPS).sum()
    assert not used.all()
    np.testing.assert_array_equal(used[:, GROUPS], heavy != 0)


# ---------------------------------------------------------------- stage 3


@pytest.fixture(scope="module")
def problem(moments):
    T, _, _ = grople_codes.solve(moments.yy(np.eye(12)), GROUPS, 3, **LIGHT)
    covariance = T.T @ moments.yy(T)
    R = grople_encoder.unlikeness(covariance)
    return moments.xy(T), float(np.trace(covariance)), R - linalg.eigvalsh(R)[0] * np.eye(3)


def encoder_objective(moments, problem, Z, weight):
    right, length, R = problem
    smooth = length + np.sum(Z * (moments.xx(Z) + Z @ R - 2 * right))
    return smooth + weight * 2 * np.abs(right).max() * np.abs(Z).sum()


def test_the_encoder_is_what_a_general_minimizer_finds(moments, problem):
    Z, objectives = grople_encoder.solve(moments, *problem, sparsity=0.1, max_iter=5000, tol=1e-12)
    assert (np.diff(objectives) <= 0).all()
    assert encoder_objective(moments, problem, Z, 0.1) == pytest.approx(objectives[-1], rel=1e-9)

    # Z = P - N with P, N >= 0: smooth, for L-BFGS with bounds.
    def split(flat):
        P, N = flat.reshape(2, *Z.shape)
        right, _, R = problem
        unit = 0.2 * np.abs(right).max()
        slope = 2 * (moments.xx(P - N) + (P - N) @ R - right)
        value = encoder_objective(moments, problem, P - N, 0.0) + unit * flat.sum()
        return value, np.concatenate([(slope + unit).ravel(), (unit - slope).ravel()])

    general = optimize.minimize(
        split, np.zeros(2 * Z.size), jac=True, method="L-BFGS-B", bounds=[(0, None)] * (2 * Z.size)
    )
    assert objectives[-1] <= general.fun + 1e-6


def test_from_sparsity_one_on_nothing_is_left(moments, problem):
    Z, _ = grople_encoder.solve(moments, *problem, sparsity=1.0, max_iter=500, tol=1e-12)
    assert not Z.any()
    Z, _ = grople_encoder.solve(moments, *problem, sparsity=0.9, max_iter=500, tol=1e-12)
    assert Z.any()


def test_unlikeness_of_correlated_and_constant_codes():
    R = grople_encoder.unlikeness(np.array([[4.0, -2.0, 0.0], [-2.0, 4.0, 0.0], [0.0, 0.0, 0.0]]))
    np.testing.assert_allclose(R, [[0, 1.5, 1], [1.5, 0, 1], [1, 1, 0]])


def test_whether_there_is_a_minimum_is_decided_by_the_smallest_eigenvalues(moments):
    lowest = linalg.eigvalsh(moments.held.Sxx)[0]
    matrix = np.diag([0.0, 1.0])
    assert grople_encoder.is_bounded(moments, matrix)
    assert grople_encoder.is_bounded(moments, matrix - 0.99 * lowest * np.eye(2))
    assert not grople_encoder.is_bounded(moments, matrix - 1.01 * lowest * np.eye(2))


# ---------------------------------------------------------------- the estimator


def test_an_unbounded_problem_is_shifted_or_refused(data):
    strong = {"correlation_weight": 100.0, "ridge": 0.0}
    model = GroPLE(**strong).fit(data.X, data.Y)
    assert model.shift_ > 0
    assert np.isfinite(model.factors_.encoder).all()
    with pytest.raises(ValueError, match=r"correlation_weight=100 .*Lower it, raise ridge"):
        GroPLE(indefinite="refuse", **strong).fit(data.X, data.Y)
    assert GroPLE(correlation_weight=1e-6, ridge=0.0, indefinite="refuse").fit(data.X, data.Y).shift_ == 0


@pytest.mark.parametrize("coding", ["centred", "signs"])
@pytest.mark.parametrize("n_groups", [1, 3, 12])
def test_it_predicts_as_well_as_ridge_regression(data, coding, n_groups):
    train, test = slice(0, 300), slice(300, None)
    ridge = RidgeBR(ridge=0.1).fit(data.X[train], data.Y[train]).score(data.X[test], data.Y[test])
    model = GroPLE(n_groups=n_groups, coding=coding, sparsity=0.001).fit(data.X[train], data.Y[train])
    assert len(np.unique(model.label_groups_)) == n_groups
    assert model.group_pattern_.shape == (12, n_groups)
    assert model.score(data.X[test], data.Y[test]) > ridge - 0.05


def test_without_penalties_it_is_plst(data):
    plain = GroPLE(
        n_components=5, code_ridge=1e-9, group_sparsity=0, correlation_weight=0, sparsity=0, ridge=0.3, tol=1e-11
    )
    codes = PLST(n_components=5, ridge=0.3).fit(data.X, data.Y).factors_.scores(data.X)
    np.testing.assert_allclose(plain.fit(data.X, data.Y).factors_.scores(data.X), codes, atol=1e-3)


def test_groups_and_codes_are_found_once_for_all_encoders(moments, monkeypatch):
    asked = []
    found = grople_codes.solve
    monkeypatch.setattr(grople_codes, "solve", lambda *a, **k: asked.append(1) or found(*a, **k))
    models = [GroPLE(sparsity=s, n_components=4) for s in (0.001, 0.01, 0.1)]
    for model in models:
        model.solve(moments)
    assert len(asked) == 1
    GroPLE(n_components=4, group_sparsity=0.01).solve(moments)
    assert len(asked) == 2


def test_doubling_every_row_changes_nothing(data):
    once = GroPLE(n_components=4).fit_moments(Moments.of(data.X, data.Y))
    twice = GroPLE(n_components=4).fit_moments(Moments.of(data.X, data.Y, sample_weight=np.full(400, 2.0)))
    np.testing.assert_allclose(once.factors_.scores(data.X), twice.factors_.scores(data.X), rtol=1e-6, atol=1e-8)


@pytest.mark.data
@pytest.mark.parametrize(("name", "tol"), [("emotions", 1e-7), ("corel5k", 1e-5)])
def test_objectives_only_fall_on_real_data(name, tol):
    real = datasets.load(name)
    model = GroPLE(correlation_weight=0.1, tol=tol).fit_moments(Moments.of(real.X, real.Y))
    for path in (model.code_objective_, model.encoder_objective_):
        assert len(path) > 3
        assert (np.diff(path) <= 1e-12 * path[0]).all()
