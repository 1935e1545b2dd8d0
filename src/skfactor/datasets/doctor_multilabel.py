"""The examination of samples with several labels."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy import sparse

from skfactor._validation import IntArray, Matrix
from skfactor.datasets.dataset import MultilabelData
from skfactor.datasets.identifiers import find_identifiers
from skfactor.datasets.leaks import Leak, find_leaks
from skfactor.datasets.report import Finding, Report, Severity, some
from skfactor.datasets.twins import groups_of, row_hashes


def examine_multilabel(data: MultilabelData) -> Report:
    """Examine samples with labels."""
    X, Y = data.X, data.Y
    bad_rows, bad_features = _not_finite(X)
    X = _finite(X)
    findings = [
        _finding("error", "entries are not finite", bad_rows, features=bad_features, detail=_FILL),
        *_leaks(data, find_leaks(X, Y)),
        *_identifiers(X, data.feature_names),
        *_identical_labels(data),
        *_useless_labels(Y),
        *_empty_rows(X, Y),
        *_duplicated_rows(X, Y),
        _finding(
            "note",
            "features are constant",
            features=_constant(X),
            detail="The same value in every row tells nothing. Leave them out to save time.",
        ),
    ]
    return Report(data.name, _summary(data), [finding for finding in findings if finding])


# A label of fewer rows than this equals some feature of a text by mere chance.
_RARE = 5
_FILL = "Fill them in, for instance with sklearn.impute.SimpleImputer, or leave these rows out."


def _finding(
    severity: Severity, title: str, rows: Any = (), features: Any = (), labels: Any = (), *, detail: str
) -> Finding | None:
    """Make a finding if there is something that it is about."""
    places = [np.unique(np.asarray(of, dtype=np.int64)).tolist() for of in (rows, features, labels)]
    return Finding(severity, title, detail, *places) if any(places) else None


def _summary(data: MultilabelData) -> dict[str, Any]:
    (rows, features), n_labels = data.X.shape, data.Y.shape[1]
    per_label = np.bincount(data.Y.indices, minlength=n_labels)
    spread = (int(per_label.min()), float(np.median(per_label)), int(per_label.max())) if n_labels else ()
    filled = data.X.nnz if sparse.issparse(data.X) else np.count_nonzero(data.X)
    return {
        "rows": rows,
        "features": features,
        "filled": filled / max(rows * features, 1),
        "labels": n_labels,
        "cardinality": data.Y.nnz / max(rows, 1),
        "density": data.Y.nnz / max(rows * n_labels, 1),
        "distinct label sets": len(np.unique(row_hashes(data.Y))),
        "rows per label": dict(zip(("least", "median", "most"), spread, strict=False)),
    }


def _not_finite(X: Matrix) -> tuple[IntArray, IntArray]:
    if not sparse.issparse(X):
        rows, columns = np.nonzero(~np.isfinite(X))
        return rows, columns
    entries: Any = X.tocoo()
    bad = ~np.isfinite(entries.data)
    return entries.row[bad], entries.col[bad]


def _finite(X: Matrix) -> Matrix:
    """Make a table in which the entries that are not finite are 0, so that the other checks can go on."""
    if not sparse.issparse(X):
        return X if np.isfinite(X).all() else np.nan_to_num(X, posinf=0, neginf=0)
    if np.isfinite(X.data).all():
        return X
    clean: Any = X.copy()
    clean.data = np.nan_to_num(clean.data, posinf=0, neginf=0)
    return clean


def _leaks(data: MultilabelData, leaks: list[Leak]) -> list[Finding | None]:
    count = np.bincount(data.Y.indices, minlength=data.Y.shape[1])
    rare = [leak for leak in leaks if count[leak.label] < _RARE]
    exact, near = (
        [leak for leak in leaks if count[leak.label] >= _RARE and (abs(leak.correlation) == 1) is equal]
        for equal in (True, False)
    )
    remedy = "Leave these features out, or the scores of these labels mean nothing."
    chance = f"That may be chance: these labels have fewer than {_RARE} rows."
    return [
        _leak_finding(data, "warning", "features give labels away", exact, remedy),
        _leak_finding(data, "warning", "features nearly give labels away", near, remedy),
        _leak_finding(data, "note", "features give rare labels away", rare, chance),
    ]


def _leak_finding(
    data: MultilabelData, severity: Severity, title: str, leaks: list[Leak], remedy: str
) -> Finding | None:
    pairs = (
        f"label {_called(leak.label, data.label_names)} from feature "
        f"{_called(leak.feature, data.feature_names)} (correlation {leak.correlation:.4g})"
        for leak in leaks
    )
    features, labels = [leak.feature for leak in leaks], [leak.label for leak in leaks]
    return _finding(severity, title, features=features, labels=labels, detail=f"{some(pairs)}. {remedy}")


def _identifiers(X: Matrix, names: list[str] | None) -> list[Finding | None]:
    return [
        _finding("warning", "features identify rows", features=features, detail=_identifier_detail(column))
        for features, column in find_identifiers(X, names)
    ]


def _identifier_detail(column: str | None) -> str:
    if column is None:
        return "Nearly every row has one of these for itself, which says nothing of new rows. Leave them out."
    said = f"Nearly every row has a value of {column!r} for itself, which says nothing of new rows"
    return f"{said}. Load the data with drop=[{column!r}]."


def _identical_labels(data: MultilabelData) -> list[Finding | None]:
    columns = data.Y.T.tocsr()
    used = np.flatnonzero(np.diff(columns.indptr))
    groups = [used[group] for group in groups_of(row_hashes(columns)[used])]
    listed = some(" = ".join(_called(label, data.label_names) for label in group) for group in groups)
    detail = f"They have the same rows: {listed}. Keep one of each."
    return [_finding("warning", "labels are identical", labels=np.concatenate([[], *groups]), detail=detail)]


def _useless_labels(Y: Matrix) -> list[Finding | None]:
    count = np.bincount(Y.indices, minlength=Y.shape[1])
    never, always = np.flatnonzero(count == 0), np.flatnonzero(count == Y.shape[0])
    return [
        _finding(
            "warning",
            "labels never occur",
            labels=never,
            detail="Macro-averaged metrics count them as 0 or leave them out. Drop them.",
        ),
        _finding(
            "warning", "labels occur in every row", labels=always, detail="There is nothing to learn. Drop them."
        ),
    ]


def _empty_rows(X: Matrix, Y: Matrix) -> list[Finding | None]:
    stored = np.diff(X.indptr) if sparse.issparse(X) else X.any(axis=1)
    no_features = np.flatnonzero(stored == 0)
    no_labels = np.flatnonzero((np.diff(Y.indptr) == 0) & (Y.shape[1] > 0))  # a table without labels is no finding
    share = f"{len(no_labels)} rows ({len(no_labels) / max(Y.shape[0], 1):.1%})"
    return [
        _finding(
            "warning",
            "rows have no features",
            no_features,
            detail=f"{len(no_features)} rows are all zero: every model predicts the same for them.",
        ),
        _finding(
            "note",
            "rows have no labels",
            no_labels,
            detail=f"{share}. Metrics differ in how they count them: say what you do with them.",
        ),
    ]


def _duplicated_rows(X: Matrix, Y: Matrix) -> list[Finding | None]:
    hashes = row_hashes(X)
    groups = groups_of(hashes)
    if not groups:
        return []
    repeated = np.sort(np.concatenate([group[1:] for group in groups]))
    labels = row_hashes(Y)
    disagree = sum(len(np.unique(labels[group])) > 1 for group in groups)
    detail = (
        f"{len(repeated)} rows have the features of an earlier one, in {len(groups)} groups, of which {disagree} "
        "disagree in their labels. A random split may put twins on both sides."
    )
    return [_finding("note", "rows are duplicated", repeated, detail=detail)]


def _constant(X: Matrix) -> IntArray:
    if not X.shape[0]:
        return np.empty(0, dtype=np.int64)
    low, high = (extreme(axis=0) for extreme in (X.min, X.max))
    if sparse.issparse(X):
        low, high = low.toarray(), high.toarray()
    return np.flatnonzero(np.ravel(low == high))


def _called(place: int, names: list[str] | None) -> str:
    return str(place) if names is None else f"{place} ({names[place]!r})"
