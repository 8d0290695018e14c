"""Checks of any PDF at the level of its objects: `check_pdf`. No page is drawn for them."""

from generator.preflight.pdf.pdf_check import check_pdf

__all__ = ["check_pdf"]
