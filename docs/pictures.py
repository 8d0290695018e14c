"""Printed PDFs in, the pictures of docs/pictures out: run `make pictures` after a pack changes.

    python docs/pictures.py output/chariot-dash docs/pictures

Writes `<pack>-<print>.png`, a contact sheet of each A4 file's pages.
"""

import sys
import tempfile
from pathlib import Path

import pypdfium2

from generator.export import Picture, contact_sheet
from generator.fonts import FontLibrary
from generator.press import FURNITURE_FONT

PAGES_AT_MOST = 12
COLUMNS = 4
WIDTH_PX = 1600


def main(pack: Path, target: Path) -> None:
    font = FontLibrary([Path(__file__).parent.parent / "fonts"]).find(FURNITURE_FONT).path
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for pdf in sorted(pack.glob("*-a4.pdf")):
            name = pdf.stem.removesuffix("-a4")
            pictures = page_pictures(pdf, Path(scratch), PAGES_AT_MOST)
            columns = min(COLUMNS, len(pictures))
            png = contact_sheet(pictures, columns, WIDTH_PX * columns // COLUMNS, font)
            (target / f"{pack.name}-{name}.png").write_bytes(png)


def page_pictures(pdf: Path, folder: Path, most: int) -> list[Picture]:
    """The first pages as PNG files of 60 dpi."""
    document = pypdfium2.PdfDocument(pdf)
    pictures = []
    for number in range(min(most, len(document))):
        path = folder / f"{pdf.stem}-{number}.png"
        document[number].render(scale=60 / 72).to_pil().convert("P").save(path)
        pictures.append(Picture(path, f"{pdf.stem}, page {document.get_page_label(number)}"))
    return pictures


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
