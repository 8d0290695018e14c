"""A finished PDF in, all that the checks have to say about it out.

Only what is in the file counts: it is read back from the disk, never from what wrote it.
"""

from __future__ import annotations

import hashlib
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pikepdf

from generator import limits
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.preflight.checks import CHECKS, Scope, of
from generator.preflight.expectation import (
    ExpectedFile,
    files_listed,
    read_manifest,
    waivers_listed,
)
from generator.preflight.finding import Finding
from generator.preflight.matching import match_page
from generator.preflight.reading import read_page
from generator.preflight.scrutiny import KnownFaces, Progress, Scrutiny, Sighting
from generator.preflight.subject import Subject
from generator.preflight.waiving import Waived, idle, waive
from generator.refusals import is_full, no_room_for_work
from generator.sums import summed
from generator.workers import WorkerCrash

MANIFEST: Final = "manifest.json"
_ODD: Final = (pikepdf.PdfError, AttributeError, KeyError, TypeError, ValueError, RuntimeError)
"""What reading raises where a PDF has one thing in the place of another."""


@dataclass(frozen=True, slots=True)
class Report:
    """What was looked at (a file, its pages, faces drawn on them, the titles of the checks that
    ran), what was found, and what of that the author accepts. `faults` are of a file that cannot
    be checked at all; `ink` is which part of each page that was seen solid ink would cover."""

    file: Path
    pages: int = 0
    faces: int = 0
    checks: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    waived: tuple[Waived, ...] = ()
    faults: tuple[Diagnostic, ...] = ()
    ink: tuple[float, ...] = ()

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """All that there is to say on a terminal."""
        return (*self.faults, *(f.diagnostic(str(self.file)) for f in self.findings))


@dataclass(frozen=True, slots=True)
class Build:
    """The reports of all files of a build, and what is to be said of the pack as a whole."""

    reports: tuple[Report, ...]
    findings: tuple[Finding, ...] = ()


def unseen(done: int, total: int) -> None:
    """The progress that nobody watches."""


def preflight(
    pdf: Path,
    manifest: Path | None = None,
    jobs: int = 1,
    progress: Progress = unseen,
    known: KnownFaces | None = None,
) -> Report:
    """Check a finished PDF against its manifest, by default the `manifest.json` beside it.

    Without a manifest only the checks that need none run. A file that cannot be read at all
    (GP002), or is damaged, encrypted or no PDF (GP808), has one fault. `progress` is told how many
    pages were looked at, of how many. `known` are faces seen in other files of the same build.
    """
    beside = pdf.parent / MANIFEST
    expected: Outcome[ExpectedFile | None] = Outcome(None)
    if manifest is not None or beside.is_file():
        expected = read_manifest(manifest or beside, pdf.name)
    try:
        with limits.at(pdf, limits.BEGINNING):
            report = _inspect(pdf, expected.value, jobs, progress, known)
    except GridpressError as error:
        return Report(pdf, faults=(*expected.diagnostics, *error.diagnostics))
    return replace(report, faults=expected.diagnostics)


def preflight_build(folder: Path, jobs: int = 1, progress: Progress = unseen) -> Build:
    """Check every PDF of a build against the manifest in its folder."""
    names = files_listed(folder / MANIFEST)
    pages = summed(names.values())
    reports: list[Report] = []
    known: KnownFaces | None = {} if len(names) > 1 else None
    for name in names:
        before = summed(names[report.file.name] for report in reports)
        told = _shifted(progress, before, pages)
        reports.append(preflight(folder / name, None, jobs, told, known))
    used = {waived.waiver for report in reports for waived in report.waived}
    return Build(tuple(reports), idle(waivers_listed(folder / MANIFEST), used))


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    """Progress within one file told as that within all."""
    return lambda done, _: progress(before + done, total)


def _inspect(
    path: Path,
    expected: ExpectedFile | None,
    jobs: int,
    progress: Progress,
    known: KnownFaces | None,
) -> Report:
    shown = str(path)
    try:
        with path.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        with pikepdf.open(path) as pdf:
            _refuse_unfit(pdf, shown)
            limits.allow(limits.CHECKS * len(pdf.pages))
            checks = [check for check in CHECKS if expected or not check.needs_manifest]
            seen = Sighting()
            with closing(Scrutiny(path, jobs if expected else 1, known)) as scrutiny:
                subject = _subject(pdf, shown, digest, expected)
                if expected is not None:
                    scrutiny.begin(subject, progress)
                _refuse_damage(pdf, shown)  # reads all of the file, others look at it meanwhile
                findings = [
                    finding
                    for check in checks
                    if check.scope is Scope.FILE
                    for finding in check.run(subject)
                ]
                if expected is not None:
                    seen = scrutiny.end()
            findings += seen.findings
            for check in of(Scope.SET) if expected is not None else ():
                findings += check.run(subject, seen.traces)
    except WorkerCrash as crash:
        message = f"the pages could not be looked at: {crash}"
        hint = "most often memory ran out: close other programs, or take --jobs 1"
        raise GridpressError(Diagnostic(Span(shown), "GP872", message, hint)) from crash
    except OSError as error:
        if is_full(error):
            raise no_room_for_work(error) from error
        reason = error.strerror or str(error)
        raise _unreadable("GP002", shown, f"the file cannot be read: {reason}") from error
    except pikepdf.PasswordError as error:
        message = "the file is encrypted: it can be read only with a password"
        raise _unreadable("GP808", shown, message) from error
    except _ODD as error:
        message = f"the file is damaged, or not a PDF: {_first_line(error)}"
        raise _unreadable("GP808", shown, message) from error
    faces = sum(len(page.draws) for page in subject.pages)
    titles = tuple(check.title for check in checks)
    left, waived = waive(findings, expected.waivers if expected else ())
    return Report(path, len(subject.pages), faces, titles, left, waived, ink=seen.ink)


def _subject(pdf: pikepdf.Pdf, shown: str, digest: str, expected: ExpectedFile | None) -> Subject:
    pages = tuple(read_page(number, page) for number, page in enumerate(pdf.pages, start=1))
    wanted = expected.pages if expected else ()
    matched = tuple(match_page(want, page) for want, page in zip(wanted, pages, strict=False))
    return Subject(shown, pdf, digest, pages, expected, matched)


def _refuse_unfit(pdf: pikepdf.Pdf, shown: str) -> None:
    """Raise GridpressError for a file that is encrypted or has no page."""
    if pdf.is_encrypted:
        message = "the file is encrypted, and print shops refuse such files"
        raise _unreadable("GP808", shown, message)
    if not pdf.pages:
        raise _unreadable("GP808", shown, "the file has no page")


def _refuse_damage(pdf: pikepdf.Pdf, shown: str) -> None:
    """Raise GridpressError for what qpdf had to mend to read the file at all."""
    problems = [str(problem) for problem in (*pdf.get_warnings(), *pdf.check_pdf_syntax())]
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        raise _unreadable("GP808", shown, f"the file is damaged: {problems[0]}{more}")


def _unreadable(code: str, shown: str, message: str) -> GridpressError:
    hint = "" if code == "GP002" else "build the pack again, or take a fresh copy of the file"
    return GridpressError(Diagnostic(Span(shown), code, message, hint))


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
