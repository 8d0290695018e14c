"""The preflight stage: checks of faces, sets and sheets as they are made, and of finished files.

Modules are imported on first use, since PDF libraries take long to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.preflight.face_checks import check_face, traits_of
    from generator.preflight.finding import Finding, one_a_cause
    from generator.preflight.inspection import preflight
    from generator.preflight.own_file import check_written
    from generator.preflight.page_checks import check_sheets
    from generator.preflight.report import REPORT, findings_page
    from generator.preflight.set_checks import check_set

__all__ = [
    "REPORT",
    "Finding",
    "check_face",
    "check_set",
    "check_sheets",
    "check_written",
    "findings_page",
    "one_a_cause",
    "preflight",
    "traits_of",
]


__getattr__ = on_first_use(
    __name__,
    {
        "face_checks": "check_face traits_of",
        "finding": "Finding one_a_cause",
        "inspection": "preflight",
        "own_file": "check_written",
        "page_checks": "check_sheets",
        "report": "REPORT findings_page",
        "set_checks": "check_set",
    },
)
