"""The parts of the report that compare methods: rankings, critical differences, times, rare labels."""

from __future__ import annotations

import numpy as np

from skfactor._validation import FloatArray
from skfactor.datasets import MultilabelData
from skfactor.experiments.contest import Contest
from skfactor.experiments.statistics import Comparison, wins
from skfactor.metrics import get_metric
from skfactor.report.figures.critical_difference import critical_difference
from skfactor.report.figures.label_frequency import label_frequency
from skfactor.report.figures.ranking import ranking
from skfactor.report.figures.time_quality import time_quality
from skfactor.report.page import Finding, Picture, Section, Table
from skfactor.report.portrait import names_of


def standing(contest: Contest) -> list[Section]:
    """Sections on all data sets together."""
    return [_best(contest), _differences(contest), _times(contest)]


def _best(contest: Contest) -> Section:
    metric = contest.metrics[0]
    failed = [
        Finding("error", f"{method} failed on {name}", reason)
        for (name, method), reason in contest.failures.items()
    ]
    pictures = [_ranking(contest, name, metric) for name in contest.names if contest.order(name, metric)]
    text = (
        f"Ranked by {metric} on rows that no method was fitted to ({contest.protocol}). Parameters and thresholds "
        f"are chosen on training rows, for {metric}. Intervals are of 95 %, corrected for the training rows that "
        "folds have in common."
    )
    return Section("Which method is best", text, findings=failed, pictures=pictures, tables=_all_figures(contest))


def _ranking(contest: Contest, name: str, metric: str) -> Picture:
    order = contest.order(name, metric)
    means = [float(contest.folds(name, method, metric).mean()) for method in order]
    halves = [contest.interval(name, method, metric) for method in order]
    rows = [
        [place, method, mean, mean - half, mean + half, contest.seconds(name, method)]
        for place, (method, mean, half) in enumerate(zip(order, means, halves, strict=True), start=1)
    ]
    plain = contest.baseline
    line = f" The dashed line is the plain method, {plain}." if plain in order else ""
    return Picture(
        name,
        ranking(order, means, halves, metric, plain),
        f"{metric} of {len(order)} methods on {name}: best is {order[0]} with {means[0]:.4f}, last is {order[-1]} "
        f"with {means[-1]:.4f}.",
        Table(["place", "method", metric, "from", "to", "seconds of a fit"], rows),
        f"{_direction(metric)}{line}",
    )


def _direction(metric: str) -> str:
    return "Further right is better." if get_metric(metric).greater_is_better else "Further left is better."


def _all_figures(contest: Contest) -> list[Table]:
    values = {metric: contest.values(metric) for metric in contest.metrics}
    rows = [
        [name, method, *(float(values[metric][row, column]) for metric in contest.metrics)]
        for row, name in enumerate(contest.names)
        for column, method in enumerate(contest.methods)
        if (name, method) in contest.records
    ]
    return [Table(["data set", "method", *contest.metrics], rows, "All figures, means over the parts")]


def _differences(contest: Contest) -> Section:
    title = "Do the methods differ?"
    found = {metric: contest.comparison(metric) for metric in contest.metrics}
    whole = {metric: one for metric, one in found.items() if one is not None}
    if not whole:
        why = (
            "Ranks are compared across data sets: it takes two or more of them, and two or more methods that have "
            "figures on all. Folds of one data set share their rows, and cannot stand in for data sets."
        )
        return Section(title, why)
    text = (
        "Friedman's test in its F form says whether the average ranks differ at all, and Nemenyi's critical "
        "difference by how much two of them have to. A bar joins methods that do not differ critically. With few "
        "data sets, only large differences are critical."
    )
    pictures = [_diagram(contest, metric, one) for metric, one in whole.items()]
    return Section(title, text, pictures=pictures, tables=[_tests(whole)])


def _diagram(contest: Contest, metric: str, found: Comparison) -> Picture:
    places = [contest.methods.index(method) for method in found.methods]
    won = wins(contest.values(metric)[:, places], greater_is_better=get_metric(metric).greater_is_better)
    rows = [
        [
            one,
            other,
            float(won[found.methods.index(one), found.methods.index(other)]),
            found.n,
            gap,
            _yes(critical),
        ]
        for one, other, gap, critical in found.pairs()
    ]
    best, last = found.methods[int(found.ranks.argmin())], found.methods[int(found.ranks.argmax())]
    return Picture(
        f"Average ranks by {metric}",
        critical_difference(found),
        f"Critical-difference diagram of {metric}: {best} has the best average rank, {found.ranks.min():.2f}, and "
        f"{last} the worst, {found.ranks.max():.2f}; the critical difference is {found.difference:.2f}.",
        Table(["method", "against", "wins", "of", "difference of ranks", "critical"], rows),
    )


def _tests(found: dict[str, Comparison]) -> Table:
    rows = [
        [metric, one.statistic, one.critical, one.p, _yes(one.differ), one.difference]
        for metric, one in found.items()
    ]
    header = ["metric", "F_F", "critical value", "p", "methods differ", "critical difference"]
    return Table(header, rows, "Friedman's test, at the level of .05")


def _yes(condition: bool) -> str:
    return "yes" if condition else "no"


def _times(contest: Contest) -> Section:
    metric = contest.metrics[0]
    pictures = [_time(contest, name, metric) for name in contest.names if contest.order(name, metric)]
    text = "Seconds of one fit with its calibration, on the machine that is named below; the search is not in it."
    return Section("Time against quality", text, pictures=pictures)


def _time(contest: Contest, name: str, metric: str) -> Picture:
    order = contest.order(name, metric)
    seconds = [contest.seconds(name, method) for method in order]
    values = [float(contest.folds(name, method, metric).mean()) for method in order]
    rows = [list(row) for row in zip(order, seconds, values, strict=True)]
    fastest = order[int(np.argmin(seconds))]
    return Picture(
        name,
        time_quality(order, seconds, values, metric),
        f"Seconds of a fit against {metric} on {name}: {order[0]} is best with {values[0]:.4f} in "
        f"{seconds[0]:.2g} s, {fastest} is fastest with {min(seconds):.2g} s.",
        Table(["method", "seconds of a fit", metric], rows),
        tips={"methods": [f"{method}: {one:.4f}, {time:.3g} s" for method, time, one in rows]},
    )


def rare_labels(contest: Contest, data: MultilabelData) -> Picture:
    """F1 of each label against its frequency, of the best method and of the plain one."""
    order = contest.order(data.name, contest.metrics[0])
    others = [contest.baseline, *order[1:]] if contest.baseline in order[1:] else order[1:]
    methods = [order[0], *others[:1]]
    f1 = {method: _label_f1(contest, data.name, method) for method in methods}
    counts, names = np.asarray(data.Y.sum(axis=0)).ravel(), names_of(data)
    rows = [
        [name, int(count), *(float(values[place]) for values in f1.values())]
        for place, (name, count) in enumerate(zip(names, counts, strict=True))
    ]
    lower, upper = _halves(counts, f1[methods[0]])
    return Picture(
        "Rare labels and frequent ones",
        label_frequency(counts, f1),
        f"F1 of each label against its number of rows, for {' and '.join(methods)}. The mean of {methods[0]} is "
        f"{lower:.3f} over the rarer half of the labels and {upper:.3f} over the other.",
        Table(["label", "rows", *methods], sorted(rows, key=lambda row: row[1])),
        "One point for each label; the line is the mean of labels of like frequency. A rare label that is never "
        "predicted has 0.",
        {
            method: [f"{row[0]}: {row[1]} rows, F1 {row[2 + place]:.3f}" for row in rows]
            for place, method in enumerate(f1)
        },
    )


def _label_f1(contest: Contest, name: str, method: str) -> FloatArray:
    """F1 of each label over all test rows; 0 for a label that no test row has and that is never predicted."""
    records = [record["labels"] for record in contest.records[name, method]]
    hits, predicted, true = (
        np.sum([record[part] for record in records], axis=0) for part in ("hits", "predicted", "true")
    )
    return np.asarray(2 * hits / np.maximum(predicted + true, 1))


def _halves(counts: FloatArray, values: FloatArray) -> tuple[float, float]:
    order = np.argsort(counts, kind="stable")
    middle = max(1, len(order) // 2)
    return float(values[order[:middle]].mean()), float(values[order[middle:]].mean())
