"""The package of Tabletop Playground."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from outlets.helpers import PIPS, change, is_near, is_valid
from PIL import Image

Export = Callable[..., tuple[int, str, str]]


@pytest.fixture
def package(toys: Path, exported: Callable[..., str]) -> Path:
    exported("--for", "ttpg")
    return toys / "output/mini/ttpg/mini"


def template(package: Path, kind: str) -> dict[str, Any]:
    (path,) = (package / "Templates").glob(f"{kind}_*.json")
    read: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return read


def laid(package: Path) -> list[tuple[str, float, float]]:
    script = (package / "Scripts/table.js").read_text("utf-8")
    found = re.findall(r'^    \["(\w+)", (\S+), (\S+)\],$', script, re.M)
    return [(guid, float(x), float(y)) for guid, x, y in found]


def test_the_program_takes_all_templates(package: Path) -> None:
    shown = {"table.jpg"}
    for path in (package / "Templates").iterdir():
        read = json.loads(path.read_text("utf-8"))
        is_valid(read, "ttpg")
        texts = re.findall(r'"([^"]+\.(?:jpg|png))"', path.read_text("utf-8"))
        assert all((package / "Textures" / text).is_file() for text in texts)
        shown |= set(texts)
    assert shown == {path.name for path in (package / "Textures").iterdir()}
    manifest = json.loads((package / "Manifest.json").read_text("utf-8"))
    assert (manifest["Name"], manifest["Version"]) == ("Mini", "1.0.0")


def test_a_stack_has_every_copy_with_its_name_and_words(package: Path) -> None:
    stack = template(package, "card")
    assert stack["Indices"] == [0, 0, 0, 1]
    assert stack["CardNames"] == {"0": "One", "1": "Two"}
    assert "Two" in stack["CardMetadata"]["1"]
    assert (stack["Width"], stack["Height"], stack["Model"]) == (6.3, 8.8, "Rounded")
    assert (stack["BackIndex"], stack["HiddenIndex"]) == (-2, -3)
    with Image.open(package / "Textures" / stack["BackTexture"]) as back:
        assert back.width / back.height == pytest.approx(63 / 88, abs=0.01)


def test_pieces_with_their_own_outline_are_cut_by_a_picture(package: Path) -> None:
    assert template(package, "chit")["Model"] == "Round"
    with Image.open(package / "Textures" / template(package, "leaf")["Model"]) as shape:
        alpha = shape.convert("RGBA").getchannel("A")
        assert alpha.getpixel((shape.width // 4, shape.height // 2)) == 255
        assert alpha.getpixel((shape.width - 2, 2)) == 0


def test_a_die_has_its_faces_where_the_program_looks_for_them(package: Path) -> None:
    die = template(package, "pip")
    assert [face["Name"] for face in die["Faces"]] == [f"Pip {n}" for n in range(1, 7)]
    outs = [[face[axis] for axis in "XYZ"] for face in die["Faces"]]
    assert outs == [[-axis for axis in out] for out in reversed(outs)], "opposites add up to 7"
    places = ((1, 0), (0, 1), (1, 1), (1, 2), (0, 2), (2, 1))
    with Image.open(package / "Textures" / die["Models"][0]["Texture"]) as sheet:
        side = sheet.width // 3
        for (column, row), colour in zip(places, PIPS, strict=True):
            at = (column * side + side // 2, row * side + side // 2)
            assert is_near(sheet.getpixel(at), colour)


def test_a_tent_is_a_figure_with_two_sides(package: Path) -> None:
    figure = template(package, "tent")
    assert figure["Type"] == "Cardboard Figure"
    assert figure["FrontTexture"] != figure["BackTexture"]


@pytest.mark.parametrize(("more", "made"), [("", "Card"), (", stickers: true", "Dice")])
def test_six_stickers_are_a_die(more: str, made: str, toys: Path, export: Export) -> None:
    change(toys / "cards/mini/pack.yaml", "ttpg: {objects: {pip: dice}}", "ttpg: {}")
    toy = "kinds: [map, tent, leaf, pip], papers: [a4]"
    change(toys / "cards/mini/pack.yaml", toy, toy + more)
    assert export("--for", "ttpg", "--only", "pip/*")[0] == 0
    assert template(toys / "output/mini/ttpg.only/mini", "pip")["Type"] == made


def test_a_face_printed_more_often_is_on_a_die_more_often(toys: Path, export: Export) -> None:
    cards = toys / "cards/mini"
    change(
        cards / "pack.yaml", "leaf, pip], papers: [a4]", "leaf, pip], papers: [a4], stickers: true"
    )
    change(
        cards / "kinds/pip.yaml", "fields: {", "quantity: copies\nfields: {copies: {type: int}, "
    )
    rows = ", ".join(
        f'{{id: p{n}, name: Pip {n}, colour: "{PIPS[n]}", copies: {6 if n == 1 else 3}}}'
        for n in range(1, 6)
    )
    (cards / "pips.yaml").write_text(f"kind: pip\ncomponents: [{rows}]\n")
    assert export("--for", "ttpg", "--only", "pip/*")[0] == 0
    package = toys / "output/mini/ttpg.only/mini"
    names = [face["Name"] for face in template(package, "pip")["Faces"]]
    assert names == ["Pip 1", "Pip 1", "Pip 2", "Pip 3", "Pip 4", "Pip 5"]
    assert len(laid(package)) == 3


def test_an_object_lays_the_table_kind_by_kind_with_every_copy(package: Path) -> None:
    table = json.loads((package / "Templates/table.json").read_text("utf-8"))
    assert table["ScriptName"] == "table.js"
    order = ["map", "tent", "tent", "leaf", "pip", "card", "chit", "odd"]
    guids = [template(package, kind)["GUID"] for kind in order]
    pieces = laid(package)
    assert [guid for guid, *_ in pieces] == guids
    assert len({(x, y) for _, x, y in pieces}) == len(pieces)


def test_cards_without_a_back_have_a_white_one(project: Path, export: Export) -> None:
    change(project / "cards/mini/kinds/card.yaml", ", back: back.svg.j2", "")
    assert export("--for", "ttpg", "--only", "card/*")[0] == 0
    package = project / "output/mini/ttpg.only/mini"
    stack = template(package, "card")
    assert (stack["BackIndex"], stack["HiddenIndex"]) == (-2, -3)
    with Image.open(package / "Textures" / stack["BackTexture"]) as back:
        assert back.getextrema() == ((255, 255),) * 3


def test_the_picture_of_the_table_shows_the_cards(package: Path) -> None:
    with Image.open(package.parent / "mini.png") as table:
        colours = [colour for count, colour in table.getcolors(1_000_000) or [] if count > 50]
    assert any(is_near(colour, "#336699", 8) for colour in colours)
