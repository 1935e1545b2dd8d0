"""The protocols of ratings: who is held out, and that scikit-learn takes them as they are."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.model_selection import GridSearchCV, cross_validate

from skfactor.datasets import make_ratings
from skfactor.metrics import nmae
from skfactor.model_selection import FoldInScorer, LeaveKOut, StrongGeneralization, TimeOrdered, WeakGeneralization
from skfactor.ratings import MMMF, BiasOnly

SPLITTERS = {
    "weak": WeakGeneralization(random_state=0),
    "leave-2-out": LeaveKOut(k=2, random_state=0),
    "strong": StrongGeneralization(test_users=5, random_state=0),
    "time": TimeOrdered(n_splits=3, test_size=0.1),
    "time of each": TimeOrdered(n_splits=3, test_size=1, per_user=True),
}


@pytest.fixture(scope="module")
def rated():
    """Pairs, levels and times of 40 users."""
    data, _ = make_ratings(n_users=40, n_items=30, density=0.4, random_state=0)
    return data.pairs, data.ratings, np.random.default_rng(1).integers(0, 100, len(data))


@pytest.fixture(params=SPLITTERS)
def splitter(request):
    return SPLITTERS[request.param]


def test_parts_are_disjoint_ascending_and_the_same_again(splitter, rated):
    pairs, levels, times = rated
    splits = list(splitter.split(pairs, levels, times))
    assert len(splits) == splitter.get_n_splits(pairs, levels, times) == 3
    for (train, test), again in zip(splits, splitter.split(pairs, groups=times), strict=True):
        assert not np.intersect1d(train, test).size
        assert (np.diff(train) > 0).all()
        assert (np.diff(test) > 0).all()
        np.testing.assert_array_equal(train, again[0])
        np.testing.assert_array_equal(test, again[1])
    assert any((splits[0][1].size, *splits[0][1]) != (test.size, *test) for _, test in splits[1:])


def test_every_form_of_pairs_and_identifiers(splitter, rated):
    pairs, _, times = rated
    names = [(f"user {user:03}", f"item {item:03}") for user, item in pairs]
    frame = pd.DataFrame(pairs, columns=["user", "item"])
    expected = list(splitter.split(pairs, groups=times))
    for form in (names, frame):
        for (train, test), found in zip(expected, splitter.split(form, groups=times), strict=True):
            np.testing.assert_array_equal(train, found[0])
            np.testing.assert_array_equal(test, found[1])


@settings(max_examples=50, deadline=None)
@given(users=st.lists(st.integers(0, 5), min_size=1, max_size=40), k=st.integers(1, 4))
def test_leave_k_out_takes_k_of_each_who_has_more(users, k):
    pairs, counts = np.column_stack([users, np.arange(len(users))]), np.bincount(users)
    if (counts <= k).all():
        with pytest.raises(ValueError, match="leaves the test part empty"):
            list(LeaveKOut(k=k).split(pairs))
        return
    for train, test in LeaveKOut(k=k, random_state=0).split(pairs):
        np.testing.assert_array_equal(
            np.bincount(pairs[test, 0], minlength=len(counts)), np.where(counts > k, k, 0)
        )
        assert len(train) + len(test) == len(pairs)


def test_strong_holds_users_whole_and_gives_all_but_k(rated):
    pairs = rated[0]
    cv = StrongGeneralization(test_users=0.25, k=2, random_state=3)
    for train, given_rows, test in cv.newcomers(pairs):
        new = np.unique(pairs[test, 0])
        assert len(new) == 10
        assert not np.isin(pairs[train, 0], new).any()
        np.testing.assert_array_equal(np.unique(pairs[given_rows, 0]), new)
        assert (np.bincount(pairs[test, 0])[new] == 2).all()
        assert len(train) + len(given_rows) + len(test) == len(pairs)


@pytest.mark.parametrize("test_size", [30, 0.1])
def test_time_goes_forward(rated, test_size):
    pairs, _, times = rated
    before = 0
    for train, test in TimeOrdered(test_size=test_size, n_splits=3).split(pairs, groups=times):
        assert times[train].max() <= times[test].min()
        assert len(train) > before
        before = len(train)
    assert len(train) + len(test) == len(pairs)


def test_time_goes_forward_for_each_user(rated):
    pairs, _, times = rated
    frame = pd.DataFrame({"user": pairs[:, 0], "item": pairs[:, 1], "timestamp": pd.to_datetime(times, unit="D")})
    ((train, test),) = TimeOrdered(test_size=1, per_user=True).split(frame)
    for user in np.unique(pairs[:, 0]):
        own_train, own_test = (times[rows[pairs[rows, 0] == user]] for rows in (train, test))
        assert len(own_test) == 1
        assert own_train.max() <= own_test[0]


def test_dates_and_numbers_order_alike(rated):
    pairs, _, times = rated
    dates = np.datetime64("2020-01-01") + times.astype("timedelta64[D]")
    ((_, expected),) = TimeOrdered().split(pairs, groups=times)
    ((_, found),) = TimeOrdered().split(pairs, groups=dates)
    np.testing.assert_array_equal(expected, found)


def test_cross_validate_takes_them(splitter, rated):
    pairs, levels, times = rated
    scorer = FoldInScorer("nmae") if isinstance(splitter, StrongGeneralization) else None
    found = cross_validate(BiasOnly(), pairs, levels, groups=times, cv=splitter, scoring=scorer)
    assert found["test_score"].shape == (3,)
    assert (found["test_score"] < 0).all()


def test_grid_search_by_strong_generalization(rated):
    pairs, levels, _ = rated
    search = GridSearchCV(
        MMMF(n_components=4, n_threads=1),
        {"ridge": [2.0, 1000.0]},
        cv=StrongGeneralization(test_users=10, random_state=0),
        scoring=FoldInScorer("mae"),
    )
    assert search.fit(pairs, levels).best_params_ == {"ridge": 2.0}


def test_fold_in_scorer_is_the_loop_written_out(rated):
    pairs, levels, _ = rated
    known = pairs[:, 0] < 30
    model = BiasOnly(levels=range(1, 6)).fit(pairs[known], levels[known])
    users = model.users_.copy()
    score = FoldInScorer("nmae", k=1, random_state=4)(model, pairs[~known], levels[~known])
    np.testing.assert_array_equal(model.users_, users)
    ((given_rows, test),) = LeaveKOut(k=1, n_splits=1, random_state=4).split(pairs[~known])
    new, true = pairs[~known], levels[~known]
    model.fold_in(new[given_rows], true[given_rows])
    assert score == -nmae(true[test], model.predict(new[test]), levels=range(1, 6))


@pytest.mark.parametrize(
    ("cv", "said"),
    [
        (LeaveKOut(k=0), "k must be at least 1"),
        (WeakGeneralization(n_splits=0), "n_splits must be at least 1"),
        (StrongGeneralization(test_users=40), "test_users must be at least 1 and at most 39"),
        (StrongGeneralization(test_users=1.5), "test_users must be"),
        (TimeOrdered(), "needs the times"),
        (LeaveKOut(k=1000), "leaves the test part empty"),
    ],
)
def test_what_cannot_be(cv, said, rated):
    with pytest.raises(ValueError, match=said):
        next(cv.split(rated[0]))


def test_times_of_another_length(rated):
    with pytest.raises(ValueError, match="Pass one for each pair"):
        next(TimeOrdered().split(rated[0], groups=[1, 2]))


def test_scorer_refuses_what_it_cannot_do(rated):
    pairs, levels, _ = rated
    model = BiasOnly().fit(pairs, levels)
    with pytest.raises(ValueError, match="nothing is left to fold in"):
        FoldInScorer(k=500)(model, pairs, levels)
    with pytest.raises(ValueError, match="micro_f1 is not for ratings"):
        FoldInScorer("micro_f1")(model.fit(pairs[9:], levels[9:]), [(999, 1), (999, 2)], [1, 2])
