"""Pages that can be taken apart, and what on a page has it looked at as a whole."""

from __future__ import annotations

import io
import re
import threading
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from preflight.tampering import codes, rewrite, tamper

from generator.cache import NOTHING_KEPT, InMemory
from generator.geometry import Matrix, Point, Rect
from generator.pdf_forms import Fingerprints
from generator.preflight import page_scan, preflight, scan_workers
from generator.preflight.page_parts import MarkInk, _is_box, _is_outline, ink_on

LINES = " ".join(f"50 {y} m 240 {y + 9} l" for y in range(530, 790, 5))


@pytest.fixture
def wholes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pages that are looked at as a whole."""
    seen: list[int] = []
    look = page_scan.PageScan._look_at_wholes

    def told(self: page_scan.PageScan, pages):  # type: ignore[no-untyped-def]
        seen.extend(page.read.number for page in pages)
        return look(self, pages)

    monkeypatch.setattr(page_scan.PageScan, "_look_at_wholes", told)
    return seen


def test_a_page_as_gridpress_writes_it_is_taken_apart(
    duplex: Path, wholes: list[int], turned: Path, folded: Path
) -> None:
    assert codes(duplex) | codes(turned) | codes(folded) == set()
    assert wholes == []


@pytest.mark.thorough(but=4)
@pytest.mark.parametrize(
    "change",
    [
        lambda s: "3 Tr " + s,  # all words of all faces are drawn invisible
        lambda s: "0.5 w " + s,
        lambda s: re.sub(r"(/F\w+ Do)", r"/OC /GUIDES BDC \1 EMC", s, count=1),
        lambda s: s.replace("q 1 0 0 1", "q 0 0 900 900 re 5 5 9 9 re W n 1 0 0 1"),
        lambda s: s.replace("q 1 0 0 1", "q 0 0 m 900 0 l 900 900 l W n 1 0 0 1"),
        lambda s: s + " /OC /GUIDES BDC 50 530 190 260 re f EMC",  # over a face, on a layer
        lambda s: s + f" /OC /GUIDES BDC {LINES} S EMC",
        lambda s: s + " 1 1 1 rg 100 600 10 10 re f",
    ],
)
def test_a_page_that_does_anything_else_is_looked_at_as_a_whole(
    duplex: Path, wholes: list[int], change: Callable[[str], str]
) -> None:
    rewrite(duplex, 0, change)
    codes(duplex)
    assert wholes == [1]


def noted(pdf: pikepdf.Pdf) -> None:
    pdf.pages[1].Annots = pikepdf.Array()


def layered(pdf: pikepdf.Pdf) -> None:
    [form, *_] = pdf.pages[1].Resources.XObject.values()
    form.OC = pdf.make_indirect(pikepdf.Dictionary(Type=pikepdf.Name.OCG, Name="hidden"))


def borrowing(pdf: pikepdf.Pdf) -> None:
    [form, *_] = pdf.pages[1].Resources.XObject.values()
    pdf.pages[1].Resources.Font = form.Resources.Font
    del form.Resources


@pytest.mark.parametrize("change", [noted, layered, borrowing])
def test_a_page_with_something_beside_its_content_is_looked_at_as_a_whole(
    duplex: Path, wholes: list[int], change: Callable[[pikepdf.Pdf], None]
) -> None:
    tamper(duplex, change)
    codes(duplex)
    assert wholes == [2]


def test_two_files_are_never_drawn_at_the_same_time(
    duplex: Path, wholes: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """PDFium shares memory between documents and takes no lock: two threads corrupt it."""
    threads = []
    look = scan_workers.look

    def seen(task: scan_workers.ScanTask) -> object:
        threads.append(threading.current_thread())
        return look(task)

    monkeypatch.setattr(scan_workers, "look", seen)
    tamper(duplex, noted)
    preflight(duplex, own=True)  # with one job: nothing is drawn in another process
    assert wholes == [2]
    assert len(threads) > 1
    assert set(threads) == {threading.main_thread()}


def test_ink_over_the_words_of_a_later_copy_is_found(duplex: Path) -> None:
    """Where a face comes first it is not covered: each page is looked at on its own."""
    found = []

    def cover(content: str) -> str:
        places = re.findall(r"1 0 0 1 (\S+) (\S+) cm /F", content)
        found.extend(places)
        x, y = map(float, places[-1])
        return f"{content} /OC /GUIDES BDC 0.87 0.8 0.67 rg {x} {y} 200 270 re f EMC"

    rewrite(duplex, 1, cover)
    assert found
    assert "GP824" in codes(duplex)


@pytest.mark.parametrize(
    ("corners", "box"),
    [
        ([(0, 0), (5, 0), (5, 9), (0, 9)], True),
        ([(0, 0), (0, 9), (5, 9), (5, 0), (0, 0)], True),
        ([(0, 0), (5, 9), (5, 0), (0, 9)], False),
        ([(0, 0), (5, 0), (5, 9)], False),
        ([(0, 0), (5, 0), (5, 9), (1, 9)], False),
    ],
)
def test_a_clip_is_a_box_only_when_its_corners_are(
    corners: list[tuple[float, float]], box: bool
) -> None:
    assert _is_box([Point(*corner) for corner in corners]) is box


def test_an_outline_is_itself_from_whichever_corner_and_either_way_round() -> None:
    outline = [Point(0, 0), Point(4, 1), Point(5, 6), Point(1, 5)]
    turned = outline[2:] + outline[:2]
    assert _is_outline(turned, outline)
    assert _is_outline([*turned[::-1], turned[-1]], outline)
    assert not _is_outline([outline[0], outline[2], outline[1], outline[3]], outline)
    assert not _is_outline(outline[:3], outline)


def test_a_digest_is_of_all_that_a_form_leads_to_and_not_of_its_number() -> None:
    def form(pdf: pikepdf.Pdf, letters: bytes) -> pikepdf.Object:
        font = pdf.make_indirect(pikepdf.Dictionary(File=pdf.make_stream(letters)))
        resources = pikepdf.Dictionary(Font=pikepdf.Dictionary(F=font))
        return pdf.make_stream(b"(a) Tj", Subtype=pikepdf.Name.Form, Resources=resources)

    one, other = pikepdf.new(), pikepdf.new()
    other.make_stream(b"something before it")
    first, same, changed = form(one, b"abc"), form(other, b"abc"), form(other, b"abd")
    prints, others = Fingerprints(one), Fingerprints(other)
    assert prints.of(first.objgen) == others.of(same.objgen) != others.of(changed.objgen)
    assert prints.stands_alone(first.objgen)
    first.Resources.Font.F.Back = first  # what leads back to itself is nobody else's
    assert not Fingerprints(one).stands_alone(first.objgen)


@pytest.mark.parametrize(("side", "times"), [(3000, 1), (300, 2)])
def test_a_large_picture_is_unpacked_once_for_all_files_that_show_it(side: int, times: int) -> None:
    kept, unpacked = InMemory(NOTHING_KEPT), list[int]()

    def unpack() -> list[int]:
        unpacked.append(side)
        return unpacked

    for _ in range(2):
        pdf = pikepdf.new()
        picture = pdf.make_stream(b"1", Width=side, Height=side)
        found = Fingerprints(pdf, kept).of_picture(unpack, list[int], "it", picture)
    assert found == unpacked == [side] * times


def test_marks_are_where_their_lines_are() -> None:
    pdf = pikepdf.new()
    page = pdf.add_blank_page(page_size=(200, 200))
    page.Contents = pdf.make_stream(
        b"2 w 10 10 m 190 190 l S 100 20 m 180 20 180 100 100 100 c S 0.5 g 10 150 20 20 re f"
    )
    out = io.BytesIO()
    pdf.save(out)
    document = pypdfium2.PdfDocument(out.getvalue())
    marks = list(ink_on(document[0], Matrix(1, 0, 0, -1, 0, 200)))

    def meet(*box: float) -> bool:
        return any(mark.meets(Rect(*box)) for mark in marks)

    assert meet(95, 95, 10, 10)
    assert not meet(120, 20, 30, 20)  # in the box around the slanted line
    assert meet(155, 135, 10, 10)
    assert not meet(100, 130, 30, 20)  # inside of the bow
    assert meet(15, 35, 2, 2)
    line, bow, block = marks
    assert line.area == pytest.approx(2 * 180 * 2**0.5)
    assert (block.area, block.dark) == (pytest.approx(400), pytest.approx(0.5, abs=0.01))
    assert MarkInk(((0, 0), (10, 0)), 2, True).meets(Rect(4, 0.5, 1, 1))
    assert bow.is_line
    document.close()
