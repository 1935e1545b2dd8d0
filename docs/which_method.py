"""The page 'Which method when': what the stored comparison says, and nothing that it does not."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np

from skfactor.experiments.statistics import Comparison, compare, interval
from skfactor.metrics import get_metric
from skfactor.report.figures.critical_difference import critical_difference
from skfactor.report.figures.time_quality import time_quality
from skfactor.report.page import Finding, Picture, Section, Table

ROOT = Path(__file__).parent.parent
SECONDS = "seconds"
#: A fold tests on a fifth of the rows.
TEST_SHARE = 0.2


@dataclass(frozen=True)
class Claim:
    """A piece of advice, and where the figures are that it rests on.

    Attributes
    ----------
    when, why : str
    take, over : str
        The first method is better than the second.
    metric : str
        One of the metrics, or "seconds".
    on : list of str
        Data sets.
    """

    when: str
    take: str
    over: str
    metric: str
    on: list[str]
    why: str = ""


@dataclass(frozen=True)
class Evidence:
    """The figures of `experiments/which_method.py`."""

    record: dict[str, Any]

    @cached_property
    def methods(self) -> list[str]:
        """Those that have figures on every data set."""
        first, *others = (set(data["figures"]) for data in self.record["data"].values())
        return [method for method in self.record["grids"] if method in first.intersection(*others)]

    def value(self, name: str, method: str, metric: str) -> float:
        """Mean of a metric over the folds, or the seconds of one fit."""
        data = self.record["data"][name]
        return data["seconds"][method] if metric == SECONDS else mean(data["figures"][method][metric])

    def gain(self, claim: Claim) -> float:
        """By how much the method of a claim is better on the average; for seconds, by which share faster."""
        take, over = (
            [self.value(name, method, claim.metric) for name in claim.on] for method in (claim.take, claim.over)
        )
        if claim.metric == SECONDS:
            return float(np.exp(np.mean(np.log(over) - np.log(take)))) - 1
        sign = 1 if get_metric(claim.metric).greater_is_better else -1
        return sign * (mean(take) - mean(over))

    def as_good(self, name: str, metric: str) -> list[str]:
        """The best method on a data set, then those whose folds do not show that they are worse."""
        figures = self.record["data"][name]["figures"]
        sign = 1 if get_metric(metric).greater_is_better else -1
        folds = {method: sign * np.array(found[metric]) for method, found in figures.items()}
        order = sorted(folds, key=lambda method: -folds[method].mean())
        gaps = {method: folds[order[0]] - folds[method] for method in order[1:]}
        return [order[0], *(one for one, gap in gaps.items() if gap.mean() < interval(gap, TEST_SHARE))]

    def ranks(self, metric: str) -> Comparison:
        """Average ranks over the data sets."""
        values = [[self.value(name, method, metric) for method in self.methods] for name in self.record["data"]]
        return compare(self.methods, np.array(values), greater_is_better=get_metric(metric).greater_is_better)


def evidence() -> Evidence:
    """What is stored."""
    return Evidence(
        json.loads((ROOT / "experiments" / "results" / "which-method.json").read_text(encoding="utf-8"))
    )


def claims() -> list[Claim]:
    """All advice."""
    text = (Path(__file__).parent / "which_method.toml").read_text(encoding="utf-8")
    return [Claim(**claim) for claim in tomllib.loads(text)["claim"]]


def sections() -> list[Section]:
    """The page."""
    found = evidence()
    return [_advice(found), _by_data(found), _ranks(found), _cost(found), *_papers()]


def _advice(found: Evidence) -> Section:
    text = (
        "Measure RidgeBR beside whatever you take: it fits in one pass, has one parameter, and is hard to beat. "
        "Each line rests on the figures further down, and is checked against them when this page is made."
    )
    return Section("In short", text, findings=[_told(found, claim) for claim in claims()])


def _told(found: Evidence, claim: Claim) -> Finding:
    if found.gain(claim) <= 0:
        raise ValueError(f"The stored figures do not bear out: {claim.when}: {claim.take} over {claim.over}.")
    told = [[f"{found.value(name, m, claim.metric):.3g}" for m in (claim.take, claim.over)] for name in claim.on]
    pairs = "; ".join(f"{name} {take} against {over}" for name, (take, over) in zip(claim.on, told, strict=True))
    return Finding(
        "good",
        f"{claim.when}: {claim.take}",
        f"{claim.why} {claim.metric}, {claim.take} against {claim.over}: {pairs}.",
    )


def _by_data(found: Evidence) -> Section:
    metric = found.record["chosen_for"]
    rows = []
    for name, data in found.record["data"].items():
        best, *others = found.as_good(name, metric)
        fastest = min([best, *others], key=lambda method: found.value(name, method, SECONDS))
        rows.append(
            [name, *data["kind"].values(), best, found.value(name, best, metric), ", ".join(others), fastest]
        )
    kinds = next(iter(found.record["data"].values()))["kind"]
    header = ["data set", *kinds, "best", metric, "not shown to be worse", "fastest of them"]
    text = (
        f"Find the data set that is most like yours. Best is by {metric} over five folds. A method is not shown "
        "to be worse if the interval of its difference to the best (95 %, corrected for common training rows) has "
        "0 in it. The best of ten looks better than it is, by chance: take the fastest, unless a point matters. "
        "For BSVM and MLkNN, features are divided by their largest value."
    )
    return Section("Data sets and their best methods", text, tables=[Table(header, rows), _everything(found)])


def _everything(found: Evidence) -> Table:
    metrics = [*map(str, found.record["metrics"]), SECONDS]
    rows = [
        [name, method, *(found.value(name, method, metric) for metric in metrics)]
        for name, data in found.record["data"].items()
        for method in data["figures"]
    ]
    return Table(
        ["data set", "method", *metrics],
        rows,
        "All figures: means over five folds, and seconds of one fit",
    )


def _ranks(found: Evidence) -> Section:
    pictures = [_diagram(found, metric) for metric in ("micro_f1", "macro_f1", "ranking_loss")]
    text = (
        "Friedman's test, and Nemenyi's critical difference: a bar joins methods whose ranks do not differ "
        f"critically. All parameters were chosen for {found.record['chosen_for']}."
    )
    return Section("Ranks over all of them", text, pictures=pictures)


def _diagram(found: Evidence, metric: str) -> Picture:
    one = found.ranks(metric)
    order = np.argsort(one.ranks, kind="stable")
    rows = [[one.methods[place], float(one.ranks[place])] for place in order]
    told = (
        f"F_F = {one.statistic:.2f}, critical value {one.critical:.2f}, critical difference {one.difference:.2f}."
    )
    alt = "Average ranks, best first: " + ", ".join(f"{method} {rank:.2f}" for method, rank in rows) + "."
    return Picture(metric, critical_difference(one), alt, Table(["method", "average rank"], rows), told)


def _cost(found: Evidence) -> Section:
    metric = found.record["chosen_for"]
    names = list(found.record["data"])
    rows = [
        [
            method,
            float(np.exp(np.mean([np.log(found.value(name, method, SECONDS)) for name in names]))),
            mean(found.value(name, method, metric) for name in names),
        ]
        for method in found.methods
    ]
    methods, seconds, values = zip(*rows, strict=True)
    picture = Picture(
        "Time against quality",
        time_quality(methods, seconds, values, metric),
        f"Seconds of a fit against {metric}, for {len(rows)} methods.",
        Table(["method", "seconds of a fit", metric], rows),
        "Geometric mean of the processor's seconds for one fit with its calibration, and mean over the data sets.",
    )
    return Section("What they cost", "", pictures=[picture])


def _papers() -> Iterator[Section]:
    """Tables of the papers, which have the larger data sets, as far as they were run."""
    for path in sorted((ROOT / "reproduction").glob("*.json")):
        table = json.loads(path.read_text(encoding="utf-8"))
        measured = [cell for cell in table["cells"] if cell["measured"] is not None]
        rows = [[c["dataset"], c["method"], c["metric"], c["measured"], c["sd"], c["published"]] for c in measured]
        header = ["data set", "method", "metric", "measured", "sd", "published"]
        if rows:
            yield Section(table["title"], "", tables=[Table(header, rows)])
