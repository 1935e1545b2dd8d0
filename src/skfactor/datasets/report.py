"""What an examination of a data set found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Severity = Literal["error", "warning", "note"]
_ORDER: tuple[Severity, ...] = ("error", "warning", "note")
_SHOWN = 8


@dataclass(frozen=True)
class Finding:
    """One thing worth knowing.

    Attributes
    ----------
    severity : {"error", "warning", "note"}
        "error": models refuse it. "warning": results may mislead. "note": good to know.
    title : str
        A few words, the same for the same kind of finding.
    detail : str
        What was found, and what to do.
    rows, features, labels : list of int
        What it is about, counted from 0. For ratings, `rows` are places in `pairs`.
    """

    severity: Severity
    title: str
    detail: str
    rows: list[int] = field(default_factory=list)
    features: list[int] = field(default_factory=list)
    labels: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class Report:
    """The numbers of a data set, and the findings, gravest first.

    Attributes
    ----------
    name : str
        The data set.
    summary : dict
        Its numbers.
    findings : list of Finding
        What was found.
    """

    name: str
    summary: dict[str, Any]
    findings: list[Finding]

    def __post_init__(self) -> None:
        self.findings.sort(key=lambda finding: _ORDER.index(finding.severity))

    def as_dict(self) -> dict[str, Any]:
        """Make plain dicts, lists, numbers and strings of it, for JSON."""
        return asdict(self)

    def __str__(self) -> str:
        width = max(map(len, self.summary), default=0)
        lines = [self.name or "data set"]
        lines += [f"  {key:<{width}}  {_show(value)}" for key, value in self.summary.items()]
        for finding in self.findings:
            lines += [f"{finding.severity}: {finding.title}", f"  {finding.detail}"]
            for kind in ("rows", "features", "labels"):
                places = getattr(finding, kind)
                if places:
                    lines.append(f"  {kind}: {some(places)}")
        return "\n".join(lines if self.findings else [*lines, "nothing to report"])


def some(values: Iterable[Any], shown: int = _SHOWN) -> str:
    """List the first few `values`, and say how many more there are.

    >>> some(range(20), shown=3)
    '0, 1, 2 and 17 more'
    """
    values = list(values)
    text = ", ".join(map(str, values[:shown]))
    return text if len(values) <= shown else f"{text} and {len(values) - shown} more"


def _show(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {_show(part)}" for key, part in value.items())
    return f"{value:.4g}" if isinstance(value, float) else str(value)
