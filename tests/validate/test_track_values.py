"""Kinds of tiles and layouts, as expressions and templates see them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft202012Validator
from validate.projects import FIXTURES, check

from generator.diagnostics import Diagnostic
from generator.model.pack import Pack
from generator.model.values import Record
from generator.validate import definition_schemas, json_schemas

ROOT = FIXTURES / "tracks"


@pytest.fixture(scope="module")
def pack() -> Pack:
    return check(ROOT).pack


def values(pack: Pack, kind: str, id_: str) -> Record:
    return next(c.values for c in pack.components[kind] if c.id == id_)


def made(root: Path, files: dict[str, Any]) -> Path:
    """Write a project of these files in the pack `demo`."""
    for name, content in {"pack": {"title": "Demo", "version": "1.0.0"}, **files}.items():
        path = root / "cards" / "demo" / f"{name}.yaml"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")
    return root


def test_a_tile_is_known_before_its_derived_values(pack: Pack) -> None:
    four = values(pack, "segment", "four")
    assert (four["tile"]["call"], four["tile"]["turn"], four["tile"]["ways"]) == ("4", 1, "LR")
    assert four["tile"]["pitch"] == 80
    assert four["size"] == four["tile"]["width"] == 92.376
    assert (four["tile"]["marks"], four["tile"]["finish"]) == (0, False)


def test_as_many_are_owned_as_are_printed_by_default(pack: Pack) -> None:
    printed = {c.values["tile"]["call"]: c.quantity for c in pack.components["segment"]}
    owned = {
        c.values["tile"]["call"]: c.values["tile"]["owned"] for c in pack.components["segment"]
    }
    assert owned == printed == {"1": 1, "2": 1, "3": 1, "4": 2, "5": 2, "6": 2, "7": 1}


def test_a_layout_is_known_before_derived_values_and_to_what_is_made_from_it(pack: Pack) -> None:
    track = values(pack, "track", "long")
    assert track["calls"] == "1 2 4 5 6 3 7 4 5 6"
    assert track["wide"] == 92.376
    assert values(pack, "map", "long")["lines"] == [*range(1, 11)]
    assert [tile["removable"] for tile in track["layout"]["tiles"]] == [
        *(number in (2, 6) for number in range(1, 11))
    ]
    assert track["layout"]["tiles"][0]["component"] is values(pack, "segment", "one")


def test_the_whole_map_is_turned_and_has_a_margin(pack: Pack) -> None:
    layout = values(pack, "track", "short")["layout"]
    (first, *_), (before, *_) = layout["tiles"][1]["lanes"][0], layout["tiles"][0]["lanes"][0]
    assert (first[0] - before[0], first[1] - before[1]) == pytest.approx((40, -69.282), abs=1e-3)
    assert min(tile["lanes"][0][0][0] for tile in layout["tiles"]) == 5 + 40


def test_a_layout_brings_its_tiles(pack: Pack) -> None:
    brought = {c.id for c in pack.components["segment"] if c.answers_to("short")}
    assert brought == {"one", "two", "four", "five", "six"}


SEGMENT = {"kind": "segment", "tile": {"grid": "hexagon", "pitch": "40", "turn": "1"}}
TRACK = {
    "kind": "track",
    "fields": {"course": {"type": "course"}},
    "layout": {"tiles": ["segment"], "course": "course", "one_finish": "false"},
}
PIECES = {"kind": "segment", "components": [{"id": "bend"}]}
TRACKS = {"kind": "track", "components": [{"id": "ring", "course": "6x L"}]}


def said(root: Path) -> list[Diagnostic]:
    return list(check(root).diagnostics)


def test_how_many_are_owned_may_be_said_apart_from_how_many_are_printed(tmp_path: Path) -> None:
    tile = {**SEGMENT["tile"], "owned": "copies * 2"}
    segment = {**SEGMENT, "quantity": "copies", "tile": tile, "derived": {"copies": "3"}}
    kinds = {"kinds/segment": segment, "kinds/track": TRACK}
    root = made(tmp_path, {**kinds, "pieces": PIECES, "tracks": TRACKS})
    assert said(root) == []
    (bend,) = check(root).pack.components["segment"]
    assert (bend.quantity, bend.values["tile"]["owned"]) == (3, 6)


def test_a_quantity_that_follows_from_the_layouts_needs_owned(tmp_path: Path) -> None:
    quantity = "components.track[0].layout.tiles | count"
    segment = {**SEGMENT, "quantity": quantity}
    files = {"kinds/segment": segment, "kinds/track": TRACK, "pieces": PIECES, "tracks": TRACKS}
    (fault,) = said(made(tmp_path, files))
    assert fault.code == "GP211"
    assert "a circle" in fault.message
    tile = {**SEGMENT["tile"], "owned": "6"}
    root = made(tmp_path, {**files, "kinds/segment": {**segment, "tile": tile}})
    assert said(root) == []
    assert check(root).pack.components["segment"][0].quantity == 6


def test_nothing_follows_from_a_course_that_cannot_be_laid(tmp_path: Path) -> None:
    poster = {
        "kind": "poster",
        "made_from": "track",
        "derived": {"width": "track.layout.width"},
        "checks": [{"that": "width > 1000", "message": "small"}],
    }
    kinds = {"kinds/segment": SEGMENT, "kinds/track": TRACK, "kinds/poster": poster}
    tracks = {"kind": "track", "components": [{"id": "ring", "course": "bendL bondL"}]}
    (fault,) = said(made(tmp_path, {**kinds, "pieces": PIECES, "tracks": tracks}))
    assert fault.code == "GP902"


def test_a_track_without_tiles_to_lay_it_of(tmp_path: Path) -> None:
    kinds = {"kinds/segment": SEGMENT, "kinds/track": TRACK}
    (fault,) = said(made(tmp_path, {**kinds, "tracks": TRACKS}))
    assert (fault.code, fault.message) == ("GP902", "there are no tiles to lay")


@pytest.mark.parametrize("grid", ["hexagon", "square", "octagon"])
def test_every_grid_closes_a_ring(tmp_path: Path, grid: str) -> None:
    turns = {"hexagon": 6, "square": 4, "octagon": 8}[grid]
    tile = {**SEGMENT["tile"], "grid": grid}
    segment = {**SEGMENT, "quantity": turns, "tile": tile}
    tracks = {"kind": "track", "components": [{"id": "ring", "course": f"{turns}x L"}]}
    files = {"kinds/segment": segment, "kinds/track": TRACK, "pieces": PIECES, "tracks": tracks}
    root = made(tmp_path, files)
    assert said(root) == []
    layout = values(check(root).pack, "track", "ring")["layout"]
    assert (layout["grid"], layout["closed"], layout["turns"]) == (grid, True, turns)


def test_tiles_of_a_required_pack_can_be_laid_and_more_of_them_added(tmp_path: Path) -> None:
    lent = {
        "../base/pack": {"title": "Base", "version": "1.0.0"},
        "../base/kinds/segment": {**SEGMENT, "quantity": "3"},
        "../base/pieces": PIECES,
    }
    own = {
        "pack": {"title": "Demo", "version": "1.0.0", "requires": {"base": ">= 1"}},
        "kinds/track": TRACK,
        "pieces": {"kind": "segment", "components": [{"id": "curve"}]},
        "tracks": {"kind": "track", "components": [{"id": "ring", "course": "6x L"}]},
    }
    root = made(tmp_path, {**lent, **own})
    assert said(root) == []
    layout = values(check(root).pack, "track", "ring")["layout"]
    assert [(n["call"], n["count"]) for n in layout["needed"]] == [("bend", 3), ("curve", 3)]
    assert all(c.values["tile"]["owned"] == 3 for c in check(root).pack.components["segment"])


@pytest.mark.parametrize(
    ("course", "fits"),
    [
        ("1 9L S", True),
        (7, True),
        (["1 9L", 7, {"tile": 3, "way": "L", "at": [1, -2], "turn": 5}], True),
        ([{"way": "L"}], False),
        ([{"tile": "9", "way": "Q"}], False),
        ([{"tile": "9", "place": [1, 2]}], False),
        ([["1"]], False),
        ({"tile": "9"}, False),
    ],
)
def test_editors_know_what_a_course_is(pack: Pack, course: object, fits: bool) -> None:
    schema = Draft202012Validator(json_schemas(pack)["track"])
    file = {"kind": "track", "components": [{"id": "ring", "course": course}]}
    assert schema.is_valid(file) is fits


def test_editors_know_the_sections(pack: Pack) -> None:
    schema = Draft202012Validator(definition_schemas()["kind"])
    for name in pack.kinds:
        kind = (ROOT / f"cards/demo/kinds/{name}.yaml").read_text(encoding="utf-8")
        assert schema.is_valid(yaml.safe_load(kind))
    assert not schema.is_valid({**SEGMENT, "tile": {"grid": "triangle", "pitch": 40}})
    assert not schema.is_valid({**SEGMENT, "tile": {"grid": "square"}})
    assert not schema.is_valid({**TRACK, "layout": {"tiles": ["segment"]}})
