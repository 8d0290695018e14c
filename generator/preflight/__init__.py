"""The preflight stage: finished PDFs are read back and compared with their manifest."""

from generator.preflight.checks import CHECKS, Check
from generator.preflight.finding import Finding
from generator.preflight.inspection import Build, Report, preflight, preflight_build
from generator.preflight.report import REPORTS, diagnostics, write_report

__all__ = [
    "CHECKS",
    "REPORTS",
    "Build",
    "Check",
    "Finding",
    "Report",
    "diagnostics",
    "preflight",
    "preflight_build",
    "write_report",
]
