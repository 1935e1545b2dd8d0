import numpy as np
import pytest

from skfactor.metrics import mae, rmse
from skfactor.ratings import ALS, BPMF, EMMMF, MMMF, PMF, BiasOnly, ItemMedian
from skfactor.ratings.comparators.bpmf import draw_prior
from skfactor.ratings.comparators.emmmf import resampled
from skfactor.ratings.comparators.rows import RowView, both_views, solve_rows


def test_item_median(ratings):
    pairs, levels = ratings
    model = ItemMedian().fit(pairs, levels)
    for item in range(24):
        median = np.quantile(levels[pairs[:, 1] == item], 0.5, method="inverted_cdf")
        assert set(model.predict([(user, item) for user in range(30)])) == {median}


def test_bias_only_is_the_least_squares_solution(ratings):
    pairs, levels = ratings
    model = BiasOnly(ridge=3.0, max_iter=1000).fit(pairs, levels)
    design = np.zeros((len(pairs), 54))
    design[np.arange(len(pairs)), model._users.find(pairs[:, 0])] = 1
    design[np.arange(len(pairs)), 30 + model._items.find(pairs[:, 1])] = 1
    centred = levels - levels.mean()
    expected = np.linalg.solve(design.T @ design + 3 * np.eye(54), design.T @ centred)
    assert np.allclose(model.embedding_.U[:, 0], expected[:30], atol=1e-5)
    assert np.allclose(model.embedding_.V[:, -1], expected[30:], atol=1e-5)


def test_numbers_instead_of_levels(ratings):
    pairs, levels = ratings
    for make in (BiasOnly, lambda **given: ALS(n_components=2, **given)):
        rounded, plain = make().fit(pairs, levels), make(rounded=False).fit(pairs, levels)
        numbers = plain.predict(pairs)
        assert np.array_equal(rounded.predict(pairs), 1 + np.searchsorted([1.5, 2.5, 3.5, 4.5], numbers))
        assert rmse(levels, numbers) < rmse(levels, rounded.predict(pairs))
        assert numbers.min() >= 1
        assert numbers.max() <= 5
        with pytest.warns(UserWarning, match="1 pairs"):
            stranger = plain.predict([(99, 1)])
        assert stranger == np.quantile(levels[pairs[:, 1] == 1], 0.5, method="inverted_cdf")


def objective_of_als(model, pairs, levels):
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    U, V = model.embedding_.U[:, :-1], np.delete(model.embedding_.V, -2, axis=1)
    residual = levels - model.mean_ - model.embedding_.scores(users, items)
    return (residual**2 + model.ridge * ((U[users] ** 2).sum(axis=1) + (V[items] ** 2).sum(axis=1))).sum()


def test_als_goes_down_and_ends_still(ratings):
    costs = [
        objective_of_als(ALS(n_components=3, max_iter=turns).fit(*ratings), *ratings)
        for turns in (1, 2, 5, 200, 201)
    ]
    assert (np.diff(costs) < 1e-9).all()
    assert costs[3] - costs[4] < 1e-3


def test_the_threads_of_row_solves_change_no_bit(ratings, many_chunks):
    for make in (ALS, lambda n_threads: BPMF(n_burn_in=2, n_samples=3, n_threads=n_threads)):
        one, three = (make(n_threads=n).fit(*ratings) for n in (1, 3))
        assert np.array_equal(one.embedding_.U, three.embedding_.U)


def test_row_solves_are_ridge_regressions(triples):
    rng = np.random.default_rng(0)
    F, values = rng.normal(size=(24, 3)), rng.normal(size=len(triples))
    view, _ = both_views(triples, values)
    solved = solve_rows(view, F, np.full(30, 0.4), np.ones(3), weight=2.0)
    rows = slice(*triples.user_starts[5:7])
    own, t = F[triples.items[rows]], values[rows]
    assert np.allclose(solved[5], np.linalg.solve(2 * own.T @ own + 0.4 * np.eye(3), 2 * own.T @ t + 1))


def test_drawn_rows_have_the_right_mean_and_precision():
    draws = 20_000
    rng = np.random.default_rng(0)
    F, t, precision = rng.normal(size=(4, 2)), rng.normal(size=4), np.array([[2.0, 0.5], [0.5, 1.0]])
    view = RowView(np.arange(draws + 1) * 4, np.tile(np.arange(4), draws), np.tile(t, draws))
    drawn = solve_rows(view, F, precision, np.zeros(2), noise=rng.standard_normal((draws, 2)))
    A = F.T @ F + precision
    assert np.allclose(drawn.mean(axis=0), np.linalg.solve(A, F.T @ t), atol=0.03)
    assert np.allclose(np.cov(drawn.T), np.linalg.inv(A), atol=0.03)


def test_the_prior_of_bpmf_follows_the_factors():
    rng = np.random.RandomState(0)
    F = rng.multivariate_normal([1.0, -2.0], [[1.0, 0.3], [0.3, 0.5]], size=5000)
    draws = [draw_prior(F, rng) for _ in range(200)]
    assert np.allclose(np.mean([mean for mean, _ in draws], axis=0), F.mean(axis=0), atol=0.02)
    assert np.allclose(np.linalg.inv(np.mean([p for _, p in draws], axis=0)), np.cov(F.T), atol=0.05)


def test_bpmf_predicts_the_mean_of_its_samples(ratings):
    pairs, levels = ratings
    model = BPMF(n_components=3, n_burn_in=2, n_samples=4, rounded=False).fit(pairs, levels)
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    Us, Vs = np.hsplit(model.embedding_.U, 4), np.hsplit(model.embedding_.V, 4)
    mean = sum((4 * U @ V.T)[users, items] for U, V in zip(Us, Vs, strict=True)) / 4 + model.mean_
    assert np.allclose(model.predict(pairs), np.clip(mean, 1, 5))


def test_pmf_minimizes_its_objective(ratings):
    pairs, levels = ratings
    model = PMF(n_components=3, ridge=0.7, n_threads=1).fit(pairs, levels)
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    residual = levels - levels.mean() - (model.U_ @ model.V_.T)[users, items]
    expected = 0.5 * (residual**2).sum() + 0.35 * ((model.U_**2).sum() + (model.V_**2).sum())
    assert model.objectives_[-1] == pytest.approx(expected)


def test_a_bootstrap_sample(triples):
    sample = resampled(triples, 0)
    assert len(sample) == len(triples)
    kept = len(set(zip(sample.user_column().tolist(), sample.items.tolist(), strict=True)))
    assert 0.5 < kept / len(triples) < 0.75


@pytest.mark.parametrize("combine", ["mean", "median"])
def test_an_ensemble_combines_its_members(combine, ratings):
    pairs, levels = ratings
    settings = {"n_components": 3, "ridge": 2.0, "n_threads": 1}
    model = EMMMF(n_estimators=5, bagging=False, combine=combine, random_state=1, **settings).fit(pairs, levels)
    seeds = np.random.RandomState(1).randint(2**31 - 1, size=5).tolist()
    members = [MMMF(random_state=seed, **settings).fit(pairs, levels).predict(pairs) for seed in seeds]
    combined = np.rint(getattr(np, combine)(members, axis=0))
    assert np.array_equal(model.predict(pairs), combined)


def test_bagging_makes_members_differ_and_the_ensemble_learn(ratings):
    pairs, levels = ratings
    model = EMMMF(n_estimators=5, n_components=3, ridge=1.0, n_threads=1).fit(pairs, levels)
    assert len({member.U.tobytes() for member in model.embedding_.parts}) == 5
    assert mae(levels, model.predict(pairs)) < 0.6


def test_wrong_parameters(ratings):
    for model, says in [
        (ALS(ridge=0), "ridge must be above 0"),
        (ALS(n_components=0), "n_components must be at least 1"),
        (BPMF(n_burn_in=-1), "n_burn_in must be at least 0"),
        (BPMF(precision=0), "precision must be above 0"),
        (BiasOnly(max_iter=0), "max_iter must be at least 1"),
    ]:
        with pytest.raises(ValueError, match=says):
            model.fit(*ratings)


@pytest.mark.parametrize(
    ("make", "calls"), [(ALS, 5), (lambda **given: BPMF(n_burn_in=1, n_samples=9, **given), 7)]
)
def test_an_interrupt_leaves_what_was_finished(make, calls, ratings, monkeypatch):
    module = "skfactor.ratings.comparators." + ("als" if make is ALS else "bpmf")
    seen = 0

    def interrupting(*arguments, **options):
        nonlocal seen
        seen += 1
        if seen == calls:
            raise KeyboardInterrupt
        return solve_rows(*arguments, **options)

    monkeypatch.setattr(f"{module}.solve_rows", interrupting)
    model = make(n_components=2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*ratings)
    if make is ALS:
        expected = ALS(n_components=2, max_iter=2).fit(*ratings)
        assert np.array_equal(model.embedding_.U, expected.embedding_.U)
    else:
        assert len(model.priors_) == 2
    assert set(model.predict(ratings[0])) <= {1, 2, 3, 4, 5}
    model.fold_in([(99, 3), (99, 4)], [5, 5])


@pytest.mark.parametrize("make", [ALS, BPMF])
def test_an_interrupt_before_anything_was_finished(make, ratings, monkeypatch):
    def interrupting(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"skfactor.ratings.comparators.{make.__name__.lower()}.solve_rows", interrupting)
    model = make(n_components=2)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*ratings)
    assert not hasattr(model, "embedding_")
