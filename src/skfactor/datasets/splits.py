"""Published splits and folds, from the folder that `$SKFACTOR_DATA` names."""

from __future__ import annotations

import numpy as np

from skfactor._validation import IntArray
from skfactor.datasets.catalogue import DATA_VARIABLE, data_folder
from skfactor.datasets.dataset import MultilabelData, RatingsData


def folds(name: str, k: int = 5) -> IntArray:
    """Read the folds that published figures were measured with.

    Parameters
    ----------
    name : str
        The data set.
    k : int
        The number of folds.

    Returns
    -------
    fold : ndarray of int, shape (n_samples, n_repetitions)
        The fold of each row, from 1 to `k`, in each repetition. From `folds/k/NAME.npz` of `$SKFACTOR_DATA`.
    """
    folder = data_folder()
    if folder is None:
        raise FileNotFoundError(f"folds reads the folder that the variable {DATA_VARIABLE} names. Set it.")
    path = folder / "folds" / str(k) / f"{name}.npz"
    if not path.is_file():
        found = ", ".join(sorted(other.stem for other in path.parent.glob("*.npz"))) or "none"
        raise FileNotFoundError(f"There is no {path}. With {k} folds there are: {found}.")
    with np.load(path, allow_pickle=False) as file:
        return np.asarray(file["fold"], dtype=np.int64)


def with_published_split(data: MultilabelData | RatingsData) -> MultilabelData | RatingsData:
    """Give `data` the split that Mulan published for it, if it has none of its own."""
    folder = data_folder()
    path = None if folder is None else folder / "folds" / f"mulan-split-{data.name}.npz"
    if data.train_idx is None and path is not None and path.is_file():
        with np.load(path, allow_pickle=False) as file:
            data.train_idx, data.test_idx = (file[part].astype(np.int64) for part in ("train_idx", "test_idx"))
    return data
