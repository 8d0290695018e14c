"""The saved object of Tabletop Simulator: what it holds; what is wrong with one is found."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.diagnostics import Span
from generator.outlets.tabletop import die_model, save_faults, seen_side, table_of_save

Export = Callable[..., tuple[int, str, str]]
ROOT = "https://example.org/mini/"
PIPS = ("#cc0000", "#00aa00", "#0000cc", "#aaaa00", "#00aaaa", "#aa00aa")
WHOLE = '<rect x="-3" y="-3" width="25" height="25" fill="COLOUR"/>'


@pytest.fixture
def saved(project: Path, exported: Callable[..., str]) -> dict[str, Any]:
    stocks = (
        "  map: {size: [200mm, 160mm]}\n  tent: {size: [24mm, 96mm], folds: [[[0, 12], [24, 12]], "
    )
    stocks += "[[0, 48], [24, 48]], [[0, 84], [24, 84]]]}\n"
    stocks += '  leaf: {size: [30mm, 40mm], shape: path, path: "M0 0 L30 20 L0 40 Z"}\n'
    pack = project / "cards/mini/pack.yaml"
    text = pack.read_text().replace("prints:", f"{stocks}prints:")
    pack.write_text(text.replace("[card, chit, odd]", "[card, chit, map, tent, leaf, pip]"))
    templates, cards = project / "templates/mini", project / "cards/mini"
    for kind, count in (("map", 1), ("tent", 2), ("leaf", 1)):
        (cards / f"kinds/{kind}.yaml").write_text(
            f"kind: {kind}\nstock: {kind}\nquantity: {count}\n"
            "faces: {front: plain.svg.j2}\nfields: {}\n"
        )
        (cards / f"{kind}s.yaml").write_text(f"kind: {kind}\ncomponents: [{{id: {kind}}}]\n")
    (cards / "kinds/pip.yaml").write_text(
        "kind: pip\nstock: chit\nfaces: {front: pip.svg.j2}\n"
        "fields: {name: {type: text}, colour: {type: colour}}\n"
    )
    (templates / "pip.svg.j2").write_text(WHOLE.replace("COLOUR", "{{ c.colour }}"))
    pips = ", ".join(
        f'{{id: pip-{n}, name: Pip {n}, colour: "{colour}"}}' for n, colour in enumerate(PIPS, 1)
    )
    (cards / "pips.yaml").write_text(f"kind: pip\ncomponents: [{pips}]\n")
    (cards / "kinds/odd.yaml").unlink()
    (cards / "odds.yaml").unlink()
    pack.write_text(pack.read_text() + "outlets: {tts: {objects: {pip: dice}}}\n")
    front = templates / "front.svg.j2"
    front.write_text(front.read_text(), encoding="utf-8")
    exported("--for", "tts", "--url", ROOT)
    return json.loads((project / "output/mini/tts/mini.json").read_text("utf-8"))


def named(saved: dict[str, Any], name: str) -> list[dict[str, Any]]:
    return [one for one in saved["ObjectStates"] if one["Name"] == name]


def test_a_deck_has_each_copy_with_its_name_and_words(saved: dict[str, Any], project: Path) -> None:
    (deck,) = named(saved, "DeckCustom")
    assert deck["DeckIDs"] == [100, 100, 100, 101]
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["One"] * 3 + ["Two"]
    assert "Two" in deck["ContainedObjects"][3]["Description"]
    sheet = deck["CustomDeck"]["1"]
    assert (sheet["NumWidth"], sheet["NumHeight"], sheet["UniqueBack"]) == (2, 2, False)
    folder = project / "output/mini/tts"
    with Image.open(folder / sheet["FaceURL"].removeprefix(ROOT)) as picture:
        width, height = picture.width // 2, picture.height // 2
        assert abs(width / height - 63 / 88) < 0.01
        places = [(0, 0), (1, 0), (0, 1), (1, 1)]
        seen = [picture.getpixel((x * width + 4, y * height + height - 4)) for x, y in places]
    for colour, wanted in zip(seen, ("#336699", "#993300", "#ffffff", "#225522"), strict=True):
        assert isinstance(colour, tuple)
        rgb = tuple(bytes.fromhex(wanted[1:]))
        assert max(abs(a - b) for a, b in zip(colour, rgb, strict=True)) < 8, wanted


def test_kinds_become_what_they_are(saved: dict[str, Any], project: Path) -> None:
    tiles = {one["Tags"][0]: one for one in named(saved, "Custom_Tile")}
    assert tiles["chit"]["CustomImage"]["CustomTile"]["Type"] == 2
    assert tiles["map"]["CustomImage"]["CustomTile"]["Type"] == 0
    assert tiles["map"]["Transform"]["scaleX"] == pytest.approx((200 * 160) ** 0.5 / 50.8, abs=1e-3)
    assert len(named(saved, "Figurine_Custom")) == 2
    (token,) = named(saved, "Custom_Token")
    with Image.open(
        project / "output/mini/tts" / token["CustomImage"]["ImageURL"].removeprefix(ROOT)
    ) as picture:
        assert picture.mode == "RGBA"
    (die,) = named(saved, "Custom_Model")
    assert die["CustomMesh"]["TypeIndex"] == 2
    values = [value["Value"] for value in die["RotationValues"]]
    assert values == [f"Pip {n}" for n in range(1, 7)]
    guids = [one["GUID"] for one in saved["ObjectStates"]]
    assert len(set(guids)) == len(guids)


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("objects: {chit: dise}", "pack.yaml:9:33: error[GP213]"),
        ("objects: {chit: dice}", "warning[GP712]: Tabletop Simulator takes no 'chit'"),
        ("objects: {chips: dice}", "pack.yaml:9:34: error[GP212]"),
    ],
)
def test_objects_that_a_table_does_not_have(
    wish: str, said: str, project: Path, export: Export
) -> None:
    pack = project / "cards/mini/pack.yaml"
    pack.write_text(pack.read_text() + f"outlets: {{tts: {{{wish}}}}}\n")
    assert said in export("--for", "tts")[2]


def test_a_pack_says_where_its_pictures_are_and_how_large(project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    wish = "url: https://example.org/mini, sheet_px: 1024"
    pack.write_text(pack.read_text() + f"outlets: {{tts: {{{wish}}}}}\n")
    export("--for", "tts")
    told = json.loads((project / "output/mini/tts/mini.json").read_text())
    (deck,) = named(told, "DeckCustom")
    sheets = deck["CustomDeck"].values()
    assert all(one["FaceURL"].startswith("https://example.org/mini/") for one in sheets)
    for one in sheets:
        name = one["FaceURL"].removeprefix("https://example.org/mini/")
        with Image.open(project / "output/mini/tts" / name) as picture:
            assert max(picture.size) <= 1024
    pack.write_text(pack.read_text().replace("https://example.org/mini", "javascript:x"))
    assert "outlets.tts.url" in export("--for", "tts")[2]


def test_a_die_that_lies_on_a_value_shows_its_face(saved: dict[str, Any], project: Path) -> None:
    (die,) = named(saved, "Custom_Model")
    for value, colour in enumerate(PIPS, 1):
        side = seen_side(die, ROOT, project / "output/mini/tts", value)
        seen = side.getpixel((side.width // 2, side.height // 2))
        assert isinstance(seen, tuple)
        wanted = bytes.fromhex(colour[1:])
        assert max(abs(a - b) for a, b in zip(seen, wanted, strict=True)) < 12, value


def test_no_side_of_a_die_is_mirrored_or_inside_out() -> None:
    text = die_model()
    points, texture = (
        [tuple(map(float, line.split()[1:])) for line in text.splitlines() if line.startswith(kind)]
        for kind in ("v ", "vt ")
    )
    triangles = [line.split()[1:] for line in text.splitlines() if line.startswith("f ")]
    assert len(triangles) == 12
    for corners in triangles:
        told = [tuple(int(number) - 1 for number in corner.split("/")) for corner in corners]
        one, two, three = (points[at] for at, _, _ in told)
        middle = [sum(axis) for axis in zip(one, two, three, strict=True)]
        assert _triple([b - a for a, b in zip(one, two, strict=True)],
                       [b - a for a, b in zip(one, three, strict=True)], middle) > 0  # fmt: skip
        (ax, ay), (bx, by), (cx, cy) = (texture[at] for _, at, _ in told)
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0


def _triple(a: list[float], b: list[float], c: list[float]) -> float:
    return (
        (a[1] * b[2] - a[2] * b[1]) * c[0]
        + (a[2] * b[0] - a[0] * b[2]) * c[1]
        + (a[0] * b[1] - a[1] * b[0]) * c[2]
    )


@pytest.mark.parametrize("url", ["javascript:x", "ftp://x", "https://a b"])
def test_the_command_takes_addresses_alone(url: str, project: Path, export: Export) -> None:
    status, _, err = export("--for", "tts", "--url", url)
    assert status == 2
    assert "is no address" in err


def test_a_figurine_shows_the_sides_of_its_tent(saved: dict[str, Any], project: Path) -> None:
    figure = named(saved, "Figurine_Custom")[0]
    for key in ("ImageURL", "ImageSecondaryURL"):
        path = figure["CustomImage"][key].removeprefix(ROOT)
        with Image.open(project / "output/mini/tts" / path) as side:
            assert abs(side.width / side.height - 24 / 36) < 0.02


def swapped(values: list[dict[str, Any]], one: int, other: int) -> None:
    turned = values[one]["Rotation"]
    values[one]["Rotation"] = values[other]["Rotation"]
    values[other]["Rotation"] = turned


DAMAGES: dict[str, Callable[[list[dict[str, Any]]], object]] = {
    "a card that is on no sheet": lambda o: o[0].update(DeckIDs=[100, 100, 100, 199]),
    "the place of the hidden card": lambda o: o[0]["DeckIDs"].__setitem__(0, 103),
    "cards in another order": lambda o: o[0]["ContainedObjects"].reverse(),
    "a sheet of other places": lambda o: o[0]["CustomDeck"]["1"].update(NumWidth=7),
    "too many columns": lambda o: o[0]["CustomDeck"]["1"].update(NumWidth=11),
    "no such picture": lambda o: o[1]["CustomImage"].update(ImageURL=ROOT + "pictures/no.jpg"),
    "a picture elsewhere": lambda o: o[1]["CustomImage"].update(ImageURL="https://x.org/a.jpg"),
    "two of one GUID": lambda o: o[1].update(GUID=o[0]["GUID"]),
    "a number as a text": lambda o: o[0]["Transform"].update(posX="1"),
    "no scale": lambda o: o[0]["Transform"].update(scaleY=0.0),
    "an unknown object": lambda o: o[0].update(Name="Deck_of_mine"),
    "a flag as a number": lambda o: o[0]["CustomDeck"]["1"].update(BackIsHidden=1),
    "a tile without thickness": lambda o: o[1]["CustomImage"]["CustomTile"].pop("Thickness"),
    "a die of five": lambda o: o[-1]["RotationValues"].pop(),
    "a die with 1 opposite 2": lambda o: swapped(o[-1]["RotationValues"], 1, 5),
    "a die with two values on a side": lambda o: o[-1]["RotationValues"][0].update(
        Rotation={"x": 90, "y": 0, "z": 0}
    ),
    "a die without a model": lambda o: o[-1]["CustomMesh"].update(MeshURL=ROOT + "no.obj"),
    "a die without a type": lambda o: o[-1]["CustomMesh"].pop("TypeIndex"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_is_found(damage: str, saved: dict[str, Any], project: Path) -> None:
    folder = project / "output/mini/tts"
    assert save_faults(saved, ROOT, folder, Span("x")) == ()
    damaged = copy.deepcopy(saved)
    DAMAGES[damage](damaged["ObjectStates"])
    found = save_faults(damaged, ROOT, folder, Span("x"))
    assert {fault.code for fault in found} == {"GP716"}


def test_the_table_is_drawn_from_the_saved_object_alone(
    saved: dict[str, Any], project: Path
) -> None:
    folder = project / "output/mini/tts"
    again = table_of_save(saved, ROOT, folder)
    with Image.open(folder / "mini.png") as kept:
        assert kept.tobytes() == again.tobytes()
    colours = again.getcolors(1_000_000) or []
    shown = {colour for count, colour in colours if count > 50}
    assert any(
        isinstance(c, tuple)
        and max(abs(a - b) for a, b in zip(c, (0x22, 0x55, 0x22), strict=True)) < 8
        for c in shown
    ), "the deck lies on its face"


@pytest.mark.parametrize(("type_", "bare"), [(0, 0), (1, 4), (2, 4), (3, 4)])
def test_a_tile_is_drawn_in_the_outline_of_its_type(type_: int, bare: int, tmp_path: Path) -> None:
    Image.new("RGB", (100, 100), "#ff0000").save(tmp_path / "red.png")
    place = dict.fromkeys(("posX", "posZ"), 0.0) | {"scaleX": 5.0}
    image = {"ImageURL": ROOT + "red.png", "CustomTile": {"Type": type_}}
    tile = {"Name": "Custom_Tile", "Transform": place, "CustomImage": image}
    drawn = table_of_save({"ObjectStates": [tile]}, ROOT, tmp_path)
    middle, side = drawn.width // 2, 10 * 24
    assert drawn.getpixel((middle, middle)) == (255, 0, 0)
    left, right = middle - side // 2 + 2, middle + side // 2 - 3
    corners = [drawn.getpixel((x, y)) for x in (left, right) for y in (left, right)]
    assert corners.count((255, 0, 0)) == 4 - bare


def test_without_an_address_pictures_are_where_they_lie(project: Path, export: Export) -> None:
    assert export("--for", "tts", "--only", "one")[0] == 0
    folder = project / "output/mini/tts.only"
    (card,) = json.loads((folder / "mini.json").read_text("utf-8"))["ObjectStates"]
    assert card["Name"] == "DeckCustom"
    url = card["CustomDeck"]["1"]["FaceURL"]
    assert url.startswith(folder.resolve().as_uri())
