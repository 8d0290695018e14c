"""From which size on each kind of fault is found, and told rightly: sizes are tried from plain down to
hardly visible, on faces with words, flats and pictures; the table stands in docs/preflight.md."""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pikepdf import Dictionary, Object
from PIL import Image, ImageChops, ImageDraw, ImageEnhance, ImageFilter

from faults import hands
from faults.bench import Bench, Fault, Level
from faults.hands import MM
from faults.marks import all_moved, layer
from faults.pictures import PICTURE
from faults.places import COVERED, LINE, MOVED, PALE, SCALED, TURNED, faint, in_file, of_face
from faults.words import MOVED as WORDS_MOVED
from faults.words import SIZED

DOCS = Path(__file__).parents[2] / "docs/preflight.md"
_TABLE = re.compile(r"(<!-- sizes -->\n).*?(<!-- /sizes -->)", re.S)
_FACES = (("baker", "front"), ("parade", "front"))


@dataclass(frozen=True, slots=True)
class Sweep:
    """A kind of fault, and how one of a size is made on a face; sizes from small to plain; how they
    are written."""

    kind: str
    sizes: Sequence[float]
    make: Callable[[float, str, str], Fault]
    written: str = "{:g} mm"
    faces: Sequence[tuple[str, str]] = _FACES


def _form(kind: str, says: str, change: Callable[[float], Callable[[Object], object]]) -> Callable[
    [float, str, str], Fault
]:  # fmt: skip
    return lambda size, card, face: of_face(kind, says, card, change(size), face=face)


def _boxed(size: float) -> Callable[[Object], object]:
    side = size * MM
    return lambda form: hands.after(form, f"0.1 0.3 0.2 rg 90 60 {side:.3f} {side:.3f} re f")


def _veiled(opacity: float) -> Callable[[Object], object]:
    def change(form: Object) -> None:
        hands.resources(form, "/ExtGState")["/Gbox"] = Dictionary(ca=opacity)
        hands.after(form, "/Gbox gs 0.1 0.3 0.2 rg 60 120 60 50 re f")

    return change


def _turned(degrees: float) -> Callable[[Object], object]:
    sin, cos = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return lambda form: hands.about_middle(form, cos, sin, -sin, cos)


def _picture(
    kind: str, says: str, change: Callable[[Image.Image, float], Image.Image]
) -> Callable[[float, str, str], Fault]:
    told = f"{PICTURE}.*({says})|({says}).*{PICTURE}"

    def edit(size: float) -> Callable[[Object], object]:
        return lambda form: hands.repaint(hands.pictures(form)[0], lambda p: change(p, size))

    return _form(kind, told, edit)


def _patched(picture: Image.Image, mm: float) -> Image.Image:
    side, patched = round(mm * 300 / 25.4), picture.copy()
    ImageDraw.Draw(patched).rectangle((520, 40, 520 + side, 40 + side), fill=(120, 90, 40))
    return patched


def _layer(name: str, says: str) -> Callable[[float, str, str], Fault]:
    return lambda size, card, face: in_file(
        name, Level.MARKS, card + face, says, lambda f: f.edit_page(layer(name, all_moved(size, 0)))
    )


def _words(change: Callable[[float], Callable[[re.Match[str]], str]], says: str) -> Callable[
    [float, str, str], Fault
]:  # fmt: skip
    return _form("words", says, lambda size: lambda form: hands.set_line(form, 0, change(size)))


_MM = (0.03, 0.05, 0.1, 0.2, 0.3, 0.5, 1.0)
_PARTS = (0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.25)
_CARD = (("baker", "front"),)
_PERCENT = "{:.1%}"
SWEEPS = (
    Sweep("a line across a face, as wide as", (0.02, 0.03, 0.05, 0.1, 0.2), _form("line", LINE, lambda s: lambda form: hands.after(
        form, f"{s * MM:.4f} w 0 G 20 40 m 150 190 l S"))),
    Sweep("a box over a face, as wide as", (0.2, 0.3, 0.5, 1, 2, 4), _form("box", COVERED, _boxed)),
    Sweep("a box that one sees through, as opaque as", (0.05, 0.08, 0.12, 0.2, 0.35), _form("veil", COVERED, _veiled), "{:.0%}"),
    Sweep("a face moved", _MM, _form("moved", MOVED, lambda s: lambda form: hands.before(
        form, f"1 0 0 1 {s * MM:.4f} 0 cm"))),
    Sweep("a face scaled by", (0.002, 0.003, 0.005, 0.01, 0.02, 0.05), _form("scaled", SCALED, lambda s: lambda form: hands.about_middle(
        form, 1 + s, 0, 0, 1 + s)), _PERCENT),
    Sweep("a face turned by", (0.1, 0.2, 0.3, 0.5, 1, 2), _form("turned", TURNED, _turned), "{:g}°"),
    Sweep("a face paler by", _PARTS, _form("faint", PALE, lambda s: lambda form: faint(form, 1 - s)), "{:.0%}"),
    Sweep("a line of words moved", (*_MM, 2.0, 4.0), _words(lambda s: lambda m: hands.line(m, s), WORDS_MOVED)),
    Sweep("a line of words larger by", _PARTS, _words(lambda s: lambda m: hands.line(m, scale=1 + s), SIZED), "{:.0%}"),
    Sweep("a picture darker by", _PARTS, _picture("dark", "dark", lambda p, s: ImageEnhance.Brightness(p).enhance(1 - s)), "{:.0%}", _CARD),
    Sweep("a picture paler by", _PARTS, _picture("pale", PALE, lambda p, s: Image.blend(p, Image.new("RGB", p.size, "white"), s)), "{:.0%}", _CARD),
    Sweep("a picture blurred, by a radius of", (0.05, 0.1, 0.2, 0.3, 0.5, 1), _picture("blur", "blur|sharp|soft", lambda p, s: p.filter(
        ImageFilter.GaussianBlur(s * 300 / 25.4))), faces=_CARD),
    Sweep("a picture moved in its frame", (0.1, 0.2, 0.3, 0.5, 1, 2), _picture("moved", "moved|mm", lambda p, s: ImageChops.offset(
        p, round(s * 300 / 25.4), 0)), faces=_CARD),
    Sweep("a patch on a picture, as wide as", (0.3, 0.5, 1, 2, 4), _picture("patch", f"{COVERED}|patch|part", _patched), faces=_CARD),
    Sweep("cut marks moved", _MM, _layer("CUT", "cut"), faces=_CARD),
)  # fmt: skip


def rows(sweeps: Sequence[Sweep] = SWEEPS) -> Iterator[tuple[str, str, str]]:
    """Each kind, and from which size on it is found and told on every face, in words: looked for by
    halves, as what is larger is told sooner."""
    bench = Bench()
    try:
        for sweep in sweeps:
            seen: dict[int, tuple[bool, bool]] = {}

            def judge(number: int, sweep: Sweep = sweep, seen: Any = seen) -> tuple[bool, bool]:
                if number not in seen:
                    made = (sweep.make(sweep.sizes[number], *face) for face in sweep.faces)
                    verdicts = [bench.judge(fault) for fault in made]
                    seen[number] = all(v.found for v in verdicts), all(v.told for v in verdicts)
                return seen[number]

            said = []
            for question in (0, 1):
                number = bisect_left(sweep.sizes, True, key=_place_of(sweep, judge, question))
                found = number < len(sweep.sizes)
                said.append(sweep.written.format(sweep.sizes[number]) if found else "not told")
            print(f"{sweep.kind}: found from {said[0]}, told from {said[1]}", flush=True)
            yield sweep.kind, said[0], said[1]
    finally:
        bench.close()


def _place_of(
    sweep: Sweep, judge: Callable[[int], tuple[bool, bool]], question: int
) -> Callable[[float], bool]:
    """Whether a size is found (question 0) or told (1)."""
    return lambda size: judge(sweep.sizes.index(size))[question]


def write_table() -> None:
    """The table in docs/preflight.md, made anew."""
    lines = ["| fault | found from | told by its own words from |", "|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in rows()]
    text = DOCS.read_text(encoding="utf-8")
    table = "\n".join(lines)
    DOCS.write_text(_TABLE.sub(lambda m: f"{m[1]}{table}\n{m[2]}", text), encoding="utf-8")
