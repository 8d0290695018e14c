"""The preflight stage: checks of faces, sets and sheets as they are made, and of finished files.

Modules are imported on first use, since PDF libraries take long to load.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from generator import on_first_use

if TYPE_CHECKING:
    from generator.preflight.face_checks import look_over
    from generator.preflight.finding import Finding, one_a_cause
    from generator.preflight.inspection import preflight
    from generator.preflight.page_checks import PageFault, check_sheets, faults_on_pages
    from generator.preflight.report import REPORT, findings_page
    from generator.preflight.set_checks import check_together
    from generator.preflight.value_colours import compared_kinds

__all__ = [
    "REPORT",
    "Finding",
    "PageFault",
    "check_sheets",
    "check_together",
    "compared_kinds",
    "faults_on_pages",
    "findings_page",
    "look_over",
    "one_a_cause",
    "preflight",
]


__getattr__ = on_first_use(
    __name__,
    {
        "face_checks": "look_over",
        "finding": "Finding one_a_cause",
        "inspection": "preflight",
        "page_checks": "PageFault check_sheets faults_on_pages",
        "report": "REPORT findings_page",
        "set_checks": "check_together",
        "value_colours": "compared_kinds",
    },
)
