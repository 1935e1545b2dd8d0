"""Data sets in NumPy's own files: quick to read, exact, and safe (nothing in them is executed)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import Matrix
from skfactor.datasets.dataset import MultilabelData, RatingsData
from skfactor.datasets.errors import DataFormatError, damage_told

_SPARSE_PARTS = ("data", "indices", "indptr", "shape")


def load_npz(path: str | os.PathLike[str], *, test_fold: int | None = None) -> MultilabelData | RatingsData:
    """Load a data set that `save_npz` wrote, or one of the same layout.

    Parameters
    ----------
    path : path-like
        A file with the arrays `X_data`, `X_indices`, `X_indptr`, `X_shape` of a CSR table (or `X` itself),
        `Y_*` likewise, and perhaps `feature_names`, `label_names`, `train_idx`, `test_idx`. Or one with
        `user`, `item`, `rating`, and perhaps `timestamp`, `levels`, `u_test_fold`.
    test_fold : int, optional
        For ratings that carry `u_test_fold`: make the ratings of this fold the test part of the split.

    Returns
    -------
    data : MultilabelData or RatingsData
        X is an ndarray where more than half of its entries are stored: products are then faster, and it takes
        hardly more memory.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "tiny.npz"
    ...     save_npz(MultilabelData([[1.0, 2.0]], [[1, 0, 1]]), path)
    ...     load_npz(path)
    MultilabelData('tiny': 1 rows, 2 features (dense), 3 labels, 2.000 per row)
    """
    path = Path(path)
    arrays = _read(path)
    if test_fold is not None:
        arrays |= _fold_split(arrays, path, test_fold)
    try:
        return _ratings(arrays, path) if "rating" in arrays else _multilabel(arrays, path)
    except KeyError as error:
        message = f"has no array {error.args[0]!r}. See load_npz for the layout."
        raise DataFormatError(path, message) from None
    except (ValueError, IndexError) as error:
        raise DataFormatError(path, str(error)) from None


def save_npz(data: MultilabelData | RatingsData, path: str | os.PathLike[str]) -> None:
    """Save a data set for `load_npz`. The file appears only when it is complete.

    Parameters
    ----------
    data : MultilabelData or RatingsData
        What to save.
    path : path-like
        The file to write, replaced if it exists.
    """
    path = Path(path)
    arrays = _multilabel_arrays(data) if isinstance(data, MultilabelData) else _ratings_arrays(data)
    present = {name: np.asarray(array) for name, array in arrays.items() if array is not None}
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with unfinished.open("wb") as file:
            np.savez_compressed(file, allow_pickle=False, **present)
        unfinished.replace(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _read(path: Path) -> dict[str, Any]:
    try:
        with damage_told(path), path.open("rb") as stream, np.load(stream, allow_pickle=False) as file:
            return {name: file[name] for name in file.files}
    except DataFormatError:
        raise
    except (ValueError, AttributeError, TypeError):
        raise DataFormatError(path, "not a NumPy .npz file, damaged, or one with pickled objects.") from None


def _multilabel(arrays: dict[str, Any], path: Path) -> MultilabelData:
    X = arrays["X"] if "X" in arrays else _csr(arrays, "X")
    if sparse.issparse(X) and 2 * X.nnz > X.shape[0] * X.shape[1]:
        X = X.toarray()
    return MultilabelData(
        X,
        _csr(arrays, "Y"),
        arrays.get("feature_names"),
        arrays.get("label_names"),
        path.stem,
        arrays.get("train_idx"),
        arrays.get("test_idx"),
    )


def _csr(arrays: dict[str, Any], name: str) -> Matrix:
    data, indices, indptr, shape = (arrays[f"{name}_{part}"] for part in _SPARSE_PARTS)
    rows, columns = (int(size) for size in shape)
    table = sparse.csr_array(
        (data.astype(np.float64), indices.astype(np.int64), indptr.astype(np.int64)), shape=(rows, columns)
    )
    table.check_format()
    return table


def _multilabel_arrays(data: MultilabelData) -> dict[str, Any]:
    tables = {"Y": data.Y}
    arrays: dict[str, Any] = {"X": data.X}
    if sparse.issparse(data.X):
        tables["X"] = arrays.pop("X")
    for name, table in tables.items():
        arrays |= {f"{name}_{part}": getattr(table, part) for part in _SPARSE_PARTS}
    return arrays | {
        "feature_names": data.feature_names,
        "label_names": data.label_names,
        "train_idx": data.train_idx,
        "test_idx": data.test_idx,
    }


def _ratings(arrays: dict[str, Any], path: Path) -> RatingsData:
    pairs = np.column_stack([arrays["user"], arrays["item"]])
    if pairs.dtype.kind in "iu":
        pairs = pairs.astype(np.int64)
    times, levels = arrays.get("timestamp"), arrays.get("levels")
    return RatingsData(
        pairs, arrays["rating"], times, levels, path.stem, arrays.get("train_idx"), arrays.get("test_idx")
    )


def _fold_split(arrays: dict[str, Any], path: Path, test_fold: int) -> dict[str, Any]:
    if "u_test_fold" not in arrays:
        raise ValueError(f"{path} has no folds of its own, so test_fold cannot be {test_fold!r}. See `folds`.")
    fold = arrays["u_test_fold"]
    if test_fold not in fold:
        raise ValueError(f"test_fold must be one of {np.unique(fold).tolist()}, got {test_fold!r}.")
    return {"train_idx": np.flatnonzero(fold != test_fold), "test_idx": np.flatnonzero(fold == test_fold)}


def _ratings_arrays(data: RatingsData) -> dict[str, Any]:
    return {
        "user": data.pairs[:, 0],
        "item": data.pairs[:, 1],
        "rating": data.ratings,
        "timestamp": data.timestamps,
        "levels": data.levels,
        "train_idx": data.train_idx,
        "test_idx": data.test_idx,
    }
