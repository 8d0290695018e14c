"""The preflight stage: a finished PDF is read back and compared with its manifest."""

from generator.preflight.checks import CHECKS, Check
from generator.preflight.inspection import Report, preflight

__all__ = ["CHECKS", "Check", "Report", "preflight"]
