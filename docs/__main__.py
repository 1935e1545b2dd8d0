"""Make the documentation: `python -m docs` writes docs/site, which needs no network and no server."""

from __future__ import annotations

import contextlib
import inspect
import io
import re
import runpy
import shutil
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import matplotlib as mpl
from markdown_it import MarkdownIt
from markupsafe import Markup
from sklearn.base import BaseEstimator

import skfactor
from docs import which_method
from docs.docstrings import Docstring, inline, parsed
from skfactor.report.page import Picture, Table, environment

HERE = Path(__file__).parent
#: Headings of the list of methods, and where their classes are.
ROOMS = {
    "Several labels per row": "skfactor.multilabel",
    "Ratings": "skfactor.ratings",
    "Features": "skfactor.features",
    "Decisions": "skfactor.decisions",
    "Choosing parameters": "skfactor.model_selection",
}


@dataclass(frozen=True)
class Method:
    """A public class, and what its docstring says."""

    room: str
    name: str
    signature: str
    doc: Docstring


@dataclass(frozen=True)
class Example:
    """A script of the gallery: its question, the words below it, its code, what it prints, and what it draws."""

    name: str
    question: str
    text: Markup
    code: str
    printed: str
    picture: Picture | None


def methods() -> dict[str, list[Method]]:
    """Every public class, by heading."""
    return {heading: [_method(room, thing) for thing in _public(room)] for heading, room in ROOMS.items()}


def _public(room: str) -> list[Any]:
    things = [getattr(import_module(room), name) for name in import_module(room).__all__]
    classes = [thing for thing in things if isinstance(thing, type) and issubclass(thing, BaseEstimator)]
    return sorted(classes, key=lambda thing: thing.__name__.casefold())


def _method(room: str, thing: type) -> Method:
    parameters = inspect.signature(thing).parameters.values()
    signature = ", ".join(str(p.replace(annotation=inspect.Parameter.empty)) for p in parameters)
    return Method(room, thing.__name__, f"{thing.__name__}({signature})", parsed(thing))


def examples() -> list[Example]:
    """The gallery, each script run."""
    return [example(path) for path in sorted((HERE / "gallery").glob("*.py"))]


def example(path: Path) -> Example:
    """Run a script."""
    code = path.read_text(encoding="utf-8")
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        names = runpy.run_path(str(path))
    doc = parsed(type(path.stem, (), {"__doc__": names["__doc__"]}))
    body = code.split('"""', 2)[2].strip()
    figure = names.get("figure")
    picture = Picture("", figure, f"Picture: {doc.summary}", Table([], [])) if figure is not None else None
    return Example(path.stem, doc.summary, doc.text, body, printed.getvalue(), picture)


def linked(text: Markup, names: set[str], folder: str) -> Markup:
    """Names of methods become links to their pages.

    >>> linked(Markup("As in <code>PLST</code>."), {"PLST"}, "methods/")
    Markup('As in <a href="methods/PLST.html"><code>PLST</code></a>.')
    """

    def link(found: re.Match[str]) -> str:
        return f'<a href="{folder}{found[1]}.html">{found[0]}</a>' if found[1] in names else found[0]

    return Markup(re.sub(r"<code>(\w+)</code>", link, text))


def markdown(path: Path) -> Markup:
    """A Markdown file as HTML, which leads to other such files."""
    text = re.sub(r"\]\((\S+)\.md\)", r"](\1.html)", path.read_text(encoding="utf-8"))
    return Markup(MarkdownIt("commonmark").enable("table").render(text))


class Site:
    """A folder of pages that know of each other.

    Parameters
    ----------
    out : Path
        It is written anew.
    """

    def __init__(self, out: Path):
        self.out = out
        self.rooms = methods()
        self.tables = sorted((HERE.parent / "reproduction").glob("*.md"))
        names = {method.name for room in self.rooms.values() for method in room}
        self.templates = environment(HERE / "templates")
        self.templates.filters["inline"] = inline
        self.templates.filters["linked"] = lambda text, folder: linked(text, names, folder)
        style = Markup((HERE / "site.css").read_text("utf-8"))
        self.templates.globals.update(
            version=skfactor.__version__, style=style, tables=any(path.stem == "README" for path in self.tables)
        )
        shutil.rmtree(out, ignore_errors=True)

    def write(self, page: str, template: str, **values: Any) -> Path:
        """Write one page."""
        path = self.out / page
        path.parent.mkdir(parents=True, exist_ok=True)
        text = self.templates.get_template(template).render(root="../" * page.count("/"), **values)
        path.write_text(text, encoding="utf-8")
        return path

    def build(self) -> Path:
        """Write all pages; the first of them is returned."""
        self.write("methods.html", "methods.html", title="Methods", rooms=self.rooms)
        for method in (method for room in self.rooms.values() for method in room):
            self.write(f"methods/{method.name}.html", "method.html", title=method.name, method=method)
        self.write("gallery.html", "gallery.html", title="Examples", examples=examples())
        advice = {"sections": which_method.sections(), "made": which_method.evidence().record["made"]}
        self.write("which-method.html", "which_method.html", title="Which method when", **advice)
        for path in self.tables:
            self.write(f"tables/{path.stem}.html", "text.html", title=path.stem, text=markdown(path))
        return self.write("index.html", "text.html", title="skfactor", text=markdown(HERE.parent / "README.md"))


if __name__ == "__main__":
    mpl.use("svg")
    print(Site(HERE / "site").build())
