"""The scrap racers' parts: every choice of an art record is drawn, whatever it is combined with;
left is the mirror of right; lanes meet at every pair of tiles; colours differ for every eye."""

from __future__ import annotations

import cmath
import itertools
import math
import re
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
import yaml
from defusedxml import ElementTree
from packs.shipped import ROOT, copied, drawn, opened

from generator.build import Order, draw
from generator.preflight.colour_sight import Sight, apart
from generator.svg_layers import layered

NAME = "scrap-circuit"
CARDS = ROOT / "cards" / "scrap-circuit"
TEMPLATES = ROOT / "templates" / "scrap-circuit"


def art() -> dict[str, list[str]]:
    """The choices of each key of an art record that has some."""
    kind = yaml.safe_load((CARDS / "kinds" / "racer.yaml").read_text(encoding="utf-8"))
    fields = kind["fields"]["art"]["fields"]
    return {key: field["choices"] for key, field in fields.items() if "choices" in field}


def racers() -> list[dict[str, str]]:
    """The racers as they are shipped."""
    text = (CARDS / "racers.yaml").read_text(encoding="utf-8")
    found: list[dict[str, str]] = yaml.safe_load(text)["components"]
    return found


def test_every_emblem_has_its_icon() -> None:
    assert [e for e in art()["emblem"] if not (TEMPLATES / f"icons/emblem-{e}.svg").is_file()] == []


def test_no_two_icons_are_alike() -> None:
    icons = [path.read_text(encoding="utf-8") for path in (TEMPLATES / "icons").glob("*.svg")]
    assert len(icons) > 50
    assert len(set(icons)) == len(icons)
    assert [icon for icon in icons if 'viewBox="0 0 24 24"' not in icon or "#" in icon] == []


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("shift", [0, 3])
def test_parts_go_with_each_other(tmp_path: Path, shift: int) -> None:
    """Each racer gets parts that no shipped racer has together; all of them come up."""
    root = copied(tmp_path, NAME)
    choices = art()
    seen: set[str] = set()
    path = root / "cards" / "scrap-circuit" / "racers.yaml"
    turns = itertools.count(shift)

    def mixed(_: re.Match[str]) -> str:
        n = next(turns)
        parts = {
            key: named[(n if key == "emblem" else n * (1 + i % 2) + i) % len(named)]
            for i, (key, named) in enumerate(choices.items())
        }
        seen.update(f"{key} {value}" for key, value in parts.items())
        return f"art: {{{', '.join(f'{k}: {v}' for k, v in parts.items())}, number: {n}}}"

    text, count = re.subn(r"art: \{[^}]*\}", mixed, path.read_text(encoding="utf-8"))
    assert count == len(racers())
    path.write_text(text, encoding="utf-8")
    kinds = ("racer", "standee", "lap-marker")
    standees = [face.svg for face in drawn(root, NAME, kinds=kinds) if face.kind == "standee"]
    assert len(set(standees)) == len(standees) == count
    assert len(seen) > 30


def test_a_part_is_drawn_for_every_choice() -> None:
    """Each choice of the art record is a layer of a drawing, and a line of the tables of places."""
    layers = {"none"}
    for path in (TEMPLATES / "art/racers").glob("*.svg"):
        layers |= {name.partition("/")[0] for name in dict(layered(path.read_bytes()).layers)}
    tables = "".join((TEMPLATES / f"parts/{at}.svg.j2").read_text() for at in ("racers", "wheels"))
    parts = {key: named for key, named in art().items() if key != "emblem"}
    assert len(parts) == 7
    drawn_ones = {v for key, named in parts.items() if key != "wheels" for v in named}
    assert drawn_ones - layers == set()
    placed = {v for key, named in parts.items() if key != "driver" for v in named}
    assert {v for v in placed if f'"{v}": ' not in tables} == set()


def mirrored_words(node: Element, sign: int = 1) -> list[bool]:
    """For each text within a node, whether the drawing around it is a mirror image."""
    for x, y in re.findall(r"scale\((-?[\d.]+)[ ,]*(-?[\d.]+)?\)", node.get("transform", "")):
        sign *= -1 if (float(x) < 0) != (float(y or x) < 0) else 1
    found = [sign < 0] if node.tag.endswith("text") else []
    return found + [word for child in node for word in mirrored_words(child, sign)]


def test_a_racer_that_faces_left_is_mirrored_but_its_number_is_not(tmp_path: Path) -> None:
    root = copied(tmp_path, NAME)
    (root / "templates" / "scrap-circuit" / "standee.svg.j2").write_text(
        '{% from "parts/racers.svg.j2" import racer %}'
        '{{ racer(c.racer.art, 0, 0, 90, 60, c.racer.colour, "a") }}'
        '{{ racer(c.racer.art, 0, 60, 90, 60, c.racer.colour, "b", facing="left") }}',
        encoding="utf-8",
    )
    found = opened(root, NAME).value
    assert found is not None
    # two racers as large as this are larger than a standee, of which something is said
    faces = draw(found, Order(only=racers()[0]["id"]), for_export=True)
    (face,) = [face for face in faces.value if face.kind == "standee"]
    scales = [float(x) for x in re.findall(r"scale\((-?[\d.]+) [\d.]+\)", face.svg)]
    assert -max(scales) in scales
    assert mirrored_words(ElementTree.fromstring(face.svg)) == [False, False]


def ends(svg: str, shape: str) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    """Where the long lines of a segment's lane begin and end, in 1/100 mm, both as seen with the
    tile turned so that the side that they cross is below."""
    number = r"(-?[\d.]+)"
    found = set()
    if shape == "straight":
        for x, y, top in re.findall(rf'd="M{number} {number}V{number}"', svg):
            found.add((complex(float(x), float(y)), complex(float(x), float(top)), math.pi))
    else:
        two = f"{number} {number}"
        path = rf'd="M{two}V{number}A{two} 0 0 1 {two}l{two}"'
        for x, y, _, _, _, ax, ay, dx, dy in re.findall(path, svg):
            end = complex(float(ax) + float(dx), float(ay) + float(dy))
            found.add((complex(float(x), float(y)), end, math.pi * 2 / 3))
    below = set()
    for start, end, turn in found:
        turned = end * cmath.exp(1j * turn)
        below.add(
            (
                (round(start.real * 100), round(start.imag * 100)),
                (round(turned.real * 100), round(turned.imag * 100)),
            )
        )
    return below


def test_lanes_meet_at_every_pair_of_tiles() -> None:
    """Both ends of both shapes cross a side at the same places, which mirror each other: so any
    two tiles fit, whichever ends are put together."""
    segments = drawn(ROOT, NAME, kinds=("segment",))
    fronts = {
        shape: next(
            lines
            for face in segments
            if face.component.startswith(shape) and len(lines := ends(face.svg, shape)) > 4
        )
        for shape in ("straight", "curve")
    }
    # the lamps of a straight are uprights too, but they do not reach the side
    reach = max(y for (_, y), _ in fronts["curve"])
    crossing = {
        shape: (
            {x for (x, y), _ in lines if y == reach},
            {x for _, (x, y) in lines if abs(y - reach) <= 1},
        )
        for shape, lines in fronts.items()
    }
    entry = crossing["straight"][0]
    assert len(entry) >= 5
    for begins, finishes in crossing.values():
        assert begins == entry
        assert {round(x / 2) for x in finishes} == {round(x / 2) for x in entry}
    assert {-x for x in entry} == entry


@pytest.mark.parametrize("sight", Sight)
def test_colours_of_the_racers_differ_for_every_eye(sight: Sight) -> None:
    colours = [racer["colour"] for racer in racers()]
    pairs = list(itertools.combinations(colours, 2))
    assert len(pairs) == 15
    assert [pair for pair in pairs if apart(*pair, sight) < 10] == []
