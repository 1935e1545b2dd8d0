"""`skfactor data check`: what should be known of a data set before a model is fitted to it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from skfactor.cli.options import Drop, Labels, Reading, Source, Tags
from skfactor.cli.output import Out
from skfactor.cli.verb import FINDINGS, verb

if TYPE_CHECKING:
    from skfactor.datasets.report import Report

_STYLES = {"error": "bold red", "warning": "yellow", "note": "cyan"}
_PLACES = ("rows", "features", "labels")


@verb("skfactor data check bibtex", "skfactor data check tickets.csv --tags topics --strict || echo look at it")
def data_check(
    out: Out,
    *,
    data: Source,
    strict: Annotated[bool, typer.Option("--strict", help="Exit with 1 for warnings, too.")] = False,
    labels: Labels = None,
    tags: Tags = None,
    drop: Drop,
    reading: Reading,
) -> int:
    """Examine a data set: leaks, empty and duplicated rows, labels that say nothing, values that are missing.

    The exit code is 1 if there is an error, which models refuse.
    """
    from skfactor.cli.inputs import loader_options, read_any
    from skfactor.datasets import check

    # A value that is missing is a finding here, with its place, rather than the end of reading.
    loaded = read_any(out, data, loader_options(labels, tags, drop, reading), if_known={"missing": "nan"})
    with out.waiting(f"Examining {data} ..."):
        report = check(loaded)
    out.result(report.as_dict(), lambda: _show(out, report))
    grave = {"error", "warning"} if strict else {"error"}
    return FINDINGS if any(finding.severity in grave for finding in report.findings) else 0


def _show(out: Out, report: Report) -> None:
    from skfactor.datasets.report import some

    count = len(report.findings)
    out.line(f"{report.name}: {count or 'no'} finding{'s' * (count != 1)}")
    for finding in report.findings:
        out.line()
        out.line(f"{finding.severity}: {finding.title}", _STYLES[finding.severity])
        out.paragraph(finding.detail)
        for places in _PLACES:
            if getattr(finding, places):
                out.paragraph(f"{places}: {some(getattr(finding, places))}")
