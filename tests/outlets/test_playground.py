"""A package of Tabletop Playground: what it holds; what is wrong with one is found."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from generator.outlets.objects import pieces_of
from generator.outlets.playground import package_faults, table_of_package

Export = Callable[..., tuple[int, str, str]]
PIPS = ("#cc0000", "#00aa00", "#0000cc", "#aaaa00", "#00aaaa", "#aa00aa")


@pytest.fixture
def package(project: Path, exported: Callable[..., str]) -> Path:
    """A folder as the program takes it: cards, tokens of two shapes, a tent and a die."""
    pack = project / "cards/mini/pack.yaml"
    stocks = (
        '  leaf: {size: [30mm, 40mm], shape: path, path: "M0 0 L30 20 L0 40 Z"}\n'
        "  tent: {size: [24mm, 96mm], folds: [[[0, 48], [24, 48]]]}\n"
        "  pip: {size: [16mm, 16mm]}\n"
    )
    text = pack.read_text("utf-8").replace("prints:", f"{stocks}prints:")
    text = text.replace("[card, chit, odd]", "[card, chit, leaf, tent, pip]")
    pack.write_text(text, encoding="utf-8")
    cards, templates = project / "cards/mini", project / "templates/mini"
    for kind in ("leaf", "tent"):
        (cards / f"kinds/{kind}.yaml").write_text(
            f"kind: {kind}\nstock: {kind}\nquantity: 2\nfaces: {{front: plain.svg.j2}}\n"
            "fields: {}\n"
        )
        (cards / f"{kind}s.yaml").write_text(f"kind: {kind}\ncomponents: [{{id: {kind}}}]\n")
    (cards / "kinds/pip.yaml").write_text(
        "kind: pip\nstock: pip\nfaces: {front: pip.svg.j2}\n"
        "fields: {name: {type: text}, colour: {type: colour}}\n"
    )
    (templates / "pip.svg.j2").write_text(
        '<rect x="-3" y="-3" width="22" height="22" fill="{{ c.colour }}"/>'
    )
    pips = ", ".join(f'{{id: p{n}, name: Pip {n}, colour: "{c}"}}' for n, c in enumerate(PIPS, 1))
    (cards / "pips.yaml").write_text(f"kind: pip\ncomponents: [{pips}]\n")
    (cards / "kinds/odd.yaml").unlink()
    (cards / "odds.yaml").unlink()
    pack.write_text(pack.read_text("utf-8") + "outlets: {ttpg: {objects: {pip: dice}}}\n")
    exported("--for", "ttpg")
    return project / "output/mini/ttpg/mini"


def read(package: Path, kind: str) -> tuple[Path, dict[str, Any]]:
    (path,) = (package / "Templates").glob(f"{kind}_*.json")
    told: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return path, told


def test_a_stack_has_every_copy_with_its_name_and_words(package: Path) -> None:
    _, told = read(package, "card")
    assert told["Indices"] == [0, 0, 0, 1]
    assert told["CardNames"] == {"0": "One", "1": "Two"}
    assert "Two" in told["CardMetadata"]["1"]
    assert (told["Width"], told["Height"], told["Model"]) == (6.3, 8.8, "Rounded")
    assert (told["BackIndex"], told["HiddenIndex"]) == (-2, -3)
    with Image.open(package / "Textures" / told["BackTexture"]) as back:
        assert abs(back.width / back.height - 63 / 88) < 0.01


def test_pieces_of_an_outline_of_their_own_are_cut_by_a_picture(package: Path) -> None:
    assert read(package, "chit")[1]["Model"] == "Round"
    _, leaf = read(package, "leaf")
    with Image.open(package / "Textures" / leaf["Model"]) as shape:
        alpha = shape.convert("RGBA").getchannel("A")
        assert alpha.getpixel((shape.width // 4, shape.height // 2)) == 255
        assert alpha.getpixel((shape.width - 2, 2)) == 0


def test_a_die_has_its_faces_where_the_program_looks_for_them(package: Path) -> None:
    _, die = read(package, "pip")
    assert [face["Name"] for face in die["Faces"]] == [f"Pip {n}" for n in range(1, 7)]
    places = ((1, 0), (0, 1), (1, 1), (1, 2), (0, 2), (2, 1))
    with Image.open(package / "Textures" / die["Models"][0]["Texture"]) as sheet:
        side = sheet.width // 3
        for (column, row), colour in zip(places, PIPS, strict=True):
            seen = sheet.getpixel((column * side + side // 2, row * side + side // 2))
            assert isinstance(seen, tuple)
            wanted = bytes.fromhex(colour[1:])
            assert max(abs(a - b) for a, b in zip(seen, wanted, strict=True)) < 12, colour


def test_a_tent_is_a_figure_and_the_manifest_names_the_pack(package: Path) -> None:
    _, figure = read(package, "tent")
    assert figure["Type"] == "Cardboard Figure"
    assert figure["FrontTexture"] != figure["BackTexture"]
    manifest = json.loads((package / "Manifest.json").read_text("utf-8"))
    assert (manifest["Name"], manifest["Version"]) == ("Mini", "1.0.0")


@pytest.mark.parametrize(("more", "made"), [("", "Card"), (", stickers: true", "Dice")])
def test_six_stickers_are_a_die(
    more: str, made: str, package: Path, project: Path, export: Export
) -> None:
    pack = project / "cards/mini/pack.yaml"
    text = pack.read_text("utf-8").replace("outlets: {ttpg: {objects: {pip: dice}}}", "")
    pips = f"prints:\n  pips: {{title: Pips, kinds: [pip], papers: [a4]{more}}}\n"
    pack.write_text(text.replace("prints:\n", pips), encoding="utf-8")
    assert export("--for", "ttpg", "--only", "pip/*")[0] == 0
    assert read(project / "output/mini/ttpg.only/mini", "pip")[1]["Type"] == made


def test_a_face_that_is_wanted_more_often_is_on_a_die_more_often(
    package: Path, project: Path, export: Export
) -> None:
    cards = project / "cards/mini"
    text = (cards / "pack.yaml").read_text("utf-8").replace("{ttpg: {objects: {pip: dice}}}", "{}")
    pips = "prints:\n  pips: {title: Pips, kinds: [pip], papers: [a4], stickers: true}\n"
    (cards / "pack.yaml").write_text(text.replace("prints:\n", pips), encoding="utf-8")
    (cards / "kinds/pip.yaml").write_text(
        "kind: pip\nstock: pip\nfaces: {front: pip.svg.j2}\nquantity: copies\n"
        "fields: {name: {type: text}, colour: {type: colour}, copies: {type: int}}\n"
    )
    rows = [
        f'{{id: p{n}, name: Pip {n}, colour: "{PIPS[n]}", copies: {6 if n == 1 else 3}}}'
        for n in range(1, 6)
    ]
    (cards / "pips.yaml").write_text(f"kind: pip\ncomponents: [{', '.join(rows)}]\n")
    assert export("--for", "ttpg", "--only", "pip/*")[0] == 0
    part = project / "output/mini/ttpg.only/mini"
    names = [face["Name"] for face in read(part, "pip")[1]["Faces"]]
    assert names == ["Pip 1", "Pip 1", "Pip 2", "Pip 3", "Pip 4", "Pip 5"]
    assert len(pieces_of((part / "Scripts/table.js").read_text("utf-8"))) == 3


def test_an_object_lays_the_table_kind_by_kind_with_every_copy(package: Path) -> None:
    told = json.loads((package / "Templates/table.json").read_text("utf-8"))
    script = (package / "Scripts" / told["ScriptName"]).read_text("utf-8")
    kinds = {
        read(package, kind)[1]["GUID"]: kind for kind in ("card", "chit", "leaf", "tent", "pip")
    }
    laid = pieces_of(script)
    assert [kinds[piece.template] for piece in laid] == [
        "card",
        "chit",
        "leaf",
        "tent",
        "tent",
        "pip",
    ]
    assert len({(piece.x, piece.y) for piece in laid}) == len(laid)
    ys = [piece.y for piece in laid]
    assert ys == sorted(ys)
    assert ys[0] == -ys[-1]


def test_cards_without_a_back_have_a_white_one(project: Path, export: Export) -> None:
    kind = project / "cards/mini/kinds/card.yaml"
    kind.write_text(kind.read_text("utf-8").replace(", back: back.svg.j2", ""), encoding="utf-8")
    assert export("--for", "ttpg", "--only", "card/*")[0] == 0
    package = project / "output/mini/ttpg.only/mini"
    _, told = read(package, "card")
    assert (told["BackIndex"], told["HiddenIndex"]) == (-2, -3)
    with Image.open(package / "Textures" / told["BackTexture"]) as back:
        assert back.getextrema() == ((255, 255),) * 3


def changed(kind: str, **values: Any) -> Callable[[Path], object]:
    def damage(package: Path) -> None:
        path, told = read(package, kind)
        path.write_text(json.dumps(told | values), encoding="utf-8")

    return damage


def opposite(package: Path) -> None:
    path, told = read(package, "pip")
    faces = told["Faces"]
    faces[0], faces[1] = faces[1], faces[0]
    path.write_text(json.dumps(told), encoding="utf-8")


DAMAGES: dict[str, Callable[[Path], object]] = {
    "a number as a text": changed("card", Width="6.3"),
    "a flag as a number": changed("card", CanStack=1),
    "an unknown object": changed("card", Type="Deck"),
    "an unknown surface": changed("card", SurfaceType="Paper"),
    "a short GUID": changed("card", GUID="12AB"),
    "a card on no place": changed("card", Indices=[0, 4]),
    "no cards": changed("card", Indices=[], CardNames={}, CardMetadata={}, CardTags={}),
    "a name too many": changed("card", CardNames={"0": "One", "1": "Two", "2": "Three"}),
    "a sheet of other places": changed("card", NumHorizontal=5),
    "a back on no picture": changed("card", BackTexture=""),
    "a back of an unknown kind": changed("card", BackIndex=-4),
    "a hidden picture that is not there": changed("card", HiddenIndex=-2),
    "an outline that is not there": changed("leaf", Model="Triangle"),
    "no thickness": changed("card", Thickness=0),
    "a figure without a picture": changed("tent", FrontTexture="no.png"),
    "a die of no model": changed("pip", Models=[]),
    "a die with 1 opposite 5": opposite,
    "a picture that nobody shows": lambda p: (p / "Textures/odd.jpg").write_bytes(b""),
    "a script of another object": changed("card", ScriptName="odd.js"),
    "a piece that is not laid": lambda p: (p / "Scripts/table.js").write_text(
        "const PIECES = [\n];\n", encoding="utf-8"
    ),
    "no pieces": lambda p: (p / "Scripts/table.js").write_text("", encoding="utf-8"),
    "no version": lambda p: (p / "Manifest.json").write_text('{"Name": "x", "GUID": "y"}'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_is_wrong_is_found(damage: str, package: Path) -> None:
    assert list(package_faults(package)) == []
    DAMAGES[damage](package)
    assert list(package_faults(package))


def test_the_table_is_drawn_from_the_package_alone(package: Path) -> None:
    with Image.open(package.parent / "mini.png") as kept:
        assert kept.tobytes() == table_of_package(package).tobytes()
        colours = {colour for count, colour in kept.getcolors(1_000_000) or [] if count > 50}
    wanted = (0x33, 0x66, 0x99)
    assert any(
        isinstance(c, tuple) and max(abs(a - b) for a, b in zip(c, wanted, strict=True)) < 8
        for c in colours
    )
