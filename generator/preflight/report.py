"""Writes what preflight found in a PDF as one HTML page, with a picture of each place at fault."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import groupby
from pathlib import Path
from typing import Final, NamedTuple

import pypdfium2
from PIL import ImageDraw

from generator import limits
from generator.diagnostics import Severity, Span
from generator.geometry import MM_PER_INCH, Rect
from generator.html_pages import embedded, html_page
from generator.preflight.finding import Finding
from generator.workers import TooLongError, WorkerCrash, limited

REPORT: Final = "preflight.html"
_DPI: Final = 110
_COVER_PX: Final = 380
_AROUND: Final = 12.0
"""mm of the page that a picture shows around a fault."""
_MOST_PICTURES: Final = 40
_SECONDS: Final = 20
_RED: Final = (214, 31, 90)
_SUBJECTS: Final = {
    "GP81": "Bleed and margins",
    "GP82": "Text and lines",
    "GP83": "Pictures",
    "GP84": "Colours and ink",
    "GP88": "What the shop wants",
}
"""Subjects by the first digits of codes."""
_OTHERS: Final = "File and pages"


class _Drawn(NamedTuple):
    """The number of pages of a file, mm of its first page, its picture, and those of faults."""

    pages: int = 0
    size: str = ""
    cover: str = ""
    faults: tuple[str, ...] = ()


def findings_page(path: Path, findings: Sequence[Finding]) -> str:
    """Return a self-contained HTML page on the findings in a PDF."""
    order = [_OTHERS, *_SUBJECTS.values()]
    found = sorted(findings, key=lambda f: (order.index(_subject(f)), f.severity != Severity.ERROR))
    placed = [each for each in found if each.page and each.place][:_MOST_PICTURES]
    drawn = _Drawn()
    with suppress(TooLongError, WorkerCrash):  # a stranger's file may break PDFium
        drawn = limited(_pictures, (path, placed), _SECONDS)
    pictures = dict(zip(map(id, placed), drawn.faults, strict=False))
    rows = [(each, each.diagnostic(path.name), pictures.get(id(each), "")) for each in found]
    errors = sum(each.severity is Severity.ERROR for each in found)
    warnings = len(found) - errors
    said = [_counted(n, word) for n, word in ((errors, "error"), (warnings, "warning")) if n]
    return html_page(
        "generator.preflight",
        "report.html.j2",
        title=path.name,
        kicker="Gridpress preflight",
        cover=drawn.cover,
        worst="error" if errors else "warning" if warnings else "",
        verdict=" and ".join(said) or "No mistakes found",
        size=f"{_counted(drawn.pages, 'page')}, {drawn.size}" if drawn.pages else "",
        groups=[(s, list(of)) for s, of in groupby(rows, key=lambda row: _subject(row[0]))],
    )


def _counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def _subject(finding: Finding) -> str:
    return _SUBJECTS.get(finding.code[:4], _OTHERS)


def _pictures(task: tuple[Path, Sequence[Finding]]) -> _Drawn:
    path, placed = task
    drawn = _Drawn()
    with suppress(Exception):
        document = pypdfium2.PdfDocument(path)
        try:
            page = document[0]
            sides = (page.get_width(), page.get_height())
            size = " × ".join(f"{v / 72 * MM_PER_INCH:.0f}" for v in sides)
            drawn = _Drawn(len(document), f"{size} mm")
            with limits.at(Span(str(path), 1), limits.PAGE):
                cover = page.render(scale=_COVER_PX / max(sides)).to_pil()
            drawn = drawn._replace(cover=embedded(cover))
        finally:
            document.close()
    faults = tuple(_picture(path, each.page, each.place) for each in placed if each.place)
    return drawn._replace(faults=faults)


def _picture(path: Path, number: int, place: Rect) -> str:
    """Return a framed picture of a fault as the source of an image; "" if PDFium fails."""
    with suppress(Exception), limits.at(Span(str(path), number), limits.PAGE):
        document = pypdfium2.PdfDocument(path)
        try:
            page = document[number - 1].render(scale=_DPI / 72).to_pil()
        finally:
            document.close()
        scale = _DPI / MM_PER_INCH
        shown = place.grown(_AROUND).cut_to(Rect(0, 0, page.width / scale, page.height / scale))
        framed = place.grown(0.4)
        corners = [framed.x, framed.y, framed.right, framed.bottom]
        ImageDraw.Draw(page).rectangle([v * scale for v in corners], outline=_RED, width=3)
        edges = (shown.x, shown.y, shown.right, shown.bottom)
        return embedded(page.crop([round(v * scale) for v in edges]))
    return ""
