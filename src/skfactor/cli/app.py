"""The command and its verbs. What a verb needs is imported when it runs, so that help comes at once."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from skfactor import __version__
from skfactor.cli import (
    compare,
    data_check,
    data_describe,
    data_get,
    data_list,
    demo,
    evaluate,
    fit,
    predict,
    rate_evaluate,
    rate_fit,
    rate_predict,
    rate_recommend,
    reproduce,
    tune,
)
from skfactor.cli.verb import BAD_INPUT, INTERRUPTED, examples_of, fail


class OneLineErrors(TyperGroup):
    """A group whose usage errors are one line on stderr, like all other errors."""

    def main(self, *args: Any, **extra: Any) -> Any:
        """Run, and leave with the exit code."""
        try:
            code = super().main(*args, **{**extra, "standalone_mode": False})
        except typer.Abort:
            code = INTERRUPTED
        except Exception as error:
            # Which module has the class of usage errors depends on the version of typer; their method does not.
            if not hasattr(error, "format_message"):
                raise
            context = getattr(error, "ctx", None)
            fail(error.format_message(), f"See '{context.command_path} --help'." if context else "")
            code = BAD_INPUT
        sys.exit(code if isinstance(code, int) else 0)


def run() -> int:
    """Run the command with the arguments of the process, and return its exit code."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]
    try:
        app(prog_name="skfactor")
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _group(help_text: str) -> typer.Typer:
    return typer.Typer(
        cls=OneLineErrors,
        help=help_text,
        invoke_without_command=True,
        rich_markup_mode="rich",
        context_settings={"help_option_names": ["-h", "--help"]},
        pretty_exceptions_enable=False,
    )


app = _group("Matrix factorization for rows with labels, and for ratings. Start with: [bold]skfactor demo[/bold]")
data_app = _group("Find, fetch and examine data sets.")
rate_app = _group("Ratings of items by users: fit a model, predict levels, recommend items, measure errors.")


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"skfactor {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version, and exit.")
    ] = False,
) -> None:
    _help_without_verb(context)


@data_app.callback()
def _data(context: typer.Context) -> None:
    _help_without_verb(context)


@rate_app.callback()
def _rate(context: typer.Context) -> None:
    _help_without_verb(context)


def _help_without_verb(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


def _add(group: typer.Typer, name: str, function: Callable[..., Any]) -> None:
    # Paragraphs in one line each: it is the terminal that breaks them.
    paragraphs = (inspect.getdoc(function) or "").split("\n\n")
    text = "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)
    examples = "\n\n".join(["[bold]Examples[/bold]", *examples_of(function)])
    group.command(name, help=text, epilog=examples)(function)


_add(app, "demo", demo.demo)
app.add_typer(data_app, name="data")
_add(data_app, "list", data_list.data_list)
_add(data_app, "get", data_get.data_get)
_add(data_app, "describe", data_describe.data_describe)
_add(data_app, "check", data_check.data_check)
_add(app, "fit", fit.fit)
_add(app, "predict", predict.predict)
_add(app, "evaluate", evaluate.evaluate)
_add(app, "tune", tune.tune)
_add(app, "compare", compare.compare)
_add(app, "reproduce", reproduce.reproduce)
app.add_typer(rate_app, name="rate")
_add(rate_app, "fit", rate_fit.rate_fit)
_add(rate_app, "predict", rate_predict.rate_predict)
_add(rate_app, "recommend", rate_recommend.rate_recommend)
_add(rate_app, "evaluate", rate_evaluate.rate_evaluate)
