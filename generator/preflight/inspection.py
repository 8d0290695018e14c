"""Runs all checks on a finished PDF, or on all of a build, and gathers what they say.

Only what is in the file counts: it is read back from the disk, never from what wrote it."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pikepdf
from msgspec import Struct
from msgspec.structs import replace

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Severity, Span
from generator.geometry import Size, summed
from generator.model.catalogue import TRUE, PdfProfile, PrintedOn
from generator.model.manifest import MANIFEST, manifest_beside
from generator.pdf_forms import Fingerprints, unstretched
from generator.preflight import pdf_limits
from generator.preflight.checking import (
    BUG,
    FRESH,
    UNLOCKED,
    Finding,
    PageMatch,
    Subject,
    Waived,
    broken,
    elsewhere,
    found_by,
    idle,
    is_bug,
    match_page,
    one_a_cause,
    said,
    said_by,
    waive,
)
from generator.preflight.checks import CHECKS, Check, Scope, of
from generator.preflight.manifest_checks import NOT_BUILT
from generator.preflight.manifest_reader import (
    ExpectedFile,
    ManifestReader,
    opened_plain,
    unknown,
)
from generator.preflight.page_reader import (
    PageRead,
    hand_down,
    read_page,
    set_corners,
    take_art_boxes,
)
from generator.preflight.page_scan import CacheShelf, KeptFaces, KnownFaces, PageScan, ScanResult
from generator.real_folders import is_full, no_room_for_work
from generator.workers import Progress

_MOST_COMPARED: Final = 5_000_000
"""Lines of a page, times the pieces that each may be a mark of: 1,800 tokens, each with its die
line, on A3."""
_BY_CHANCE: Final = frozenset((BUG, "GP808", "GP872"))
"""What is found where looking broke down, which it may not do another time."""
_NOWHERE: Final = Path()
MOST_FINDINGS: Final = 1_000
"""Of one file that are listed: who has more has one fault many times."""
_A_PAGE, _A_MEGABYTE, _OF_PICTURES = 0.1, 2.0, 0.02
"""Seconds of processor time that it may take to read a page; a megabyte of its operators, and of
what a stream unpacks to; and of a picture. These took 0.01 to 0.03, 0.3 to 0.8, and 0.003."""


class Report(Struct, frozen=True):
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


class Build(Struct, frozen=True):
    """The reports of all files of a build, what is to be said of the pack as a whole, and the name
    of its manifest."""

    reports: tuple[Report, ...]
    findings: tuple[Finding, ...] = ()
    manifest: str = MANIFEST


def unseen(done: int, total: int) -> None:
    """The progress that nobody watches."""


def preflight(
    pdf: Path,
    manifest: Path | None = None,
    jobs: int = 1,
    progress: Progress = unseen,
    known: KnownFaces | None = None,
    *,
    own: bool = False,
    place: Span | None = None,
    cache: Cache = NOTHING_KEPT,
    profile: PdfProfile | None = None,
    printed_on: Callable[[str], PrintedOn | None] = unknown,
) -> Report:
    """Check a finished PDF against its manifest, by default that beside it, and against the
    `profile` of who is to print it.

    Without a manifest only the checks that need none run. A file that cannot be read at all
    (GP002), or is damaged, encrypted, no PDF or far more than a print (GP808), has one fault.
    `progress` is told how many pages were looked at, of how many. `known` are faces seen in other
    files of the same build. The pages of a file that is not `own`, one that was just built, are
    looked at in other processes, whatever `jobs` says: it may break them. `place` is where a pack
    asks for the file: what stops the checks is told there, as the file will never be delivered.
    What is in the `cache` of a file of just these bytes, and for what the manifest says of it, is
    what is found again. `printed_on` is what the pack of a name prints on, if that is known.
    """
    beside = pdf.parent / manifest_beside(pdf.name)
    told = None
    if manifest is not None or os.path.lexists(beside):
        named = manifest is not None
        told = ManifestReader(manifest or beside, named=named, known=printed_on)
        told = None if told.is_anothers else told
    shelf: CacheShelf[Report] = CacheShelf(cache, Sort.FINDINGS, Report)
    return _preflight(pdf, told, jobs, progress, known, place, shelf, own=own, profile=profile)


def _preflight(
    pdf: Path,
    manifest: ManifestReader | None,
    jobs: int,
    progress: Progress,
    known: KnownFaces | None,
    place: Span | None,
    shelf: CacheShelf[Report],
    *,
    own: bool,
    profile: PdfProfile | None = None,
) -> Report:
    expected: Outcome[ExpectedFile | None] = manifest.file(pdf.name) if manifest else Outcome(None)
    try:
        with limits.at(place or pdf, limits.FILE):
            report = _inspect(
                pdf,
                expected.value,
                jobs,
                progress,
                known,
                place,
                shelf,
                own=own,
                profile=profile,
            )
    except GridpressError as error:
        said = _as_another(pdf, expected.value, error.diagnostics)
        if expected.value is None and not own:
            said = [replace(fault, hint=elsewhere(fault.hint)) for fault in said]
        told = (_moved(fault, pdf, place) if place else fault for fault in said)
        return Report(pdf, faults=(*expected.diagnostics, *told))
    return replace(report, faults=expected.diagnostics)


def _as_another(
    pdf: Path, expected: ExpectedFile | None, said: Sequence[Diagnostic]
) -> Sequence[Diagnostic]:
    """What is said of a file that cannot be checked: first of all, if so, that it is another."""
    with suppress(OSError, pdf_limits.TooMuchError):
        if expected is not None and _digest(pdf)[0] != expected.sha256:
            return [replace(each, message=f"{NOT_BUILT}: {each.message}") for each in said]
    return said


def _moved(fault: Diagnostic, pdf: Path, place: Span) -> Diagnostic:
    """What is said of a file that is being built, at the place that asks for it."""
    if fault.span.file != str(pdf):
        return fault
    return replace(fault, span=place, message=f"{pdf.name}: {fault.message}")


def preflight_build(
    folder: Path,
    jobs: int = 1,
    progress: Progress = unseen,
    places: Mapping[str, Span] = MappingProxyType({}),
    known: KnownFaces | None = None,
    cache: Cache = NOTHING_KEPT,
    manifest: str = MANIFEST,
    printed_on: Callable[[str], PrintedOn | None] = unknown,
) -> Build:
    """Check every PDF of a build against its `manifest`, by its name in the folder. `places` are
    where a pack asks for the files, by their names, while it is being built; files and faces that
    are `known`, or in the `cache`, by all the bytes that are read of them are not looked at
    again."""
    told = ManifestReader(folder / manifest, named=False, known=printed_on)
    names = {file.file: len(file.pages) for file in told.manifest.files}
    faces = KeptFaces({} if known is None else known, cache)
    shelf: CacheShelf[Report] = CacheShelf(cache, Sort.FINDINGS, Report)
    checking = _Checking(folder, told, places, faces, shelf)
    reports = {name: report for name in names if (report := checking.kept(name))}
    fresh = sorted((name for name in names if name not in reports), key=lambda n: -names[n])
    seen = _shifted(progress, summed(names[name] for name in reports), summed(names.values()))
    if known is None and workers.can_share(fresh, jobs):
        with suppress(workers.WorkerCrash):  # then the file is looked at as a stranger's is
            for at, report in workers.answers(checking.report, fresh, jobs):
                reports[fresh[at]] = report
                seen(summed(names[name] for name in fresh if name in reports), 0)
    for name in fresh:
        if name not in reports:
            before = summed(names[name] for name in reports)
            seen = _shifted(progress, before, summed(names.values()))
            reports[name] = checking.report(name, jobs, seen)
    in_order = tuple(reports[name] for name in names)
    used = {waived.waiver for report in in_order for waived in report.waived}
    idlers = (
        idle(told.manifest.waivers, used) if manifest == MANIFEST else ()
    )  # of a part: not asked
    return Build(in_order, idlers, manifest)


class _Checking(Struct, frozen=True):
    """The files of a build that was just made, to be checked one by one, by whichever process."""

    folder: Path
    manifest: ManifestReader
    places: Mapping[str, Span]
    known: KnownFaces
    shelf: CacheShelf[Report]

    def kept(self, name: str) -> Report | None:
        """What was found before in a file of these bytes. Of one that cannot be read, nothing."""
        expected = self.manifest.file(name)
        with suppress(OSError, GridpressError, pdf_limits.TooMuchError):
            path = self.folder / name
            found = self.shelf.get(*_made_from(_digest(path)[0], expected.value, True, None))
            return found and replace(found, file=path, faults=expected.diagnostics)
        return None

    def report(self, name: str, jobs: int = 1, progress: Progress = unseen) -> Report:
        """What is found in a file."""
        path, place = self.folder / name, self.places.get(name)
        shelf, known = self.shelf, self.known
        return _preflight(path, self.manifest, jobs, progress, known, place, shelf, own=True)


def _shifted(progress: Progress, before: int, total: int) -> Progress:
    """Progress within one file told as that within all."""
    return lambda done, _: progress(before + done, total)


def _inspect(
    path: Path,
    expected: ExpectedFile | None,
    jobs: int,
    progress: Progress,
    known: KnownFaces | None,
    place: Span | None,
    shelf: CacheShelf[Report],
    *,
    own: bool,
    profile: PdfProfile | None = None,
) -> Report:
    shown, digest = str(path), ""
    try:
        digest, size = _digest(path)
        made_from = _made_from(digest, expected, own, profile)
        kept = shelf.get(*made_from)
        if kept is not None:
            progress(kept.pages, kept.pages)
            return replace(kept, file=path)
        with pdf_limits.opening():
            pdf = pikepdf.open(path)
            _refuse_unfit(pdf, shown)
            pdf_limits.check_objects(pdf)
        limits.allow(_A_PAGE * len(pdf.pages))
        with pdf, pdf_limits.reading():
            prints = Fingerprints(pdf, shelf.cache)
            unpacked, pictures = pdf_limits.check_streams(pdf, prints, size)
            drawing = pdf_limits.check_drawing(pdf, prints, size)
            operators = summed(page.own for page in drawing.pages) + unpacked - pictures
            limits.allow((_A_MEGABYTE * operators + _OF_PICTURES * pictures) / 1_000_000)
            _refuse_damage(pdf, shown)  # before any of it is drawn
            _set_straight(pdf, expected)
            given = {"manifest": expected is not None, "profile": profile is not None}
            checks = [check for check in CHECKS if check.is_for(**given)]
            with closing(PageScan(jobs, known, drawing, own=own)) as scan:
                read = _subject(pdf, prints, shown, digest, expected)
                subject = replace(read, place=place, bytes=size, profile=profile)
                sound = own and _is_as_built(digest, expected)
                findings, seen = _looked_at(subject, checks, scan, progress, own=sound)
    except (GridpressError, MemoryError):
        raise
    except pdf_limits.TooMuchError as error:
        message = f"this is no print, but far more than one: {error}"
        raise _unreadable("GP808", shown, message, error.page, _LESS if own else FRESH) from error
    except OSError as error:
        raise _refused(error, shown) from error
    except pikepdf.PasswordError as error:
        message = "the file is encrypted: it can be read only with a password"
        raise _unreadable("GP808", shown, message, hint=UNLOCKED) from error
    except Exception as error:  # whatever reading raises where one thing is in another's place
        if not isinstance(error, pikepdf.PdfError) and is_bug(
            error, own=own and _is_as_built(digest, expected)
        ):
            raise
        message = f"the file is damaged, or not a PDF: {said_by(error)}"
        raise _unreadable("GP808", shown, message) from error
    faces = sum(len(page.draws) for page in subject.pages)
    titles = tuple(check.title for check in checks)
    left, waived = waive(findings, expected.waivers if expected else ())
    told = one_a_cause(_listed(left))
    report = Report(path, len(subject.pages), faces, titles, told, waived, ink=seen.ink)
    if _BY_CHANCE.isdisjoint(finding.code for finding in findings):
        shelf.put(replace(report, file=_NOWHERE), *made_from)
    return report


def _set_straight(pdf: pikepdf.Pdf, expected: ExpectedFile | None) -> None:
    """Let each page say by itself, and in one way, what it may say in several."""
    hand_down(pdf)
    if expected is None:
        set_corners(pdf)
        take_art_boxes(pdf)
    else:
        _take_back_stretch(pdf, expected)


def _take_back_stretch(pdf: pikepdf.Pdf, expected: ExpectedFile) -> None:
    """Lay each page out as it comes from the printer that it is made for. One that is made for
    another stays, and its faces are told to be out of place."""
    for page, want in zip(pdf.pages, expected.pages, strict=False):
        stretch = expected.stretches[want.side]
        if stretch != TRUE:
            page.contents_coalesce()
            size = Size(want.width, want.height)
            content = unstretched(page.Contents.read_bytes(), stretch, size)
            page.Contents = pdf.make_stream(content)


def _looked_at(
    subject: Subject,
    checks: Sequence[Check],
    scan: PageScan,
    progress: Progress,
    *,
    own: bool,
) -> tuple[list[Finding], ScanResult]:
    """What all checks find in a file, and what was seen of its faces if it has a manifest."""
    if subject.expected is not None:
        scan.begin(subject, progress)
    findings = [
        finding
        for check in checks
        if check.scope is Scope.FILE
        for finding in _found(check, own, subject)
    ]
    if subject.expected is None or (subject.profile and subject.profile.papers):
        flat = {page.number for page in subject.pages if min(page.width, page.height) <= 0}
        seen_pages = scan.look_at_pages(subject, progress)  # GP802 tells of those without a size
        findings += [f for f in seen_pages if f.code != "GP872" or f.page not in flat]
    if subject.expected is None:
        return [replace(f, hint=elsewhere(f.hint)) for f in findings], ScanResult()
    seen = scan.end()
    findings += seen.findings
    for check in of(Scope.SET):
        findings += _found(check, own, subject, seen.traces)
    return findings, seen


def _digest(path: Path) -> tuple[str, int]:
    """The sha256 of a file, and its size in bytes. Raises OSError and TooMuchError."""
    with opened_plain(path) as stream:
        size = stream.seek(0, os.SEEK_END)
        if size > pdf_limits.MOST_BYTES:
            raise pdf_limits.TooMuchError(f"it has over {pdf_limits.MOST_BYTES // 1_000_000:,} MB")
        stream.seek(0)
        return hashlib.file_digest(stream, "sha256").hexdigest(), size


def _made_from(
    digest: str, expected: ExpectedFile | None, own: bool, profile: PdfProfile | None
) -> tuple[object, ...]:
    """All that a report follows from; of the proofs of thousands of faces no second copy."""
    if expected is None:
        return digest, None, own, profile
    proofs = hashlib.sha256()
    for sha256, proof in expected.proofs.items():
        proofs.update(f"{sha256} {proof}\n".encode())
    return digest, replace(expected, proofs={}), proofs.digest(), own, profile


def _is_as_built(digest: str, expected: ExpectedFile | None) -> bool:
    """Whether no byte of a file was changed since it was written, as a disk may do."""
    return expected is not None and digest == expected.sha256


def _found(check: Check, own: bool, *shown: object) -> Iterator[Finding]:
    """What a check finds; and that it broke down, if it met what it was not made for."""
    told: Callable[[Exception], Finding] = lambda error: broken(error, check.title, own=own)  # noqa: E731
    yield from found_by(check.run, shown, MOST_FINDINGS + 1, told)


def _listed(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """The first so many of the findings, errors before warnings, and how many there are more."""
    if len(findings) <= MOST_FINDINGS:
        return tuple(findings)
    ranked = sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    left = ranked[MOST_FINDINGS:]
    message = f"there are at least {len(left):,} more findings in the file"
    hint = "mend what is listed, and look again"
    more = Finding("GP873", message, hint, left[0].severity)
    return (*ranked[:MOST_FINDINGS], more)


def _subject(
    pdf: pikepdf.Pdf, prints: Fingerprints, shown: str, digest: str, expected: ExpectedFile | None
) -> Subject:
    pages: list[PageRead] = []
    matched: list[PageMatch] = []
    wanted = expected.pages if expected else ()
    for number, page in enumerate(pdf.pages, start=1):
        try:
            pages.append(read_page(number, page))
            if number <= len(wanted):
                matched.append(match_page(wanted[number - 1], pages[-1]))
        except Exception as error:  # whatever reading raises, see above
            if is_bug(error, own=False):
                raise
            message = f"the page is damaged: {said_by(error)}"
            raise _unreadable("GP808", shown, message, number) from error
    for match in matched:
        lines = len(match.read.strokes) + len(match.read.outlines)
        if lines * len(match.matches) > _MOST_COMPARED:
            message = f"the page has {lines:,} lines for {len(match.matches):,} pieces"
            raise pdf_limits.TooMuchError(message, match.read.number)
    return Subject(shown, pdf, prints, digest, tuple(pages), expected, tuple(matched))


def _refuse_unfit(pdf: pikepdf.Pdf, shown: str) -> None:
    """Raise GridpressError for a file that is encrypted or has no page."""
    if pdf.is_encrypted:
        locked = "the file is encrypted, and print shops refuse such files"
        raise _unreadable("GP808", shown, locked, hint=UNLOCKED)
    if not pdf.pages:
        raise _unreadable("GP808", shown, "the file has no page")


def _refuse_damage(pdf: pikepdf.Pdf, shown: str) -> None:
    """Raise GridpressError for what qpdf had to mend to read the file at all."""
    problems = [str(problem) for problem in (*pdf.get_warnings(), *pdf.check_pdf_syntax())]
    if problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        known = (words for sign, words in _DAMAGES.items() if any(sign in p for p in problems))
        first = next(known, said(problems[0]) + more)
        hint = _PICTURE if "Pl_DCT" in first else FRESH
        raise _unreadable("GP808", shown, f"the file is damaged: {first}", hint=hint)


_DAMAGES: Final = {
    "startxref was more than": "over a thousand bytes of something else stand after its end",
    "can't find startxref": "its end is missing, as of a file that was not sent whole",
    "MediaBox is undefined": "a page has no MediaBox that tells its size",
}
"""What qpdf says of some damages, and what they are."""
_PICTURE: Final = "open each JPEG in it in a picture editor and save it again: one is damaged"
_LESS: Final = "draw less on the faces that it prints, or split it into several prints"


def _refused(error: OSError, shown: str) -> GridpressError:
    """The disk fails while the file is read, or has no room for what is worked out."""
    if is_full(error):
        return no_room_for_work(error)
    return _unreadable("GP002", shown, f"it cannot be read: {error.strerror or error}", hint="")


def _unreadable(
    code: str, shown: str, message: str, page: int = 0, hint: str = FRESH
) -> GridpressError:
    where = f"page {page}: " if page else ""
    return GridpressError(Diagnostic(Span(shown, max(page, 1)), code, where + message, hint))
