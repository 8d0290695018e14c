from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from preflight.tampering import found, messages, rewrite_bytes, tamper


def unembed(pdf: pikepdf.Pdf, part: str) -> None:
    for obj in pdf.objects:
        if isinstance(obj, Dictionary) and part in str(obj.get("/FontName", "")):
            del obj["/FontFile2"]


@pytest.mark.parametrize("part", ["NotoSans", "AlegreyaSans"])
def test_a_font_that_is_not_embedded_is_told_of_once(duplex: Path, part: str) -> None:
    tamper(duplex, lambda pdf: unembed(pdf, part))
    assert found(duplex) == [("GP804", 1)]
    assert part in messages(duplex)


def test_a_standard_font_is_not_embedded_either(duplex: Path) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
    tamper(duplex, lambda pdf: pdf.pages[1].Resources.__setitem__("/Font", Dictionary(F9=font)))
    assert found(duplex) == [("GP804", 2)]


def test_a_font_in_a_form_in_a_form_is_found(duplex: Path) -> None:
    def bury(pdf: pikepdf.Pdf) -> None:
        font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=Name("/Arial"))
        deep = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 1, 1])
        deep.Resources = Dictionary(Font=Dictionary(F1=font))
        [form, *_] = pdf.pages[0].Resources.XObject.values()
        form.Resources.XObject = Dictionary(Deep=deep)

    tamper(duplex, bury)
    assert found(duplex) == [("GP804", 1)]
    assert "Arial" in messages(duplex)


def test_a_font_of_drawings_needs_no_file(duplex: Path) -> None:
    font = Dictionary(Type=Name.Font, Subtype=Name.Type3)
    tamper(duplex, lambda pdf: pdf.pages[0].Resources.Font.__setitem__("/F9", font))
    assert found(duplex) == []


def script() -> Dictionary:
    return Dictionary(S=Name.JavaScript, JS=String("app.alert(1)"))


def add_names(pdf: pikepdf.Pdf, key: str) -> None:
    pdf.Root.Names = Dictionary({key: Dictionary(Names=Array([String("a"), script()]))})


def add_form(pdf: pikepdf.Pdf, **entries: Any) -> None:
    """A form that no page draws; it is in the file all the same."""
    form = pdf.make_stream(b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 1, 1])
    for key, value in entries.items():
        form[f"/{key}"] = value
    pdf.pages[0].Resources.XObject.Elsewhere = form


def add_bookmarks(pdf: pikepdf.Pdf, **action: Any) -> None:
    """Two bookmarks, the second within the first, with an action if there is one."""
    inner = pdf.make_indirect(Dictionary(Title=String("inner")))
    if action:
        inner.A = Dictionary(action)
    outer = pdf.make_indirect(Dictionary(Title=String("outer"), First=inner, Last=inner))
    pdf.Root.Outlines = pdf.make_indirect(Dictionary(First=outer, Last=outer))


def uri() -> dict[str, object]:
    return {"/S": Name.URI, "/URI": String("https://example.org/")}


SPOILERS: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "an action that runs": lambda pdf: pdf.Root.__setitem__("/OpenAction", script()),
    "the file has actions": lambda pdf: pdf.Root.__setitem__("/AA", Dictionary(WC=script())),
    "a form to fill in": lambda pdf: pdf.Root.__setitem__("/AcroForm", Dictionary(Fields=[])),
    "the file has JavaScript": lambda pdf: add_names(pdf, "/JavaScript"),
    "the file has attached files": lambda pdf: add_names(pdf, "/EmbeddedFiles"),
    "page 2: the page has actions": lambda pdf: pdf.pages[1].obj.__setitem__(
        "/AA", Dictionary(O=script())
    ),
    "page 1: the page has a link": lambda pdf: pdf.pages[0].obj.__setitem__(
        "/Annots", Array([Dictionary(Subtype=Name.Link, A=Dictionary(S=Name.Launch))])
    ),
    "reads data from another file": lambda pdf: add_form(pdf, F=String("art.bin")),
    "shows a page of another file": lambda pdf: add_form(pdf, Ref=Dictionary(F=String("art.pdf"))),
    "a picture in another file": lambda pdf: add_form(pdf, OPI=Dictionary()),
    "bookmarks that open something else": lambda pdf: add_bookmarks(pdf, **uri()),
    "the file has OutputIntents in its catalogue": lambda pdf: pdf.Root.__setitem__(
        "/OutputIntents", Array([Dictionary(S=Name.GTS_PDFX)])
    ),
    "asks its viewer for Direction": lambda pdf: pdf.Root.ViewerPreferences.__setitem__(
        "/Direction", Name.R2L
    ),
    "another PageMode": lambda pdf: pdf.Root.__setitem__("/PageMode", Name.FullScreen),
    "page 1: the page has ArtBox": lambda pdf: pdf.pages[0].obj.__setitem__(
        "/ArtBox", Array([0, 0, 9, 9])
    ),
    "PrintScaling": lambda pdf: pdf.Root.ViewerPreferences.__delitem__("/PrintScaling"),
}


@pytest.mark.thorough(but=10)
@pytest.mark.parametrize("what", SPOILERS)
def test_what_a_print_must_not_have_is_told_of(duplex: Path, what: str) -> None:
    tamper(duplex, SPOILERS[what])
    assert [code for code, _ in found(duplex)] == ["GP808"]
    assert what in messages(duplex)


@pytest.mark.parametrize("change", [lambda d: b"\n" + d, lambda d: d + b"more", lambda d: d[:-2]])
def test_a_file_begins_and_ends_with_itself(duplex: Path, change: Callable[[bytes], bytes]) -> None:
    rewrite_bytes(duplex, change)
    assert found(duplex) == [("GP808", 1)]
    assert "before its beginning or after its end" in messages(duplex)


@pytest.mark.parametrize("name", ["/AppDefault", "/None_"])
def test_scaling_must_be_none_to_the_letter(duplex: Path, name: str) -> None:
    tamper(
        duplex,
        lambda pdf: pdf.Root.ViewerPreferences.__setitem__("/PrintScaling", Name(name)),
    )
    assert found(duplex) == [("GP808", 1)]


def test_bookmarks_that_stay_in_the_file_are_in_order(duplex: Path) -> None:
    tamper(duplex, add_bookmarks)
    assert found(duplex) == []


def test_bookmarks_that_go_round_in_a_circle_end(duplex: Path) -> None:
    def knot(pdf: pikepdf.Pdf) -> None:
        add_bookmarks(pdf)
        pdf.Root.Outlines.First.First.Next = pdf.Root.Outlines.First

    tamper(duplex, knot)
    assert found(duplex) in ([], [("GP808", 1)])  # by qpdf from 12.4 on it is damage


def layered(pdf: pikepdf.Pdf, **usage: Any) -> Any:
    group = pdf.make_indirect(Dictionary(Type=Name.OCG, Name=String("Cuts"), **usage))
    default = Dictionary(ON=Array([group]), OFF=Array())
    pdf.Root.OCProperties = Dictionary(OCGs=Array([group]), D=default)
    return default


def switched_off(pdf: pikepdf.Pdf) -> None:
    default = layered(pdf)
    default.OFF = default.ON


def off_at_first(pdf: pikepdf.Pdf) -> None:
    default = layered(pdf)
    default.BaseState, default.ON = Name.OFF, Array()


def left_out(pdf: pikepdf.Pdf) -> None:
    layered(pdf, Usage=Dictionary(Print=Dictionary(PrintState=Name.OFF)))


@pytest.mark.parametrize("change", [switched_off, off_at_first, left_out])
def test_a_layer_that_is_not_printed_is_told_of(
    duplex: Path, change: Callable[[pikepdf.Pdf], None]
) -> None:
    tamper(duplex, change)
    assert found(duplex) == [("GP808", 1)]
    assert "the layer 'Cuts' is hidden" in messages(duplex)


def test_a_layer_that_is_on_is_fine(duplex: Path) -> None:
    tamper(duplex, layered)
    assert found(duplex) == []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("/NumCopies", 2),
        ("/PrintPageRange", Array([1, 1])),
        ("/PrintArea", Name.TrimBox),
        ("/PrintClip", Name.BleedBox),
    ],
)
def test_a_wish_for_less_or_more_than_all_pages_is_told_of(
    duplex: Path, name: str, value: object
) -> None:
    tamper(duplex, lambda pdf: pdf.Root.ViewerPreferences.__setitem__(name, value))
    assert found(duplex) == [("GP808", 1)]
    assert name[1:] in messages(duplex)
