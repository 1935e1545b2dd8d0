"""The examination of ratings."""

from __future__ import annotations

from typing import Any

import numpy as np

from skfactor._validation import IntArray
from skfactor.datasets.dataset import RatingsData
from skfactor.datasets.report import Finding, Report


def examine_ratings(data: RatingsData) -> Report:
    """Examine ratings of items by users."""
    users, user_counts = np.unique(data.pairs[:, 0], return_inverse=True, return_counts=True)[1:]
    items, item_counts = np.unique(data.pairs[:, 1], return_inverse=True, return_counts=True)[1:]
    bad = np.flatnonzero(~np.isfinite(data.ratings))
    findings = [
        _if_any(bad, "error", "ratings are not finite", "Leave these rows out."),
        _duplicates(users, items, data),
        _if_any(
            np.flatnonzero(user_counts[users] == 1),
            "note",
            "users have a single rating",
            "Nothing of their taste is left when that rating is held out.",
        ),
        _if_any(
            np.flatnonzero(item_counts[items] == 1),
            "note",
            "items have a single rating",
            "Nothing is known of them when that rating is held out.",
        ),
    ]
    summary = {
        "ratings": len(data),
        "users": len(user_counts),
        "items": len(item_counts),
        "density": len(data) / max(len(user_counts) * len(item_counts), 1),
        "ratings per level": _histogram(data),
        "ratings per user": _spread(user_counts),
        "ratings per item": _spread(item_counts),
    }
    return Report(data.name, summary, [finding for finding in findings if finding])


def _duplicates(users: IntArray, items: IntArray, data: RatingsData) -> Finding | None:
    """Find the ratings of a pair that an earlier rating has, and the pairs whose ratings differ."""
    pair = users * (items.max(initial=0) + 1) + items
    order = np.lexsort((data.ratings, pair))
    same_pair = np.diff(pair[order]) == 0
    differ = len(np.unique(pair[order][1:][same_pair & (np.diff(data.ratings[order]) != 0)]))
    first = np.unique(pair, return_index=True)[1]
    later = np.setdiff1d(np.arange(len(pair)), first)
    detail = (
        f"{len(later)} ratings are of a user and item that were seen before; {differ} such pairs got different "
        "ratings. Keep one of each, or their mean."
    )
    return _if_any(later, "warning", "pairs occur more than once", detail)


def _if_any(rows: IntArray, severity: Any, title: str, detail: str) -> Finding | None:
    return Finding(severity, title, detail, rows.tolist()) if len(rows) else None


def _histogram(data: RatingsData) -> dict[str, int]:
    levels = data.levels if data.levels is not None else np.unique(data.ratings)
    return {f"{level:g}": int(np.count_nonzero(data.ratings == level)) for level in levels}


def _spread(counts: IntArray) -> dict[str, float]:
    if not len(counts):
        return {}
    return {"least": int(counts.min()), "median": float(np.median(counts)), "most": int(counts.max())}
