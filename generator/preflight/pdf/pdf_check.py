"""Checks any PDF, of whatever program, in a process with limits."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pikepdf
from pikepdf import Pdf, PikepdfError
from PIL import Image

from generator.model.catalogue import PdfProfile
from generator.preflight.finding import Finding
from generator.preflight.pdf import (
    pdf_inks,
    pdf_pages,
    pdf_pictures,
    pdf_profile,
    pdf_texts,
)
from generator.preflight.pdf.active_content import active_content
from generator.preflight.pdf.content_reader import ContentReader
from generator.preflight.pdf.gathered import by_cause
from generator.preflight.pdf.page_frame import read_frame
from generator.preflight.pdf.pdf_subject import SubjectFile, SubjectPage
from generator.workers import TooLongError, WorkerCrash, limited

SECONDS: Final = 20
"""Seconds of processor time for one file."""
_SMALL: Final = 40_000_000
"""Bytes: smaller files are unpacked as a whole to find damage."""
_FRESH: Final = "take a fresh copy of the file, or export it again"
_SIMPLER: Final = (
    "if it is meant for print, split it into files with fewer pages, or flatten its drawings"
)
_BROKEN: Final = (
    *(PikepdfError, Image.DecompressionBombError, ArithmeticError, AttributeError, LookupError),
    *(NotImplementedError, OSError, RecursionError, TypeError, ValueError),
)
"""Raised by reading where one thing is in another's place."""
_WORDS: Final = {
    "startxref": "its end is missing or wrong; perhaps it was not sent whole",
    "MediaBox": "a page has no size (MediaBox)",
}
_FILE_CHECKS: Final = (active_content, pdf_pages.boxes, pdf_pages.layers)
_OF_PROFILE: Final = (
    pdf_profile.page_sizes,
    pdf_profile.bleed,
    pdf_profile.standard,
    pdf_profile.amount,
    pdf_profile.takes_pictures,
)
_PAGE_CHECKS: Final = (
    pdf_pages.shown_content,
    pdf_texts.sizes,
    pdf_pictures.pictures,
    pdf_inks.ink_amounts,
    pdf_inks.rich_text,
    pdf_inks.white_overprints,
    pdf_inks.press_features,
    pdf_profile.colours_taken,
    pdf_profile.opaque,
)


def check_pdf(path: Path, profile: PdfProfile | None = None) -> tuple[Finding, ...]:
    """Return what is wrong with a PDF, one finding for each cause.

    With a `profile`, what its shop or printer refuses is an error. A file that cannot be read at
    all (GP002), or is damaged, encrypted or far too large to check (GP808), has one finding.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return _refused("this is not a file", "name a PDF", "GP002")
        with path.open("rb"):
            pass
    except OSError as error:
        reason = error.strerror or str(error)
        return _refused(f"it cannot be read: {reason}", "", "GP002")
    try:
        return limited(_check, (path, profile), SECONDS)
    except TooLongError:
        return _refused("this PDF takes too long to check", _SIMPLER)
    except WorkerCrash:
        return _refused("this PDF is damaged so badly that it cannot be checked", _FRESH)


def _check(task: tuple[Path, PdfProfile | None]) -> tuple[Finding, ...]:
    """Check a file in this process, which may be ended for it."""
    path, profile = task
    try:
        with pikepdf.open(path) as pdf:
            return _checked(pdf, path.stat().st_size, profile)
    except MemoryError:
        return _refused("this PDF takes too much memory to check", _SIMPLER)
    except pikepdf.PasswordError:
        return _refused("the file is encrypted", "save it without a password")
    except OSError as error:
        return _refused(f"it cannot be read: {error.strerror or error}", "", "GP002")
    except _BROKEN as error:
        return _refused(f"the file is damaged, or not a PDF: {_said(error)}", _FRESH)


def _checked(pdf: Pdf, size: int, profile: PdfProfile | None) -> tuple[Finding, ...]:
    if pdf.is_encrypted:
        hint = "print shops refuse such files: save it without a password"
        return _refused("the file is encrypted", hint)
    if not pdf.pages:
        return _refused("the file has no pages", _FRESH)
    unpacked = pdf.check_pdf_syntax() if size <= _SMALL else ()
    problems = [str(problem) for problem in (*pdf.get_warnings(), *unpacked)]
    if any("bad_alloc" in problem for problem in problems):
        raise MemoryError
    if problems:
        return _refused(f"the file is damaged: {_known(problems)}", _FRESH)
    frames = tuple(read_frame(page, n) for n, page in enumerate(pdf.pages, start=1))
    subject = SubjectFile(pdf, size, frames, profile)
    checks = (*_FILE_CHECKS, *(_OF_PROFILE if profile else ()))
    of_file = (finding for check in checks for finding in check(subject))
    return by_cause((*of_file, *_on_pages(subject)))


def _on_pages(subject: SubjectFile) -> Iterator[Finding]:
    reader, fonts = ContentReader(subject.pdf), pdf_texts.FontChecks()
    checks: Iterable[Callable[[SubjectPage], Iterable[Finding]]] = (
        *(fonts.fonts, fonts.glyphs, pdf_inks.PictureInk().check),
        *_PAGE_CHECKS,
        *(() if _is_checked(subject) else (pdf_texts.near_cut, pdf_inks.fine_lines)),
    )
    for page, frame in zip(subject.pdf.pages, subject.frames, strict=True):
        seen = SubjectPage(page, frame, reader.read(page), subject.profile)
        for check in checks:
            yield from check(seen)


def _is_checked(subject: SubjectFile) -> bool:
    """Return whether Gridpress wrote the file, so that its texts and lines are checked already."""
    creator = str(subject.pdf.docinfo.get("/Creator", ""))
    return subject.profile is None and creator.startswith("Gridpress")


def _refused(message: str, hint: str, code: str = "GP808") -> tuple[Finding, ...]:
    """The finding of a file that is not checked any further."""
    return (Finding(code, message, hint),)


def _said(error: Exception) -> str:
    """Return why something cannot be read."""
    if isinstance(error, PikepdfError):
        return _known([str(error)])
    return "an object in it is not what it should be"


def _known(problems: Sequence[str]) -> str:
    """Return what is wrong, in plain words for common faults."""
    for sign, plainer in _WORDS.items():
        if any(sign in problem for problem in problems):
            return plainer
    _, found, said = problems[0].partition(".pdf")
    return (said if found else problems[0]).strip(" :\n").partition("\n")[0][:200]
