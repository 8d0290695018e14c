"""The preflight stage: finished PDFs are read back and compared with their manifest.

What it offers is imported on first use: a worker process, which imports this package to look at
pages, does without what writes the report.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.preflight.checks import CHECKS, codes_of
    from generator.preflight.inspection import Build, Report, preflight, preflight_build
    from generator.preflight.pdf import PdfReport, check_pdf
    from generator.preflight.report import REPORTS, diagnostics, part_of, report_texts, write_report
    from generator.preflight.second_renderer import second_programs, seen_otherwise

__all__ = [
    "CHECKS",
    "REPORTS",
    "Build",
    "PdfReport",
    "Report",
    "check_pdf",
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


__getattr__ = on_first_use(
    __name__,
    {
        "checks": "CHECKS codes_of",
        "inspection": "Build Report preflight preflight_build",
        "pdf": "PdfReport check_pdf",
        "report": "REPORTS diagnostics part_of report_texts write_report",
        "second_renderer": "second_programs seen_otherwise",
    },
)
