"""The report on a tournament: who stands where, and how the best depends on its parameters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from skfactor.datasets import MultilabelData
from skfactor.experiments.provenance import provenance
from skfactor.model_selection import NestedScores, Standing, Tournament
from skfactor.model_selection.profiles import Profile, profile
from skfactor.report.figures.ranking import ranking
from skfactor.report.figures.search import search_profile
from skfactor.report.page import Picture, Section, Table, html
from skfactor.report.portrait import portrait


def tuning_page(contest: Tournament, data: MultilabelData, nested: NestedScores | None = None) -> str:
    """The report as HTML that needs no other file and no network.

    Parameters
    ----------
    contest : Tournament
        Fitted.
    data : MultilabelData
        What it was fitted to.
    nested : NestedScores, optional

    Returns
    -------
    str
    """
    lead = f"{len(contest.standings_)} entrants; the best is {contest.best_.name}."
    sections = [_winner(contest, nested), _standings(contest), *_parameters(contest), portrait(data)]
    return html(f"skfactor tune: {data.name}", lead, sections, provenance())


def _winner(contest: Tournament, nested: NestedScores | None) -> Section:
    facts = {"winner": contest.best_.name, f"{contest.metric} on held-out rows": contest.best_score_}
    text = "The held-out value is the best of many, and so a little too good. "
    if nested is None:
        return Section("The winner", text + "There is no nested estimate.", facts)
    facts[f"{contest.metric}, nested estimate"] = nested.mean()
    text += (
        f"The nested estimate, {nested.mean():.4f} ± {nested.sd():.4f} over {len(nested.folds)} folds, is of rows "
        "that had no part in the choice: it is what to expect on new rows."
    )
    rows = [
        [place, fold.search.best_.name, float(value)]
        for place, (fold, value) in enumerate(zip(nested.folds, nested.values(), strict=True), start=1)
    ]
    return Section("The winner", text, facts, tables=[Table(["outer fold", "winner", contest.metric], rows)])


def _standings(contest: Tournament) -> Section:
    last = [one for one in contest.standings_ if one.rows == contest.best_.rows]
    names, values = [one.name for one in last], [one.value for one in last]
    rows = [[one.name, one.rows, one.value, one.seconds, one.reason] for one in contest.standings_]
    picture = Picture(
        "The last round",
        ranking(names, values, [float("nan")] * len(last), contest.metric, "RidgeBR"),
        f"{contest.metric} of {len(last)} entrants; {names[0]} is best with {values[0]:.4f}.",
        Table(["entrant", "rows", contest.metric, "seconds", "why it went no further"], rows),
    )
    return Section("All entrants", "By held-out scores of the training rows.", pictures=[picture])


def _parameters(contest: Tournament) -> list[Section]:
    """Of the best entrant that had a choice, how the metric depends on each parameter, and on two at once."""
    chosen = next((one for one in contest.standings_ if _varied(one)), None)
    if chosen is None:
        return []
    names = _varied(chosen)
    wanted = [(name,) for name in names] + ([(names[0], names[1])] if len(names) > 1 else [])
    pictures = [_picture(chosen, profile_of(chosen, one, contest.metric)) for one in wanted]
    return [Section(f"Parameters of {chosen.name}", "The ring is the best point.", pictures=pictures)]


def profile_of(standing: Standing, names: Sequence[str], metric: str) -> Profile:
    """The profile of what an entrant tried, over one or two parameters; there is one value for each point."""
    values = np.array([value for _, value in standing.tried])
    results = {
        "params": [point for point, _ in standing.tried],
        f"mean_test_{metric}": values,
        f"std_test_{metric}": np.zeros_like(values),
    }
    return profile(results, names, metric)


def _varied(standing: Standing) -> list[str]:
    """Parameters of which several values were tried, most values first."""
    points = [point for point, _ in standing.tried]
    tried = {name: {repr(point.get(name)) for point in points} for name in (points[0] if points else {})}
    return sorted((name for name in tried if len(tried[name]) > 1), key=lambda name: -len(tried[name]))


def _picture(standing: Standing, found: Profile) -> Picture:
    rows = [[*point.values(), value] for point, value in standing.tried]
    best = ", ".join(f"{name}={standing.params.get(name)}" for name in found.names)
    return Picture(
        " and ".join(found.names),
        search_profile(found),
        f"{found.metric} of {standing.name} over {' and '.join(found.names)}; best at {best}.",
        Table([*standing.tried[0][0], found.metric], rows),
    )
