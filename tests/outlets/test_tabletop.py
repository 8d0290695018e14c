"""The saved object of Tabletop Simulator."""

import json
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from outlets.helpers import PIPS, change, is_near, is_valid
from PIL import Image

from generator.outlets.tabletop import die_model

Export = Callable[..., tuple[int, str, str]]
ROOT = "https://example.org/mini/"


@pytest.fixture
def folder(toys: Path, exported: Callable[..., str]) -> Path:
    exported("--for", "tts", "--url", ROOT)
    return toys / "output/mini/tts"


def objects(folder: Path) -> dict[str, list[dict[str, Any]]]:
    """Objects by name."""
    saved = json.loads((folder / "mini.json").read_text("utf-8"))
    found = defaultdict(list)
    for one in saved["ObjectStates"]:
        found[one["Name"]].append(one)
    return found


def picture(folder: Path, url: str) -> Image.Image:
    return Image.open(folder / url.removeprefix(ROOT))


def test_the_program_takes_the_saved_object(folder: Path) -> None:
    saved = json.loads((folder / "mini.json").read_text("utf-8"))
    is_valid(saved, "tts")
    everything = [
        *saved["ObjectStates"],
        *(card for one in saved["ObjectStates"] for card in one.get("ContainedObjects", ())),
    ]
    guids = [one["GUID"] for one in everything]
    assert len(set(guids)) == len(guids)


def test_a_deck_has_each_copy_with_its_name_and_words(folder: Path) -> None:
    (deck,) = objects(folder)["DeckCustom"]
    assert deck["DeckIDs"] == [100, 100, 100, 101]
    assert [card["CardID"] for card in deck["ContainedObjects"]] == deck["DeckIDs"]
    assert [card["Nickname"] for card in deck["ContainedObjects"]] == ["One"] * 3 + ["Two"]
    assert "Two" in deck["ContainedObjects"][3]["Description"]
    sheet = deck["CustomDeck"]["1"]
    assert (sheet["NumWidth"], sheet["NumHeight"], sheet["UniqueBack"]) == (2, 2, False)
    with picture(folder, sheet["FaceURL"]) as shown:
        width, height = shown.width // 2, shown.height // 2
        assert width / height == pytest.approx(63 / 88, abs=0.01)
        places = [(0, 0), (1, 0), (0, 1), (1, 1)]
        seen = [shown.getpixel((x * width + 4, y * height + height - 4)) for x, y in places]
    wanted = ("#336699", "#993300", "#ffffff", "#225522")
    assert all(map(is_near, seen, wanted))


def test_each_kind_becomes_the_object_that_suits_it(folder: Path) -> None:
    found = objects(folder)
    tiles = {one["Tags"][0]: one for one in found["Custom_Tile"]}
    assert tiles["chit"]["CustomImage"]["CustomTile"]["Type"] == 2
    assert tiles["map"]["CustomImage"]["CustomTile"]["Type"] == 0
    assert tiles["map"]["Transform"]["scaleX"] == pytest.approx((200 * 160) ** 0.5 / 50.8, abs=1e-3)
    (token,) = found["Custom_Token"]
    with picture(folder, token["CustomImage"]["ImageURL"]) as shown:
        assert shown.mode == "RGBA"
    first, second = found["Figurine_Custom"]
    assert first["CustomImage"] == second["CustomImage"]
    for key in ("ImageURL", "ImageSecondaryURL"):
        with picture(folder, first["CustomImage"][key]) as side:
            assert side.width / side.height == pytest.approx(24 / 36, abs=0.02)
    (die,) = found["Custom_Model"]
    assert [value["Value"] for value in die["RotationValues"]] == [f"Pip {n}" for n in range(1, 7)]


def test_many_pieces_of_a_kind_lie_in_a_bag(toys: Path, export: Export) -> None:
    change(toys / "cards/mini/kinds/leaf.yaml", "quantity: 1", "quantity: 40")
    assert export("--for", "tts", "--only", "leaf/*")[0] == 0
    (bag,) = objects(toys / "output/mini/tts.only")["Bag"]
    assert len(bag["ContainedObjects"]) == 40


# Rotations about x, y and z that the program uses for each value, and the side of the model that
# is then up. The x axis of a model points left on the table.
UP = {
    (-90, 0, 0): (0, 0, 1), (0, 0, 0): (0, 1, 0), (0, 0, -90): (1, 0, 0),
    (0, 0, 90): (-1, 0, 0), (0, 0, 180): (0, -1, 0), (90, 0, 0): (0, 0, -1),
}  # fmt: skip


def test_a_die_that_lies_on_a_value_shows_its_face(folder: Path) -> None:
    (die,) = objects(folder)["Custom_Model"]
    mesh = (folder / die["CustomMesh"]["MeshURL"].removeprefix(ROOT)).read_text("ascii")
    lines = [line.split() for line in mesh.splitlines()]
    corners = [(float(x), float(y)) for kind, x, y in (t for t in lines if t[0] == "vt")]
    normals = [tuple(map(int, line[1:])) for line in lines if line[0] == "vn"]
    shown = defaultdict(set)
    for line in (line for line in lines if line[0] == "f"):
        for corner in line[1:]:
            _, at, normal = (int(number) - 1 for number in corner.split("/"))
            shown[normals[normal]].add(corners[at])
    with picture(folder, die["CustomMesh"]["DiffuseURL"]) as sheet:
        for value, colour in zip(die["RotationValues"], PIPS, strict=True):
            xs, ys = zip(*shown[UP[tuple(value["Rotation"][axis] for axis in "xyz")]], strict=True)
            middle = sum(xs) / 4 * sheet.width, (1 - sum(ys) / 4) * sheet.height
            assert is_near(sheet.getpixel((round(middle[0]), round(middle[1]))), colour)
    ups = [UP[tuple(value["Rotation"][axis] for axis in "xyz")] for value in die["RotationValues"]]
    opposite = [tuple(-axis for axis in up) for up in reversed(ups)]
    assert ups == opposite, "opposite values add up to 7"


def test_no_side_of_a_die_is_mirrored_or_inside_out() -> None:
    lines = [line.split() for line in die_model().splitlines()]
    points, texture = (
        [tuple(map(float, line[1:])) for line in lines if line[0] == kind] for kind in ("v", "vt")
    )
    triangles = [line[1:] for line in lines if line[0] == "f"]
    assert len(triangles) == 12
    for corners in triangles:
        told = [tuple(int(number) - 1 for number in corner.split("/")) for corner in corners]
        one, two, three = (points[at] for at, _, _ in told)
        middle = [sum(axis) for axis in zip(one, two, three, strict=True)]
        a, b = ([y - x for x, y in zip(one, other, strict=True)] for other in (two, three))
        out = (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])
        assert sum(x * y for x, y in zip(out, middle, strict=True)) > 0
        (ax, ay), (bx, by), (cx, cy) = (texture[at] for _, at, _ in told)
        assert (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) > 0


@pytest.mark.parametrize(
    ("wish", "said"),
    [
        ("objects: {chit: dise}", "pack.yaml:9:33: error[GP213]"),
        ("objects: {chit: dice}", "warning[GP712]: Tabletop Simulator takes no 'chit'"),
        ("objects: {chips: dice}", "pack.yaml:9:34: error[GP212]"),
        ("url: 'javascript:x'", "outlets.tts.url"),
    ],
)
def test_a_wish_that_a_table_cannot_fulfil(
    wish: str, said: str, project: Path, export: Export
) -> None:
    change(project / "cards/mini/pack.yaml", f"outlets: {{tts: {{{wish}}}}}\n")
    assert said in export("--for", "tts")[2]


def test_a_pack_sets_the_address_and_the_size_of_sheets(project: Path, export: Export) -> None:
    wish = f"outlets: {{tts: {{url: {ROOT.rstrip('/')}, sheet_px: 1024}}}}\n"
    change(project / "cards/mini/pack.yaml", wish)
    assert export("--for", "tts")[0] == 0
    folder = project / "output/mini/tts"
    (deck,) = objects(folder)["DeckCustom"]
    for sheet in deck["CustomDeck"].values():
        assert sheet["FaceURL"].startswith(ROOT)
        with picture(folder, sheet["FaceURL"]) as shown:
            assert max(shown.size) <= 1024


@pytest.mark.parametrize("url", ["javascript:x", "ftp://x", "https://a b"])
def test_the_command_takes_addresses_alone(url: str, project: Path, export: Export) -> None:
    status, _, err = export("--for", "tts", "--url", url)
    assert status == 2
    assert "is not an address" in err


def test_without_an_address_pictures_are_where_they_lie(project: Path, export: Export) -> None:
    assert export("--for", "tts", "--only", "one")[0] == 0
    folder = project / "output/mini/tts.only"
    (deck,) = objects(folder)["DeckCustom"]
    assert deck["CustomDeck"]["1"]["FaceURL"].startswith(folder.resolve().as_uri())


def test_the_picture_of_the_table_shows_all_kinds(folder: Path) -> None:
    with Image.open(folder / "mini.png") as table:
        colours = [colour for count, colour in table.getcolors(1_000_000) or [] if count > 50]
    for wanted in ("#225522", "#222255", PIPS[1]):  # backs, tiles, the die
        assert any(is_near(colour, wanted) for colour in colours), wanted
