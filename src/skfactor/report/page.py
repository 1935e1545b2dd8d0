"""A page of sections with pictures and tables, as one HTML file that needs nothing else."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from skfactor.report.svg import inline

if TYPE_CHECKING:
    from jinja2 import Environment
    from matplotlib.figure import Figure


@dataclass(frozen=True)
class Table:
    """Rows of text and numbers.

    Attributes
    ----------
    header : sequence of str
    rows : sequence of sequence
        Numbers are shown with few digits and sorted by their value.
    caption : str
        What it shows.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    caption: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure, what it shows in words, and the numbers behind it.

    Attributes
    ----------
    title : str
    figure : Figure
    alt : str
        What is to be seen, for those who do not see it.
    table : Table
        The numbers.
    text : str
        How to read it.
    tips : mapping
        See `svg.inline`.
    """

    title: str
    figure: Figure
    alt: str
    table: Table
    text: str = ""
    tips: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True)
class Words:
    """Labels of an example: which were predicted rightly, which were missed, and which are wrong."""

    hits: Sequence[str]
    missed: Sequence[str]
    wrong: Sequence[str]


@dataclass(frozen=True)
class Example:
    """A row of the data, what is to be seen of it, and its labels."""

    name: str
    shown: str
    words: Words


@dataclass(frozen=True)
class Finding:
    """A remark with its weight: "error", "warning", "note" or "good"."""

    severity: str
    title: str
    detail: str


@dataclass(frozen=True)
class Section:
    """A part of the page, with a heading that the table of contents leads to.

    Attributes
    ----------
    title, text : str
    facts : mapping of str to object
        Single figures, shown large.
    findings : sequence of Finding
    pictures : sequence of Picture
    tables : sequence of Table
    examples : sequence of Example
    """

    title: str
    text: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    findings: Sequence[Finding] = ()
    pictures: Sequence[Picture] = ()
    tables: Sequence[Table] = ()
    examples: Sequence[Example] = ()


def html(title: str, lead: str, sections: Sequence[Section], made: Mapping[str, Any]) -> str:
    """The page.

    Parameters
    ----------
    title, lead : str
        Its heading and the sentence below.
    sections : sequence of Section
    made : mapping
        Under which circumstances it was made, for its foot.

    Returns
    -------
    str
    """
    template = environment().get_template("page.html")
    return template.render(title=title, lead=lead, sections=sections, made=made)


def environment(*folders: str | os.PathLike[str]) -> Environment:
    """Where templates are looked up, those of `folders` before those of the report, and what they may call.

    Parameters
    ----------
    *folders : path-like

    Returns
    -------
    jinja2.Environment
    """
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined
    from markupsafe import Markup

    made = Environment(
        loader=ChoiceLoader([FileSystemLoader(folders), PackageLoader("skfactor.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    numbers = itertools.count()

    def drawn(picture: Picture) -> Markup:
        return Markup(inline(picture.figure, picture.alt, f"p{next(numbers)}", picture.tips))

    made.filters.update(shown=shown, sortable=sortable, drawn=drawn)
    made.globals.update(css=Markup(_text("page.css")), js=Markup(_text("page.js")))
    return made


def shown(value: Any) -> str:
    """A value as a reader wants it.

    >>> [shown(value) for value in (0.51239, 0.688, 0.00012, 0.5, 1.87, 26.04, 1234.5, 12345)]
    ['0.5124', '0.6880', '0.00012', '0.5', '1.87', '26.0', '1,234', '12,345']
    >>> [shown(value) for value in ("PLST", None, float("nan"))]
    ['PLST', '', '']
    """
    if value is None or value != value:
        return ""
    if isinstance(value, bool | str):
        return str(value)
    if isinstance(value, int) or abs(value) >= 1000:
        return f"{value:,.0f}"
    if abs(value) >= 10 or value == round(value, 1):
        return f"{value:.1f}"
    if value == round(value, 2):
        return f"{value:.2f}"
    return f"{value:.2g}" if abs(value) < 1e-3 else f"{value:.4f}"


def sortable(value: Any) -> str:
    """What a table is sorted by: the number itself, or the text; nothing where there is none."""
    return "" if value is None or value != value else str(value)


def _text(name: str) -> str:
    return (files("skfactor.report") / "templates" / name).read_text(encoding="utf-8")
