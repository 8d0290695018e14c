"""Faces that are not what, or as, the manifest says: in other places, states, forms, or another's."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pikepdf import Array, Dictionary, Name

from faults import hands
from faults.bench import Bench, Fault, Level
from faults.damage import DRAWN
from faults.hands import MM, Finished

CARDS = "cards-a4.pdf"
COINS, DICE, RULES, CHART = "coins-a4.pdf", "dice-a4.pdf", "rules-a4.pdf", "chart-a4.pdf"
FIELDS, TENTS, SIGNS, PENNANTS = "fields-a4.pdf", "tents-a4.pdf", "signs-a4.pdf", "pennants-a4.pdf"

MIRRORED = "mirror"
TURNED = r"turn|rotat|upside"
SCALED = r"% of its size|scaled|larger|smaller|too (large|small)|shrunk|stretched|size"
MOVED = r"\d mm (away|to the|right|left|up|down|beside|off)|moved|shifted"
ANOTHER = r"another|instead|the face of|swapped|exchanged|shows the|its own|belongs to"
SKEWED = r"skew|slant|turn|distort"
COVERED = r"cover|over it|over the|painted over|stamp|on top|neither a face nor a mark|not in the man|put on"
LINE = COVERED + r"|line|something"
OTHERWISE = r"other colour|colours? |another colour|hue"
GONE = r"lack|missing|lost|gone|not (drawn|there|shown)|empty|blank|shows nothing|cut"
PALE = r"pale|faint|faded|opac|transpar|lighter|weak|ink"
BROKEN = r"damaged|broken|cannot be read|corrupt|unreadable|not be drawn"


def in_file(
    kind: str,
    level: Level,
    name: str,
    says: str,
    change: Callable[[Finished], object],
    *,
    file: str = CARDS,
    mm: float = 0.0,
    drawn: bool = False,
    sealed: bool = True,
    **save: Any,
) -> Fault:
    """A fault in a finished file; the manifest has its new sha256, unless it is not `sealed`."""

    def make(bench: Bench, folder: Path) -> None:
        bench.start(folder)
        with hands.at(folder, file, sealed=sealed, **save) as finished:
            change(finished)

    return Fault(kind, level, name, says, make, file, mm, drawn)


def of_face(
    kind: str,
    says: str,
    component: str,
    change: Callable[[Any], object],
    *,
    face: str = "front",
    file: str = CARDS,
    level: Level = Level.FACE,
    name: str = "",
    mm: float = 0.0,
    drawn: bool = False,
) -> Fault:
    """A fault in what a face shows, wherever it is drawn."""
    told = f"{name or kind}: {face} of {component}"
    return in_file(kind, level, told, says, lambda f: change(f.face(component, face)),
                   file=file, mm=mm, drawn=drawn)  # fmt: skip


def placed(number: int, change: Callable[[re.Match[str]], str]) -> Callable[[str], str]:
    """One drawing of a page, counted from 0, drawn otherwise."""

    def edited(content: str) -> str:
        found = list(DRAWN.finditer(content))[number]
        return content[: found.start()] + change(found) + content[found.end() :]

    return edited


def by_matrix(matrix: str, right: float, up: float) -> Callable[[re.Match[str]], str]:
    """A drawing in its place through another matrix, whose corner is so many mm from its own."""

    def drawn(found: re.Match[str]) -> str:
        x, y = float(found["x"]) + right * MM, float(found["y"]) + up * MM
        return f"{found['clip']}{matrix} {x:.4f} {y:.4f} cm /{found['face']} Do Q\n"

    return drawn


def shown_as(one: tuple[str, str], other: tuple[str, str]) -> Callable[[Finished], object]:
    """A face (component, face) drawn as another."""
    return lambda f: f.show_instead(f.name(*one), f.name(*other))


def exchanged(one: tuple[str, str], other: tuple[str, str]) -> Callable[[Finished], object]:
    return lambda f: f.exchange(f.name(*one), f.name(*other))


def faint(form: Any, opacity: float, key: str = "/Gfaint") -> None:
    """All of a face with less ink."""
    hands.resources(form, "/ExtGState")[key] = Dictionary(ca=opacity, CA=opacity)
    hands.before(form, f"{key} gs")


def in_blend(form: Any) -> None:
    inner = hands.drawing(form)
    hands.resources(inner, "/ExtGState")["/Gm"] = Dictionary(BM=Name.Difference)
    hands.before(inner, "/Gm gs")


def boxed(x: float, y: float, w: float, h: float, colour: str = "1 1 1") -> str:
    """A box on a form, pt from its lower left."""
    return f"{colour} rg {x:.3f} {y:.3f} {w:.3f} {h:.3f} re f"


def without(pattern: str, count: int = 1) -> Callable[[Any], None]:
    """The drawing of a face without what fits a pattern."""

    def change(form: Any) -> None:
        hands.edit(
            hands.drawing(form), lambda told: re.sub(pattern, "", told, count=count, flags=re.S)
        )

    return change


def replaced(pattern: str, new: str, count: int = 1) -> Callable[[Any], None]:
    """The drawing of a face with something else for what fits a pattern."""

    def change(form: Any) -> None:
        hands.edit(
            hands.drawing(form), lambda told: re.sub(pattern, new, told, count=count, flags=re.S)
        )

    return change


SHAPE = r"q 2\.83[^\n]*\n(?:h\n)?[fS]\nQ\n"


def _recoloured(form: Any) -> None:
    """The first flat colour of a drawing gets another hue."""
    hues = re.finditer(r"(\S+) (\S+) (\S+) scn", hands.content(hands.drawing(form)))
    found = next(one for one in hues if len({one[1], one[2], one[3]}) > 1)
    hands.edit(
        hands.drawing(form),
        lambda told: told.replace(found[0], f"{found[3]} {found[1]} {found[2]} scn", 1),
    )


def _narrow(form: Any) -> None:
    x1, y1, x2, y2 = (float(v) for v in form.BBox)
    form.BBox = Array([x1 + 20, y1, x2, y2])


def _matrix(form: Any) -> None:
    form.Matrix = Array([1, 0, 0, 1, 1.5 * MM, 0])


def _half(form: Any) -> None:
    told = hands.content(hands.drawing(form))
    hands.drawing(form).write(told[: len(told) // 2].encode("latin-1"))


def faults() -> list[Fault]:
    """All of these."""
    card, back = "baker", "back"
    width, height = 69.5, 94.9
    return [
        # in their places, on the page
        in_file("face mirrored", Level.PAGE, "mirrored left to right in its place", MIRRORED,
                lambda f: f.edit_page(placed(0, by_matrix("-1 0 0 1", width, 0)))),
        in_file("face mirrored", Level.PAGE, "mirrored top to bottom in its place", MIRRORED,
                lambda f: f.edit_page(placed(1, by_matrix("1 0 0 -1", 0, height)))),
        in_file("face turned", Level.PAGE, "upside down in its place", TURNED,
                lambda f: f.edit_page(placed(2, by_matrix("-1 0 0 -1", width, height)))),
        in_file("face turned", Level.PAGE, "a coin turned by 5°", TURNED,
                lambda f: f.edit_page(placed(0, by_matrix(".99619 .08716 -.08716 .99619", 1.2, -1.1))),
                file=COINS),
        in_file("face turned", Level.PAGE, "a die face by a quarter", TURNED,
                lambda f: f.edit_page(placed(3, by_matrix("0 1 -1 0", 22, 0))), file=DICE),
        in_file("face scaled", Level.PAGE, "99 % in its place", SCALED,
                lambda f: f.edit_page(placed(0, by_matrix(".99 0 0 .99", width / 200, height / 200)))),
        in_file("face moved", Level.PAGE, "0.3 mm to the right", MOVED,
                lambda f: f.edit_page(placed(0, by_matrix("1 0 0 1", 0.3, 0))), mm=0.3),
        in_file("face moved", Level.PAGE, "a back 1 mm up", MOVED,
                lambda f: f.edit_page(placed(0, by_matrix("1 0 0 1", 0, 1)), 1), mm=1),
        in_file("face lost", Level.PAGE, "not drawn", GONE,
                lambda f: f.edit_page(placed(0, lambda _: ""))),
        in_file("face twice", Level.PAGE, "drawn again over its neighbour", f"{ANOTHER}|{COVERED}|overlap|drawn",
                lambda f: f.edit_page(placed(1, lambda m: m[0] + by_matrix("1 0 0 1", -30, 0)(m)))),
        in_file("page's faces moved", Level.PAGE, "a whole back page 0.4 mm", MOVED,
                lambda f: f.edit_page(lambda s: f"1 0 0 1 {0.4 * MM:.4f} 0 cm\n{s}", 1), mm=0.4),
        in_file("page's faces scaled", Level.PAGE, "a whole page 98 %", SCALED,
                lambda f: f.edit_page(lambda s: f".98 0 0 .98 6 8 cm\n{s}")),
        in_file("face clipped", Level.PAGE, "its window a third narrower", "cut|clip|window",
                lambda f: f.edit_page(lambda s: re.sub(
                    r"q (\S+) (\S+) (\S+) (\S+) re W n",
                    lambda m: f"q {m[1]} {m[2]} {float(m[3]) * 0.66:.3f} {m[4]} re W n", s, count=1))),
        # in themselves, under their own name
        of_face("face mirrored", MIRRORED, card, lambda form: hands.about_middle(form, -1, 0, 0, 1)),
        of_face("face mirrored", MIRRORED, "coin-2", lambda form: hands.about_middle(form, -1, 0, 0, 1),
                file=COINS),
        of_face("face mirrored", MIRRORED, "gate", lambda form: hands.about_middle(form, 1, 0, 0, -1),
                file=SIGNS),
        of_face("face turned", TURNED, card, lambda form: hands.about_middle(form, -1, 0, 0, -1)),
        of_face("face turned", TURNED, "pips-2", lambda form: hands.about_middle(form, 0, 1, -1, 0),
                file=DICE),
        of_face("face turned", TURNED, card, lambda form: hands.about_middle(form, -1, 0, 0, -1),
                face=back),
        of_face("face turned", TURNED, "well", lambda form: hands.about_middle(
            form, 0.99985, 0.01745, -0.01745, 0.99985), file=FIELDS, name="by 1°"),
        of_face("face scaled", SCALED, card, lambda form: hands.about_middle(form, 0.95, 0, 0, 0.95)),
        of_face("face scaled", SCALED, "leaf-3", lambda form: hands.about_middle(form, 1.02, 0, 0, 1.02),
                file=RULES),
        of_face("face stretched", f"{SCALED}|stretch", "chart",
                lambda form: hands.about_middle(form, 1.03, 0, 0, 1), file=CHART),
        of_face("face moved", MOVED, card, lambda form: hands.before(form, "1 0 0 1 1.0 0 cm"),
                mm=0.35, name="0.35 mm inside its form"),
        of_face("face moved", MOVED, card, lambda form: hands.before(form, "1 0 0 1 0 3 cm"),
                face=back, mm=1.06, name="1 mm inside its form"),
        of_face("face moved", MOVED, "anna", _matrix, file=TENTS, mm=1.5, name="by the form's matrix"),
        of_face("face skewed", SKEWED, card, lambda form: hands.about_middle(form, 1, 0, 0.03, 1)),
        of_face("face faint", PALE, card, lambda form: faint(form, 0.5)),
        of_face("face faint", PALE, card, lambda form: faint(form, 0.9), face=back),
        of_face("face blended", f"{PALE}|colour|blend", "clown", in_blend),
        of_face("face empty", GONE, card, lambda form: form.write(b"q Q")),
        of_face("face empty", GONE, card, lambda form: form.write(b"q Q"), face=back),
        of_face("face empty", GONE, "pips-5", lambda form: form.write(b"q Q"), file=DICE),
        of_face("face cut short", GONE, card, _half, name="half of its drawing"),
        of_face("face cut short", f"{GONE}|box|narrow|bleed|mm and an even", card, _narrow, name="its box narrower"),
        of_face("shape lost", GONE, card, without(SHAPE, 0), name="all flats"),
        of_face("shape lost", GONE, card, without(rf"{SHAPE}(?=Q)"), name="a line"),
        of_face("shape lost", GONE, "pips-6", without(rf"{SHAPE}(?=Q)"), file=DICE, name="a pip"),
        of_face("shape recoloured", OTHERWISE, card, _recoloured),
        of_face("shape recoloured", OTHERWISE, card, _recoloured, face=back),
        of_face("shape recoloured", OTHERWISE, "stage", _recoloured, file=SIGNS),
        of_face("line width", r"line|thick|thin|width|lost|missing|lack|shape", card,
                replaced(r"0\.8 w", "0.02 w"), name="a hair"),
        of_face("line width", r"line|thick|thin|width|shape|cover|over", card,
                replaced(r"0\.3 w", "2 w"), name="2 mm"),
        of_face("box over a face", COVERED, card,
                lambda form: hands.after(form, boxed(30, 40, 80, 30)), name="white"),
        of_face("box over a face", COVERED, "rain",
                lambda form: hands.after(form, boxed(60, 90, 30, 30, ".9 .2 .2")), name="red"),
        of_face("box over a face", COVERED, "leaf-5",
                lambda form: hands.after(form, boxed(60, 90, 10, 10, "0 0 0")), file=RULES, name="small"),
        of_face("shape moved", "art is moved", "clown", replaced(
            r"(0\.5568628 0\.16470589 0\.10980392 scn)", r"\1 1 0 0 1 .3 0 cm"), mm=0.3, name="under a digit"),
        of_face("shape smaller", "art is scaled", "clown", replaced(
            r"(0\.5568628 0\.16470589 0\.10980392 scn)", r"\1 .95 0 0 .95 2.75 4 cm"), name="under a digit"),
        of_face("hairline over a face", LINE, card,
                lambda form: hands.after(form, "0.3 w 0 G 0 100 m 200 140 l S"), name="black 0.1 mm"),
        of_face("hairline over a face", LINE, "parade",
                lambda form: hands.after(form, "0.5 w 1 G 100 0 m 100 270 l S"), name="white"),
        # another's
        in_file("another deck's back", Level.FACE, "a hero with the back of events", ANOTHER,
                shown_as((card, back), ("rain", back))),
        in_file("another deck's back", Level.FACE, "both decks' backs exchanged", ANOTHER,
                exchanged((card, back), ("rain", back))),
        in_file("front for back", Level.FACE, "a hero's front behind all", ANOTHER,
                shown_as((card, back), ("clown", "front"))),
        in_file("faces exchanged", Level.FACE, "two coins' fronts", ANOTHER,
                exchanged(("coin-1", "front"), ("coin-2", "front")), file=COINS),
        in_file("faces exchanged", Level.FACE, "two coins' backs", ANOTHER,
                exchanged(("coin-1", back), ("coin-3", back)), file=COINS),
        in_file("faces exchanged", Level.FACE, "a coin's two sides", ANOTHER,
                exchanged(("coin-1", "front"), ("coin-1", back)), file=COINS),
        in_file("faces exchanged", Level.FACE, "two die faces", ANOTHER,
                exchanged(("pips-5", "front"), ("pips-6", "front")), file=DICE),
        in_file("faces exchanged", Level.FACE, "two fields", ANOTHER,
                exchanged(("well", "front"), ("barn", "front")), file=FIELDS),
        in_file("faces exchanged", Level.FACE, "two heroes", ANOTHER,
                exchanged(("acrobat", "front"), ("baker", "front"))),
        in_file("faces exchanged", Level.FACE, "two pennants", ANOTHER,
                exchanged(("north", "front"), ("south", "front")), file=PENNANTS),
        in_file("faces exchanged", Level.FACE, "two pages of the rules", ANOTHER,
                exchanged(("leaf-2", "front"), ("leaf-3", "front")), file=RULES),
    ]  # fmt: skip
