"""The bands of `skfactor reproduce --quick`, from the figures that are stored in `reproduction/`.

    python -m experiments.quick_bands ommf-2

prints the end of the table's file: for what `SLICES` names, the stored figure of the part that a quick run takes,
and to both sides one standard deviation over all parts, or a fiftieth of the figure where that is more.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

REPRODUCED = Path(__file__).parent.parent / "reproduction"
SHARE = 1 / 50
#: What is quick: data sets, and their methods.
SLICES: dict[str, dict[str, list[str]]] = {
    "mnmtf-2": {"yahoo-business": ["RidgeBR", "ORI", "MNMTF"]},
    "ommf-2": {"scene": ["RidgeBR", "OMMF", "TWOMF"]},
    "thesis-3.19": {"ml-1m": ["ItemMedian", "BiasOnly"]},
    "thesis-4.1": {"ml-100k": ["ItemMedian", "BiasOnly", "MMMF-weighted"]},
    "thesis-5.9": {"emotions": ["RidgeBR", "MLC-HMF"]},
    "thesis-6.2": {"cal500": ["RidgeBR", "GroPLE"]},
    "twomf-3": {"corel5k": ["RidgeBR", "TWOMF"]},
}


def band(cell: dict[str, Any]) -> list[float]:
    """The least and the greatest value that is let pass."""
    figure = cell["values"][0]
    room = max(cell["sd"] or 0, SHARE * figure)
    return [float(f"{value:.4g}") for value in (figure - room, figure + room)]


def quick(table: str) -> str:
    """The section as TOML."""
    cells = json.loads((REPRODUCED / f"{table}.json").read_text())["cells"]
    lines = [
        "# The first part. Bands by experiments/quick_bands.py: its stored figure ± a standard deviation.",
        "[quick]",
    ]
    for dataset, methods in SLICES[table].items():
        lines += ["", f"[quick.bands.{dataset}]"]
        for method in methods:
            found = [c for c in cells if (c["dataset"], c["method"]) == (dataset, method) and c["parts"]]
            bands = ", ".join(f"{cell['metric']} = {band(cell)}" for cell in found)
            lines += [f"{method} = {{ {bands} }}"] if found else []
    return "\n".join(lines)


if __name__ == "__main__":
    for name in sys.argv[1:] or SLICES:
        print(quick(name), end="\n\n")
