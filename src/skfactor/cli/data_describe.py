"""`skfactor data describe`: the size of a data set, and how often its labels or levels occur."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from skfactor.cli.options import Drop, Labels, Reading, Source, Tags
from skfactor.cli.output import Out
from skfactor.cli.verb import verb

if TYPE_CHECKING:
    from skfactor.datasets import MultilabelData, RatingsData

_SHOWN = 10


@verb("skfactor data describe digit-tags", "skfactor data describe tickets.csv --tags topics --drop id")
def data_describe(
    out: Out, *, data: Source, labels: Labels = None, tags: Tags = None, drop: Drop, reading: Reading
) -> None:
    """Show the size of a data set, and how often its labels (or the levels of its ratings) occur."""
    from skfactor.cli.inputs import loader_options, read_any
    from skfactor.datasets import MultilabelData

    loaded = read_any(out, data, loader_options(labels, tags, drop, reading))
    is_multilabel = isinstance(loaded, MultilabelData)
    document = _of_labels(loaded) if isinstance(loaded, MultilabelData) else _of_ratings(loaded)
    out.result(document, lambda: _show(out, document, "label" if is_multilabel else "level"))


def _of_labels(data: MultilabelData) -> dict[str, Any]:
    import numpy as np

    (rows, features), labels = data.X.shape, data.Y.shape[1]
    filled = data.X.nnz if hasattr(data.X, "nnz") else np.count_nonzero(data.X)
    names = data.label_names or [str(place) for place in range(labels)]
    counts = np.bincount(data.Y.indices, minlength=labels).tolist()
    return {
        "name": data.name,
        "kind": "multilabel",
        "rows": rows,
        "features": features,
        "filled": filled / max(rows * features, 1),
        "labels": labels,
        "cardinality": data.Y.nnz / max(rows, 1),
        "density": data.Y.nnz / max(rows * labels, 1),
        "rows without label": int((np.diff(data.Y.indptr) == 0).sum()),
        "split": _split(data),
        "feature names": data.feature_names,
        "frequencies": dict(zip(names, counts, strict=True)),
    }


def _of_ratings(data: RatingsData) -> dict[str, Any]:
    import numpy as np

    users, items = (len(np.unique(column)) for column in data.pairs.T)
    levels, counts = np.unique(data.ratings, return_counts=True)
    return {
        "name": data.name,
        "kind": "ratings",
        "ratings": len(data),
        "users": users,
        "items": items,
        "filled": len(data) / max(users * items, 1),
        "mean": float(data.ratings.mean()) if len(data) else None,
        "split": _split(data),
        "frequencies": {f"{level:g}": count for level, count in zip(levels, counts.tolist(), strict=True)},
    }


def _split(data: MultilabelData | RatingsData) -> list[int] | None:
    if data.train_idx is None or data.test_idx is None:
        return None
    return [len(data.train_idx), len(data.test_idx)]


def _show(out: Out, document: dict[str, Any], noun: str) -> None:
    texts = {name: _text(name, value) for name, value in document.items() if name != "frequencies"}
    out.pairs((name, text) for name, text in texts.items() if text)
    counts = document["frequencies"]
    total = document["rows" if "rows" in document else "ratings"]
    ordered = sorted(counts.items(), key=lambda item: -item[1]) if noun == "label" else list(counts.items())
    out.line()
    out.table([noun, "rows", "share"], [_frequency(name, count, total) for name, count in ordered[:_SHOWN]])
    if len(ordered) > _SHOWN:
        rarest, count = ordered[-1]
        out.line(f"and {len(ordered) - _SHOWN} more, down to {rarest} with {count}")


def _frequency(name: str, count: int, total: int) -> list[str]:
    return [name, f"{count:,}", f"{count / max(total, 1):.1%}"]


def _text(name: str, value: Any) -> str:
    from skfactor.datasets.report import some

    if value is None:
        return ""
    if name == "split":
        return f"{value[0]:,} training rows, {value[1]:,} test rows"
    if name == "filled":
        return f"{value:.3g}" if value < 0.001 else f"{value:.1%}"
    if isinstance(value, list):
        return some(value, 5)
    return f"{value:,}" if isinstance(value, int) else f"{value:.4g}" if isinstance(value, float) else str(value)
