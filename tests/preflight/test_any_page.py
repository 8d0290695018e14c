from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
import pytest
from grain import grain
from pikepdf import Array, Dictionary, Name, String
from PIL import Image
from preflight.strangers import card, changed, findings, told

from generator.diagnostics import Severity
from generator.outlets import pdf_profiles_of
from generator.preflight import preflight
from generator.preflight.checking import Finding
from generator.preflight.paints import paints_in
from generator.preflight.profile_checks import _fineness
from generator.preflight.raster import MOST_PIXELS
from generator.project import project_here

WORDS = "BT /F1 {size} Tf 1 g {x} 120 Td (some words) Tj ET"


def test_a_card_of_another_program_is_left_in_peace(tmp_path: Path) -> None:
    assert findings(card(tmp_path / "card.pdf")) == []


@pytest.mark.thorough(but=10)
@pytest.mark.parametrize(
    ("content", "wanted"),
    [
        ("0.9 0.9 0.9 0.9 k 40 40 60 60 re f", {"GP842"}),
        ("0.7 0.7 0.7 0.8 k 40 40 60 60 re f", set()),
        (WORDS.format(size=4, x=60), {"GP804", "GP821"}),
        (WORDS.format(size=9, x=3), {"GP804", "GP823"}),
        (f"3 Tr {WORDS.format(size=4, x=60)}", {"GP804"}),
        (f"{WORDS.format(size=9, x=60)} {WORDS.format(size=9, x=66)}", {"GP804", "GP826"}),
        ("q 40 60 60 60 re W n /Deep sh Q", {"GP842"}),
        ("1 G 0.1 w 40 60 m 140 60 l S", {"GP829"}),
        ("q 0.1 0 0 0.1 0 0 cm 1 G 1 w 400 600 m 1400 600 l S Q", {"GP829"}),
        ("1 g 40 60 90 0.1 re f", {"GP829"}),
        ("q 1 0 0 0.01 40 60 cm 1 G 10 w 0 0 m 100 0 l S Q", {"GP829"}),
        ("q 1 0 0 0.01 40 60 cm 1 G 10 w 0 0 m 0 6000 l S Q", set()),
        ("q 0.01 0 0 1 40 60 cm 1 G 1 w 0 0 m 9000 0 l S Q", set()),
        ("1 G 1 w 40 60 m 140 60 l S", set()),
        ("q 100 0 0 100 40 60 cm /Im Do Q", {"GP831"}),
        ("q 200 0 0 100 0 60 cm /Im Do Q", {"GP831", "GP833"}),
        ("q 80 0 0 80 40 60 cm BI /W 2 /H 2 /BPC 8 /CS /G ID 0a9z EI Q", {"GP831"}),
        ("/White gs 0 0 0 0 k 60 60 40 40 re f", {"GP843"}),
        ("/White gs 1 0 0 0 k 60 60 40 40 re f", {"GP843"}),
        ("/White gs 0 0 0 1 k 60 60 40 40 re f", set()),
        ("/White gs /Gold cs 1 scn 60 60 40 40 re f", set()),
    ],
)
def test_what_is_told_of_any_pdf(tmp_path: Path, content: str, wanted: set[str]) -> None:
    assert told(card(tmp_path / "card.pdf", content, pages=1)) == wanted


PLAIN = Image.new("RGB", (300, 300), (200, 200, 200))
NOISE = grain((300, 300), 90).convert("RGB")
SOFT = grain((30, 30), 90).convert("RGB").resize((300, 300))
GUIDED = NOISE.copy()
GUIDED.paste((255, 0, 255), (140, 0, 142, 300))


@pytest.mark.parametrize(
    ("picture", "wanted"),
    [(PLAIN, {"GP835"}), (SOFT, {"GP836"}), (GUIDED, {"GP837"}), (NOISE, set())],
    ids=["plain", "soft", "guided", "sound"],
)
def test_what_is_wrong_in_a_picture_is_told_of_any_pdf(
    tmp_path: Path, picture: Image.Image, wanted: set[str]
) -> None:
    path = card(tmp_path / "card.pdf", "q 40 0 0 40 60 60 cm /Im Do Q", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        image = pdf.make_stream(
            picture.tobytes(), Subtype=Name.Image, Width=300, Height=300,
            ColorSpace=Name.DeviceRGB, BitsPerComponent=8,
        )  # fmt: skip
        pdf.pages[0].obj.Resources.XObject.Im = image
        pdf.save(path)
    assert told(path) == wanted


@pytest.mark.parametrize(
    "content", ["1 G 0.1 w 40 60 m 140 60 l S", "0.9 0.9 0.9 0.9 k 40 40 60 60 re f"]
)
def test_one_fault_of_all_pages_is_one_finding(tmp_path: Path, content: str) -> None:
    [found] = findings(card(tmp_path / "card.pdf", content, pages=3))
    assert (found.page, found.times, [other.page for other in found.others]) == (1, 3, [2, 3])


def test_a_picture_is_told_of_on_each_page_where_it_is_too_coarse(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", "q 100 0 0 100 40 60 cm /Im Do Q", pages=3)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        small = b"q 2 0 0 2 40 60 cm /Im Do Q"  # of 360 dpi
        pdf.pages[1].obj.Contents = pdf.make_stream(small)
        pdf.save(path)
    [found] = [each for each in findings(path) if each.code == "GP831"]
    assert (found.page, [other.page for other in found.others]) == (1, [3])


INCH = 25.4 / 72


@pytest.mark.parametrize(
    ("content", "code", "place"),
    [
        ("0.9 0.9 0.9 0.9 k 60 60 40 30 re f", "GP842", (60, 180, 40, 30)),
        ("/White gs 0 0 0 0 k 60 60 40 30 re f", "GP843", (60, 180, 40, 30)),
        ("/White gs 0 1 0 0 k q 2 0 0 2 9 9 cm 30 30 20 15 re f Q", "GP843", (69, 171, 40, 30)),
        ("0.9 0.9 0.9 0.9 K 2 w 60 60 m 100 90 l S", "GP842", (60, 180, 40, 30)),
        ("0.9 0.9 0.9 0.9 k -50 -50 400 500 re f", "GP842", (0, 0, 198, 270)),
    ],
)
def test_ink_and_overprinting_have_a_place(
    tmp_path: Path, content: str, code: str, place: tuple[int, ...]
) -> None:
    [found] = findings(card(tmp_path / "card.pdf", content, pages=1))
    assert found.code == code
    assert found.place is not None
    box = found.place
    told = box.x, box.y, box.width, box.height
    assert told == pytest.approx([value * INCH for value in place])


def test_art_that_ends_at_the_trim_or_with_the_page_has_no_bleed(tmp_path: Path) -> None:
    ends = card(tmp_path / "ends.pdf", ground="0.2 g 9 9 180 252 re f", pages=1)
    [found] = findings(ends)
    assert (found.code, found.place and found.place.width) == ("GP811", pytest.approx(63.5))
    path = changed(card(tmp_path / "whole.pdf", pages=1), TrimBox=Array([0, 0, 198, 270]))
    [found] = findings(path)
    assert (found.code, "all around" in found.message) == ("GP811", True)
    bare = card(tmp_path / "bare.pdf", ground="0.2 g 60 60 40 40 re f", pages=1)
    assert findings(changed(bare, TrimBox=Array([0, 0, 198, 270]))) == []


def test_places_are_those_of_the_page_however_it_is_turned_or_cropped(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", WORDS.format(size=4, x=60), pages=1)
    places = [f.place for f in findings(path) if f.code == "GP821"]
    changed(path, Rotate=90, CropBox=Array([50, 50, 150, 150]))
    assert [f.place for f in findings(path) if f.code == "GP821"] == places
    [cropped] = [found for found in findings(path) if found.code == "GP802"]
    assert "CropBox leaves out" in cropped.message


@pytest.mark.parametrize("content", ['{"name": "a web page"}', '{"gridpress": "1", "outlet": "x"}'])
def test_a_manifest_of_something_else_is_none(tmp_path: Path, content: str) -> None:
    (tmp_path / "manifest.json").write_text(content)
    assert findings(card(tmp_path / "card.pdf", pages=1)) == []


def test_a_page_without_a_size(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", "0.5 g 0 0 3 3 re f", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        for box in ("/MediaBox", "/TrimBox", "/BleedBox"):
            pdf.pages[0][box] = pikepdf.Array([0, 0, 0, 0])
        pdf.save(path)
    said = str(preflight(path).diagnostics)
    assert "has no width or height" in said
    assert "division" not in said


@pytest.mark.parametrize("name", ["Notes", "Entwürfe", "草稿", "\x00"])
@pytest.mark.parametrize(("hidden", "wanted"), [(True, {"GP804"}), (False, {"GP804", "GP821"})])
def test_words_on_a_hidden_layer_are_not_printed(
    tmp_path: Path, name: str, hidden: bool, wanted: set[str]
) -> None:
    content = f"/OC /Notes BDC {WORDS.format(size=4, x=60)} EMC"
    path = card(tmp_path / "card.pdf", content, pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name))
        off = Array([layer] if hidden else [])
        pdf.Root.OCProperties = Dictionary(OCGs=Array([layer]), D=Dictionary(OFF=off))
        pdf.pages[0].obj.Resources.Properties = Dictionary(Notes=layer)
        pdf.save(path)
    assert told(path) == wanted


def test_a_page_without_a_size_is_told_once(tmp_path: Path) -> None:
    path = changed(card(tmp_path / "card.pdf", pages=1), MediaBox=Array([0, 0, 0, 0]))
    assert [found.message for found in findings(path)] == ["the page has no width or height"]


def test_a_page_may_be_told_by_any_two_corners(tmp_path: Path) -> None:
    path = changed(card(tmp_path / "card.pdf", pages=1), MediaBox=Array([198, 270, 0, 0]))
    assert findings(path) == []


@pytest.mark.parametrize(
    ("entry", "value", "words"),
    [
        ("/Rotate", 45, "turned by 45°, and only quarter turns"),
        ("/Rotate", -90, ""),
        ("/UserUnit", 2, "prints it at 50 % of its size"),
        ("/UserUnit", 1, ""),
    ],
)
def test_what_programs_read_in_more_than_one_way(
    tmp_path: Path, entry: str, value: int, words: str
) -> None:
    path = changed(card(tmp_path / "card.pdf", pages=1), **{entry[1:]: value})
    found = [each for each in findings(path) if each.code == "GP802"]
    assert [words in each.message for each in found] == [True] * bool(words)


def test_no_hint_asks_to_build_what_no_build_made(tmp_path: Path) -> None:
    paths = [
        changed(card(tmp_path / "turned.pdf", pages=1), Rotate=45),
        changed(card(tmp_path / "flat.pdf", pages=1), TrimBox=Array([20, 20, 20, 90])),
        changed(card(tmp_path / "wrong.pdf", pages=1), Rotate=Name.Foo),
        _with_bad_font(card(tmp_path / "font.pdf", WORDS.format(size=9, x=60), pages=1)),
        card(tmp_path / "half.pdf", pages=1),
    ]
    paths[-1].write_bytes(paths[-1].read_bytes()[:700])
    said = [each for path in paths for each in preflight(path).diagnostics]
    assert {"GP802", "GP808", "GP861"} <= {each.code for each in said}
    assert [each for each in said if "build" in each.hint] == []


def _with_bad_font(path: Path) -> Path:
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].obj.Resources.Font.F1 = Name.Foo
        pdf.save(path)
    return path


@pytest.mark.parametrize(
    ("entries", "said"),
    [
        ({"TrimBox": Array([9, 9, 189])}, "its TrimBox is not of four numbers"),
        ({"BleedBox": Name.Foo}, "its BleedBox is not of four numbers"),
        ({"CropBox": Array([Name.A] * 4)}, "its CropBox is not of four numbers"),
        ({"Rotate": Name.Foo}, "its Rotate is no number"),
        ({"UserUnit": True}, "its UserUnit is no number"),
    ],
)
def test_what_a_page_says_of_itself_is_named_where_it_is_damaged(
    tmp_path: Path, entries: dict[str, object], said: str
) -> None:
    path = changed(card(tmp_path / "card.pdf", pages=1), **entries)
    [found] = preflight(path).faults
    assert said in found.message


def test_what_pages_have_in_common_is_what_each_has(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", pages=2)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        above = pdf.pages[0].obj.Parent
        for key in ("/MediaBox", "/Resources"):
            above[key] = pdf.pages[0].obj[key]
            for page in pdf.pages:
                del page.obj[key]
        above.Rotate, above.CropBox = 45, Array([50, 50, 150, 150])
        pdf.save(path)
    said = {found.message: found.times for found in findings(path) if found.code == "GP802"}
    assert sorted(said.values()) == [2, 2]
    assert any("turned by 45°" in message for message in said)


def _drawn_letters(path: Path, unit: float, size: float, drawing: str, em: float = 1) -> Path:
    """A card with words in a font of Type 3, whose letter a is so drawn, in units of its own."""
    words = f"BT /F1 {size} Tf 1 g 60 120 Td (aaa) Tj ET"
    with pikepdf.open(card(path, words, pages=1), allow_overwriting_input=True) as pdf:
        pdf.pages[0].obj.Resources.Font.F1 = Dictionary(
            Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([unit, 0, 0, unit, 0, 0]),
            FontBBox=Array([0, 0, em, em]), FirstChar=97, LastChar=97, Widths=Array([em]),
            CharProcs=Dictionary(a=pdf.make_stream(drawing.encode())),
            Encoding=Dictionary(Differences=Array([97, Name.a])),
        )  # fmt: skip
        pdf.save(path)
    return path


_TALL = "1000 0 0 0 800 700 d1 0 0 800 700 re f"
_LOW = "40 0 0 0 35 30 d1 0 0 35 30 re f"


@pytest.mark.parametrize(
    ("unit", "size", "drawing", "em", "wanted"),
    [
        (0.001, 10, _TALL, 1000, set()),
        (0.001, 4, _TALL, 1000, {"GP821"}),
        (1, 0.01, _TALL, 1000, set()),
        (1, 0.004, _TALL, 1000, {"GP821"}),
        (0.24, 1, _LOW, 40, set()),
        (0.1, 1, _LOW, 40, {"GP821"}),
        (0.24, 1, _LOW, 0, set()),
        (1, 3, "4 0 0 0 3 2.5 d1 0 0 3 2.5 re f", 3, set()),
        (0.24, 1, _LOW, 1, set()),
        (0.001, 10, "1000 0 0 0 0 0 d1", 1000, {"GP824"}),
        (0.001, 10, "1000 0 0 0 800 700 d1", 1000, {"GP824"}),
    ],
)
def test_letters_that_are_drawings_are_as_large_as_they_are_drawn(
    tmp_path: Path, unit: float, size: float, drawing: str, em: float, wanted: set[str]
) -> None:
    assert told(_drawn_letters(tmp_path / "card.pdf", unit, size, drawing, em)) == wanted


def test_a_blank_page_is_told_once(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", ground="1 g 0 0 9 9 re f", pages=3)
    [found] = findings(path)
    assert (found.code, found.times, found.severity) == ("GP875", 3, Severity.WARNING)
    marked = card(tmp_path / "dot.pdf", ground="0 g 60 60 1 1 re f", pages=1)
    assert told(marked) == set()


def test_a_trim_box_without_a_size_is_told_once(tmp_path: Path) -> None:
    path = changed(card(tmp_path / "card.pdf", pages=1), TrimBox=Array([20, 20, 20, 90]))
    [found] = findings(path)
    assert (found.code, "TrimBox of the page has no width" in found.message) == ("GP802", True)


@pytest.mark.parametrize(("size", "dpi"), [((198, 270), 100), ((14000, 2800), 71), ((1, 1), 100)])
def test_a_banner_is_looked_at_more_coarsely(size: tuple[float, float], dpi: int) -> None:
    assert _fineness(*size) == dpi
    assert size[0] * size[1] * (dpi / 72) ** 2 < MOST_PIXELS


def test_a_page_beyond_all_presses_is_told_why(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        page = pdf.pages[0].obj
        page.MediaBox = page.TrimBox = page.BleedBox = Array([0, 0, 200_000, 200_000])
        pdf.save(path)
    [found] = [found for found in findings(path) if found.code == "GP872"]
    assert "make the page smaller" in found.hint


def test_an_art_box_is_as_good_as_a_trim_box(tmp_path: Path) -> None:
    box = Array([9, 9, 189, 261])
    path = changed(card(tmp_path / "card.pdf", pages=1), ArtBox=box, TrimBox=None)
    assert told(path) == set()


def structure(path: Path) -> list[Finding]:
    """What is said of the file's structure."""
    report = preflight(path)
    assert report.faults == ()
    return [f for f in report.findings if f.code == "GP808" and "PrintScaling" not in f.message]


def test_a_form_is_told_once_by_its_fields(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.Root.AcroForm = Dictionary(Fields=Array())
        pdf.save(path)
    assert structure(path) == []  # many programs write an empty one
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        field = Dictionary(Subtype=Name.Widget, T="hp", FT=Name.Tx, Rect=Array([80, 20, 60, 90]))
        pdf.pages[0].obj.Annots = Array([pdf.make_indirect(field)])
        pdf.Root.AcroForm.Fields = pdf.pages[0].obj.Annots
        pdf.save(path)
    [found] = structure(path)
    assert "the page has a form field" in found.message
    assert found.place is not None
    assert (round(found.place.x, 1), round(found.place.height, 1)) == (21.2, 24.7)


def test_one_damage_is_told_once(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", WORDS.format(size=9, x=60), pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        font = pdf.pages[0].obj.Resources.Font.F1
        font.Subtype, font.FontDescriptor = Name.TrueType, String("oops")
        pdf.save(path)
    [found] = structure(path)
    assert found.times == 2


def test_words_in_a_font_that_is_not_there(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", "BT /F9 9 Tf 1 g 60 120 Td (words) Tj ET", pages=1)
    [found] = [each for each in findings(path) if each.code == "GP804"]
    assert "in the font F9, which the page does not have" in found.message


MARKS = "0.25 w 1 1 1 1 K 9 {y} m 9 {end} l S 1 1 1 1 k 60 {y} 10 3 re f"


@pytest.mark.parametrize(
    ("y", "end", "wanted"), [(-30, -12, set()), (100, 118, {"GP829", "GP842"})]
)
def test_marks_beside_the_piece_are_no_part_of_it(
    tmp_path: Path, y: float, end: float, wanted: set[str]
) -> None:
    """Marks are drawn in all four inks, and thin."""
    path = card(tmp_path / "card.pdf", MARKS.format(y=y, end=end).replace("9 ", "30 "), pages=1)
    assert told(changed(path, MediaBox=Array([-60, -60, 258, 330]))) == wanted
    home = pdf_profiles_of(project_here()).value["home"]
    assert ("GP829" in told(path, home)) is ("GP829" in wanted)


def test_no_hint_speaks_of_a_packs_files(tmp_path: Path) -> None:
    content = (
        f"{WORDS.format(size=4, x=60)} {WORDS.format(size=4, x=62)} q 90 0 0 40 40 160 cm /Im Do Q"
    )
    found = findings(card(tmp_path / "card.pdf", content, pages=1))
    assert {"GP821", "GP826", "GP833"} <= {each.code for each in found}
    assert [f.hint for f in found if "yaml" in f.hint or "`" in f.hint or "fit=" in f.hint] == []


def test_a_page_without_a_size_is_told_so(tmp_path: Path) -> None:
    path = changed(
        card(tmp_path / "card.pdf", pages=1),
        MediaBox=Array([0, 0, 0, 0]), TrimBox=None, BleedBox=None,
    )  # fmt: skip
    assert [f.message for f in findings(path)] == ["the page has no width or height"]


@pytest.mark.parametrize(
    ("spoil", "words"),
    [(lambda data: data[:-40], "its end is missing"),
     (lambda data: data + bytes(3000), "something else stand after its end")],
)  # fmt: skip
def test_what_is_wrong_with_a_files_end_is_said(
    tmp_path: Path, spoil: Callable[[bytes], bytes], words: str
) -> None:
    path = card(tmp_path / "card.pdf", pages=1)
    path.write_bytes(spoil(path.read_bytes()))
    [fault] = preflight(path).faults
    assert words in fault.message


def test_jpeg_2000_that_tells_its_own_colours_has_them(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", "q 100 0 0 100 40 60 cm /Im Do Q", pages=1)
    packed = BytesIO()
    NOISE.save(packed, "JPEG2000")
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        picture = pdf.pages[0].obj.Resources.XObject.Im
        picture.write(packed.getvalue(), filter=Name.JPXDecode)
        picture.Width = picture.Height = 300
        del picture.ColorSpace
        [paints] = paints_in(pdf)
    assert set(paints.kinds) == {"CMYK", "RGB"}


@pytest.mark.parametrize(("content", "wanted"), [("Q", ["GP808"]), ("q Q q", [])])
def test_a_state_that_is_restored_must_have_been_saved(
    tmp_path: Path, content: str, wanted: list[str]
) -> None:
    """Poppler draws nothing after it; one that stays saved hurts nobody."""
    found = preflight(card(tmp_path / "card.pdf", content, pages=1)).findings
    assert [f.code for f in found if "never was saved" in f.message] == wanted
