"""Pictures of data, models and comparisons, and the HTML report that holds them."""

from __future__ import annotations

from skfactor.report.report import report, write_report

__all__ = ["report", "write_report"]
