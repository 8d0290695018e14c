"""Jobs of the contenders: each draws the deck, nine cards to an A4 sheet."""

from __future__ import annotations

import csv
import html
import json
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from string import Template

from deck import Card, as_rows

HERE = Path(__file__).parent
FONTS = HERE.parent / "fonts"


@dataclass(frozen=True, slots=True)
class Job:
    """A command to run in `folder`, and the PDF that it writes."""

    command: tuple[str, ...]
    folder: Path
    pdf: Path


def gridpress(folder: Path, deck: list[Card], jobs: int = 2) -> Job:
    """Write a pack of one kind whose components are rows of a CSV file."""
    shutil.copytree(HERE / "gridpress", folder, dirs_exist_ok=True)
    pack = folder / "cards/bench"
    shutil.copytree(folder / "art", pack / "art", dirs_exist_ok=True)
    with (pack / "deck.csv").open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(as_rows(deck)[0]))
        writer.writeheader()
        writer.writerows(as_rows(deck))
    command = (
        *(sys.executable, "-m", "generator", "build", str(folder)),
        *("-o", str(folder / "output"), "--jobs", str(jobs)),
    )
    return Job(command, HERE.parent, folder / "output/bench/cards-a4.pdf")


def typst(folder: Path, deck: list[Card]) -> Job:
    """Write the deck as Typst, with its own text layout and imposition."""
    (folder / "deck.json").write_text(json.dumps(as_rows(deck)), encoding="utf-8")
    (folder / "deck.typ").write_bytes((HERE / "typst/deck.typ").read_bytes())
    program = (
        "import typst; fonts = typst.Fonts(include_system_fonts=False, "
        f"include_embedded_fonts=False, font_paths=[{str(FONTS)!r}]); "
        "typst.compile('deck.typ', output='deck.pdf', root='.', font_paths=fonts, "
        "ignore_system_fonts=True, timestamp=0)"
    )
    return Job((sys.executable, "-c", program), folder, folder / "deck.pdf")


def protograf(folder: Path, deck: list[Card]) -> Job:
    """Write the deck for protograf."""
    (folder / "deck.json").write_text(json.dumps(as_rows(deck)), encoding="utf-8")
    (folder / "deck.py").write_bytes((HERE / "protograf/deck.py").read_bytes())
    return Job(
        (sys.executable, "deck.py", "-d", str(folder), "--nowarning"), folder, folder / "deck.pdf"
    )


def weasyprint(folder: Path, deck: list[Card]) -> Job:
    """Write the deck as HTML for WeasyPrint, with icons and pips as inline SVG."""
    card = Template((HERE / "weasyprint/card.html").read_text(encoding="utf-8"))
    page = Template((HERE / "weasyprint/page.html").read_text(encoding="utf-8"))
    pages = []
    for start in range(0, len(deck), 9):
        faces = [_weasyprint_card(card, c, i) for i, c in enumerate(deck[start : start + 9])]
        pages.append(f"<section>{''.join(faces)}</section>")
    (folder / "deck.html").write_text(
        page.substitute(pages="".join(pages), fonts=FONTS.as_uri()), encoding="utf-8"
    )
    program = "from weasyprint import HTML; HTML('deck.html').write_pdf('deck.pdf')"
    return Job((sys.executable, "-c", program), folder, folder / "deck.pdf")


def _weasyprint_card(card: Template, c: Card, place: int) -> str:
    pips = "".join(
        f'<circle cx="{6 + 5.6 * i}" cy="{80}" r="1.6" fill="{"#fff" if i < c.pips else c.hue}"/>'
        for i in range(10)
    )
    boxes = "".join(
        f'<rect x="{5.5 + 6.6 * i}" y="70" width="5.8" height="5.8" fill="#f4ead4"/>'
        f'<text x="{8.4 + 6.6 * i}" y="74" font-size="3.2" text-anchor="middle">{i + 1}</text>'
        for i in range(8)
    )
    return card.substitute(
        x=10.5 + 63 * (place % 3),
        y=16.5 + 88 * (place // 3),
        title=html.escape(c.title),
        text=html.escape(c.text),
        picture=c.picture,
        hue=c.hue,
        pips=pips,
        boxes=boxes,
    )


CONTENDERS: dict[str, Callable[[Path, list[Card]], Job]] = {
    "gridpress": gridpress,
    "again": gridpress,
    "typst": typst,
    "weasyprint": weasyprint,
    "protograf": protograf,
}
