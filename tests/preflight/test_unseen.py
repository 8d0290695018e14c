"""Holds preflight to telling what prints otherwise than it is seen, whatever the manifest says."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pikepdf
import pytest
from export.hand_made import copied, two_cards
from pikepdf import Array, Dictionary, Name, Object, Pdf
from preflight.strangers import card, told
from preflight.tampering import codes, messages, tamper, tell
from preflight.test_proofs import first

from generator.pdf_forms import FormReader

ART = '<path d="M5 30 L50 30 L5 60 Z" fill="#204060" opacity="0.5"/>'


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return two_cards(tmp_path_factory.mktemp("unseen"), ART)


@pytest.fixture
def good(made: Path, tmp_path: Path) -> Path:
    return copied(made, tmp_path)


def in_step(path: Path) -> None:
    """The manifest has the digests of all forms as they are now."""
    with pikepdf.open(path) as pdf:
        reader = FormReader(pdf)
        drawn = dict(pdf.pages[0].resources.XObject)
        entries = {name[2:]: reader.read(form.objgen) for name, form in drawn.items()}
    plain = {name: msgspec.to_builtins(entry) for name, entry in entries.items()}

    def change(file: dict[str, dict[str, object]]) -> None:
        for sha256 in file["forms"]:
            file["forms"][sha256] = plain[sha256[:16]]

    tell(path, change)


def stated(**state: Any) -> Callable[[Pdf], None]:
    """The first face begins in a state."""

    def change(pdf: Pdf) -> None:
        form = first(pdf)
        form.Resources["/ExtGState"] = Dictionary(X=Dictionary(Type=Name.ExtGState, **state))
        form.write(b"/X gs\n" + form.read_bytes())

    return change


def beginning(operators: bytes) -> Callable[[Pdf], None]:
    return lambda pdf: first(pdf).write(operators + first(pdf).read_bytes())


def in_an_ink(pdf: Pdf) -> None:
    function = Dictionary(FunctionType=2, N=1, Domain=[0, 1], C0=[0, 0, 0, 0], C1=[0, 0, 0, 1])
    space = Array([Name.Separation, Name.Gold, Name.DeviceCMYK, function])
    first(pdf).Resources["/ColorSpace"] = Dictionary(Gold=space)


def in_other_colours(pdf: Pdf) -> None:
    space = Array([Name.CalRGB, Dictionary(WhitePoint=[0.95, 1, 1.08], Gamma=[3, 3, 3])])
    first(pdf).Resources["/ColorSpace"] = Dictionary(DefaultRGB=space)


def layered(pdf: Pdf) -> None:
    layer = pdf.Root.OCProperties.OCGs[0]
    first(pdf).OC = Dictionary(Type=Name.OCMD, OCGs=layer, P=Name.AllOff)


def curve(pdf: Pdf) -> Object:
    return pdf.make_indirect(
        Dictionary(FunctionType=2, N=1, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]))
    )


def test_what_is_in_step_and_shows_all_it_does_is_fine(good: Path) -> None:
    tamper(good, lambda pdf: first(pdf).write(first(pdf).read_bytes() + b"\n% i ri"))
    in_step(good)
    assert not {"GP844", "GP857"} & codes(good)


@pytest.mark.thorough(but=3)
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (stated(OP=True, op=True, OPM=1), "something in it overprints"),
        (stated(HT=Dictionary(HalftoneType=1, Frequency=10, Angle=45)), "halftone screen"),
        (lambda pdf: stated(TR2=curve(pdf))(pdf), "a transfer function"),
        (lambda pdf: stated(UCR2=curve(pdf))(pdf), "its black is made by a function of its own"),
        (stated(FL=90), "its curves are drawn coarsely"),
        (stated(RI=Name.Saturation), "converted by another intent"),
        (beginning(b"/Saturation ri\n"), "converted by another intent"),
        (beginning(b"100 i\n"), "its curves are drawn coarsely"),
        (in_an_ink, "printed in inks of its own: ‘Gold’"),
        (in_other_colours, "its grey, RGB or CMYK is told to be another one"),
        (layered, "it is on a layer"),
    ],
)
def test_what_no_proof_shows_is_told_though_the_manifest_lies(
    good: Path, change: Callable[[Pdf], None], words: str
) -> None:
    tamper(good, change)
    in_step(good)
    assert "GP844" in codes(good)
    assert words in messages(good)


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize(
    "change",
    [
        stated(OP=False),
        stated(TR=Name.Identity, HT=Name.Default),
        stated(RI=Name.RelativeColorimetric),
    ],
)
def test_what_a_state_says_without_changing_anything_is_none(
    good: Path, change: Callable[[Pdf], None]
) -> None:
    tamper(good, change)
    assert "GP844" not in codes(good)


@pytest.mark.parametrize(
    ("state", "is_told"),
    [
        (Dictionary(TR=Name.Identity, HT=Name.Default, FL=1, RI=Name.Perceptual), False),
        (Dictionary(HT=Dictionary(HalftoneType=1, Frequency=10, Angle=45)), True),
        (Dictionary(FL=50), True),
    ],
)
def test_states_of_another_program(tmp_path: Path, state: Dictionary, is_told: bool) -> None:
    path = card(tmp_path / "card.pdf", "/Half gs 0 0 0 1 k 60 60 40 40 re f", pages=1)
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.pages[0].resources.ExtGState.Half = state
        pdf.save(path)
    assert told(path) == ({"GP844"} if is_told else set())
