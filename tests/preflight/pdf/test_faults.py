"""Each file has one fault, and exactly that fault is found; sound files have no findings."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from pikepdf import Array, Dictionary, Name, Pdf, String
from preflight.pdf.made import (
    BLEED,
    GROUND,
    HEIGHT,
    TRIM,
    WIDTH,
    Edit,
    as_x,
    card,
    coded,
    compact,
    composite,
    findings,
    image,
    in_root,
    jpeg,
    on_page,
    told,
    truetype,
    type1,
    type1c,
    type3,
    words,
)

from generator.model.catalogue import PdfProfile
from generator.outlets import pdf_profiles_of
from generator.project import project_here

PROFILES = pdf_profiles_of(project_here()).value
DRIVETHRU, PRESS, HOME = (PROFILES[name] for name in ("drivethru", "press-eu", "home"))
TGC, MPC = PROFILES["tgc"], PROFILES["mpc"]
RGB = "0.2 0.4 0.3 rg 0 0 400 400 re f\n"
SHOWN = "q 144 0 0 144 30 60 cm /Im Do Q\n"
"""A picture, 2 × 2 in."""

Resources = Callable[[Pdf], Mapping[str, Mapping[str, Any]]]


def pictured(*size: int, **entries: Any) -> Resources:
    """Resources with a picture."""
    return lambda pdf: {"XObject": {"/Im": image(pdf, (size[0], size[-1]), **entries)}}


def font(make: Callable[..., Any], *given: Any, **more: Any) -> Resources:
    """Resources with a font."""
    return lambda pdf: {"Font": {"/F": make(pdf, *given, **more)}}


def state(**entries: Any) -> Resources:
    """Resources with a graphics state."""
    return lambda pdf: {"ExtGState": {"/G": Dictionary(**entries)}}


def space(name: str, pdf: Pdf) -> Array:
    """A colour space of an ink of its own."""
    function = Dictionary(
        FunctionType=2, N=1, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array([0, 0.3, 0.8, 0])
    )
    return Array([Name.Separation, Name(name), Name.DeviceCMYK, function])


def inked(name: str) -> Resources:
    """Return resources with that colour space as S."""
    return lambda pdf: {"ColorSpace": {"/S": space(name, pdf)}}


def shading(most: float) -> Resources:
    """Return resources with a shading that ends at this much of each ink."""
    function = Dictionary(
        FunctionType=2, N=1, Domain=Array([0, 1]), C0=Array([0] * 4), C1=Array([most] * 4)
    )
    shade = Dictionary(
        ShadingType=2, ColorSpace=Name.DeviceCMYK, Coords=Array([0, 0, 9, 0]), Function=function
    )
    return lambda pdf: {"Shading": {"/Sh": shade}}


def helvetica(pdf: Pdf) -> Any:
    return Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)


def damaged_font(pdf: Pdf) -> Any:
    made = composite(pdf, "A")
    made.DescendantFonts[0].FontDescriptor.FontFile2.write(b"no font at all")
    return made


def nested(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
    """A form in a form, each half as large as what it is in, with small words in the inner one."""
    inner = pdf.make_stream(
        words(size=12).encode(), Subtype=Name.Form, BBox=Array([0, 0, 400, 400]),
        Matrix=Array([0.5, 0, 0, 0.5, 60, 60]), Resources=Dictionary(Font=Dictionary(F=type1(pdf))),
    )  # fmt: skip
    outer = pdf.make_stream(
        b"q 0.5 0 0 0.5 20 20 cm /Inner Do Q", Subtype=Name.Form, BBox=Array([0, 0, 400, 400]),
        Resources=Dictionary(XObject=Dictionary(Inner=inner)),
    )  # fmt: skip
    return {"XObject": {"/Im": outer}}


def layered(pdf: Pdf, *, printed: bool = False) -> None:
    """Hide the layer L of the page, if there is one."""
    layer = pdf.pages[0].obj.Resources.Properties.L
    rules: dict[str, Any] = {}
    if printed:
        layer.Usage = Dictionary(Print=Dictionary(PrintState=Name.ON))
        rules["AS"] = Array([Dictionary(Event=Name.Print, OCGs=Array([layer]))])
    pdf.Root.OCProperties = Dictionary(
        OCGs=Array([layer]), D=Dictionary(OFF=Array([layer]), **rules)
    )


def layer(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
    made = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Notes")))
    return {"Properties": {"/L": made}, "Font": {"/F": type1(pdf)}}


def script(pdf: Pdf) -> None:
    pdf.Root.OpenAction = Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def launch(pdf: Pdf) -> None:
    action = Dictionary(S=Name.Launch, F=String("calc.exe"))
    link = Dictionary(Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=action)
    pdf.pages[0].obj.Annots = Array([link])


def attached(pdf: Pdf) -> None:
    pdf.attachments["notes.txt"] = b"secret"


def linked(pdf: Pdf) -> None:
    """As LaTeX does: opens at a page, with links to addresses."""
    pdf.Root.OpenAction = Array([pdf.pages[0].obj, Name.Fit])
    link = Dictionary(S=Name.URI, URI=String("https://example.org"))
    note = Dictionary(Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=link)
    pdf.pages[0].obj.Annots = Array([note])


def lab_profile(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
    profile = pdf.make_stream(bytes(12) + b"scnr" + b"RGB " + bytes(108), N=3)
    return {"XObject": {"/Im": image(pdf, ColorSpace=Array([Name.ICCBased, profile]))}}


def four_inks(*colour: int, inverted: bool = False) -> Resources:
    def make(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
        return {"XObject": {"/Im": jpeg(pdf, colour, inverted=inverted)}}  # type: ignore[arg-type]

    return make


def tiled(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
    """A pattern with a coarse picture."""
    cell = pdf.make_stream(
        b"q 72 0 0 72 0 0 cm /Im Do Q", PatternType=1, PaintType=1, TilingType=1,
        BBox=Array([0, 0, 72, 72]), XStep=72, YStep=72,
        Resources=Dictionary(XObject=Dictionary(Im=image(pdf, (40, 40)))),
    )  # fmt: skip
    return {"Pattern": {"/P": cell}}


def noisy(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
    """Return a picture of random pixels, so that it takes more than a megabyte."""
    values = random.Random(1).randbytes(1200 * 1200)
    made = image(pdf, (1200, 1200), Bytes=values, ColorSpace=Name.DeviceGray)
    return {"XObject": {"/Im": made}}


def last_smaller(pdf: Pdf) -> None:
    pdf.pages[-1].obj.MediaBox = Array([0, 0, WIDTH, HEIGHT + 3])


Fault = tuple[str, str, Resources | None, Edit | None, str]
TEXT = words("(Hi there)")

FAULTS: list[Fault] = [
    ("script", "", None, script, "GP808"),
    ("starts a program", "", None, launch, "GP808"),
    ("attachment", "", None, attached, "GP808"),
    ("XFA form", "", None, in_root(AcroForm=Dictionary(XFA=String("x"))), "GP808"),
    ("odd command", "(x) cm 0 0 9 9 re f", None, None, "GP808"),
    ("trim beyond the page", "", None, on_page(TrimBox=Array([-9, 0, 99, 99])), "GP802"),
    ("bleed within the trim", "", None, on_page(BleedBox=Array([50, 50, 90, 90])), "GP802"),
    ("no area", "", None, on_page(TrimBox=Array([50, 50, 50, 90]), BleedBox=None), "GP802"),
    ("font not embedded", TEXT, font(helvetica), None, "GP804"),
    ("font damaged", words(f"<{'0001' * 3}>"), font(damaged_font), None, "GP804"),
    ("font not there", TEXT, None, None, "GP804"),
    ("empty box", words(f"<{coded('A')}0000>"), font(composite, "A", lost="B"), None, "GP822"),
    ("beyond the glyphs", words("<fff0>"), font(composite, "A"), None, ""),
    ("Type 1 lacks a letter", words("<414243>"), font(type1), None, "GP822"),
    ("Type 1C lacks a letter", words("<414243>"), font(type1c), None, "GP822"),
    ("Type 3 lacks a letter", words("<414243>"), font(type3), None, "GP822"),
    ("a compact font lacks a letter", words("<000100020009>"), font(compact), None, "GP822"),
    ("TrueType lacks a code", words("<410142>"), font(truetype), None, "GP822"),
    ("small words", words(size=4.5), font(type1), None, "GP821"),
    ("small by its matrix", "0.5 0 0 0.5 0 0 cm " + words(x=99, y=99), font(type1), None, "GP821"),
    ("small in forms", "/Im Do", nested, None, "GP821"),
    ("words near the cut", words(x=BLEED + 3), font(type1), None, "GP823"),
    ("words over the cut", words(x=BLEED - 3), font(type1), None, "GP823"),
    ("turned words over the cut", "BT /F 9 Tf 0 1 -1 0 60 250 Tm <41424142> Tj ET", font(type1),
     None, "GP823"),
    ("coarse picture", SHOWN, pictured(200), None, "GP831"),
    ("coarse in a pattern", "/Pattern cs /P scn 30 60 90 90 re f", tiled, None, "GP831"),
    ("coarse, written inline", "q 144 0 0 144 30 60 cm BI /W 20 /H 20 /CS /G /BPC 8 ID "
     + "a" * 400 + " EI Q", None, None, "GP831"),
    ("Lab", SHOWN, pictured(400, ColorSpace=Array([
        Name.Lab, Dictionary(WhitePoint=Array([0.96, 1, 0.82]))])), None, "GP832"),
    ("a scanner's profile", SHOWN, lab_profile, None, "GP832"),
    ("stretched", SHOWN, pictured(400, 500), None, "GP833"),
    ("slanted", "q 144 20 0 144 30 60 cm /Im Do Q", pictured(400), None, "GP833"),
    ("far too large", "q 72 0 0 72 30 60 cm /Im Do Q", noisy, None, "GP834"),
    ("hairline", "0.1 w 30 60 m 120 60 l S", None, None, "GP829"),
    ("no width", "0 w 30 60 m 120 60 l S", None, None, "GP829"),
    ("hairline by its matrix", "q 0.1 0 0 0.1 0 0 cm 1 w 300 600 m 900 600 l S Q", None, None,
     "GP829"),
    ("too much ink", "0.9 0.9 0.9 0.9 k 60 60 40 40 re f", None, None, "GP842"),
    ("too much ink in a shading", "/Sh sh", shading(0.9), None, "GP842"),
    ("registration colour", "1 1 1 1 k 60 60 40 40 re f", None, None, "GP842"),
    ("the ink All", "/S cs 1 scn 60 60 40 40 re f", inked("/All"), None, "GP842"),
    ("picture with too much ink", SHOWN, four_inks(240, 240, 240, 240), None, "GP842"),
    ("Photoshop's, too", SHOWN, four_inks(240, 240, 240, 240, inverted=True), None, "GP842"),
    ("rich black", "BT /F 8 Tf 0.6 0.4 0.4 1 k 40 99 Td <4142> Tj ET", font(type1), None, "GP842"),
    ("white overprints", "/G gs 0 0 0 0 k 60 60 9 9 re f", state(op=True, OPM=1), None, "GP843"),
    ("halftone", "/G gs", state(HT=Dictionary(HalftoneType=1)), None, "GP844"),
    ("hidden, but printed", "/OC /L BDC 0 g 60 60 9 9 re f EMC", layer,
     lambda pdf: layered(pdf, printed=True), "GP844"),
]  # fmt: skip


@pytest.mark.parametrize(("content", "resources", "edit", "wanted"), [f[1:] for f in FAULTS],
                         ids=[f[0] for f in FAULTS])  # fmt: skip
def test_a_fault_is_found_alone(
    tmp_path: Path, content: str, resources: Resources | None, edit: Edit | None, wanted: str
) -> None:
    path = card(tmp_path / "card.pdf", content, resources=resources, edit=edit)
    assert told(path) == set(filter(None, [wanted]))


FAIR: list[tuple[str, str, Resources | None, Edit | None]] = [
    ("nothing but a ground", "", None, None),
    ("links, as of LaTeX", "", None, linked),
    ("an empty form, as of Word", "", None, in_root(AcroForm=Dictionary(Fields=Array()))),
    ("Type 1, as of LaTeX", words(), font(type1), None),
    ("Type 1C, as of InDesign", words(), font(type1c), None),
    ("Type 3, as of Chromium", words(), font(type3), None),
    ("TrueType by numbers", words(f"<{coded('Habit')}>"), font(composite, "Habit"), None),
    ("with a map", words(f"<{coded('Habit')}>"), font(composite, "Habit", mapped=True), None),
    ("compact, as of typst", words("<000100020001>"), font(compact), None),
    ("TrueType without an encoding", words("<41424142>"), font(truetype), None),
    ("a font that is named, not used", "", font(helvetica), None),
    ("a raised number", words("<41>", size=4), font(type1), None),
    ("words behind a scan", "3 Tr " + words(size=1), font(helvetica), None),
    ("small words that a clip hides", "q 0 0 9 9 re W n " + words(size=3) + "Q", font(type1), None),
    ("words on a hidden layer", "/OC /L BDC " + words(size=2) + "EMC", layer, layered),
    ("words in the slug", words(size=4, x=2, y=2), font(type1), None),
    ("a picture", SHOWN, pictured(400), None),
    ("a scan in bits", SHOWN, pictured(600, BitsPerComponent=1, ColorSpace=Name.DeviceGray), None),
    ("a stretched flat", "q 144 0 0 99 30 60 cm /Im Do Q", pictured(8), None),
    ("four inks", SHOWN, four_inks(90, 90, 90, 90), None),
    ("crop marks", "0.1 w 1 1 1 1 K 0 9 m 6 9 l S", None, None),
    ("a die line", "/S CS 1 SCN 0.1 w 9 9 99 99 re S", inked("/CutContour"), None),
    ("black overprints", "/G gs 0 0 0 1 k 60 60 9 9 re f", state(op=True), None),
    ("neutral states", "/G gs", state(TR=Name.Identity, HT=Name.Default, SA=True), None),
    ("transparency", "/G gs 0 0 0 1 k 60 60 9 9 re f", state(ca=0.5), None),
    ("turned page", words(), font(type1), on_page(Rotate=90)),
]


@pytest.mark.parametrize(("content", "resources", "edit"), [f[1:] for f in FAIR],
                         ids=[f[0] for f in FAIR])  # fmt: skip
def test_nothing_is_found_in_a_fair_file(
    tmp_path: Path, content: str, resources: Resources | None, edit: Edit | None
) -> None:
    assert findings(card(tmp_path / "card.pdf", content, resources=resources, edit=edit)) == ()


def with_x(**entries: Any) -> Edit:
    """Return an edit that claims PDF/X-1a for the file, with other entries on its pages."""

    def edit(pdf: Pdf) -> None:
        as_x()(pdf)
        on_page(**entries)(pdf)

    return edit


def made(
    ground: str = GROUND,
    content: str = "",
    resources: Resources | None = None,
    edit: Edit | None = as_x(),  # noqa: B008, it makes nothing
    pages: int = 2,
) -> Callable[[Path], Path]:
    return lambda path: card(
        path, content, ground=ground, resources=resources, edit=edit, pages=pages
    )


GOLD = "/S cs 1 scn 60 60 40 40 re f"
OWN = replace(PRESS, most_pages=1, most_bytes=100, standards=(), conditions=())


@pytest.mark.parametrize(
    ("make", "profile", "wanted"),
    [
        (made(), DRIVETHRU, set()),
        (made(), PRESS, set()),
        (made(edit=with_x(TrimBox=Array([40, 40, 90, 90]))), DRIVETHRU, {"GP881"}),
        (made(edit=with_x(TrimBox=None)), DRIVETHRU, {"GP882"}),
        (made(edit=with_x(BleedBox=Array([5, 5, 193, 265]))), PRESS, {"GP882"}),
        (made(RGB), DRIVETHRU, {"GP883"}),
        (made(content=GOLD, resources=inked("/Gold")), DRIVETHRU, {"GP883"}),
        (made(content=GOLD, resources=inked("/Gold")), PRESS, set()),
        (made("0.7 0.7 0.7 0.4 k 0 0 400 400 re f\n"), DRIVETHRU, {"GP842"}),
        (made("0.7 0.7 0.7 0.4 k 0 0 400 400 re f\n"), PRESS, set()),
        (made(content="/G gs 0 0 0 1 k 60 60 9 9 re f", resources=state(ca=0.5)), DRIVETHRU,
         {"GP885"}),
        (made(pages=3), DRIVETHRU, {"GP886"}),
        (made(edit=None), DRIVETHRU, {"GP884"}),
        (made(edit=as_x("PDF/X-4")), DRIVETHRU, {"GP884"}),
        (made(edit=as_x(condition="CGATS TR 001")), PRESS, {"GP884"}),
        (made(), OWN, {"GP886"}),
        (made(RGB, edit=None), TGC, {"GP887"}),
        (made(RGB, edit=None), MPC, {"GP887"}),
        (made(edit=None), TGC, {"GP883", "GP887"}),
        (made(RGB, edit=on_page(TrimBox=None, BleedBox=None)), TGC, {"GP887"}),
        (made(RGB, edit=on_page(MediaBox=Array([-20, -20, 220, 290]))), TGC, {"GP881", "GP887"}),
        (made(RGB, edit=last_smaller), replace(PRESS, standards=(), conditions=(), paired=True,
                                               colours=()), {"GP802"}),
        (made(RGB, edit=on_page(TrimBox=None, BleedBox=None)), HOME, {"GP881"}),
        (made(RGB, edit=on_page(MediaBox=Array([0, 0, 595.3, 841.9]))), HOME, set()),
        (made(content=words(x=BLEED + 5), resources=font(type1)), DRIVETHRU, {"GP823"}),
        (made(content=SHOWN, resources=pictured(390, 390, ColorSpace=Name.DeviceCMYK)), DRIVETHRU,
         {"GP831"}),
        (made(ground="", content=""), DRIVETHRU, set()),
    ],
)  # fmt: skip
def test_a_profile_refuses_what_it_says(
    tmp_path: Path, make: Callable[[Path], Path], profile: PdfProfile, wanted: set[str]
) -> None:
    assert told(make(tmp_path / "card.pdf"), profile) == wanted


def test_the_kinds_of_a_card_are_as_a_shop_has_them() -> None:
    assert TRIM == (2.5 * 72, 3.5 * 72)


def test_every_page_without_anything_is_listed(tmp_path: Path) -> None:
    [found] = findings(card(tmp_path / "card.pdf", ground="1 g 0 0 99 99 re f", pages=4))
    assert found.code == "GP875"
    assert found.pages == (1, 2, 3, 4)
    assert found.diagnostic("x.pdf").message == "pages 1–4: the page is blank"


def test_one_cause_is_one_finding(tmp_path: Path) -> None:
    two = SHOWN + "q 72 0 0 72 30 210 cm /Other Do Q"

    def named(pdf: Pdf) -> Mapping[str, Mapping[str, Any]]:
        return {"XObject": {"/Im": image(pdf, (50, 50)), "/Other": image(pdf, (60, 60))}}

    [found] = findings(card(tmp_path / "card.pdf", two, resources=named, pages=3))
    assert (found.pages, len(found.others)) == ((1, 2, 3), 5)
    said = found.diagnostic("x.pdf")
    assert said.message.startswith("pages 1–3: a picture of 50 × 50 pixels is printed at 25 dpi")
    assert said.message.endswith("(and 1 more like it)")
    assert "300 dpi" in said.hint


def test_no_more_than_a_hundred_of_a_kind_are_listed(tmp_path: Path) -> None:
    names = [f"F{chr(97 + n // 26)}{chr(97 + n % 26)}" for n in range(130)]
    content = "".join(f"BT /{name} 9 Tf 40 99 Td (a) Tj ET\n" for name in names)
    found = findings(card(tmp_path / "card.pdf", content))
    assert len(found) == 101
    assert any(each.message == "and 30 more like it" for each in found)


def test_a_place_is_told_from_the_upper_left_corner_as_it_is_seen(tmp_path: Path) -> None:
    path = tmp_path / "card.pdf"
    [upright] = findings(card(path, words(size=4, x=90, y=200), resources=font(type1)))
    assert upright.place
    assert upright.place.x == pytest.approx(90 / 72 * 25.4)
    assert upright.place.bottom == pytest.approx((HEIGHT - 200) / 72 * 25.4)
    edit = on_page(Rotate=90)
    [turned] = findings(card(path, words(size=4, x=90, y=200), resources=font(type1), edit=edit))
    assert turned.place
    assert turned.place.x == pytest.approx(200 / 72 * 25.4)
    assert turned.place.y == pytest.approx(90 / 72 * 25.4)


def test_units_of_a_page_count(tmp_path: Path) -> None:
    path = card(tmp_path / "a.pdf", words(size=4), resources=font(type1), edit=on_page(UserUnit=2))
    assert findings(path) == ()
