import numpy as np

from skfactor.multilabel import PLST, RidgeBR


def test_all_components_are_the_full_ridge():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 12)), (rng.random((80, 6)) < 0.3).astype(int)
    full = RidgeBR(ridge=0.1).fit(X, Y).factors_.scores(X)
    assert np.allclose(PLST(6, ridge=0.1).fit(X, Y).factors_.scores(X), full)
    assert np.allclose(PLST(ridge=0.1).fit(X, Y).factors_.scores(X), full)


def test_no_projection_keeps_more_of_the_labels():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 12)), (rng.random((80, 10)) < np.linspace(0.1, 0.6, 10)).astype(int)
    V = PLST(3).fit(X, Y).factors_.decoder.T
    centred = Y - Y.mean(axis=0)
    kept = np.linalg.norm(centred @ V)
    for _ in range(50):
        other = np.linalg.qr(rng.normal(size=(10, 3)))[0]
        assert np.linalg.norm(centred @ other) < kept


def test_the_first_components_do_not_depend_on_the_rank():
    rng = np.random.default_rng(0)
    X, Y = rng.normal(size=(80, 12)), (rng.random((80, 10)) < 0.3).astype(int)
    few, many = (PLST(r).fit(X, Y).factors_ for r in (2, 5))
    assert np.allclose(few.encoder, many.encoder[:, :2])
