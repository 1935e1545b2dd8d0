import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy import sparse

from skfactor.datasets import DataFormatError, MultilabelData, RatingsData, load_npz, save_npz
from skfactor.datasets import npz as module


@settings(max_examples=30, deadline=None)
@given(
    hnp.arrays(np.float64, st.tuples(st.integers(1, 6), st.integers(1, 6)), elements=st.floats(-5, 5)),
    st.booleans(),
    st.booleans(),
)
def test_round_trip(tmp_path_factory, X, is_sparse, named):
    names = [f"é {column}" for column in range(X.shape[1])] if named else None
    data = MultilabelData(sparse.csr_array(X) if is_sparse else X, X > 1, names, names, "kept")
    path = tmp_path_factory.mktemp("npz") / "kept.npz"
    save_npz(data, path)
    loaded = load_npz(path)
    for table, expected in ((loaded.X, X), (loaded.Y, X > 1)):
        np.testing.assert_array_equal(table.toarray() if sparse.issparse(table) else table, expected)
    assert (loaded.feature_names, loaded.label_names, loaded.name) == (names, names, "kept")


def test_round_trip_of_ratings_and_splits(tmp_path):
    path = tmp_path / "kept.npz"
    save_npz(RatingsData([[1, 2], [3, 4]], [1, 5], [7, 8], [1, 2, 5], train_idx=[1], test_idx=[0]), path)
    loaded = load_npz(path)
    assert loaded.pairs.tolist() == [[1, 2], [3, 4]]
    assert loaded.levels.tolist() == [1, 2, 5]
    assert loaded.split()[0].timestamps.tolist() == [8]


def test_filled_sparse_tables_become_dense(tmp_path):
    path = tmp_path / "full.npz"
    for X, becomes_dense in ((np.array([[1, 2], [0, 3]]), True), (np.eye(2), False)):
        save_npz(MultilabelData(sparse.csr_array(X), np.eye(2)), path)
        loaded = load_npz(path)
        assert sparse.issparse(loaded.X) is not becomes_dense


def test_test_fold(tmp_path):
    path = tmp_path / "rated.npz"
    np.savez(path, user=[1, 2, 3], item=[1, 1, 1], rating=[3, 4, 5], u_test_fold=[1, 2, 1])
    train, test = load_npz(path, test_fold=1).split()
    assert (train.ratings.tolist(), test.ratings.tolist()) == ([4], [3, 5])
    with pytest.raises(ValueError, match=r"test_fold must be one of \[1, 2\], got 3"):
        load_npz(path, test_fold=3)
    np.savez(path, user=[1], item=[1], rating=[3])
    with pytest.raises(ValueError, match="has no folds of its own"):
        load_npz(path, test_fold=1)


def test_an_interrupted_save_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "kept.npz"
    data = MultilabelData(np.eye(2), np.eye(2))
    save_npz(data, path)
    before = path.read_bytes()

    def interrupted(file, **_):
        file.write(b"half")
        raise KeyboardInterrupt

    monkeypatch.setattr(module.np, "savez_compressed", interrupted)
    with pytest.raises(KeyboardInterrupt):
        save_npz(data, path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_damage_is_told_in_one_line(tmp_path):
    path = tmp_path / "kept.npz"
    save_npz(MultilabelData(np.arange(400.0).reshape(20, 20), np.eye(20)), path)
    content = path.read_bytes()
    altered = [content[:place] + b"\0\xff" + content[place + 2 :] for place in range(60, 140, 7)]
    for damaged in [*(content[:place] for place in range(0, len(content), 7)), *altered]:
        path.write_bytes(damaged)
        with pytest.raises(DataFormatError, match=r"^\S*kept.npz: .*$") as caught:
            load_npz(path)
        assert "\n" not in str(caught.value)


def test_refuses_other_files(tmp_path):
    path = tmp_path / "wrong.npz"
    path.write_text("text")
    with pytest.raises(DataFormatError, match=r"wrong.npz: not a NumPy .npz file"):
        load_npz(path)
    np.savez(path, X=np.eye(2))
    with pytest.raises(DataFormatError, match="has no array 'Y_data'"):
        load_npz(path)
    np.savez(path, X=np.array([{}]))
    with pytest.raises(DataFormatError, match="pickled objects"):
        load_npz(path)
    np.savez(path, X=np.eye(2), Y_data=[1], Y_indices=[9], Y_indptr=[0, 1, 1], Y_shape=[2, 2])
    with pytest.raises(DataFormatError, match=r"wrong.npz: "):
        load_npz(path)
