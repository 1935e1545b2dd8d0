import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skfactor.ratings import BMMMF, HMF
from skfactor.ratings.hmf import first_below


@given(st.lists(st.booleans(), min_size=1, max_size=6))
def test_the_first_stage_that_says_no(above):
    expected = above.index(False) if False in above else len(above)
    assert first_below(np.array(above)) == expected


def test_a_stage_is_bmmmf_on_likes_above_its_level(ratings):
    pairs, levels = ratings
    model = HMF(n_components=3, ridge=[0.5, 1, 2, 3], n_threads=1, random_state=3).fit(pairs, levels)
    seeds = np.random.RandomState(3).randint(2**31 - 1, size=4).tolist()
    for q in range(4):
        settings = {"n_components": 3, "ridge": [0.5, 1, 2, 3][q], "n_threads": 1, "random_state": seeds[q]}
        stage = BMMMF(**settings).fit(pairs, (levels > q + 1).astype(int))
        assert np.array_equal(stage.U_, model.U_[q])
        assert np.array_equal(stage.V_, model.V_[q])
        assert stage.objectives_ == model.objectives_[q]


def test_it_predicts_by_the_rule(ratings):
    pairs, levels = ratings
    model = HMF(n_components=3, ridge=1, n_threads=1, threshold=0.2).fit(pairs, levels)
    users, items = model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])
    scores = np.einsum("qnd,qmd->qnm", model.U_, model.V_)[:, users, items]
    expected = [next((q for q in range(4) if column[q] < 0.2), 4) + 1 for column in scores.T]
    assert model.predict(pairs).tolist() == expected
    assert np.allclose(model.thresholds_, 0.2)


def test_two_levels_are_one_stage(binary):
    pairs, likes = binary
    model = HMF(n_components=3, ridge=1, n_threads=1).fit(pairs, likes)
    assert model.U_.shape == (1, 30, 3)


def test_after_an_interrupt_stages_that_did_not_begin_say_what_most_ratings_say(ratings):
    def interrupt(progress):
        if progress.name == "HMF 2 of 4" and progress.iteration == 3:
            raise KeyboardInterrupt

    model = HMF(n_components=3, ridge=1, n_threads=1, callback=interrupt)
    with pytest.raises(KeyboardInterrupt):
        model.fit(*ratings)
    assert model.n_iter_[1] == 3
    assert len(model.n_iter_) == 2
    above = [(ratings[1] > level).mean() > 0.5 for level in (3, 4)]
    assert np.array_equal(model.decision_function(ratings[0])[:, 2:] > 0, np.tile(above, (len(ratings[0]), 1)))
    assert np.isfinite(model.predict_levels(ratings[0])).all()
    model.set_params(callback=None, warm_start=True).fit(*ratings)  # not from a point without slope
    assert min(model.n_iter_) > 5
    assert model.score(*ratings) > -0.3
