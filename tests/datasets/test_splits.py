import numpy as np
import pytest

from skfactor.datasets import MultilabelData, folds, load, save_npz


@pytest.fixture
def data_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SKFACTOR_DATA", str(tmp_path))
    for folder in ("multilabel", "folds/5"):
        (tmp_path / folder).mkdir(parents=True)
    return tmp_path


def test_folds(data_folder):
    fold = np.array([[1, 2], [2, 1]], dtype=np.uint8)
    np.savez(data_folder / "folds" / "5" / "toy.npz", fold=fold)
    np.testing.assert_array_equal(folds("toy"), fold)
    with pytest.raises(FileNotFoundError, match=r"There is no .*other.npz. With 5 folds there are: toy"):
        folds("other")
    with pytest.raises(FileNotFoundError, match=r"With 10 folds there are: none"):
        folds("toy", k=10)


def test_folds_need_the_folder(monkeypatch):
    monkeypatch.delenv("SKFACTOR_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match=r"SKFACTOR_DATA names. Set it"):
        folds("toy")


def test_published_splits_are_attached(data_folder):
    save_npz(MultilabelData(np.eye(3), np.eye(3)), data_folder / "multilabel" / "toy.npz")
    np.savez(data_folder / "folds" / "mulan-split-toy.npz", train_idx=[0, 2], test_idx=[1])
    train, test = load("toy").split()
    assert (len(train), len(test)) == (2, 1)
