"""The preflight stage: finished PDFs are read back and compared with their manifest.

What it offers is imported on first use: a worker process, which imports this package to look at
pages, does without what writes the report.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from generator.preflight.checks import CHECKS, codes_of
    from generator.preflight.inspection import Build, Report, preflight, preflight_build
    from generator.preflight.report import REPORTS, diagnostics, part_of, report_texts, write_report
    from generator.preflight.second_eye import second_programs, seen_otherwise

_HOMES: Final = {
    "CHECKS": "checks",
    "codes_of": "checks",
    "REPORTS": "report",
    "Build": "inspection",
    "Report": "inspection",
    "diagnostics": "report",
    "part_of": "report",
    "preflight": "inspection",
    "preflight_build": "inspection",
    "report_texts": "report",
    "second_programs": "second_eye",
    "seen_otherwise": "second_eye",
    "write_report": "report",
}

__all__ = [
    "CHECKS",
    "REPORTS",
    "Build",
    "Report",
    "codes_of",
    "diagnostics",
    "part_of",
    "preflight",
    "preflight_build",
    "report_texts",
    "second_programs",
    "seen_otherwise",
    "write_report",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
