"""Plates against the engine: the same look, the same text, or left to it."""

from __future__ import annotations

import io
from pathlib import Path

import pikepdf
import pypdfium2 as pdfium
import pytest
from export.hand_made import FONTS, face, text
from PIL import Image, ImageChops

from generator.export.plates import Plate, Platemaker, PlateStore
from generator.export.svg_to_pdf import compile_faces
from generator.fonts import FontLibrary
from generator.model.face import Asset, Face

TEXT = '<text fill="#222" font-family="Alegreya Sans" font-weight="400" font-size="5">{}</text>'


def span(words: str, x: float = 4, y: float = 20) -> str:
    return TEXT.format(f'<tspan x="{x}" y="{y}">{words}</tspan>')


def plate_of(drawn: Face) -> Plate | None:
    return Platemaker(FontLibrary(FONTS)).plate(drawn)


def pdf_of(plate: Plate) -> bytes:
    buffer = io.BytesIO()
    with pikepdf.new() as pdf:
        store = PlateStore(pdf)
        page = pdf.add_blank_page(page_size=(plate.box.width, plate.box.height)).obj
        form = store.form(plate)
        store.finish()
        page.Resources = pikepdf.Dictionary(XObject=pikepdf.Dictionary({"/F": form}))
        page.Contents = pdf.make_stream(b"/F Do")
        pdf.save(buffer, deterministic_id=True)
    return buffer.getvalue()


def by_plate(drawn: Face) -> bytes:
    plate = plate_of(drawn)
    assert plate is not None
    return pdf_of(plate)


def by_engine(drawn: Face, folder: Path) -> bytes:
    compiled = compile_faces([drawn], FONTS, folder)
    assert compiled.ok, compiled.diagnostics
    return compiled.value.files[0].read_bytes()


def seen(pdf: bytes, dpi: int = 144) -> Image.Image:
    document = pdfium.PdfDocument(pdf)
    try:
        return document[0].render(scale=dpi / 72).to_pil().convert("RGB")
    finally:
        document.close()


def words_in(pdf: bytes) -> list[str]:
    document = pdfium.PdfDocument(pdf)
    try:
        return document[0].get_textpage().get_text_range().split()
    finally:
        document.close()


BODIES = {
    "shapes": '<rect x="3" y="3" width="20" height="9" rx="2" fill="#913" stroke="#000"/>'
    '<circle cx="40" cy="20" r="8" fill="none" stroke="teal" stroke-dasharray="2 1.3"/>'
    '<ellipse cx="20" cy="40" rx="9" ry="4" fill="#06c" fill-opacity=".4"/>'
    '<polygon points="5,60 20,50 30,70" fill="gold" stroke="#222" stroke-linejoin="round"/>'
    '<polyline points="35,60 50,50 55,70" fill="none" stroke="#222" stroke-linecap="round"/>',
    "paths": '<path d="M5 5h10q5 0 5 5t5 5a6 9 20 1 1 8 3c1 1 9 9 2 2s3 0 9 9z" fill="#357"/>'
    '<path fill-rule="evenodd" d="M10 50h30v30h-30zM20 60h10v10h-10z"/>',
    "flat": '<path d="M5 9h40" stroke="#a00" stroke-width=".3"/><line x2="40" y2="40"/>'
    '<path d="M9 60l20 9"/>',
    "turned": '<g transform="translate(30 30) rotate(30) scale(1.5 .7)" fill="#284">'
    '<rect width="20" height="10"/><g transform="skewX(20)"><circle r="5" fill="#fff"/></g></g>',
    "veiled": '<g opacity=".5"><rect x="5" y="5" width="30" height="30" fill="red"/>'
    '<rect x="20" y="20" width="30" height="30" fill="blue"/></g>'
    '<path d="M9 50h20v20h-20z" fill="#fff" stroke="#000" stroke-width="4" opacity=".3"/>'
    '<g opacity=".6" transform="rotate(9)"><g opacity=".5"><circle cx="50" cy="60" r="9"/>'
    '<circle cx="55" cy="60" r="9" fill="#fff"/></g></g>',
    "see-through stroke": '<rect x="9" y="9" width="30" height="30" fill="#06c" stroke="#c00" '
    'stroke-width="8" stroke-opacity=".5"/>',
    "clipped": '<clipPath id="a"><circle cx="30" cy="30" r="20"/></clipPath>'
    '<g clip-path="url(#a)"><rect width="30" height="60" fill="#a40"/></g>'
    '<rect x="40" y="60" width="9" height="9"/>',
    "turned text": f'<g transform="rotate(90 30 40)">{span("Avatar Type", 10, 40)}</g>',
    "text": span("Quick AVATAR of effort fi ffl, Wörter – “Tο” 1×2")
    + span("To. Yes, We. P. V, &amp; so on", 4, 40),
}


@pytest.mark.parametrize("name", BODIES)
def test_a_plate_looks_as_the_engine_draws_it(name: str, tmp_path: Path) -> None:
    drawn = face("a", BODIES[name])
    ours, theirs = by_plate(drawn), by_engine(drawn, tmp_path)
    difference = ImageChops.difference(seen(ours), seen(theirs)).convert("L")
    # Edges may be smoothed a little otherwise, nothing else: no more than a trace of a pixel.
    assert difference.point(lambda v: 255 if v > 60 else 0).getbbox() is None
    assert sum(difference.point(lambda v: 1 if v > 12 else 0).getdata()) < 120


def test_text_is_text(tmp_path: Path) -> None:
    drawn = face("a", BODIES["text"])
    ours = words_in(by_plate(drawn))
    assert (
        ours
        == "Quick AVATAR of effort fi ffl, Wörter – “Tο” 1×2 To. Yes, We. P. V, & so on".split()
    )


def test_a_jpeg_is_stored_as_it_is_and_placed_as_svg_says(tmp_path: Path) -> None:
    gradient = Image.linear_gradient("L").resize((60, 90)).convert("RGB")
    gradient.save(tmp_path / "a.jpg", quality=95)
    asset = Asset("assets/aa.jpg", tmp_path / "a.jpg")
    for number, aspect in enumerate(("xMidYMid slice", "xMinYMax meet", "none")):
        body = (
            f'<image href="{asset.href}" x="5" y="9" width="50" height="30" '
            f'preserveAspectRatio="{aspect}"/>'
        )
        drawn = face("a", body, assets=(asset,))
        ours = by_plate(drawn)
        (tmp_path / str(number)).mkdir()
        theirs = by_engine(drawn, tmp_path / str(number))
        difference = ImageChops.difference(seen(ours), seen(theirs)).convert("L")
        assert sum(difference.point(lambda v: 1 if v > 40 else 0).getdata()) < 400
    with pikepdf.open(io.BytesIO(ours)) as pdf:
        [image] = [
            o
            for o in pdf.objects
            if isinstance(o, pikepdf.Stream) and o.get("/Subtype") == "/Image"
        ]
        assert image.read_raw_bytes() == (tmp_path / "a.jpg").read_bytes()


@pytest.mark.parametrize(
    "body",
    [
        '<linearGradient id="g"/><rect width="5" height="5" fill="url(#g)"/>',
        '<mask id="m"/><rect width="5" height="5" mask="url(#m)"/>',
        '<defs><g id="a"/></defs><use href="#a"/>',
        '<clipPath id="a"><rect width="5" height="5"/><circle r="3"/></clipPath>'
        '<g clip-path="url(#a)"/>',
        '<g clip-path="url(#nowhere)"/>',
        '<rect width="5" height="5" filter="x"/>',
        '<path d="M0 0 L"/>',
        '<rect width="5" height="5" fill="currentColor"/>',
        '<image href="assets/none.jpg" width="5" height="5"/>',
        span("\u05e9\u05dc\u05d5\u05dd"),
        span("missing \ue000"),
        span("two  spaces"),
        text("no weight").replace("Alegreya Sans", "Nowhere Sans"),
        '<text x="5 9" y="3" font-family="Alegreya Sans">ab</text>',
        TEXT.format("ab"),
        "<g>",
    ],
)  # fmt: skip
def test_what_is_hard_is_left_to_the_engine(body: str) -> None:
    assert plate_of(face("a", body)) is None


def test_a_png_and_a_jpeg_with_its_own_profile_are_left_to_the_engine(tmp_path: Path) -> None:
    Image.new("RGB", (9, 9)).save(tmp_path / "a.png")
    Image.new("RGB", (9, 9)).save(tmp_path / "b.jpg", icc_profile=b"x" * 128)
    for name in ("a.png", "b.jpg"):
        asset = Asset(f"assets/{name}", tmp_path / name)
        body = f'<image href="{asset.href}" width="9" height="9"/>'
        assert plate_of(face("a", body, assets=(asset,))) is None


def test_a_plate_is_the_same_whatever_was_made_before() -> None:
    maker = Platemaker(FontLibrary(FONTS))
    maker.plate(face("b", BODIES["shapes"] + span("Other words")))
    again = maker.plate(face("a", BODIES["text"] + BODIES["shapes"]))
    fresh = plate_of(face("a", BODIES["text"] + BODIES["shapes"]))
    assert again is not None
    assert fresh is not None
    assert pdf_of(again) == pdf_of(fresh)
