"""Options that several verbs have, and how their text is read."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any

import typer

Source = Annotated[
    str, typer.Argument(metavar="DATA", help="A name of 'skfactor data list', or a file: .arff, .csv, .npz, ...")
]
Labels = Annotated[
    str | None,
    typer.Option(
        metavar="XML|NAMES|COUNT",
        help="Which attributes of an .arff are labels: a Mulan XML, names with commas, or how many (the first; "
        "the last if negative). Default: the XML of the same name beside it.",
    ),
]
Tags = Annotated[
    str | None,
    typer.Option(
        metavar="COLUMN", help="The column of tags of a table; or 0/1 columns, with commas.", show_default="tags"
    ),
]
Drop = Annotated[
    list[str],
    typer.Option(
        default_factory=list, show_default=False, metavar="COLUMN", help="Leave a column out. May be repeated."
    ),
]
Reading = Annotated[
    list[str],
    typer.Option(
        "--read",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="Other options of the loader, as delimiter=';'.",
    ),
]
Method = Annotated[
    str, typer.Option("--method", "-m", metavar="NAME", help="The method, such as RidgeBR or PLST.")
]
Settings = Annotated[
    list[str],
    typer.Option(
        "--set",
        "-s",
        default_factory=list,
        show_default=False,
        metavar="NAME=VALUE",
        help="A parameter of the method. May be repeated.",
    ),
]
Decision = Annotated[
    str | None,
    typer.Option(metavar="RULE", help="How scores become labels: threshold, label_thresholds, top_k, ..."),
]
OutFile = Annotated[Path, typer.Option("--out", "-o", metavar="FILE", help="The file to write.")]
Force = Annotated[bool, typer.Option("--force", help="Replace the file if it is there.")]

_WORDS = {"true": True, "false": False, "none": None}


def typed(text: str) -> Any:
    """Read a value as it would be written in Python: a whole number, a number, true, false, none, or text.

    >>> [typed(text) for text in ("5", "1e-3", "True", "none", "std")]
    [5, 0.001, True, None, 'std']
    """
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


def assignments(texts: Iterable[str], option: str) -> dict[str, Any]:
    """Read what a repeated option `NAME=VALUE` was given.

    >>> assignments(["ridge=0.3", "scale=std"], "--set")
    {'ridge': 0.3, 'scale': 'std'}
    """
    pairs = [text.partition("=") for text in texts]
    for name, equals, _ in pairs:
        if not (name.strip() and equals):
            raise ValueError(f"{option} needs NAME=VALUE, got {name!r}.")
    return {name.strip(): typed(value.strip()) for name, _, value in pairs}


def listed(text: str) -> list[str]:
    """Split a list with commas.

    >>> listed("micro_f1, one_error")
    ['micro_f1', 'one_error']
    """
    return [part.strip() for part in text.split(",") if part.strip()]


def choose(name: str, choices: Iterable[str], lack: str) -> str:
    """Find `name` among `choices`, in whatever case and with - for _; else `lack` begins the message.

    >>> choose("ridgebr", ["PLST", "RidgeBR"], "There is no method")
    'RidgeBR'
    >>> choose("RigdeBR", ["PLST", "RidgeBR"], "There is no method")
    Traceback (most recent call last):
    ValueError: There is no method 'RigdeBR'. Did you mean RidgeBR? Choose from PLST, RidgeBR.
    """
    known = {_folded(choice): choice for choice in choices}
    if _folded(name) in known:
        return known[_folded(name)]
    close = difflib.get_close_matches(_folded(name), known, n=2)
    meant = f" Did you mean {' or '.join(known[key] for key in close)}?" if close else ""
    raise ValueError(f"{lack} {name!r}.{meant} Choose from {', '.join(known.values())}.")


def _folded(name: str) -> str:
    return name.casefold().replace("-", "_")
