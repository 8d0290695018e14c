"""Checks what a file says of itself: title, identifier, labels of pages, maker, and nothing of the
day and the computer that made it.

The same pack must make the same file, byte by byte, wherever and whenever it is built."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from typing import Final

from pikepdf import Array, Dictionary, Object, Stream

from generator.diagnostics import Severity
from generator.preflight.checking import Finding, Subject

_AGAIN: Final = "build the file again, and do not let another program save it"
_SET: Final = "change it in the program that made the file, and export it again"
_HALVES: Final = 2
"""Of an identifier: one for the document, one for this version (PDF 1.7, 14.4)."""
_PATH: Final = re.compile(
    r"[A-Za-z]:\\[^\\]+\\|\\\\\w|file:/|(?<![\w.])/(?:home|Users|tmp|var|root|mnt)/"
)
"""A folder of somebody's computer."""
_CLOCK: Final = re.compile(r"D:\d{8}(\d{2,6})|\b\d{4}-\d\d-\d\dT([\d:]{5,8})")
"""A time of a day, as D:20260101093000 or 2026-01-01T09:30:00."""
_XMP_VALUE: Final = re.compile(r">([^<>]+)<|=[\"']([^\"']+)[\"']")


def identity(subject: Subject) -> Iterator[Finding]:
    """GP861: the file has a title, an identifier and a label for every page, and does not tell
    when or on whose computer it was made. Who prints it may want just that; and of a file of
    another program nobody wants labels or the same bytes twice (PDF/X asks for dates)."""
    if subject.profile is not None:
        return
    messages = [*_missing(subject), *_telltale(subject)]
    if not messages and subject.expected:
        messages += _otherwise_said(subject)
    for message in messages:
        hint = _AGAIN if subject.expected else _SET
        yield Finding("GP861", message, hint, Severity.WARNING)


def _missing(subject: Subject) -> Iterator[str]:
    pdf = subject.pdf
    if not str(pdf.docinfo.get("/Title", "")).strip():
        yield "the file has no title"
    if subject.expected is None:
        return
    identifier = pdf.trailer.get("/ID")
    if not isinstance(identifier, Array) or len(identifier) != _HALVES:
        yield "the file has no identifier"
    yield from _mislabelled(subject)


def _mislabelled(subject: Subject) -> Iterator[str]:
    """Labels that are missing, or not those of the manifest."""
    labels = _labels(subject.pdf.Root.get("/PageLabels"))
    if 0 not in labels:
        yield "the pages have no labels"
        return
    for page in subject.matched:
        number, want = page.read.number, page.expected.label
        label = labels.get(number - 1, "")
        if want and label != want:
            yield f"page {number} has the label {label!r}, its sheet is {want!r}"


def _labels(tree: Object | None) -> dict[int, str]:
    """The prefix of each label by the index of the first page that it is for, from a number tree
    (PDF 1.7, 7.9.7 and 12.4.2)."""
    found: dict[int, str] = {}
    waiting, seen = [tree], set[tuple[int, int]]()
    while waiting:
        node = waiting.pop()
        if not isinstance(node, Dictionary) or (node.is_indirect and node.objgen in seen):
            continue
        seen.add(node.objgen)
        entries = list(node.get("/Nums", []))
        for index, label in zip(entries[::2], entries[1::2], strict=False):
            prefix = label.get("/P", "") if isinstance(label, Dictionary) else ""
            counted = isinstance(label, Dictionary) and "/S" in label
            found.setdefault(
                int(index), f"{prefix}{label.get('/St', 1)}" if counted else str(prefix)
            )
        waiting += list(node.get("/Kids", []))
    return found


def _telltale(subject: Subject) -> Iterator[str]:
    """What differs from one computer, or from one day, to the next."""
    for name, value in _said(subject):
        if _PATH.search(value):
            yield f"the file tells a folder of the computer that made it ({name}: {value})"
        time = _CLOCK.search(value)
        if subject.expected is None:
            continue
        # A date that is fixed comes at midnight, a clock hardly ever does.
        if time and set(time[1] or time[2]) - set("0:"):
            yield f"the file tells when it was made ({name}: {value})"


def _otherwise_said(subject: Subject) -> Iterator[str]:
    """What document information and XMP metadata say that no build writes: each of them the same,
    and nothing else. Of the metadata it is the words that count, and whether its tags close."""
    told = {key: str(value) for key, value in subject.pdf.docinfo.items()}
    for key in sorted(told.keys() - _TOLD - _DATES):
        yield f"the file tells its {key[1:]}, which no build does"
    xmp, language = xmp_of(subject), str(subject.pdf.Root.get("/Lang", ""))
    wanted = {escape(value, quote=False) for key, value in told.items() if key in _TOLD} | {
        language
    }
    said = {match[1].strip() for match in _XMP_VALUE.finditer(xmp) if (match[1] or "").strip()}
    if not xmp:
        yield "the file has no metadata (XMP)"
    elif said != wanted or not _closes(xmp):
        more = ", ".join(sorted(said ^ wanted)[:2]) or "its tags do not close"
        yield f"the file's metadata (XMP) says something else than the file itself: {more}"


_TOLD: Final = frozenset(("/Title", "/Subject", "/Creator", "/Producer"))
_DATES: Final = frozenset(("/CreationDate", "/ModDate"))
_TAG: Final = re.compile(r"<(/?)([\w:.-]+)[^<>]*?(/?)>")


def _closes(xmp: str) -> bool:
    """Whether each tag is closed by its own."""
    opened: list[str] = []
    for closing, name, alone in _TAG.findall(xmp):
        if closing and (not opened or opened.pop() != name):
            return False
        if not closing and not alone:
            opened.append(name)
    return not opened


def _said(subject: Subject) -> Iterator[tuple[str, str]]:
    """Each entry of the document information, and each value of the XMP metadata."""
    for name, value in subject.pdf.docinfo.items():
        yield name.removeprefix("/"), str(value)
    for match in _XMP_VALUE.finditer(xmp_of(subject)):
        yield "metadata", (match[1] or match[2]).strip()


def xmp_of(subject: Subject) -> str:
    """The XMP metadata of a file; empty where it has none."""
    metadata = subject.pdf.Root.get("/Metadata")
    return metadata.read_bytes().decode("utf-8", "replace") if isinstance(metadata, Stream) else ""
