from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String
from preflight.tampering import found, messages, tamper


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


SPOILERS: dict[str, Callable[[pikepdf.Pdf], None]] = {
    "an action that runs": lambda pdf: pdf.Root.__setitem__("/OpenAction", script()),
    "the file has actions": lambda pdf: pdf.Root.__setitem__("/AA", Dictionary(WC=script())),
    "a form to fill in": lambda pdf: pdf.Root.__setitem__("/AcroForm", Dictionary(Fields=[])),
    "the file has JavaScript": lambda pdf: add_names(pdf, "/JavaScript"),
    "the file has attached files": lambda pdf: add_names(pdf, "/EmbeddedFiles"),
    "page 2: the page has actions": lambda pdf: pdf.pages[1].obj.__setitem__(
        "/AA", Dictionary(O=script())
    ),
    "page 1: the page has annotations": lambda pdf: pdf.pages[0].obj.__setitem__(
        "/Annots", Array([Dictionary(Subtype=Name.Link, A=Dictionary(S=Name.Launch))])
    ),
    "PrintScaling": lambda pdf: pdf.Root.ViewerPreferences.__delitem__("/PrintScaling"),
}


@pytest.mark.parametrize("what", SPOILERS)
def test_what_a_print_must_not_have_is_told_of(duplex: Path, what: str) -> None:
    tamper(duplex, SPOILERS[what])
    assert [code for code, _ in found(duplex)] == ["GP808"]
    assert what in messages(duplex)


@pytest.mark.parametrize("name", ["/AppDefault", "/None_"])
def test_scaling_must_be_none_to_the_letter(duplex: Path, name: str) -> None:
    tamper(
        duplex,
        lambda pdf: pdf.Root.ViewerPreferences.__setitem__("/PrintScaling", Name(name)),
    )
    assert found(duplex) == [("GP808", 1)]
