"""What all verbs share: the options --json, --quiet and --debug, errors as one line, and exit codes."""

from __future__ import annotations

import inspect
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Annotated, Any

import typer

from skfactor.cli.output import Out

FINDINGS, BAD_INPUT, INTERRUPTED = 1, 2, 130

_JSON = Annotated[bool, typer.Option("--json", help="Print one JSON document instead, for machines.")]
_QUIET = Annotated[bool, typer.Option("--quiet", "-q", help="No progress and no remarks.")]
_DEBUG = Annotated[bool, typer.Option("--debug", help="Show where in the code an error came from.")]
_SHARED = {"json": _JSON, "quiet": _QUIET, "debug": _DEBUG}

#: Errors that people cause: their message is all there is to say. Of others, the type is said too.
_EXPECTED = (ValueError, TypeError, OSError, ImportError, MemoryError)


def verb(*examples: str) -> Callable[[Callable[..., int | None]], Callable[..., None]]:
    """Make a verb of a function.

    Parameters
    ----------
    *examples : str
        Lines for the end of the help text.

    Returns
    -------
    callable
        Decorator of a function whose first parameter is an `Out` and whose others are typer's; the function
        returns an exit code, or None for 0.
    """

    def decorate(function: Callable[..., int | None]) -> Callable[..., None]:
        @wraps(function)
        def run(*, json: bool, quiet: bool, debug: bool, **options: Any) -> None:
            out = Out(json, quiet)
            with _errors_told(debug), _warnings_told(out):
                code = function(out, **options)
            raise typer.Exit(code or 0)

        vars(run).update(__signature__=_signature(function), examples=examples)
        return run

    return decorate


def examples_of(function: Callable[..., Any]) -> tuple[str, ...]:
    """The examples that a verb was made with."""
    return tuple(vars(function)["examples"])


def fail(message: str, hint: str = "") -> None:
    """Print the one line of an error to stderr."""
    print("error:", *message.split(), *hint.split(), file=sys.stderr)


def _signature(function: Callable[..., Any]) -> inspect.Signature:
    """The function's own parameters without the first, and the shared ones: what typer makes options of."""
    _, *own = inspect.signature(function, eval_str=True).parameters.values()
    shared = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=False, annotation=annotation)
        for name, annotation in _SHARED.items()
    ]
    return inspect.Signature([*own, *shared])


@contextmanager
def _errors_told(debug: bool) -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        fail("interrupted")
        raise typer.Exit(INTERRUPTED) from None
    except BrokenPipeError:  # the reader, such as `head`, has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise typer.Exit(0) from None
    except (typer.Exit, typer.Abort):
        raise
    except Exception as error:
        if hasattr(error, "format_message"):  # a usage error, which the group tells
            raise
        if debug:
            traceback.print_exc()
        fail(_message(error))
        raise typer.Exit(BAD_INPUT) from None


def _message(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{os.fspath(error.filename)}: {error.strerror.lower()}"
    if isinstance(error, MemoryError):
        return str(error) or "there is not enough memory"
    if isinstance(error, _EXPECTED) and str(error):
        return str(error)
    return f"{type(error).__name__}: {error} (--debug shows where)"


@contextmanager
def _warnings_told(out: Out) -> Iterator[None]:
    """Make remarks of the warnings that are meant for users."""

    def tell(message: Warning | str, *_: Any, **__: Any) -> None:
        out.remark(f"warning: {' '.join(str(message).split())}")

    with warnings.catch_warnings():
        warnings.simplefilter("always", UserWarning)
        warnings.showwarning = tell
        yield
