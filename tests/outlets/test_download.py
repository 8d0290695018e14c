"""A download page: a zip with all PDFs, and a leaflet about this pack."""

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pypdfium2
import pytest
from outlets.helpers import change
from PIL import Image

Export = Callable[..., tuple[int, str, str]]
PACK = """\
title: Mini
version: 1.0 beta/2
licence: Do as you like.
credits: ["Drawn by Ann"]
stocks:
  euro: {size: [63mm, 88mm], shape: rounded, corner_radius: 3mm}
  chit: {size: [19mm, 19mm], shape: circle, safe: 2mm}
  odd: {size: [40mm, 120mm], folds: [[[0mm, 60mm], [40mm, 60mm]]]}
prints:
  cards: {title: Cards, kinds: [card], papers: [a4, letter], media: card of 300 g/m²}
  tents: {title: Tents, kinds: [odd], papers: [a4, letter], backs: none}
  chits: {title: Chits, kinds: [chit], papers: [a4], layout: labels, labels: {a4: l7651}}
"""


@pytest.fixture
def download(printable: Path, exported: Callable[..., str]) -> Path:
    """The folder of the download."""
    (printable / "cards/mini/pack.yaml").write_text(PACK, encoding="utf-8")
    exported("--for", "pnp")
    return printable / "output/mini/pnp"


def page(content: bytes, number: int = 0) -> str:
    pdf = pypdfium2.PdfDocument(io.BytesIO(content))
    text: str = pdf[number].get_textpage().get_text_range()
    pdf.close()
    return " ".join(text.split())


def test_the_zip_has_both_papers_both_inks_and_what_belongs_to_them(download: Path) -> None:
    assert sorted(path.name for path in download.iterdir()) == [
        "contents.txt",
        "cover.png",
        "manifest.json",
        "mini-1.0-beta-2.zip",
    ]
    with zipfile.ZipFile(download / "mini-1.0-beta-2.zip") as packed:
        names = [name.removeprefix("mini/") for name in packed.namelist()]
        assert names == [
            "a4/cards-a4.pdf",
            "a4/chits-a4.pdf",
            "a4/low-ink/cards-a4.pdf",
            "a4/low-ink/chits-a4.pdf",
            "a4/low-ink/tents-a4.pdf",
            "a4/tents-a4.pdf",
            "cover.png",
            "credits.txt",
            "how-to-make-it-a4.pdf",
            "how-to-make-it-letter.pdf",
            "letter/cards-letter.pdf",
            "letter/low-ink/cards-letter.pdf",
            "letter/low-ink/tents-letter.pdf",
            "letter/tents-letter.pdf",
            "licence.txt",
        ]
        assert "Do as you like." in packed.read("mini/licence.txt").decode()
        assert "Drawn by Ann" in packed.read("mini/credits.txt").decode()
        full, low = (packed.read(f"mini/a4/{ink}cards-a4.pdf") for ink in ("", "low-ink/"))
        assert full != low
        sizes = {name: info.file_size for name, info in zip(names, packed.infolist(), strict=True)}
    listed = (line.split() for line in (download / "contents.txt").read_text().splitlines())
    assert {name: int(size.replace(",", "")) for size, name in listed} == sizes


def test_the_leaflet_explains_this_pack_alone(download: Path) -> None:
    with zipfile.ZipFile(download / "mini-1.0-beta-2.zip") as packed:
        a4 = page(packed.read("mini/how-to-make-it-a4.pdf"))
        letter = page(packed.read("mini/how-to-make-it-letter.pdf"))
    assert "a4/cards-a4.pdf" in a4
    assert "card of 300 g/m²" in a4
    assert "both sides, long edge" in a4
    assert "Round corners are of 3 mm." in a4
    assert "Creases come before cuts." in a4  # the tents fold
    assert "blunt knife" in a4
    assert "Press them on" in a4
    assert "staple" not in a4
    assert "letter/tents-letter.pdf" in letter
    assert "Press them on" not in letter  # the chits are for A4 alone
    assert "Do as you like." in letter


def test_the_cover_shows_the_cards(download: Path) -> None:
    with Image.open(download / "cover.png") as picture:
        assert picture.size == (1600, 1000)
        colours = dict.fromkeys(colour for _, colour in picture.getcolors(2**24) or ())
        assert (0xBA, 0xDD, 0xFF) in colours  # of a card, #bbddff by its profile


def test_a_pack_of_many_files_with_long_names_has_further_pages(
    printable: Path, export: Export
) -> None:
    title = "An exceedingly long title of a game that nobody would print on a box " * 2
    prints = "".join(
        f"  print-number-{i}-of-many: {{title: {title}, kinds: [card], papers: [a4]}}\n"
        for i in range(12)
    )
    prints += "  small: {title: Photographs, kinds: [card], papers: [photo-4x6]}\n"
    head, _, _ = PACK.partition("prints:\n")
    text = head.replace("title: Mini", f"title: {title}") + "prints:\n" + prints
    (printable / "cards/mini/pack.yaml").write_text(text, encoding="utf-8")
    status, _, err = export("--for", "pnp")
    assert status == 0, err
    with zipfile.ZipFile(printable / "output/mini/pnp/mini-1.0-beta-2.zip") as packed:
        content = packed.read("mini/how-to-make-it-a4.pdf")
        of_photographs = packed.read("mini/how-to-make-it-photo-4x6.pdf")
    assert "Photographs" in page(of_photographs), "which are too small for the leaflet"
    assert "print-number-8-of-many-a4.pdf" in page(content)
    assert "print-number-9-of-many-a4.pdf" in page(content, 1)
    assert "Creases" not in page(content, 1) + page(content), "nothing of it is folded"


def test_a_pack_with_a_mistake_makes_nothing(printable: Path, export: Export) -> None:
    change(printable / "cards/mini/cards.yaml", "id: ", "idd: ")
    status, _, err = export("--for", "pnp")
    assert status == 1
    assert "error[GP202]" in err
    assert not (printable / "output").exists()
