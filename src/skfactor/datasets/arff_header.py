"""The header of an ARFF file: what its columns are called and what they may hold."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass

from skfactor.datasets.errors import DataFormatError

#: A quoted string with backslash escapes.
QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_KEYWORD = re.compile(r"@(relation|attribute|data)\b\s*(.*)", re.IGNORECASE | re.DOTALL)
_NAME = re.compile(rf"({QUOTED}|[^\s{{]+)\s*(.*)", re.DOTALL)
# A value, or a column and a value as in sparse rows, up to the next comma.
_CELL = re.compile(rf"\s*((?:\d+\s+)?(?:{QUOTED}|[^,]*?))\s*(?:,|$)")
_ESCAPE = re.compile(r"\\(.)")
_CONTROL = {"n": "\n", "r": "\r", "t": "\t"}
_NUMERIC = {"numeric", "real", "integer"}
_TEXT = {"string", "date"}

#: The words by which two-valued attributes say no and yes.
NEGATIVE = frozenset({"0", "0.0", "-1", "no", "n", "false", "f", "off", "absent"})
POSITIVE = frozenset({"1", "1.0", "+1", "yes", "y", "true", "t", "on", "present"})


@dataclass(frozen=True)
class Attribute:
    """One column of an ARFF file.

    Attributes
    ----------
    name : str
        Its name, without quotes.
    values : tuple of str or None
        The values of a nominal attribute, in the order of the file; None for the other kinds.
    text : bool
        Whether it holds strings or dates, of which no feature can be made.
    """

    name: str
    values: tuple[str, ...] | None = None
    text: bool = False

    @property
    def binary(self) -> bool:
        """Whether it says no and yes by known words, in any order."""
        words = [value.lower() for value in self.values or ()]
        negatives, positives = (sum(word in known for word in words) for known in (NEGATIVE, POSITIVE))
        return bool(words) and negatives <= 1 and positives <= 1 and negatives + positives == len(words)


@dataclass(frozen=True)
class Header:
    """The name of the relation and its columns."""

    relation: str
    attributes: list[Attribute]


def read_header(lines: Iterator[tuple[int, str]], path: str | os.PathLike[str]) -> Header:
    """Read numbered `lines` up to and including `@data`."""
    relation, attributes = "", []
    for number, line in lines:
        if skippable(line):
            continue
        found = _KEYWORD.fullmatch(line.strip())
        if not found:
            message = f"expected @relation, @attribute or @data, got {shorten(line)!r}."
            raise DataFormatError(path, message, number)
        keyword, rest = found[1].lower(), found[2]
        if keyword == "relation":
            relation = unquote(rest)
        elif keyword == "attribute":
            attributes.append(_attribute(rest, path, number))
        else:
            _refuse_duplicates(attributes, path)
            return Header(relation, attributes)
    raise DataFormatError(path, "no @data line: the file is cut off, or not ARFF.")


def _attribute(text: str, path: str | os.PathLike[str], number: int) -> Attribute:
    found = _NAME.fullmatch(text.strip())
    if not found or not found[2]:
        raise DataFormatError(path, f"expected '@attribute name type', got {shorten(text)!r}.", number)
    name, kind = unquote(found[1]), found[2].strip()
    word = kind.split()[0].lower()
    if word in _NUMERIC | _TEXT:
        return Attribute(name, text=word in _TEXT)
    if not (kind.startswith("{") and kind.endswith("}")):
        message = (
            f"attribute {name!r} has the type {shorten(kind)!r}; known are numeric, real, integer, string, "
            "date and {value, ...}. A name with spaces needs quotes."
        )
        raise DataFormatError(path, message, number)
    values = tuple(split_values(kind[1:-1]))
    if not all(values) or len(set(values)) < len(values):
        raise DataFormatError(path, f"attribute {name!r} lists an empty or repeated value.", number)
    return Attribute(name, values)


def _refuse_duplicates(attributes: list[Attribute], path: str | os.PathLike[str]) -> None:
    if not attributes:
        raise DataFormatError(path, "no @attribute before @data.")
    seen: set[str] = set()
    for attribute in attributes:
        if attribute.name in seen:
            raise DataFormatError(path, f"attribute {attribute.name!r} is declared twice. Rename one.")
        seen.add(attribute.name)


def split_values(text: str) -> list[str]:
    """Split at the commas outside of quotes, and strip these.

    >>> split_values("a, 'b, c', ?")
    ['a', 'b, c', '?']
    """
    return [unquote(cell) for cell in split_cells(text)]


def split_cells(text: str) -> list[str]:
    """Split at the commas outside of quotes, which stay."""
    # `finditer` would find one more, empty value at the very end.
    cells, end = [], 0
    while True:
        found = _CELL.match(text, end)
        assert found  # the unquoted alternative takes everything
        cells.append(found[1])
        end = found.end()
        if end == len(text) and not found[0].endswith(","):
            return cells


def unquote(text: str) -> str:
    r"""Strip quotes and resolve the escapes between them.

    >>> unquote(r"'it\'s'")
    "it's"
    """
    text = text.strip()
    if len(text) < 2 or text[0] not in "'\"" or text[0] != text[-1]:
        return text
    return _ESCAPE.sub(lambda found: _CONTROL.get(found[1], found[1]), text[1:-1])


def skippable(line: str) -> bool:
    """Tell whether `line` is blank or a comment."""
    start = line.lstrip()
    return not start or start.startswith("%")


def shorten(text: str, width: int = 40) -> str:
    """Cut a long `text`, for messages."""
    text = text.strip()
    return text if len(text) <= width else text[: width - 3] + "..."
