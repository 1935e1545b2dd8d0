"""Matplotlib figures as SVG within a page: they follow its colours, and their points tell their names."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING
from xml.etree import ElementTree as ET

from skfactor.report.figures.style import COLOURS, styled

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_SVG, _XLINK = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xlink"
_REFERENCE = re.compile(r"(\bid=\"|url\(#|href=\"#)")


def inline(figure: Figure, alt: str, prefix: str, tips: Mapping[str, Sequence[str]] | None = None) -> str:
    """An SVG element.

    Parameters
    ----------
    figure : Figure
        Drawn with the colours of `figures.style`, which become variables of the page's style sheet.
    alt : str
        What the picture shows, for those who do not see it.
    prefix : str
        For identifiers, which must be unique within a page.
    tips : mapping of str to sequence of str, optional
        By the gid of a scatter: a text for each of its points, to be shown when it is pointed at.

    Returns
    -------
    str
    """
    root = ET.fromstring(_saved(figure))
    for gid, texts in (tips or {}).items():
        _label_points(root, gid, texts)
    root.set("role", "img")
    root.set("aria-label", alt)
    for name in ("width", "height"):
        root.attrib.pop(name, None)
    text = ET.tostring(root, encoding="unicode")
    return _themed(_REFERENCE.sub(rf"\g<1>{prefix}-", text))


def _saved(figure: Figure) -> str:
    file = io.StringIO()
    with styled():
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
    return file.getvalue()


def _label_points(root: ET.Element, gid: str, texts: Sequence[str]) -> None:
    group = root.find(f".//{{{_SVG}}}g[@id='{gid}']")
    if group is None:
        raise ValueError(f"The figure has nothing with gid {gid!r}.")
    points = _points(group)
    if len(points) != len(texts):
        raise ValueError(f"{gid} has {len(points)} points, and there are {len(texts)} texts for them.")
    for point, text in zip(points, texts, strict=True):
        ET.SubElement(point, f"{{{_SVG}}}title").text = text


def _points(group: ET.Element) -> list[ET.Element]:
    """The points of a scatter: uses of one shape, or, where sizes differ, a path each."""
    uses = list(group.iter(f"{{{_SVG}}}use"))
    return uses or list(group.iter(f"{{{_SVG}}}path"))


def _themed(text: str) -> str:
    for name, colour in COLOURS.items():
        text = text.replace(colour, f"var(--{name})")
    return text


ET.register_namespace("", _SVG)
ET.register_namespace("xlink", _XLINK)
