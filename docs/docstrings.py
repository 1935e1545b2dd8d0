"""Numpydoc docstrings as plain HTML: paragraphs, lists of parameters, and formulas as they stand."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup, escape

_UNDERLINED = re.compile(r"^(\S.*)\n-{3,}$\n?", re.MULTILINE)
_CODE = re.compile(r"`+([^`]+)`+")
_ENTRIES = ("Parameters", "Attributes", "Returns", "Yields", "Raises")


@dataclass(frozen=True)
class Docstring:
    """A docstring in its parts.

    Attributes
    ----------
    summary : str
        Its first line.
    text : Markup
        What follows, up to the first section.
    sections : dict of str to Markup
    """

    summary: str
    text: Markup
    sections: dict[str, Markup]


def parsed(thing: Any) -> Docstring:
    """The docstring of a class or a function.

    >>> parsed(parsed).summary
    'The docstring of a class or a function.'
    """
    opening, *rest = _UNDERLINED.split(inspect.getdoc(thing) or "")
    summary, _, text = opening.partition("\n\n")
    sections = {
        title: entries(body) if title in _ENTRIES else blocks(body)
        for title, body in zip(rest[::2], rest[1::2], strict=True)
    }
    return Docstring(" ".join(summary.split()), blocks(text), sections)


def inline(text: str) -> Markup:
    """Text of one paragraph, with code between backticks.

    >>> inline("where `a < b`")
    Markup('where <code>a &lt; b</code>')
    """
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(" ".join(text.split())))))


def blocks(text: str) -> Markup:
    r"""Paragraphs; what is indented or an example stays as it stands.

    >>> blocks("It minimizes\n\n    a - b\n\nover b.")
    Markup('<p>It minimizes</p>\n<pre>a - b</pre>\n<p>over b.</p>')
    """
    return Markup("\n").join(_block(lines) for lines in _pieces(text))


def entries(text: str) -> Markup:
    r"""A list of parameters: name and type, and below it, indented, what it means.

    >>> entries("a : int\n    How many.")
    Markup('<dl><dt><code>a</code> <span>int</span></dt><dd><p>How many.</p></dd></dl>')
    """
    heads = re.split(r"^(?=\S)", text, flags=re.MULTILINE)
    return Markup("<dl>{}</dl>").format(Markup("").join(_entry(head) for head in heads if head.strip()))


def _entry(text: str) -> Markup:
    head, _, body = text.partition("\n")
    name, _, kind = head.partition(" : ")
    return Markup("<dt><code>{}</code> <span>{}</span></dt><dd>{}</dd>").format(
        name, kind, blocks(textwrap.dedent(body))
    )


def _pieces(text: str) -> Iterator[str]:
    """Paragraphs, but with what is indented joined across empty lines, and so with examples."""
    whole = ""
    for piece in re.split(r"\n\s*\n", text.strip("\n")):
        if whole and _stands(piece) and _stands(whole):
            whole += "\n\n" + piece
            continue
        if whole.strip():
            yield whole
        whole = piece
    if whole.strip():
        yield whole


def _stands(piece: str) -> bool:
    return piece.startswith((" ", ">>>"))


def _block(piece: str) -> Markup:
    if _stands(piece):
        return Markup("<pre>{}</pre>").format(textwrap.dedent(piece))
    return Markup("<p>{}</p>").format(inline(piece))
