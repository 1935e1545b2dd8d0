"""Ratings in batches: what the first pass counts, the steps, and what a model without ratings refuses."""

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from skfactor.metrics import mae
from skfactor.ratings import BMMMF, MMMF
from skfactor.ratings.batches import Census
from skfactor.ratings.levels import Levels
from skfactor.ratings.stochastic import BatchDescent, StochasticModel

from .conftest import SMALL

STOCHASTIC = ["MMMF", "HMF", "PMF", "EMMMF"]
SCALE = Levels(np.arange(1, 6))


def parted(pairs, levels, size=40, seed=0):
    """Batches in random order."""
    order = np.random.default_rng(seed).permutation(len(levels))
    pairs, levels = pairs[order], levels[order]
    return [(pairs[start : start + size], levels[start : start + size]) for start in range(0, len(levels), size)]


def make(name, **given):
    return SMALL[name](levels=range(1, 6), **given)


@pytest.mark.parametrize("name", STOCHASTIC)
@pytest.mark.parametrize("biases", [False, True])
def test_it_learns_what_the_full_descent_learns(name, biases, ratings):
    pairs, levels = ratings
    full = make(name, biases=biases).fit(pairs, levels)
    model = make(name, biases=biases).fit_batches(parted(pairs, levels), n_epochs=60)
    assert mae(levels, model.predict(pairs)) < mae(levels, full.predict(pairs)) + 0.15
    assert isinstance(model, StochasticModel)


def test_likes(binary):
    pairs, likes = binary
    model = BMMMF(n_components=3, ridge=1, levels=[0, 1]).fit_batches(parted(pairs, likes))
    assert model.score(pairs, likes) > -0.2


def test_the_census_counts_what_one_pass_sees(ratings):
    pairs, levels = ratings
    names = np.array([f"item {item}" for item in pairs[:, 1]])
    frame = pd.DataFrame({"user": pairs[:, 0], "item": names, "rating": levels})
    census = Census.of([frame[:100], frame[100:101], frame[101:]], SCALE)
    for user, counts in zip(census.users.names, census.of_users, strict=True):
        np.testing.assert_array_equal(counts, np.bincount(levels[pairs[:, 0] == user], minlength=6)[1:])
    for item, counts in zip(census.items.names, census.of_items, strict=True):
        np.testing.assert_array_equal(counts, np.bincount(levels[names == item], minlength=6)[1:])


@pytest.mark.parametrize("power", [0.0, 0.5])
def test_one_batch_of_all_is_a_step_of_the_whole_objective(power, ratings):
    """A step goes against the sign of each slope of J, whose ridge is whole where the batch is."""
    pairs, levels = ratings
    model = make("MMMF", ridge_power=power)
    model._level_values = np.arange(1.0, 6)
    census = Census.of([(pairs, levels)], SCALE)
    descent = BatchDescent(model, census, rate=1e-3)
    batch = census.batch(pairs[:, 0], pairs[:, 1], levels)
    problem = model._problem(batch.triples, model._loss(), model._free)
    slopes = type(descent.point)(*(np.empty_like(part) for part in descent.point))
    before = problem(descent.point, slopes)
    start, start_V = descent.point.U.copy(), descent.point.V.copy()
    descent.step(batch, batch.triples)
    np.testing.assert_allclose(start - descent.point.U, 1e-3 * slopes.U / np.sqrt(1 + slopes.U**2))
    assert problem(descent.point, slopes) < before
    descent.point = descent.point._replace(U=start, V=start_V)
    descent.end_epoch()
    assert descent.objectives == [pytest.approx(before)]


def test_forms_of_batches_and_a_function_that_begins_anew(ratings):
    pairs, levels = ratings
    table = sparse.coo_array((levels, pairs.T)).tocsr()
    halves = [table * 1, table * 1]
    for number, half in enumerate(halves):
        coo = half.tocoo()
        chosen = np.arange(len(coo.data)) % 2 == number
        halves[number] = sparse.csr_array((coo.data[chosen], (coo.row[chosen], coo.col[chosen])), shape=half.shape)
    began = 0

    def batches():
        nonlocal began
        began += 1
        yield from halves

    by_function = make("MMMF").fit_batches(batches, n_epochs=3)
    assert began == 4
    by_list = make("MMMF").fit_batches(halves, n_epochs=3)
    np.testing.assert_array_equal(by_function.U_, by_list.U_)


def test_newcomers_and_fallbacks_without_ratings(ratings):
    pairs, levels = ratings
    model = make("MMMF").fit_batches(parted(pairs, levels))
    full = make("MMMF").fit(pairs, levels)
    with pytest.warns(UserWarning, match="1 pairs"):
        stranger = model.predict([(999, 7)])
    with pytest.warns(UserWarning, match="1 pairs"):
        assert stranger == full.predict([(999, 7)])
    np.testing.assert_array_equal(model.recommend(999, 5), full.recommend(999, 5)) if (
        model.items_ == full.items_
    ).all() else None
    model.fold_in([(999, 7), (999, 8)], [5, 5])
    assert len(model.recommend(0, 3, exclude_seen=False)) == 3
    assert model.predict([(999, 7)]).shape == (1,)


def test_what_needs_the_ratings_says_so(ratings):
    pairs, levels = ratings
    model = make("MMMF").fit_batches(parted(pairs, levels), n_epochs=1)
    with pytest.raises(ValueError, match=r"keeps no ratings\. Pass exclude_seen=False"):
        model.recommend(0)
    with pytest.raises(ValueError, match=r"keeps no ratings\. Pass keep_observed=False"):
        model.complete(keep_observed=True)
    with pytest.raises(ValueError, match=r"keeps no ratings\. partial_fit goes on"):
        model.partial_fit(pairs, levels)
    model.fit(pairs, levels).recommend(0)


def test_what_batches_cannot_be(ratings):
    pairs, levels = ratings
    with pytest.raises(ValueError, match="needs all levels"):
        MMMF().fit_batches([(pairs, levels)])
    with pytest.raises(ValueError, match="There are no batches"):
        make("MMMF").fit_batches([])
    with pytest.raises(ValueError, match="not among the levels"):
        make("MMMF").fit_batches([(pairs, levels + 1)])
    rounds = iter([[(pairs[:50], levels[:50])], [(pairs, levels)]])
    with pytest.raises(ValueError, match="did not have in the first pass"):
        make("MMMF").fit_batches(lambda: next(rounds))
    with pytest.raises(ValueError, match="learning_rate must be above 0"):
        make("MMMF").fit_batches([(pairs, levels)], learning_rate=0)


@pytest.mark.parametrize("name", STOCHASTIC)
def test_epochs_are_watched_and_can_be_stopped(name, ratings):
    seen = []

    def callback(progress):
        seen.append(progress.iteration)
        return progress.iteration == 3

    model = make(name, callback=callback).fit_batches(parted(*ratings))
    assert set(np.ravel(model.n_iter_)) == {3}
    assert set(seen) == {1, 2, 3}
    objectives = np.ravel(model.objectives_).reshape(-1, 3)
    assert (objectives[:, 2] < objectives[:, 0]).all()


def test_an_interrupt_leaves_a_model(ratings):
    def callback(progress):
        if progress.iteration == 2:
            raise KeyboardInterrupt

    model = make("HMF", callback=callback)
    with pytest.raises(KeyboardInterrupt):
        model.fit_batches(parted(*ratings))
    assert len(model.predict(ratings[0])) == len(ratings[0])
