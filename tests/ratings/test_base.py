"""What every model does, whatever its method."""

import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone

from skfactor.metrics import mae
from skfactor.ratings import MMMF

from .conftest import SMALL, rated

BLOCK = np.arange(30 * 24)


@pytest.fixture
def fitted(make, ratings):
    return make().fit(*ratings)


def table_of(model):
    """The completed table with rows and columns in the order of the identifiers."""
    return model.complete(np.sort(model.users_), np.sort(model.items_))


def test_it_learns(fitted, ratings):
    pairs, levels = ratings
    predicted = fitted.predict(pairs)
    assert predicted.dtype == levels.dtype
    assert set(predicted) <= set(fitted.levels_)
    constant = min(mae(levels, np.full(len(levels), level)) for level in range(1, 6))
    assert mae(levels, predicted) < constant
    assert fitted.score(pairs, levels) == -mae(levels, predicted)
    assert fitted.n_unknown_ == 0


def test_the_same_again(make, ratings, fitted):
    again = clone(fitted).fit(*ratings)
    assert np.array_equal(again.embedding_.U, fitted.embedding_.U)
    assert np.array_equal(again.embedding_.V, fitted.embedding_.V)


def test_relabelling_changes_nothing_but_the_labels(make, ratings, fitted):
    pairs, levels = ratings
    users = np.random.default_rng(0).permutation(1000)[:30]
    items = np.array([f"film {n}" for n in np.random.default_rng(1).permutation(24)])
    relabelled = pd.DataFrame({"user": users[pairs[:, 0]], "item": items[pairs[:, 1]], "rating": levels})
    other = make().fit(relabelled)
    assert np.array_equal(other.embedding_.U, fitted.embedding_.U)
    assert np.array_equal(other.predict(relabelled), fitted.predict(pairs))
    assert np.array_equal(other.users_, users[fitted.users_])


@pytest.mark.parametrize("scale", [np.arange(0.5, 3, 0.5), np.arange(5) * 0.25 - 1, np.array([1, 2, 4, 8, 16])])
def test_any_levels_come_back(scale, ratings):
    pairs, levels = ratings
    plain = MMMF(n_components=3, ridge=2, n_threads=1).fit(pairs, levels)
    other = MMMF(n_components=3, ridge=2, n_threads=1).fit(pairs, scale[levels - 1])
    assert np.array_equal(other.predict(pairs), scale[plain.predict(pairs) - 1])
    assert np.array_equal(other.levels_, scale)


def test_every_form_of_input_gives_the_same_model(make, ratings, fitted):
    pairs, levels = ratings
    table = sparse.csr_array((levels, (pairs[:, 0], pairs[:, 1])), shape=(35, 26))
    frame = pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "rating": levels})
    for form, own in (((table,), table), ((frame,), frame), ((pairs.tolist(), levels.tolist()), pairs)):
        other = make().fit(*form)
        assert np.array_equal(other.embedding_.V, fitted.embedding_.V)
        assert np.array_equal(other.predict(own), fitted.predict(pairs))


def test_a_stored_zero_is_a_rating(make):
    pairs, levels, _ = rated()
    table = sparse.csr_array((levels - 1.0, (pairs[:, 0], pairs[:, 1])))
    model = make().fit(table)
    assert model.levels_.tolist() == [0, 1, 2, 3, 4]
    assert np.array_equal(model.predict(table), make().fit(pairs, levels - 1).predict(pairs))


def test_complete_is_predict_of_all_pairs(fitted):
    users, items = fitted.users_, fitted.items_
    everything = np.stack(np.meshgrid(users, items, indexing="ij"), axis=-1).reshape(-1, 2)
    assert np.array_equal(fitted.complete().ravel(), fitted.predict(everything))


def test_complete_by_blocks(monkeypatch, fitted, ratings):
    pairs, levels = ratings
    whole = fitted.complete(keep_observed=True)
    monkeypatch.setattr("skfactor.ratings.predicting.BLOCK_ENTRIES", 100)
    blocks = list(fitted.complete_blocks(keep_observed=True))
    assert len(blocks) > 5
    assert np.array_equal(np.concatenate([users for users, _ in blocks]), fitted.users_)
    assert np.array_equal(np.concatenate([block for _, block in blocks]), whole)
    assert np.array_equal(whole[fitted._users.find(pairs[:, 0]), fitted._items.find(pairs[:, 1])], levels)


def test_part_of_the_table_with_strangers(fitted):
    with pytest.warns(UserWarning, match="4 pairs have a user or an item"):
        part = fitted.complete([3, 99], [5, 88, 2], keep_observed=True)
    with pytest.warns(UserWarning, match="4 pairs"):
        alone = fitted.predict([(99, 5), (99, 88), (99, 2), (3, 88)])
    assert np.array_equal(part[1], alone[:3])
    assert part[0, 1] == alone[3]


def test_strangers_get_medians_and_are_counted(fitted, ratings):
    pairs, levels = ratings
    with pytest.warns(UserWarning, match="3 pairs have a user or an item that was not in the ratings") as caught:
        predicted = fitted.predict([(999, 7), (0, 999), (999, 999), (0, 0)])
    assert caught[0].filename == __file__
    assert fitted.n_unknown_ == 3
    of_item = levels[pairs[:, 1] == 7]
    assert predicted.tolist()[:3] == [
        np.quantile(of_item, 0.5, method="inverted_cdf"),
        *2 * [np.quantile(levels, 0.5, method="inverted_cdf")],
    ]
    with pytest.warns(UserWarning, match="1 pairs"):
        margins = fitted.decision_function([(999, 7)])
    assert 1 + (margins > 0).sum() == predicted[0]


def test_a_test_set_of_strangers_only_is_no_crash(fitted):
    with pytest.warns(UserWarning, match="2 pairs"):
        assert len(fitted.predict([(500, 600), (501, 601)])) == 2


def test_level_scores(fitted, ratings):
    pairs, _ = ratings
    margins, shares = fitted.decision_function(pairs), fitted.predict_levels(pairs)
    assert margins.shape == (len(pairs), 4)
    assert shares.shape == (len(pairs), 5)
    assert np.allclose(shares.sum(axis=1), 1)
    assert (shares >= 0).all()
    assert np.mean(fitted.levels_[shares.argmax(axis=1)] == fitted.predict(pairs)) > 0.6


def test_recommendations(fitted, ratings):
    pairs, _ = ratings
    items, scores = fitted.recommend(4, 30, return_scores=True)
    seen = set(pairs[pairs[:, 0] == 4, 1])
    assert set(items) == set(range(24)) - seen
    assert (np.diff(scores) <= 0).all()
    assert set(fitted.recommend(4, 24, exclude_seen=False)) == set(range(24))
    assert len(fitted.recommend(4, 2)) == 2
    strangers = fitted.recommend("nobody" if fitted.users_.dtype.kind == "U" else 999, 3)
    assert len(strangers) == 3


def test_the_best_recommendation_has_the_best_level(fitted, ratings):
    for user in (0, 11, 29):
        items = fitted.recommend(user, 24, exclude_seen=False)
        levels = fitted.predict([(user, item) for item in items])
        # Levels of HMF and of an ensemble are votes, which their scores need not follow one by one.
        assert np.corrcoef(np.arange(24), levels)[0, 1] < 0.1 or np.ptp(levels) <= 1
        if np.ptp(levels) > 1:
            assert levels[:8].mean() > levels[-8:].mean()


def test_fold_in_new_users(make, ratings):
    pairs, levels = ratings
    new = pairs[:, 0] >= 25
    model = make().fit(pairs[~new], levels[~new])
    before, V = model.predict(pairs[~new]), model.embedding_.V.copy()
    model.fold_in(pairs[new], levels[new])
    assert len(model.users_) == 30
    assert np.array_equal(model.embedding_.V, V)
    assert np.array_equal(model.predict(pairs[~new]), before)
    refit = make().fit(pairs, levels)
    own = mae(levels[new], model.predict(pairs[new]))
    assert own <= mae(levels[new], refit.predict(pairs[new])) + 0.5
    assert model.n_unknown_ == 0
    assert set(model.recommend(29, 24)) == set(range(24)) - set(pairs[pairs[:, 0] == 29, 1])


def test_fold_in_new_items(make, ratings):
    pairs, levels = ratings
    new = pairs[:, 1] >= 20
    model = make().fit(pairs[~new], levels[~new])
    before = model.predict(pairs[~new])
    model.fold_in(pairs[new], levels[new])
    assert len(model.items_) == 24
    assert np.array_equal(model.predict(pairs[~new]), before)
    refit = make().fit(pairs, levels)
    assert mae(levels[new], model.predict(pairs[new])) <= mae(levels[new], refit.predict(pairs[new])) + 0.5


def test_partial_fit_has_all_ratings_and_new_users(make, ratings):
    pairs, levels = ratings
    half = np.arange(len(pairs)) % 2 == 0
    model = make().partial_fit(pairs[half], levels[half]).partial_fit(pairs[~half], levels[~half])
    assert len(model._triples) == len(pairs)
    assert mae(levels, model.predict(pairs)) <= mae(levels, make().fit(pairs, levels).predict(pairs)) + 0.15
    model.partial_fit([(77, 3), (77, 88)], [5, 1])
    assert model.users_[-1] == 77
    assert model.items_[-1] == 88
    assert len(model.predict([(77, 88), (0, 88)])) == 2


def test_partial_fit_after_fold_in(make, ratings):
    pairs, levels = ratings
    new = pairs[:, 0] >= 25
    model = make().fit(pairs[~new], levels[~new]).fold_in(pairs[new], levels[new])
    model.partial_fit([(3, 77)], [4])
    assert len(model._triples) == len(pairs) + 1


def test_a_rating_again(make, ratings):
    pairs, levels = ratings
    with pytest.raises(ValueError, match=r"rate the same item.*duplicates='last'"):
        make().fit(pairs, levels).partial_fit(pairs[:1], [1])
    model = make(duplicates="last").fit(pairs, levels).partial_fit(pairs[:1], [1])
    assert model._triples.levels[0] == 0


@pytest.mark.parametrize(
    ("pairs", "says"),
    [
        ([(99, 98)], "row 0 the user is new and the item is new"),
        ([(0, 1)], "row 0 the user is known and the item is known"),
        ([(99, 1), (0, 1)], "row 1 the user is known"),
        ([(99, 1), (0, 98)], "new users with known items"),
    ],
)
def test_fold_in_of_anything_else(pairs, says, ratings):
    model = MMMF(n_components=2, n_threads=1).fit(*ratings)
    with pytest.raises(ValueError, match=says):
        model.fold_in(pairs, np.ones(len(pairs), dtype=int))


def test_levels_of_the_first_fit_stay(make, ratings):
    pairs, levels = ratings
    model = make().fit(pairs, levels)
    with pytest.raises(ValueError, match=r"rating 9 is not among the levels 1 2 3 4 5.*`levels`"):
        model.partial_fit([(0, 99)], [9])
    wider = make(levels=range(1, 10)).fit(pairs, levels).partial_fit([(0, 99)], [9])
    assert wider.levels_.tolist() == list(range(1, 10))
    assert np.isfinite(wider.decision_function(pairs)).any()


def test_identifiers_of_another_type(make, ratings):
    model = make().fit(*ratings)
    with pytest.raises(TypeError, match="user identifiers were whole numbers in fit and are strings here"):
        model.predict([("0", 1)])


def test_unfitted(make):
    for ask in ("predict", "decision_function", "complete", "recommend", "fold_in"):
        with pytest.raises(Exception, match="not fitted"):
            getattr(make(), ask)(*{"complete": (), "recommend": (1,)}.get(ask, ([(1, 2)],)))


def test_wrong_parameters(make, ratings):
    with pytest.raises(ValueError, match="duplicates must be one of"):
        make(duplicates="first").fit(*ratings)
    for k in (0, 1.5, "3"):
        with pytest.raises((ValueError, TypeError), match="k must be"):
            make().fit(*ratings).recommend(1, k)


def test_one_rating_each(make):
    model = make().fit([(1, "a"), (2, "b"), (3, "c")], [1, 2, 3])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(model.predict([(1, "b"), (3, "c")])) == 2


def test_saved_and_loaded(make, ratings, tmp_path):
    import skfactor

    pairs, levels = ratings
    model = make().fit(pairs, levels)
    skfactor.save(model, tmp_path / "model")
    loaded = skfactor.load(tmp_path / "model")
    assert np.array_equal(loaded.predict(pairs), model.predict(pairs))


@pytest.mark.parametrize("name", [name for name in SMALL if name not in ("BiasOnly", "ItemMedian")])
def test_more_factors_than_are_of_use(name, ratings):
    with pytest.raises(ValueError, match=r"n_components=101 is more than is of use.*Lower it to 100 or less"):
        SMALL[name](n_components=101).fit(*ratings)


def test_negative_identifiers_are_names_as_good_as_any(make, ratings, fitted):
    pairs, levels = ratings
    other = make().fit(-pairs, levels)
    assert np.array_equal(other.predict(-pairs), fitted.predict(pairs))


def test_users_and_items_without_ratings_are_strangers(make):
    pairs, levels, _ = rated()
    table = sparse.csr_array((levels, (pairs[:, 0], pairs[:, 1])), shape=(33, 26))
    model = make().fit(table)
    assert len(model.users_) == 30
    with pytest.warns(UserWarning, match="2 pairs have a user or an item"):
        model.predict([(32, 3), (3, 25), (3, 3)])
