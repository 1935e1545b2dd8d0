"""Which attributes of an ARFF file are labels.

Mulan says it in an XML file, MEKA in the name of the relation.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree import ElementTree as ET

from skfactor.datasets.arff_header import Header
from skfactor.datasets.errors import DataFormatError

_MEKA_COUNT = re.compile(r"(?:^|\s)-C\s+(-?\d+)")
#: The end of the name of a file that is one part of a split.
PART = re.compile(r"[-_](train|test)$", re.IGNORECASE)

#: A Mulan XML, the names of the labels, which may be none, MEKA's count, or None to search for one of them.
LabelSource = str | os.PathLike[str] | Sequence[str] | int | None


def label_places(header: Header, path: Path, labels: LabelSource, required: bool = True) -> list[int]:
    """Find the places of the label attributes, in the order in which `labels` has them.

    Unless labels are `required`, those that the file lacks do not count.
    """
    if labels is None:
        labels = _search(header, path, required)
    if isinstance(labels, int):
        return _first_or_last(labels, len(header.attributes), path)
    names = read_label_xml(labels) if isinstance(labels, str | os.PathLike) else list(labels)
    places = {attribute.name: place for place, attribute in enumerate(header.attributes)}
    unknown = [name for name in names if name not in places]
    if unknown and required:
        source = labels if isinstance(labels, str | os.PathLike) else "labels"
        raise DataFormatError(path, f"{source} names {_some(unknown)}, which the file has no attribute for.")
    if len(set(names)) < len(names):
        raise DataFormatError(path, "labels must name each attribute once.")
    return [places[name] for name in names if name in places]


def read_label_xml(path: str | os.PathLike[str]) -> list[str]:
    """Read the names of the labels, nested ones too, from a Mulan XML."""
    try:
        root = ET.parse(path).getroot()
    except (ET.ParseError, LookupError, ValueError) as error:  # the latter two of its encoding
        line, _ = getattr(error, "position", (None, None))
        raise DataFormatError(path, f"not well-formed XML ({error}).", line) from None
    names = [element.get("name") for element in root.iter() if element.tag.rpartition("}")[2] == "label"]
    if not names or None in names:
        raise DataFormatError(path, 'expected elements <label name="...">, as in the XML files of Mulan.')
    return [name for name in names if name is not None]


def _search(header: Header, path: Path, required: bool) -> Path | int | list[str]:
    for stem in (path.stem, PART.sub("", path.stem)):
        beside = path.with_name(f"{stem}.xml")
        if beside.is_file():
            return beside
    found = _MEKA_COUNT.search(header.relation)
    if found:
        return int(found[1])
    if not required:
        return []
    raise DataFormatError(
        path,
        f"which attributes are labels? There is no {path.stem}.xml beside it, and no '-C count' in the "
        "@relation. Pass labels= (an XML file, names, [] for none, or a count: the first n, or the last n if "
        "negative).",
    )


def _first_or_last(count: int, attributes: int, path: Path) -> list[int]:
    if not 0 < abs(count) < attributes:
        message = f"labels={count} leaves no label or no feature of {attributes} attributes."
        raise DataFormatError(path, message)
    return list(range(count) if count > 0 else range(attributes + count, attributes))


def _some(names: Sequence[str], shown: int = 3) -> str:
    text = ", ".join(map(repr, names[:shown]))
    return text if len(names) <= shown else f"{text} and {len(names) - shown} more"
