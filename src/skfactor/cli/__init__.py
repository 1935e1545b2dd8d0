"""The command `skfactor`: data, models and comparisons from the shell."""

from __future__ import annotations

import sys
from importlib.util import find_spec


def main() -> int:
    """Run the command with the arguments of the process, and return its exit code."""
    missing = [name for name in ("typer", "rich") if find_spec(name) is None]
    if missing:
        wanted = " and ".join(missing)
        print(f"error: the command skfactor needs {wanted}: pip install 'skfactor[cli]'", file=sys.stderr)
        return 2
    from skfactor.cli.app import run

    return run()
