"""Faults in finished files by whoever keeps the manifest in step: its digests of faces are those of the
changed file, and so are its marks."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pikepdf
from pikepdf import Array, Dictionary, Name

from faults import hands
from faults.bench import Bench, Fault, Level
from faults.hands import MM, Finished
from faults.marks import by_width, layer, words
from faults.places import CARDS, CHART, COINS, DICE, FIELDS, PENNANTS, RULES, SIGNS, TENTS
from generator.model.face import PdfLayer
from generator.pdf_forms import FormReader
from generator.preflight.page_reader import DrawnPath, DrawnWords, read_page

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


def keep_marks(folder: Path, file: str) -> None:
    """The manifest has of each page of a file the marks, and the ruler, that it has now."""
    with hands.told(folder, file) as told, pikepdf.open(folder / file) as pdf:
        told["marks"] = []
        for number, (page, listed) in enumerate(
            zip(pdf.pages, told["pages"], strict=True), start=1
        ):
            seen = read_page(number, page)
            told["marks"].append([*map(_entry, seen.paths), *map(_words, seen.words)])
            scales = [s for s in seen.strokes if s.layer == PdfLayer.GUIDES and s.length > 49]
            if not scales:
                listed["ruler_mm"] = None


def _entry(path: DrawnPath) -> dict[str, Any]:
    """A line or outline as the manifest has it."""
    look = {"layer": path.layer, "width_mm": round(path.pen.width, 4), "grey": path.pen.colour[0]}
    points = [[point.x, point.y] for _, several in path.steps for point in several]
    if len(path.steps) == 2:
        ends = [round(value, 4) for point in points for value in point]
        return {**look, "mark": "lines", "lines_mm": [ends], "dash_mm": list(path.pen.dash)}
    drawn = " ".join(
        " ".join(
            [name.upper().replace("H", "Z"), *(f"{v:.4f}" for p in several for v in (p.x, p.y))]
        )
        for name, several in path.steps
    )
    clip = path.window and [path.window.x, path.window.y, path.window.width, path.window.height]
    return {**look, "mark": "path", "path": drawn, "clip_mm": clip}


def _words(words: DrawnWords) -> dict[str, Any]:
    return {
        "mark": "words", "layer": words.layer, "at_mm": [words.at.x, words.at.y],
        "text": words.words, "size_pt": words.size_pt, "rotation": round(words.turn) % 360,
    }  # fmt: skip


def listed(name: str, says: str, change: Callable[[str], str], file: str = CARDS, *, page: int = 0,
           drawn: bool = False) -> Fault:  # fmt: skip
    """A fault in the marks of a page that the manifest lists."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        with hands.at(folder, file) as finished:
            finished.edit_page(change, page)
        keep_marks(folder, file)

    return Fault("marks in step", Level.MARKS, name, says, make, file, drawn=drawn)


def added(name: str, operators: str) -> Callable[[str], str]:
    """Something more on a layer."""
    return layer(name, lambda told: f"{told[:-3]}{operators}\nEMC")


def dropped(number: int, name: str = "CUT") -> Callable[[str], str]:
    """One line of a layer is not drawn."""

    def edited(told: str) -> str:
        found = list(re.finditer(r"\S+ \S+ m \S+ \S+ l ?", told))[number]
        return told[: found.start()] + told[found.end() :]

    return layer(name, edited)


def words_at(matrix: str) -> Callable[[str], str]:
    """The slug through another matrix."""
    plain = r"q 2\.834646 0 0 -2\.834646 14\.173228 15\.973228 cm"
    return lambda told: re.sub(plain, f"q {matrix} cm", told)


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


def untold(field: str, says: str, file: str = CARDS, *, drawn: bool = False) -> Fault:
    """A field of the manifest that somebody deleted; of a file, or of all."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        path = folder / "manifest.json"
        whole = json.loads(path.read_text(encoding="utf-8"))
        [of_file] = [entry for entry in whole["files"] if entry["file"] == file]
        owner = of_file if field in of_file else whole
        del owner[field]
        path.write_text(json.dumps(whole), encoding="utf-8")

    name = f"{field}, of {file}"
    found_in = file if field in ("rules", "marks", "forms", "lettering") else ""
    return Fault("manifest without a field", Level.FILE, name, says, make, found_in, drawn=drawn)


def without_last_back(bench: Bench, folder: Path) -> None:
    """The last page is gone, and the manifest has not got it either."""
    bench.start(folder)
    with hands.at(folder, CARDS) as finished:
        del finished.pdf.pages[-1]
    with hands.told(folder, CARDS) as told:
        del told["pages"][-1], told["marks"][-1]


def leaning(component: str, degrees: float, file: str, face: str = "front") -> Fault:
    """A face that is nearly even, turned by hardly anything."""
    turn = math.radians(degrees)
    sin, cos = math.sin(turn), math.cos(turn)

    def change(finished: Finished) -> None:
        hands.about_middle(finished.face(component, face), cos, sin, -sin, cos)

    return forged(
        "face turned", f"{face} of {component}, by {degrees:.1f}°", "turned by about [0-9.]+°",
        change, file=file, drawn=True,
    )  # fmt: skip


def in_other_colours(finished: Finished) -> None:
    """A face whose RGB is told to be another one, which most screens do not heed."""
    space = Array(
        [Name.CalRGB, Dictionary(WhitePoint=Array([0.95, 1, 1.08]), Gamma=Array([3, 3, 3]))]
    )
    form = finished.face("storm")
    hands.resources(form, "/ColorSpace")["/DefaultRGB"] = space


def faults(seed: int = 1) -> list[Fault]:
    """All of these, and some drawn from the seed."""
    screen = Dictionary(
        Type=Name.Halftone, HalftoneType=1, Frequency=9, Angle=45, SpotFunction=Name.Round
    )
    dice = random.Random(seed)
    flat = dice.uniform(5, 100)
    gone, other = dice.sample(range(24), 2)
    x, y, long = dice.uniform(20, 800), dice.uniform(20, 570), dice.uniform(4, 30)
    tick = "13.46457 812.9764 m 13.46457 818.6457 l "
    off = 13.46457 + dice.choice((-1, 1)) * dice.uniform(0.3, 1.5) * MM
    field = dice.choice(("rules", "marks", "forms", "proofs", "lettering", "painter"))
    where = dice.choice((CARDS, COINS, DICE, RULES, SIGNS, TENTS))
    wide, twice = dice.uniform(0.5, 3), dice.choice((-1, 1)) * dice.uniform(0.2, 2) * MM
    lean = [dice.uniform(0.4, 1.2) * dice.choice((-1, 1)) for _ in range(4)]
    return [
        *(untold(name, "manifest lacks .*" + name) for name in ("rules", "marks", "forms", "proofs")),
        untold("lettering", "manifest lacks .*lettering", RULES),
        untold("painter", "manifest lacks .*painter", TENTS),
        untold(field, "manifest lacks .*" + field, where, drawn=True),
        Fault("page lost", Level.PAGE, "a back, in step", "no back", without_last_back, CARDS),
        leaning("pips-1", lean[0], DICE), leaning("north", lean[1], PENNANTS),
        leaning("gate", lean[2], SIGNS, "back"), leaning("well", lean[3], FIELDS),
        listed("a tick of labels gone", "tick", layer("GUIDES", lambda s: s.replace(tick, "")), DICE),
        listed("a tick of labels moved", "tick", layer("GUIDES", lambda s: s.replace(
            tick, tick.replace("13.46457", f"{off:.4f}"))), DICE, drawn=True),
        listed("a coin's die line with a corner", "no circle|die line", layer("CUT", lambda s: re.sub(
            r"\S+ \S+ \S+ \S+ (\S+ \S+) c ", r"\1 l ", s, count=1)), COINS),
        listed("a slug that nobody can read", "nobody can read", layer("GUIDES", lambda s: s.replace(
            "2.116667 Tf", ".8 Tf"))),
        listed("a ruler that nobody sees", "ruler is so pale", layer("GUIDES", lambda s: s.replace(".5 G", "1 G"))),
        listed("a ruler of dashes", "ruler is dashed", layer("GUIDES", lambda s: s.replace("[] 0 d", "[1 2] 0 d"))),
        listed("a ruler's width", "ruler is drawn", layer("GUIDES", by_width(wide)), drawn=True),
        listed("a ruler without ticks", "ticks", lambda s: re.sub(
            r"(n 14\.17323 57[56]\.\d+ m \S+ \S+ l)[^\n]*", r"\1 ", s)),
        listed("a ruler without figures", "no figures", lambda s: re.sub(
            r"q 2\.834646 0 0 -2\.834646 305[^\n]*\n", "", s)),
        listed("a slug that reads upside down", "turned by 180", words_at("-2.834646 0 0 2.834646 400 15.97")),
        listed("a slug beyond the margin", "no printer prints", words_at("2.834646 0 0 -2.834646 4.17 5.9")),
        listed("a slug over the ruler", "over the ruler", words_at("2.834646 0 0 -2.834646 14.17 574")),
        listed("a coin's die line a second time", "goes around no piece", layer("CUT", lambda s: (
            f"{s[:-3]}q 1 0 0 1 {twice:.3f} 0 cm {found[0] if (found := re.search(r'n .*?h', s, re.S)) else ''} S Q\nEMC"
        )), COINS, drawn=True),
        listed("a fold of hairs", "no fold to the eye", layer("FOLD", lambda s: re.sub(
            r"\[[^]]*\] 0 d", "[.01 .01] 0 d", s)), RULES),
        listed("a poster's diamonds gone", "diamond", layer("GUIDES", lambda s: re.sub(
            r"n 76\.53543[^\n]*\n", "n\n", s)), CHART),
        listed("a poster's cut mark moved", "cut mark", lambda s: re.sub(
            r"82\.20472 645\.5906 m 82\.20472 656\.9291 l", "86 645.5906 m 86 656.9291 l", s), CHART),
        listed("a poster's map", "map of the pages", lambda s: s.replace(
            "n 46.43717 44.29134 m 57.78532 44.29134 l", "n 57.78532 44.29134 m 69.13348 44.29134 l"), CHART),
        listed("a poster's words off the strip", "not on the strip", lambda s: s.replace(
            "512.51122 448.582677 cm", "300 448 cm"), CHART),
        listed("a poster without a slug", "slug", words(-1, lambda _: "[] TJ"), CHART),
        forged("press settings", "another RGB", "RGB", in_other_colours),
        *(listed(f"a cut mark gone, {n}", "cut mark", dropped(n), drawn=True) for n in (gone, other)),
        listed("a cut mark gone, of a leaf", "cut mark", dropped(1), RULES),
        listed("a cut mark gone, of a tent", "cut mark", dropped(2), TENTS),
        listed("a cut mark gone, of a sign", "cut mark", dropped(0), SIGNS),
        listed("a line along an edge", "cut mark|line", added("CUT", "35.43 315 m 35.43 558 l S")),
        listed("a line over bare paper, of cuts", "line|cut mark", added(
            "CUT", f"{x:.1f} {y:.1f} m {x + long:.1f} {y + 1:.1f} l S"), drawn=True),
        listed("a line over bare paper, of guides", "line", added(
            "GUIDES", f"{x:.1f} {y:.1f} m {x:.1f} {y + long:.1f} l S"), drawn=True),
        listed("a second fold", "fold", added("FOLD", "30 600 m 560 600 l S"), TENTS),
        listed("the ruler gone", "ruler", layer("GUIDES", lambda s: re.sub(
            r"(?s)\.425197 w\n.5 G\n\[\] 0 d\nn [^\n]*\nS", "", s))),
        listed("the ruler gone, of a leaf", "ruler", layer("GUIDES", lambda s: re.sub(
            r"(?s)\.425197 w\n.5 G\n\[\] 0 d\nn [^\n]*\nS", "", s)), RULES),
        listed("another sheet's number", "slug|sheet|says", words(-1, lambda s: s.replace("0014", "0016", 2))),
        listed("no slug", "slug", words(-1, lambda _: "[] TJ")),
        listed("no slug, of coins", "slug", words(-1, lambda _: "[] TJ"), COINS),
        listed("a word too many", "slug|word|print|belong", added("GUIDES", "BT /T2d054479 9 Tf 300 20 Td "
            "[<002900440057>] TJ ET")),
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
