"""The report on a contest, as a file."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from skfactor.datasets import MultilabelData
from skfactor.experiments.contest import Contest
from skfactor.experiments.provenance import provenance
from skfactor.report.closer import closer
from skfactor.report.page import Section, html
from skfactor.report.portrait import portrait
from skfactor.report.standing import standing


def report(contest: Contest, title: str = "") -> str:
    """The report as HTML that needs no other file and no network.

    Parameters
    ----------
    contest : Contest
    title : str

    Returns
    -------
    str
    """
    names = ", ".join(contest.names)
    lead = f"{len(contest.methods)} methods on {names}, measured on rows that they were not fitted to."
    sections: list[Section] = [*map(portrait, contest.data), *standing(contest)]
    for data in contest.data:
        if isinstance(data, MultilabelData) and contest.order(data.name, contest.metrics[0]):
            sections += closer(contest, data)
    return html(title or f"skfactor: {names}", lead, sections, provenance())


def write_report(contest: Contest, path: str | os.PathLike[str], title: str = "") -> Path:
    """Write the report, which replaces an older one only when it is whole.

    Parameters
    ----------
    contest : Contest
    path : path-like
    title : str

    Returns
    -------
    Path
        Where it is.
    """
    path = Path(path)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        unfinished.write_text(report(contest, title), encoding="utf-8")
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)
    return path.resolve()
