"""Four inks: pages of trim and bleed, black alone where it is black, and a reader that finds what a
standard forbids."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, Pdf

from generator.outlets import pdfx as press

Export = Callable[..., tuple[int, str, str]]
ART = """\
<defs><linearGradient id="fade"><stop offset="0" stop-color="#ff0000"/>\
<stop offset="1" stop-color="#0000ff"/></linearGradient></defs>
<rect x="5" y="40" width="50" height="10" fill="url(#fade)"/>
<rect x="5" y="55" width="50" height="5" fill="#000000"/>
<rect x="5" y="65" width="50" height="5" fill="#00ff00" fill-opacity="0.5"/>
<rect x="5" y="75" width="50" height="5" fill="#000000" fill-opacity="0.5"/>
{{ text_box("Under", 10, 8, 43, 10, "body") }}
<rect x="9" y="7" width="44" height="10" fill="#ffffff" fill-opacity="0.5"/>
"""


@pytest.fixture
def folder(project: Path, exported: Callable[..., str]) -> Path:
    """What was made for DriveThruCards and for a press."""
    front = project / "templates/mini/front.svg.j2"
    text = front.read_text("utf-8")
    head, _, name = text.partition("{{ text_box(c.name")
    front.write_text(f"{head}{ART}{{{{ text_box(c.name{name}", encoding="utf-8")
    for outlet in ("drivethru", "press"):
        exported("--for", outlet)
    return project / "output/mini"


def inks(page: Any) -> Any:
    image = page.obj.Resources.XObject.F.Resources.XObject.I
    size = int(image.Height), int(image.Width), 4
    return np.frombuffer(image.read_bytes(), dtype=np.uint8).reshape(size)


def at(pixels: Any, x: float, y: float, bleed: float) -> list[int]:
    """The four inks at a place of the trim, mm; per cent."""
    spot = pixels[round((y + bleed) * 300 / 25.4), round((x + bleed) * 300 / 25.4)]
    return [round(int(ink) / 2.55) for ink in spot]


@pytest.mark.thorough
def test_backs_and_fronts_in_turn_or_in_files_of_their_own(folder: Path) -> None:
    assert sorted(p.name for p in (folder / "drivethru").glob("*.pdf")) == [
        "card.pdf",
        "chit.pdf",
        "odd.pdf",
    ]
    assert sorted(p.name for p in (folder / "press").glob("*.pdf")) == [
        "card-backs.pdf",
        "card-fronts.pdf",
        "chit-fronts.pdf",
        "odd-fronts.pdf",
    ]
    with pikepdf.open(folder / "drivethru/card.pdf") as pdf:
        assert len(pdf.pages) == 8  # three copies of one, one of two, both sides
        shown = [page.obj.Resources.XObject.F.objgen for page in pdf.pages]
        assert shown[0] == shown[2] == shown[4] == shown[6]  # the back, first
        assert shown[1] == shown[3] == shown[5] != shown[7]
        assert [round(float(v) / 72, 3) for v in pdf.pages[0].mediabox[2:]] == [2.73, 3.715]
    with pikepdf.open(folder / "drivethru/chit.pdf") as pdf:
        assert "/XObject" not in pdf.pages[0].obj.Resources  # it has no back: a blank page
    with pikepdf.open(folder / "press/card-fronts.pdf") as pdf:
        assert len(pdf.pages) == 4


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    ("name", "number", "bleed"), [("drivethru/card", 1, 3.175), ("press/card-fronts", 0, 3.0)]
)
def test_black_is_black_alone_and_colours_go_by_the_profile(
    folder: Path, name: str, number: int, bleed: float
) -> None:
    with pikepdf.open(folder / f"{name}.pdf") as pdf:
        pixels = inks(pdf.pages[number])
        assert at(pixels, 30, 57, bleed) == [0, 0, 0, 100]
        ground = at(pixels, 30, 85, bleed)  # #336699
        assert ground[0] > 60
        assert 0 < ground[3] < 60
        veiled = at(pixels, 30, 77, bleed)  # half black over it: half of each, and half black
        assert veiled == pytest.approx(
            [*(ink / 2 for ink in ground[:3]), ground[3] / 2 + 50], abs=2
        )
        left, right = at(pixels, 6, 45, bleed), at(pixels, 54, 45, bleed)
        assert left[1] > 80 > left[0]
        assert right[0] > 80
        assert int(pixels.sum(axis=2, dtype=int).max()) <= 2.405 * 255


def test_text_stays_text_in_black_alone_unless_something_lies_on_it(folder: Path) -> None:
    with pikepdf.open(folder / "drivethru/card.pdf") as pdf:
        form = pdf.pages[1].obj.Resources.XObject.F
        steps = [(str(s.operator), list(s.operands)) for s in pikepdf.parse_content_stream(form)]
        assert len(form.Resources.Font) == 1
    assert [operator for operator, _ in steps].count("TJ") == 1  # the name, not what is under
    paints = [[float(v) for v in given] for operator, given in steps if operator == "k"]  # type: ignore[arg-type]
    assert len(paints) == 1


def test_both_say_what_they_are(folder: Path) -> None:
    with pikepdf.open(folder / "drivethru/card.pdf") as pdf:
        assert pdf.pdf_version == "1.4"
        assert str(pdf.docinfo["/GTS_PDFXVersion"]) == "PDF/X-1a:2003"
        [intent] = pdf.Root.OutputIntents
        assert str(intent.OutputConditionIdentifier) == "CGATS TR 003"
        assert b"SWOP" in intent.DestOutputProfile.read_bytes()
        assert pdf.pages[0].trimbox[0] == pytest.approx(9)
    with pikepdf.open(folder / "press/card-fronts.pdf") as pdf:
        assert pdf.pdf_version == "1.6"
        assert "PDF/X-4" in str(pdf.open_metadata())
        assert str(pdf.Root.OutputIntents[0].OutputConditionIdentifier) == "FOGRA39"


@pytest.fixture(scope="module")
def _sound() -> list[tuple[bytes, tuple[Any, ...]]]:
    """Holds what was made once."""
    return []


@pytest.fixture
def sound(
    _sound: list[tuple[bytes, tuple[Any, ...]]],
    project: Path,
    export: Export,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[bytes, tuple[Any, ...]]:
    """The file of cards for DriveThruCards, and by what the reader judged it."""
    real = press.standard_faults

    def noted(path: Path, *rest: Any) -> Any:
        _sound.append((path.read_bytes(), rest))
        return real(path, *rest)

    if not _sound:
        with monkeypatch.context() as patch:
            patch.setattr(press, "standard_faults", noted)
            assert export("--for", "drivethru", "--only", "card/*")[0] == 0
    (one,) = _sound
    return one


def save(path: Path, spoil: Callable[[Pdf], None]) -> None:
    """Spoil a file where it lies."""
    with pikepdf.open(io.BytesIO(path.read_bytes())) as pdf:
        spoil(pdf)
        pdf.save(
            path,
            force_version="1.4",
            object_stream_mode=pikepdf.ObjectStreamMode.disable,
            deterministic_id=True,
        )


def rgb(pdf: Pdf) -> None:
    form = pdf.pages[1].obj.Resources.XObject.F
    form.write(form.read_bytes() + b"1 0 0 rg 0 0 9 9 re f")


def transparent(pdf: Pdf) -> None:
    state = pdf.make_indirect(Dictionary(Type=Name.ExtGState, ca=0.5))
    pdf.pages[1].obj.Resources.ExtGState = Dictionary(G=state)


def grouped(pdf: Pdf) -> None:
    pdf.pages[0].obj.Group = Dictionary(S=Name.Transparency)


def untrimmed(pdf: Pdf) -> None:
    pdf.pages[0].obj.TrimBox = Array([0, 0, 9, 9])


def unembedded(pdf: Pdf) -> None:
    for one in pdf.objects:
        if isinstance(one, Dictionary) and one.get("/Type") == Name.FontDescriptor:
            del one.FontFile2


def drowned(pdf: Pdf) -> None:
    image = pdf.pages[1].obj.Resources.XObject.F.Resources.XObject.I
    image.write(b"\xff" * int(image.Width) * int(image.Height) * 4)


def grey(pdf: Pdf) -> None:
    pdf.pages[1].obj.Resources.XObject.F.Resources.XObject.I.ColorSpace = Name.DeviceRGB


def aimless(pdf: Pdf) -> None:
    del pdf.Root.OutputIntents


def linked(pdf: Pdf) -> None:
    pdf.pages[0].obj.Annots = Array([])


def layered(pdf: Pdf) -> None:
    pdf.Root.OCProperties = Dictionary()


def untold(pdf: Pdf) -> None:
    del pdf.docinfo["/Trapped"]


def form(pdf: Pdf) -> Any:
    """What the front of a card is painted by."""
    return pdf.pages[1].obj.Resources.XObject.F


def shaded(pdf: Pdf) -> None:
    form(pdf).Resources.Shading = Dictionary(S=Dictionary(ShadingType=2))


def coloured(pdf: Pdf) -> None:
    form(pdf).Resources.ColorSpace = Dictionary(C=Array([Name.CalRGB, Dictionary()]))


def inline(pdf: Pdf) -> None:
    picture = b"\nq BI /W 1 /H 1 /BPC 8 /CS /RGB ID abc EI Q"
    form(pdf).write(form(pdf).read_bytes() + picture)


def borrowed(pdf: Pdf) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    form(pdf).Resources.Font.H = font


def masked(pdf: Pdf) -> None:
    form(pdf).Resources.XObject.I.Mask = Array([0, 0, 0, 0, 0, 0, 0, 0])


def negative(pdf: Pdf) -> None:
    form(pdf).Resources.XObject.I.Decode = Array([1, 0, 1, 0, 1, 0, 1, 0])


def predicted(pdf: Pdf) -> None:
    image = form(pdf).Resources.XObject.I
    parms = Dictionary(Predictor=12, Columns=image.Width, Colors=4)
    image.write(image.read_raw_bytes(), filter=Name.FlateDecode, decode_parms=parms)


def cut_short(pdf: Pdf) -> None:
    image = form(pdf).Resources.XObject.I
    image.write(image.read_bytes()[:-4])


def blended(pdf: Pdf) -> None:
    form(pdf).Group = Dictionary(S=Name.Transparency)


def scaled(pdf: Pdf) -> None:
    pdf.pages[0].obj.UserUnit = 2


def scripted(pdf: Pdf) -> None:
    pdf.pages[0].obj.Resources.XObject = Dictionary(
        P=pdf.make_stream(b"showpage", Type=Name.XObject, Subtype=Name.PS)
    )


def elsewhere(pdf: Pdf) -> None:
    pdf.Root.OutputIntents[0].OutputConditionIdentifier = pikepdf.String("FOGRA39")


def grey_profile(pdf: Pdf) -> None:
    profile = pdf.Root.OutputIntents[0].DestOutputProfile
    content = bytearray(profile.read_bytes())
    content[16:20] = b"GRAY"
    profile.write(bytes(content))


def blotted(pdf: Pdf) -> None:
    form(pdf).write(form(pdf).read_bytes() + b" 1 1 1 1 k 0 0 9 9 re f")


def hollow(pdf: Pdf) -> None:
    pdf.pages[0].obj.Contents = pdf.make_stream(b"")  # packed on the way out


def short(pdf: Pdf) -> None:
    del pdf.pages[0]


@pytest.mark.thorough(but=10)
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (rgb, "painted by rg"),
        (transparent, "can be transparent"),
        (grouped, "it has /Group"),
        (untrimmed, "/TrimBox is not of trim and bleed"),
        (unembedded, "is not embedded"),
        (drowned, "400 % of ink"),
        (grey, "not in four inks"),
        (aimless, "not one output intent"),
        (linked, "it has /Annots"),
        (layered, "the catalogue has /OCProperties"),
        (untold, "trapped"),
        (shaded, "it uses /Shading"),
        (coloured, "it uses /ColorSpace"),
        (inline, "painted by INLINE IMAGE"),
        (borrowed, "Helvetica is not embedded"),
        (masked, "a picture has /Mask"),
        (negative, "a picture has /Decode"),
        (predicted, "a picture has /DecodeParms"),
        (cut_short, "more or fewer pixels"),
        (blended, "a form has /Group"),
        (scaled, "it has /UserUnit"),
        (scripted, "it shows something of /PS"),
        (elsewhere, "its output intent is not CGATS TR 003"),
        (grey_profile, "no profile of a press in four inks"),
        (blotted, "400 % of ink in letters"),
        (hollow, "a stream of no bytes that is said to be packed"),
        (short, "pages, not"),
    ],
    ids=lambda one: getattr(one, "__name__", ""),
)
def test_the_reader_finds_what_the_standard_forbids(
    spoil: Callable[[Pdf], None], said: str, sound: tuple[bytes, tuple[Any, ...]], tmp_path: Path
) -> None:
    path = tmp_path / "card.pdf"
    path.write_bytes(sound[0])
    assert list(press.standard_faults(path, *sound[1])) == []
    save(path, spoil)
    assert said in next(press.standard_faults(path, *sound[1]))


def test_what_breaks_the_standard_is_told_and_not_delivered(
    project: Path, export: Export, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = press.standard_faults

    def spoilt(path: Path, *rest: Any) -> Any:
        save(path, rgb)
        return real(path, *rest)

    monkeypatch.setattr(press, "standard_faults", spoilt)
    status, _, err = export("--for", "drivethru", "--only", "card/*")
    assert status == 1
    assert "error[GP716]: card.pdf: " in err
    assert "painted by rg" in err
    assert not (project / "output").exists()


@pytest.mark.thorough
def test_the_same_bytes_again_whatever_the_number_of_workers(project: Path, export: Export) -> None:
    assert export("--for", "press", "-o", "one")[0] == 0
    assert export("--for", "press", "-o", "two", "--jobs", "2")[0] == 0
    one, two = (
        {p.name: p.read_bytes() for p in (project / name / "mini/press").iterdir()}
        for name in ("one", "two")
    )
    assert one == two


@pytest.mark.thorough
def test_what_is_too_large_is_left_out_and_the_rest_made(project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    pack.write_text(pack.read_text("utf-8").replace("[111mm, 222mm]", "[700mm, 500mm]"))
    status, _, err = export("--for", "press")
    assert status == 0
    assert "warning[GP712]: the press takes no 'odd': at 300 dpi it has more than 40" in err
    assert (project / "output/mini/press/card-fronts.pdf").is_file()
    assert not (project / "output/mini/press/odd-fronts.pdf").exists()
