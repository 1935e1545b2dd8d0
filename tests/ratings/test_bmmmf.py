import numpy as np
import pytest

from skfactor.metrics import zero_one_error
from skfactor.ordinal import smooth_hinge
from skfactor.ratings import BMMMF


def test_the_objective_is_that_of_the_docstring(bmmmf, binary):
    pairs, likes = binary
    model = bmmmf(ridge=0.7).fit(pairs, likes)
    U, V = model.U_, model.V_
    scores = (U @ V.T)[model._users.find(pairs[:, 0]), model._items.find(pairs[:, 1])]
    expected = smooth_hinge((2 * likes - 1) * scores).sum() + 0.35 * ((U**2).sum() + (V**2).sum())
    assert model.objectives_[-1] == pytest.approx(expected)


def test_it_learns_likes_of_any_name(bmmmf, binary):
    pairs, likes = binary
    model = bmmmf(ridge=0.3).fit(pairs, np.where(likes == 1, 10, -3))
    assert model.levels_.tolist() == [-3, 10]
    assert zero_one_error(np.where(likes == 1, 10, -3), model.predict(pairs)) < 0.1


def test_from_the_threshold_on_it_is_a_like(bmmmf, binary):
    pairs, likes = binary
    model = bmmmf().fit(pairs, likes)
    scores = np.sort(model.decision_function(pairs)[:, 0])
    for threshold in scores[[0, 10, -1]].tolist():
        strict = bmmmf(threshold=threshold).fit(pairs, likes)
        assert np.array_equal(strict.U_, model.U_)
        assert strict.predict(pairs).sum() == (scores >= threshold).sum()


def test_two_levels_only():
    with pytest.raises(ValueError, match=r"BMMMF is for two levels, got 3. Use HMF, MMMF or PMMMF"):
        BMMMF().fit([(0, 0), (0, 1), (1, 1)], [1, 2, 3])


def test_fold_in(bmmmf, binary):
    pairs, likes = binary
    for new in (pairs[:, 0] >= 27, pairs[:, 1] >= 21):
        model = bmmmf(threshold=0.1).fit(pairs[~new], likes[~new]).fold_in(pairs[new], likes[new])
        assert zero_one_error(likes[new], model.predict(pairs[new])) < 0.35
