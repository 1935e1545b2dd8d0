"""`skfactor data get`: bring a known data set here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from skfactor.cli.output import Out
from skfactor.cli.verb import verb


@verb("skfactor data get yeast", "SKFACTOR_CACHE=~/data skfactor data get ml-100k")
def data_get(
    out: Out,
    *,
    name: Annotated[str, typer.Argument(metavar="NAME", help="A name of 'skfactor data list'.")],
) -> None:
    """Fetch a data set into the cache, unless it is there already, and print its path."""
    from skfactor.datasets import fetch

    path = fetch(name, progress=sys.stderr.isatty() and not out.quiet)
    document = {"name": name, "path": path, "bytes": path.stat().st_size}
    out.result(document, lambda: out.line(str(path)))
