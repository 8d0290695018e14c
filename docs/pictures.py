"""Printed PDFs in, the pictures of docs/pictures out: run `make pictures` after a pack changes.

    python docs/pictures.py output/chariot-dash docs/pictures

Writes `<pack>-<print>.png`, a contact sheet of each A4 file's first pages, and for the pack on
the README's first screen `sheet.png`, two of its pages side by side.
"""

import io
import sys
import tempfile
from pathlib import Path

import pypdfium2
from PIL import Image

from generator.export import PreviewPicture, contact_sheet
from generator.fonts import OWN_FAMILY, FontLibrary

PAGES_AT_MOST = 8
COLUMNS = 4
WIDTH_PX = 1600
COLOURS = 160
README_PACK = "chariot-dash"
README_PAGES = (("licences", 0), ("cards", 2))


def main(pack: Path, target: Path) -> None:
    fonts = FontLibrary([Path(__file__).parent.parent / "fonts"])
    font = fonts.path(fonts.find(OWN_FAMILY))
    target.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        for pdf in sorted(pack.glob("*-a4.pdf")):
            name = pdf.stem.removesuffix("-a4")
            pictures = page_pictures(pdf, Path(scratch))
            columns = min(COLUMNS, len(pictures))
            png = contact_sheet(pictures, columns, WIDTH_PX * columns // COLUMNS, font)
            save(Image.open(io.BytesIO(png)), target / f"{pack.name}-{name}.png")
    if pack.name == README_PACK:
        save(side_by_side(pack), target / "sheet.png")


def page_pictures(pdf: Path, folder: Path) -> list[PreviewPicture]:
    """The first pages as PNG files."""
    document = pypdfium2.PdfDocument(pdf)
    pictures = []
    for number in range(min(PAGES_AT_MOST, len(document))):
        path = folder / f"{pdf.stem}-{number}.png"
        rendered(document, number).save(path)
        pictures.append(PreviewPicture(path, f"{pdf.stem}, page {document.get_page_label(number)}"))
    return pictures


def rendered(document: pypdfium2.PdfDocument, number: int) -> Image.Image:
    """A page at 72 dpi."""
    picture: Image.Image = document[number].render().to_pil()
    return picture


def side_by_side(pack: Path, gap: int = 24) -> Image.Image:
    """The README's pages on a table-top grey."""
    pages = [
        rendered(pypdfium2.PdfDocument(pack / f"{name}-a4.pdf"), number)
        for name, number in README_PAGES
    ]
    height = max(page.height for page in pages) + 2 * gap
    sheet = Image.new("RGB", (sum(page.width + gap for page in pages) + gap, height), "#d9d4cb")
    x = gap
    for page in pages:
        sheet.paste(page, (x, (height - page.height) // 2))
        x += page.width + gap
    return sheet


def save(picture: Image.Image, path: Path) -> None:
    """Write a PNG of few colours: flat art loses nothing by it."""
    picture.convert("RGB").quantize(COLOURS).save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
