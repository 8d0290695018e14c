"""Faults in finished files by whoever keeps the manifest in step: its digests of faces are those of the
changed file, and so are its marks."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pikepdf
from pikepdf import Array, Dictionary, Name

from faults import hands
from faults.bench import Bench, Fault, Level
from faults.hands import Finished
from faults.places import CARDS, COINS, RULES, TENTS
from generator.pdf_forms import FormReader

Change = Callable[[Finished], object]


def keep_digests(folder: Path, file: str) -> None:
    """The manifest has of each face of a file the digests that it has now."""
    with hands.told(folder, file) as told, pikepdf.open(folder / file) as pdf:
        reader = FormReader(pdf)
        drawn = {
            name: form.objgen for page in pdf.pages for name, form in page.resources.XObject.items()
        }
        for sha256 in told["forms"]:
            entry = reader.read(drawn[f"/F{sha256[:16]}"])
            told["forms"][sha256] = json.loads(msgspec.json.encode(entry))


def forged(
    kind: str, name: str, says: str, change: Change, *, file: str = CARDS, drawn: bool = False
) -> Fault:
    """A fault in a file whose manifest is kept in step."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        with hands.at(folder, file) as finished:
            change(finished)
        keep_digests(folder, file)

    return Fault(kind, Level.FILE, f"in step: {name}", says, make, file, drawn=drawn)


def stated(component: str = "", face: str = "front", **state: Any) -> Change:
    """A face, or the first of the file, begins in a state; a function is made of its file's."""

    def change(finished: Finished) -> None:
        form = finished.face(component, face) if component else finished.faces()[0]
        given = {
            key: value(finished.pdf) if callable(value) else value for key, value in state.items()
        }
        hands.resources(form, "/ExtGState")["/Gx"] = Dictionary(Type=Name.ExtGState, **given)
        hands.before(form, "/Gx gs")

    return change


def in_the_drawing(**state: Any) -> Change:
    """The same of what lies below the words of a face."""

    def change(finished: Finished) -> None:
        form = hands.drawing(finished.face("rain"))
        hands.resources(form, "/ExtGState")["/Gx"] = Dictionary(Type=Name.ExtGState, **state)
        hands.before(form, "/Gx gs")

    return change


def beginning(operators: str) -> Change:
    return lambda f: hands.before(f.face("storm"), operators)


def inverted(pdf: pikepdf.Pdf) -> pikepdf.Object:
    """A function by which dark is light."""
    return pdf.make_indirect(
        Dictionary(FunctionType=2, N=1, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]))
    )


def in_an_ink(finished: Finished) -> None:
    """A face that names inks of its own, which screens show as colours."""
    tint = finished.pdf.make_stream(b"{}")
    tint.FunctionType = 4
    tint.Domain, tint.Range = Array([0, 1] * 3), Array([0, 1] * 3)
    names = Array([Name("/Gold"), Name("/Silver"), Name("/Varnish")])
    form = hands.drawing(finished.face("rain"))
    space = Array([Name.DeviceN, names, Name.DeviceRGB, tint])
    hands.resources(form, "/ColorSpace")["/Cx"] = space


def otherwise_in_print(finished: Finished) -> None:
    """A picture that has another in its place for print."""
    [picture, *_] = hands.pictures(finished.face("baker"))
    other = finished.pdf.make_stream(b"\0", Subtype=Name.Image, Width=1, Height=1,
                                     ColorSpace=Name.DeviceGray, BitsPerComponent=8)  # fmt: skip
    picture.Alternates = Array([Dictionary(Image=other, DefaultForPrinting=True)])


def faults(seed: int = 1) -> list[Fault]:
    """All of these, and some drawn from the seed."""
    screen = Dictionary(
        Type=Name.Halftone, HalftoneType=1, Frequency=9, Angle=45, SpotFunction=Name.Round
    )
    dice = random.Random(seed)
    flat = dice.uniform(5, 100)
    return [
        forged("press settings", "overprint", "overprint", stated("baker", OP=True, op=True, OPM=1)),
        forged("press settings", "overprint of what lies below", "overprint", in_the_drawing(op=True)),
        forged("press settings", "overprint, of a back", "overprint", stated("rain", "back", OP=True)),
        forged("press settings", "a coarse screen", "screen|halftone", stated("clown", HT=screen)),
        forged("press settings", "a screen, on a coin", "screen|halftone", stated(HT=screen), file=COINS),
        forged("press settings", "tones turned round", "tones|transfer", stated("acrobat", TR=inverted)),
        forged("press settings", "tones turned round, of a leaf", "tones|transfer", stated(TR2=inverted), file=RULES),
        forged("press settings", "no black", "black", stated("thief", UCR2=inverted)),
        forged("press settings", "another black", "black", stated("thief", BG2=inverted)),
        forged("press settings", "coarse curves", "coarse", stated("bell", FL=flat), drawn=True),
        forged("press settings", "coarse curves, by an operator", "coarse", beginning(f"{flat:.0f} i"), drawn=True),
        forged("press settings", "another intent", "intent", stated("parade", RI=Name.Saturation)),
        forged("press settings", "another intent, by an operator", "intent", beginning("/Perceptual ri")),
        forged("press settings", "another intent, on a tent", "intent", stated(RI=Name.AbsoluteColorimetric), file=TENTS),
        forged("press settings", "inks of its own", r"ink", in_an_ink),
        forged("press settings", "another picture for print", "picture", otherwise_in_print),
        forged("press settings", "on a layer", "layer", lambda f: f.face("bell").__setitem__(
            "/OC", f.pdf.Root.OCProperties.OCGs[0])),
    ]  # fmt: skip
