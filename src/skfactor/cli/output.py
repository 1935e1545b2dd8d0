"""What a verb says: a result on stdout, for people or as JSON, and remarks and progress on stderr."""

from __future__ import annotations

import json
import math
import os
import secrets
import sys
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from rich.console import Console

Item = TypeVar("Item")


class Out:
    """The two streams of a verb.

    Parameters
    ----------
    as_json : bool
        Whether the result is a JSON document.
    quiet : bool
        Whether remarks and progress are left out.
    """

    def __init__(self, as_json: bool, quiet: bool):
        self.as_json, self.quiet = as_json, quiet
        self._said: set[str] = set()

    def result(self, document: Any, show: Callable[[], None]) -> None:
        """Print `document` as JSON, or call `show`, which prints it for people."""
        if self.as_json:
            print(json.dumps(plain(document), ensure_ascii=False, allow_nan=False))
        else:
            show()

    def line(self, text: str = "", style: str = "") -> None:
        """Print a line of text to stdout."""
        _console(sys.stdout).print(text, style=style or None, markup=False, highlight=False, soft_wrap=True)

    def paragraph(self, text: str, indent: str = "  ") -> None:
        """Print a long text to stdout, broken to the width of the terminal if it is one."""
        width = _console(sys.stdout).width if sys.stdout.isatty() else sys.maxsize
        self.line(textwrap.fill(text, width, initial_indent=indent, subsequent_indent=indent))

    def table(self, columns: Sequence[str], rows: Iterable[Sequence[str]], left: int = 1) -> None:
        """Print a table to stdout, whose first `left` columns are text and the others numbers."""
        from rich.box import SIMPLE_HEAD
        from rich.table import Table
        from rich.text import Text

        table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
        for place, name in enumerate(columns):
            text = place < left
            table.add_column(Text(name), justify="left" if text else "right", overflow="fold", no_wrap=not text)
        for row in rows:
            table.add_row(*map(Text, row))
        _console(sys.stdout).print(table)

    def pairs(self, pairs: Iterable[tuple[str, str]]) -> None:
        """Print names and values to stdout, one pair in each line."""
        listed = list(pairs)
        width = max(len(name) for name, _ in listed)
        for name, value in listed:
            self.line(f"{name:<{width}}  {value}")

    def remark(self, text: str) -> None:
        """Print a line to stderr, once: a second fold need not say what the first one said."""
        if not self.quiet and text not in self._said:
            self._said.add(text)
            print(text, file=sys.stderr)

    def waiting(self, text: str) -> AbstractContextManager[Any]:
        """Show a spinner on stderr for the time of something long."""
        console = _console(sys.stderr)
        return console.status(text) if console.is_terminal and not self.quiet else nullcontext()

    def track(self, items: Iterable[Item], text: str, count: int) -> Iterator[Item]:
        """Go through `items`, which are `count`, with a progress bar on stderr."""
        from rich.progress import Progress

        console = _console(sys.stderr)
        hidden = self.quiet or not console.is_terminal
        # What is printed to stdout meanwhile stays there: by default it would go to the console of the bar.
        with Progress(console=console, transient=True, disable=hidden, redirect_stdout=False) as progress:
            yield from progress.track(items, count, description=text)


def _console(stream: IO[str]) -> Console:
    from rich.console import Console

    # Where nobody sees it, a table may be as wide as it needs to be.
    return Console(file=stream, width=None if stream.isatty() else 200)


def plain(value: Any) -> Any:
    """Make what JSON knows of numbers of NumPy, paths, and objects; NaN and infinity become None."""
    if isinstance(value, dict):
        return {str(key): plain(part) for key, part in value.items()}
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    if hasattr(value, "tolist"):
        return plain(value.tolist())
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value if isinstance(value, str | int | float | None) else str(value)


@contextmanager
def new_file(path: Path, force: bool) -> Iterator[Path]:
    """Give a temporary name beside `path`, which becomes `path` at the end if nothing went wrong.

    A file that is there already is replaced only by `force`.
    """
    refuse_overwriting(path, force)
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        yield unfinished
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def refuse_overwriting(path: Path, force: bool) -> None:
    """Refuse a `path` that cannot be written, before the work is done that shall be written there."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder. Name a file.")
    if not path.parent.is_dir():
        raise FileNotFoundError(f"There is no folder {path.parent}. Create it first.")
    if path.exists() and not force:
        raise ValueError(f"{path} is there already: --force replaces it.")
