"""Rows that a verb of `skfactor rate` found: as CSV, into a file, or as JSON."""

from __future__ import annotations

import csv
import sys
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from skfactor.cli.output import Out, new_file


def deliver(
    out: Out, rows: list[dict[str, Any]], document: dict[str, Any], target: Path | None, force: bool, noun: str
) -> None:
    """Write `rows` to `target`, or print them; with --json, `document` is printed, and the rows if not written."""
    if target is None:
        out.result(document | {"rows": rows}, lambda: _write(None, rows))
        return
    with new_file(target, force) as unfinished:
        _write(unfinished, rows)
    document |= {"rows": len(rows), "out": target}
    out.result(document, lambda: out.remark(f"{len(rows)} {noun} written to {target}"))


def _write(path: Path | None, rows: list[dict[str, Any]]) -> None:
    with nullcontext(sys.stdout) if path is None else path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]) if rows else [], lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
        file.flush()
