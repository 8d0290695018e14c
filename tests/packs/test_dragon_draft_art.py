"""The dragons' parts: any choice goes with any other, no two dragons share a silhouette, clans are
told apart without colour, and the card back is the same either way up."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest
import yaml
from packs.gallery import Record, pictures, shown
from packs.shipped import ROOT
from PIL import ImageChops

NAME = "dragon-draft"
CARDS = ROOT / "cards" / "dragon-draft"
TEMPLATES = ROOT / "templates" / "dragon-draft"
PARTS = ("pose", "head", "horns", "wings", "tail", "ridge", "pattern", "breath")

DRAGON = """{% from "parts/dragons.svg.j2" import dragon %}
{{ dragon(c, 0, 0, stock.w, stock.h, c.clan, c.id) }}"""
KEEPER = """{% from "parts/characters.svg.j2" import character %}
{{ character(c, 0, 0, stock.w, stock.h, c.clan, c.id) }}"""
TILE = """{% from "parts/tiles.svg.j2" import tile %}
{% set start = c.shape == "corner" %}
{{ tile(c.type, stock.w, stock.h, c.clan, c.spaces, c.shape, c.flow, "ring", start) }}"""
PRIZE = """{% from "parts/trophies.svg.j2" import trophy %}
{% from "parts/token.svg.j2" import token %}
{{ trophy(c.place, 20, 30, 19) }}{{ token("#2f6fb3", c.place, 60, 30, 8) }}"""
BACK = """{% from "parts/card_back.svg.j2" import card_back %}
{{ card_back(stock.w, stock.h) }}"""


def fields(kind: str) -> dict[str, Any]:
    text = (CARDS / "kinds" / f"{kind}.yaml").read_text(encoding="utf-8")
    return dict(yaml.safe_load(text)["fields"])


def choices() -> dict[str, list[str]]:
    """The choices of each part of a dragon, as the pack's data may use them."""
    return {part: fields("dragon")[part]["choices"] for part in PARTS}


def shipped() -> list[dict[str, str]]:
    with (CARDS / "dragons.csv").open(encoding="utf-8", newline="") as file:
        return [{part: row[part] or "none" for part in PARTS} for row in csv.DictReader(file)]


def mixed(keys: Mapping[str, Sequence[str]], count: int) -> list[dict[str, str]]:
    """Records that go through the choices of each key at a pace of its own, so that they mix."""
    return [
        {key: values[(n + n // len(values) * i) % len(values)]
         for i, (key, values) in enumerate(keys.items())}
        for n in range(count)
    ]  # fmt: skip


@pytest.mark.thorough
def test_any_part_of_a_dragon_goes_with_any_other(tmp_path: Path) -> None:
    clans = fields("dragon")["colour"]["choices"]
    records = mixed({**choices(), "clan": clans}, 72)
    for key, values in choices().items():
        assert {record[key] for record in records} == set(values)
    faces = shown(tmp_path, NAME, "60mm 45mm", [DRAGON], records)
    assert len({face.sha256 for face in faces}) == 72
    assert max(len(face.svg) for face in faces) < 40_000


@pytest.mark.thorough
def test_no_two_dragons_share_a_silhouette(tmp_path: Path) -> None:
    dragons = shipped()
    assert len(dragons) == 64
    faces = shown(tmp_path, NAME, "60mm 45mm", [DRAGON], [{**d, "clan": "violet"} for d in dragons])
    shapes = [
        picture.point(lambda light: 255 * (light < 250))
        for picture in pictures(faces, tmp_path / "png", 36)
    ]
    areas = [sum(shape.histogram()[255:]) for shape in shapes]
    for (a, shape_a), (b, shape_b) in combinations(enumerate(shapes), 2):
        apart = sum(ImageChops.difference(shape_a, shape_b).histogram()[255:])
        assert apart > 0.1 * min(areas[a], areas[b]), (dragons[a], dragons[b])


def test_any_part_of_a_keeper_goes_with_any_other(tmp_path: Path) -> None:
    of = fields("character")["art"]["fields"]
    keys = {key: of[key]["choices"] for key in ("face", "skin", "hair", "hat", "cloak", "tool")}
    clans = [*fields("dragon")["colour"]["choices"], "ink"]
    faces = shown(tmp_path, NAME, "40mm 50mm", [KEEPER], mixed({**keys, "clan": clans}, 48))
    assert len({face.sha256 for face in faces}) == 48


def test_every_land_has_its_tiles(tmp_path: Path) -> None:
    records: list[Record] = [
        {"type": land, "clan": clan, "spaces": spaces, "shape": shape, "flow": "left"}
        for land in fields("tile")["type"]["choices"]
        for clan, spaces, shape in (("gold", 4, "corner"), ("red", 3, "straight"))
    ]
    faces = shown(tmp_path, NAME, "80mm 80mm", [TILE], records)
    assert len({face.sha256 for face in faces}) == 12


def test_an_uncoloured_side_does_not_tell_the_land(tmp_path: Path) -> None:
    lands = fields("tile")["type"]["choices"]
    records: list[Record] = [
        {"type": land, "clan": None, "spaces": 5, "shape": "straight", "flow": "right"}
        for land in lands
    ]
    faces = shown(tmp_path, NAME, "80mm 80mm", [TILE], records)
    assert len(faces) == len(lands)
    assert len({face.sha256 for face in faces}) == 1


def test_every_place_has_its_prize_and_every_player_a_mark(tmp_path: Path) -> None:
    faces = shown(tmp_path, NAME, "80mm 60mm", [PRIZE], [{"place": n} for n in range(1, 10)])
    assert len({face.sha256 for face in faces}) == 9


def test_the_back_is_the_same_either_way_up(tmp_path: Path) -> None:
    [face] = shown(tmp_path, NAME, "63.5mm 88.9mm", [BACK], [{"name": "back"}])
    [picture] = pictures([face], tmp_path / "png")
    turned = picture.rotate(180)
    # a pixel at an edge may differ by its antialiasing, a shape may not
    differing = ImageChops.difference(picture, turned).point(lambda d: 255 * (d > 110))
    assert sum(differing.histogram()[255:]) < 0.002 * picture.width * picture.height
    assert sum(picture.histogram()[:60]) > 0.1 * picture.width * picture.height


@pytest.mark.parametrize(("field", "prefix"), [("colour", "clan"), ("type", "type")])
def test_clans_and_lands_have_an_icon_each(field: str, prefix: str) -> None:
    names = fields("dragon")[field]["choices"]
    icons = {(TEMPLATES / "icons" / f"{prefix}-{name}.svg").read_text("utf-8") for name in names}
    assert len(icons) == len(names)


def test_no_two_icons_are_alike() -> None:
    icons = [path.read_text(encoding="utf-8") for path in (TEMPLATES / "icons").glob("*.svg")]
    assert len(icons) > 40
    assert len(set(icons)) == len(icons)


@pytest.mark.parametrize("ink", ["full", "low", "mono"])
def test_clans_differ_in_lightness(ink: str) -> None:
    styles = yaml.safe_load((TEMPLATES / "styles.yaml").read_text(encoding="utf-8"))
    palette = {**styles["colours"], **styles["ink"].get(ink, {})}
    lights = sorted(lightness(palette[c]) for c in fields("dragon")["colour"]["choices"])
    assert all(b - a > 10 for a, b in pairwise(lights)), lights


def lightness(colour: str) -> float:
    """CIE L* of an sRGB colour."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    return float(116 * y ** (1 / 3) - 16)
