"""Compares a PDF that Gridpress built with its manifest, by digests.

A file with the sha256 of the manifest is as it was built. Otherwise its pages, faces, pictures and
fonts are compared one by one, to name what changed since.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pikepdf
from pikepdf import Dictionary, Name, Object, Pdf

from generator import limits
from generator.diagnostics import Diagnostic, GridpressError, Severity, Span
from generator.geometry import pt_to_mm
from generator.model.manifest import (
    MOST_BYTES,
    FileEntry,
    ManifestError,
    PageEntry,
    PlacementEntry,
    WrittenFile,
    face_name,
    is_of_outlet,
    manifest_beside,
    read_manifest,
)
from generator.pdf_digests import file_digests, named_objects, page_content
from generator.preflight.finding import Finding

AS_BUILT: Final = "print the file as it was built, or build the pack again"
_TOLERANCE: Final = 0.05
"""mm that a page may differ from its size in the manifest."""
_NAMED: Final = re.compile(rb"/([^\s/()<>\[\]{}%]+)\s+(?:Do\b|[-+.\d]+\s+Tf\b)")
"""Operators' names of what is drawn or of fonts."""


def entry_of(path: Path) -> FileEntry | None:
    """Return the entry of a PDF in the manifest beside it, or None. Raises GridpressError (GP002)
    for an unreadable manifest."""
    beside = path.with_name(manifest_beside(path.name))
    if not beside.is_file():
        return None
    try:
        content = beside.read_bytes() if beside.stat().st_size <= MOST_BYTES else b""
        if is_of_outlet(content):
            return None
        manifest = read_manifest(content)
    except (OSError, ManifestError) as error:
        message = f"the manifest of this file cannot be read: {error}"
        hint = "build the pack again; to check the PDF alone, move it to another folder"
        raise GridpressError(Diagnostic(Span(str(beside)), "GP002", message, hint)) from error
    return next((file for file in manifest.files if file.file == path.name), None)


def check_own(path: Path, entry: FileEntry) -> tuple[Finding, ...]:
    """Return what changed in a PDF since it was built. Raises OSError."""
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() == entry.sha256:
            return ()
    try:
        seconds = limits.FILE + limits.PAGE * len(entry.pages)
        with limits.at(Span(str(path)), seconds), Pdf.open(path) as pdf:
            found = (*_pages(pdf, entry), *_Comparison(pdf, entry).findings())
    except pikepdf.PasswordError:
        message = "the file was locked with a password after it was built"
        return (Finding("GP808", message, AS_BUILT, Severity.ERROR),)
    except (pikepdf.PdfError, ValueError, TypeError, AttributeError, LookupError) as error:
        # pikepdf raises these where an object of the file is not what belongs there
        return (
            Finding("GP808", f"the file is damaged: {_words(error)}", AS_BUILT, Severity.ERROR),
        )
    if found:
        return found
    message = (
        "another program saved the file again; its pages, faces, pictures and fonts did not change"
    )
    return (Finding("GP806", message, "", Severity.WARNING),)


def _words(error: Exception) -> str:
    """Return qpdf's message without the path."""
    return str(error).splitlines()[0].rpartition(": ")[2] if str(error) else "it cannot be read"


def _pages(pdf: Pdf, entry: FileEntry) -> Iterator[Finding]:
    """Compare the number and boxes of pages, and check that fonts are embedded."""
    if len(pdf.pages) != len(entry.pages):
        message = f"the file has {len(pdf.pages)} pages; the build wrote {len(entry.pages)}"
        yield Finding("GP801", message, AS_BUILT, Severity.ERROR)
    for number, (page, told) in enumerate(zip(pdf.pages, entry.pages, strict=False), start=1):
        x1, y1, x2, y2 = (pt_to_mm(float(value)) for value in page.mediabox)
        width, height = x2 - x1, y2 - y1
        if max(abs(width - told.width), abs(height - told.height)) > _TOLERANCE:
            message = (
                f"the page is {width:.1f} × {height:.1f} mm; "
                f"the build made it {told.width:g} × {told.height:g} mm"
            )
            yield Finding("GP801", message, AS_BUILT, Severity.ERROR, number)
        if not {"/TrimBox", "/BleedBox"} <= page.obj.keys():
            yield Finding(
                "GP802", "the page lost its TrimBox and BleedBox", AS_BUILT, Severity.ERROR, number
            )
    for name, thing in named_objects(pdf):
        if thing.get("/Type") == Name.Font and not _is_embedded(thing):
            yield Finding(
                "GP804", f"the font {_font(thing, name)} is not embedded", AS_BUILT, Severity.ERROR
            )


def _is_embedded(font: Object) -> bool:
    if font.get("/Subtype") == "/Type3":
        return True
    inner = font.get("/DescendantFonts")
    described = (inner[0] if inner else font).get("/FontDescriptor", Dictionary())
    return any(key in described for key in ("/FontFile", "/FontFile2", "/FontFile3"))


def _font(font: Object, name: str) -> str:
    return str(font.get("/BaseFont", name)).lstrip("/")


class _Shown(NamedTuple):
    """A face on a page."""

    page: int
    placement: PlacementEntry


class _Comparison:
    """A changed file beside its entry in the manifest."""

    def __init__(self, pdf: Pdf, entry: FileEntry) -> None:
        self._pdf = pdf
        self._entry = entry
        self._now: WrittenFile = file_digests(pdf)
        self._draws = _draws(pdf)
        self._shown = [
            _Shown(page.number, each) for page in entry.pages for each in page.placements
        ]

    def findings(self) -> Iterator[Finding]:
        """Yield a finding for each object that changed, then for pages that differ otherwise."""
        told: set[int] = set()
        for name, digest in self._entry.objects.items():
            if name in self._now.objects and self._now.objects[name] != digest:
                yield from self._changed(name)
        for page, digest in zip(self._entry.pages, self._now.pages, strict=False):
            if page.digest == digest:
                continue
            missing = list(self._missing(page))
            yield from missing
            if not missing and page.number not in told:
                message = "the page changed after the build: something was moved, added or removed"
                yield Finding("GP806", message, AS_BUILT, Severity.ERROR, page.number)

    def _changed(self, name: str) -> Iterator[Finding]:
        """Yield one finding, at the first face that shows the object."""
        shown = [s for s in self._shown if name in self._all_of(face_name(s.placement.digest))]
        if not shown:
            yield Finding(
                "GP806",
                f"the font or picture {name} changed after the build",
                AS_BUILT,
                Severity.ERROR,
            )
            return
        first, *others = [_at(each, "changed after the build") for each in shown]
        yield Finding(
            *(first.code, first.message, first.hint, first.severity, first.page, None),
            first.component,
            tuple(others),
        )

    def _missing(self, page: PageEntry) -> Iterator[Finding]:
        drawn = _names(page_content(self._pdf.pages[page.number - 1].obj))
        for placement in page.placements:
            if face_name(placement.digest) not in drawn:
                yield _at(_Shown(page.number, placement), "is missing")

    def _all_of(self, name: str) -> frozenset[str]:
        """Return the names of an object and of all that it draws."""
        found, waiting = set[str](), [name]
        while waiting:
            one = waiting.pop()
            if one not in found:
                found.add(one)
                waiting += self._draws.get(one, ())
        return frozenset(found)


def _at(shown: _Shown, what: str) -> Finding:
    placement = shown.placement
    component = f"{placement.kind}/{placement.component}"
    message = f"{placement} {what}"
    return Finding("GP806", message, AS_BUILT, Severity.ERROR, shown.page, component=component)


def _draws(pdf: Pdf) -> Mapping[str, Sequence[str]]:
    """Return the names of what each form draws and sets text in."""
    return {
        name: sorted(_names(thing.read_bytes()))
        for name, thing in named_objects(pdf)
        if thing.get("/Subtype") == Name.Form
    }


def _names(content: bytes) -> set[str]:
    return {found.decode("latin-1") for found in _NAMED.findall(content)}
