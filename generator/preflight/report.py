"""Writes what preflight found in a PDF as one HTML page, with a picture of each place at fault."""

from __future__ import annotations

import base64
import io
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import pypdfium2
from jinja2 import Environment, PackageLoader, StrictUndefined
from PIL import ImageDraw

from generator import limits
from generator.diagnostics import Severity, Span
from generator.geometry import MM_PER_INCH, Rect
from generator.preflight.finding import Finding
from generator.workers import TooLongError, WorkerCrash, limited

REPORT: Final = "preflight.html"
_DPI: Final = 110
_AROUND: Final = 12.0
"""mm of the page that a picture shows around a fault."""
_MOST_PICTURES: Final = 40
_SECONDS: Final = 20
_RED: Final = (214, 31, 90)


def findings_page(path: Path, findings: Sequence[Finding]) -> str:
    """Return a self-contained HTML page on the findings in a PDF."""
    environment = Environment(
        loader=PackageLoader("generator.preflight", "."),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found = sorted(findings, key=lambda finding: finding.severity is not Severity.ERROR)
    placed = [each for each in found if each.page and each.place][:_MOST_PICTURES]
    drawn: list[str] = []
    with suppress(TooLongError, WorkerCrash):  # a stranger's file may break PDFium
        drawn = limited(_pictures, (path, placed), _SECONDS) if placed else []
    pictures = dict(zip(map(id, placed), drawn, strict=False))
    rows = [(each, each.diagnostic(path.name), pictures.get(id(each), "")) for each in found]
    return environment.get_template("report.html.j2").render(title=path.name, rows=rows)


def _pictures(task: tuple[Path, Sequence[Finding]]) -> list[str]:
    path, placed = task
    return [_picture(path, each.page, each.place) for each in placed if each.place]


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
        out = io.BytesIO()
        page.crop([round(v * scale) for v in edges]).quantize(128).save(out, "PNG", optimize=True)
        return f"data:image/png;base64,{base64.b64encode(out.getvalue()).decode()}"
    return ""
