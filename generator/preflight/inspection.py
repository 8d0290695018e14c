"""Decides how a finished PDF is checked: by the manifest beside it, and as any PDF."""

from __future__ import annotations

from pathlib import Path

from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.model.catalogue import PdfProfile
from generator.preflight.finding import Finding, one_a_cause
from generator.preflight.own_file import check_own, entry_of
from generator.preflight.pdf import check_pdf


def preflight(path: Path, profile: PdfProfile | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with a PDF, or would be for whoever prints it by a profile.

    A file that is as Gridpress built it was checked by that build, and is checked again only for a
    profile. Raises GridpressError for a file that cannot be read (GP002).
    """
    if not path.is_file():
        message = "there is no such file" if not path.exists() else "this is not a file"
        raise GridpressError(Diagnostic(Span(str(path)), "GP002", message, "name a PDF file"))
    try:
        entry = entry_of(path)
        changed = None if entry is None else check_own(path, entry)
        if changed == () and profile is None:
            return ()
        if any(each.code == "GP808" for each in changed or ()):  # it cannot be opened
            return one_a_cause(changed or ())
        return one_a_cause((*(changed or ()), *check_pdf(path, profile)))
    except OSError as error:
        message = f"the file cannot be read: {error.strerror or error}"
        raise GridpressError(Diagnostic(Span(str(path)), "GP002", message)) from error
