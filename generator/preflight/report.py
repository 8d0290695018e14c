"""Writes what preflight found as HTML, JSON and text, with a picture of each fault in its
surroundings."""

from __future__ import annotations

import base64
import functools
import io
import json
import re
from collections.abc import Container, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pypdfium2
from jinja2 import Environment, PackageLoader, StrictUndefined, Template
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image, ImageDraw

from generator import limits
from generator.diagnostics import Diagnostic, Severity, Span, plain
from generator.geometry import Rect, pt_to_mm
from generator.model.manifest import sibling_file
from generator.preflight.checking import Finding, Waived, one_a_cause
from generator.preflight.checks import CHECKS
from generator.preflight.inspection import Build
from generator.preflight.raster import Raster, opened_pdf, rendered
from generator.preflight.scan_workers import answer, bound_time

_DPI: Final = 150
_AROUND: Final = 6.0
"""mm of the page that are shown beyond the fault."""
_LEAST: Final = 24.0
"""mm that a picture shows at least, so that one sees where it is."""
_WIDEST: Final = 900
"""Pixels."""
_MARK: Final = (214, 31, 90)
_SECONDS: Final = 3
"""Of processor time for the pictures of a page, which was looked at before."""


def crops(path: Path, findings: Iterable[Finding]) -> dict[Finding, bytes]:
    """A PNG for each finding that has a place; those whose pages cannot be drawn have none."""
    findings = tuple(findings)
    unseen = {finding.page for finding in findings if finding.code == "GP872"}
    placed = [f for f in findings if f.page and f.place is not None and f.page not in unseen]
    return (answer(_drawn, (path, placed)) if placed else None) or {}


def _drawn(task: tuple[Path, Sequence[Finding]]) -> dict[Finding, bytes]:
    path, placed = task
    pictures: dict[Finding, bytes] = {}
    with suppress(Exception), opened_pdf(path) as document:  # whatever PDFium says of odd pages
        for number in sorted({finding.page for finding in placed}):
            bound_time(_SECONDS)
            with limits.at(Span(str(path), number), limits.PAGE):
                page = _page(document[number - 1])
                for finding in placed:
                    place = finding.place if finding.page == number else None
                    if place is not None and page.box.overlaps(place.grown(_AROUND)):
                        pictures[finding] = _crop(page, place)
    return pictures


def _page(page: pypdfium2.PdfPage) -> Raster:
    width, height = (pt_to_mm(size) for size in page.get_size())
    return rendered(page, width, height, _DPI)


def _crop(page: Raster, place: Rect) -> bytes:
    grow = max(_AROUND, (_LEAST - max(place.width, place.height)) / 2)
    shown = page.cut(place.grown(grow))
    picture = shown.image.copy()
    across, down = picture.width / shown.box.width, picture.height / shown.box.height
    frame = place.grown(0.4).moved(-shown.box.x, -shown.box.y)
    corners = (frame.x * across, frame.y * down, frame.right * across, frame.bottom * down)
    ImageDraw.Draw(picture).rectangle(corners, outline=_MARK, width=3)
    picture.thumbnail((_WIDEST, _WIDEST), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    picture.quantize(128).save(out, "PNG", optimize=True)
    return out.getvalue()


REPORTS: Final = ("preflight.html", "preflight.json", "preflight.txt")
_PICTURES: Final = 80
"""Findings of one file that come with a picture: who has more looks at the first ones."""


class ReportEntry(Struct, frozen=True):
    """A finding, the files that it is in, and its picture as the `src` of an image."""

    finding: Finding
    files: tuple[str, ...]
    picture: str = ""


def report_texts(build: Build, title: str) -> Mapping[str, str]:
    """The texts of `preflight.html` (self-contained), `preflight.json` and `preflight.txt`, by
    these names, or those for a part of a pack."""
    entries = gather(build, _PICTURES)
    texts = dict(zip(_reports(build), (_html, _json, _text), strict=True))
    return {name: write(build, title, entries) for name, write in texts.items()}


def write_report(build: Build, title: str, folder: Path) -> None:
    """Write the report into a folder of our own. Raises OSError."""
    for name, text in report_texts(build, title).items():
        (folder / name).write_text(text, encoding="utf-8")


def gather(build: Build, pictures: int = 0) -> tuple[ReportEntry, ...]:
    """The findings, errors first; one that is in several files is one entry. The first so many of
    each file come with a picture."""
    entries = [ReportEntry(finding, ()) for finding in build.findings]
    at: dict[Any, int] = {}
    for report in build.reports:
        found = sorted(one_a_cause(sorted(report.findings, key=_rank)), key=_rank)
        drawn = crops(report.file, found[:pictures])
        for finding in found:
            key = finding.cause if finding.component else finding
            if key not in at:
                at[key] = len(entries)
                entries.append(
                    ReportEntry(finding, (report.file.name,), _source(drawn.get(finding)))
                )
            else:
                entries[at[key]] = _with(entries[at[key]], finding, report.file.name)
    return tuple(sorted(entries, key=lambda entry: _rank(entry.finding)))


def _with(entry: ReportEntry, finding: Finding, file: str) -> ReportEntry:
    """An entry with what a further file has of its cause, where other pieces are printed there."""
    known = {_same(each) for each in (entry.finding, *entry.finding.others)}
    here = (replace(finding, others=()), *finding.others)
    others = (*entry.finding.others, *(each for each in here if _same(each) not in known))
    files = tuple(dict.fromkeys((*entry.files, file)))
    return replace(entry, finding=replace(entry.finding, others=others), files=files)


def _same(finding: Finding) -> Finding:
    """What findings on the same face of a component have in common, wherever it is printed."""
    same = replace(finding, page=0, place=None, copies=1, others=())
    return same if finding.component else finding


def diagnostics(build: Build, folder: Path) -> tuple[Diagnostic, ...]:
    """What a terminal shows of a build whose files are (to be) in that folder."""
    faults = (fault for report in build.reports for fault in report.faults)
    return (*faults, *(_line(entry, build, folder) for entry in gather(build)))


def part_of(
    build: Build,
    codes: Container[str],
    told: Container[tuple[str, ...]],
    unset: Sequence[str],
) -> Build:
    """What was found in the files, of these codes and of no cause that was told, and nothing of the
    pack as a whole; nor that nothing is seen of texts of which a font lacks letters, whose lines,
    `file:line`, are `unset`."""
    reports = []
    for report in build.reports:
        left = (
            found
            for found in report.findings
            if found.code in codes and found.cause not in told
            if not (found.code == "GP824" and _is_of(found.source, unset))
        )
        reports.append(replace(report, findings=tuple(left)))
    return Build(tuple(reports), (), build.manifest)


def _is_of(source: str, lines: Sequence[str]) -> bool:
    """Whether a place of the project, `file:line:column`, is on one of these lines."""
    line = source.rpartition(":")[0]
    return bool(line) and any(f"/{other}".endswith(f"/{line}") for other in lines)


def _reports(build: Build) -> Sequence[str]:
    return [sibling_file(build.manifest, name) for name in REPORTS]


def _line(entry: ReportEntry, build: Build, folder: Path) -> Diagnostic:
    name, *others = entry.files or (build.manifest,)
    told = entry.finding.diagnostic(str(folder / name))
    place = None if entry.files else _PLACE.fullmatch(entry.finding.source)
    if place is not None:  # of the pack as a whole
        told = replace(told, span=Span(place[1], int(place[2]), int(place[3])))
    also = f"\nalso in {', '.join(others)}" if others else ""
    return replace(told, hint=(told.hint + also).strip())


_PLACE: Final = re.compile(r"(.+):([0-9]{1,9}):([0-9]{1,9})")


def _rank(finding: Finding) -> tuple[Any, ...]:
    place = finding.place
    return (
        finding.severity is not Severity.ERROR,
        finding.code,
        finding.page,
        (place.y, place.x) if place else (0.0, 0.0),
        finding.component,
        finding.message,
    )


def _source(picture: bytes | None) -> str:
    if picture is None:
        return ""
    return f"data:image/png;base64,{base64.b64encode(picture).decode()}"


@functools.lru_cache(1)
def _html_template() -> Template:
    environment = Environment(
        loader=PackageLoader("generator.preflight", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("report.html.j2")


def _html(build: Build, title: str, entries: Sequence[ReportEntry]) -> str:
    failed = {entry.finding.code for entry in entries}
    ran = {title for report in build.reports for title in report.checks}
    return _html_template().render(
        title=title,
        entries=entries,
        reports=build.reports,
        faults=[fault for report in build.reports for fault in report.faults],
        waived=_waived(build),
        checks=[(check, check.code in failed) for check in CHECKS if check.title in ran],
        count=_count(entries, build),
    )


def _json(build: Build, title: str, entries: Sequence[ReportEntry]) -> str:
    told = {
        "pack": title,
        "files": [
            {
                "file": report.file.name,
                "pages": report.pages,
                "faces": report.faces,
                "ink": [round(share, 3) for share in report.ink],
                "checks": list(report.checks),
            }
            for report in build.reports
        ],
        "findings": [_told(entry) for entry in entries],
        "waived": [
            {
                "code": waived.finding.code,
                "message": waived.finding.message,
                "component": waived.finding.component,
                "reason": waived.waiver.reason,
                "source": waived.waiver.source,
            }
            for waived in _waived(build)
        ],
    }
    return json.dumps(told, ensure_ascii=False, indent=1) + "\n"


def _told(entry: ReportEntry) -> Mapping[str, Any]:
    finding = entry.finding
    return {
        "code": finding.code,
        "severity": str(finding.severity),
        "message": finding.message,
        "hint": finding.hint,
        "files": list(entry.files),
        **finding.as_dict(),
    }


def _text(build: Build, title: str, entries: Sequence[ReportEntry]) -> str:
    lines = [f"{title}: {_count(entries, build)}", ""]
    lines += [
        f"{report.file.name}: {report.pages} pages, {report.faces} faces, "
        f"{len(report.checks)} checks"
        for report in build.reports
    ]
    faults = [str(fault) for report in build.reports for fault in report.faults]
    for entry in entries:
        name = ", ".join(entry.files) or build.manifest
        faults.append(str(entry.finding.diagnostic(name)))
    faults += [
        f"waived: {waived.finding.code} {waived.finding.message} ({plain(waived.waiver.reason)})"
        for waived in _waived(build)
    ]
    return "\n".join([*lines, *([""] if faults else []), *faults]) + "\n"


def _waived(build: Build) -> list[Waived]:
    """What was waived, once for all files."""
    alike = (
        replace(waived, finding=_same(waived.finding))
        for report in build.reports
        for waived in report.waived
    )
    return list(dict.fromkeys(alike))


def _count(entries: Sequence[ReportEntry], build: Build) -> str:
    """`2 errors, 1 warning`, or `nothing found`."""
    found = [entry.finding.severity for entry in entries]
    found += [fault.severity for report in build.reports for fault in report.faults]
    counts = [(found.count(severity), str(severity)) for severity in Severity]
    said = [f"{count} {word}{'' if count == 1 else 's'}" for count, word in counts if count]
    return ", ".join(said) or "nothing found"
