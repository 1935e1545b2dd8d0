"""Run benchmarks by name and print what they found, a line each."""

import importlib
import pkgutil
import sys
from pathlib import Path


def main() -> None:
    wanted = tuple(sys.argv[1:]) or ("",)
    names = [info.name for info in pkgutil.iter_modules([str(Path(__file__).parent)])]
    for name in names:
        if name.startswith(wanted) and not name.startswith("_"):
            importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
