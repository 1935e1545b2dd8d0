"""The part of the report on a data set: what the doctor found, and its numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from skfactor.datasets import MultilabelData, RatingsData, check
from skfactor.datasets.report import Finding as Found
from skfactor.datasets.report import Report, some
from skfactor.report.figures.portrait import bars, frequencies
from skfactor.report.page import Finding, Picture, Section, Table


def portrait(data: MultilabelData | RatingsData) -> Section:
    """What is to be known of a data set before its figures are believed."""
    report = check(data)
    pictures = _of_ratings(data) if isinstance(data, RatingsData) else _of_labels(data)
    facts = {name: value for name, value in report.summary.items() if isinstance(value, int | float)}
    return Section(f"The data: {data.name}", "", facts, _findings(report, data), pictures)


def names_of(data: MultilabelData) -> list[str]:
    """Names of the labels, or numbers that say what they are."""
    return data.label_names or [f"label {place}" for place in range(data.Y.shape[1])]


def _findings(report: Report, data: MultilabelData | RatingsData) -> list[Finding]:
    if not report.findings:
        return [Finding("good", "Nothing to report", "No leaks, no duplicates, nothing empty, nothing constant.")]
    return [Finding(found.severity, found.title, _detail(found, data)) for found in report.findings]


def _detail(found: Found, data: MultilabelData | RatingsData) -> str:
    places = {"rows": found.rows, "features": found.features, "labels": found.labels}
    named = {kind: _named(kind, values, data) for kind, values in places.items() if values}
    named = {kind: text for kind, text in named.items() if text.split(",")[0] not in found.detail}
    return " ".join([found.detail, *(f"{kind.capitalize()}: {text}." for kind, text in named.items())])


def _named(kind: str, places: list[int], data: MultilabelData | RatingsData) -> str:
    names = getattr(data, {"labels": "label_names", "features": "feature_names"}.get(kind, ""), None)
    return some(places if names is None else [names[place] for place in places])


def _of_labels(data: MultilabelData) -> list[Picture]:
    counts = np.asarray(data.Y.sum(axis=0)).ravel()
    order = np.argsort(-counts, kind="stable")
    names = names_of(data)
    rows = [[names[place], int(counts[place]), counts[place] / len(data)] for place in order]
    frequent = Picture(
        "How frequent the labels are",
        frequencies(counts),
        f"Rows of each label, falling from {int(counts.max())} to {int(counts.min())}; half of the labels have "
        f"{int(np.median(counts))} or fewer.",
        Table(["label", "rows", "share"], rows),
    )
    per_row = np.bincount(np.diff(data.Y.indptr).astype(int))
    title = "How many labels a row has"
    alt = f"Rows by number of labels; most have {int(per_row.argmax())}, the largest number is {len(per_row) - 1}."
    return [frequent, _histogram(title, alt, "labels of a row", per_row)]


def _histogram(title: str, alt: str, xlabel: str, counts: Any) -> Picture:
    names = [str(number) for number in range(len(counts))]
    rows = [[int(name), int(count)] for name, count in zip(names, counts, strict=True) if count]
    return Picture(title, bars(names, counts.tolist(), xlabel), alt, Table([xlabel, "rows"], rows))


def _of_ratings(data: RatingsData) -> list[Picture]:
    levels, counts = np.unique(data.ratings, return_counts=True)
    names = [f"{level:g}" for level in levels]
    best = names[int(counts.argmax())]
    rows = [[float(level), int(count)] for level, count in zip(levels, counts, strict=True)]
    picture = bars(names, counts.tolist(), "level", "ratings")
    alt = f"Number of ratings of each level; the most frequent level is {best}."
    return [Picture("How often each level was given", picture, alt, Table(["level", "ratings"], rows))]
