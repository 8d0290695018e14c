"""Pictures of faces: their pixels, what the files say, and the table beside them."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image

from generator.cli import run

Export = Callable[..., tuple[int, str, str]]


def test_pictures_have_the_pixels_of_the_bleed_and_say_so(project: Path, export: Export) -> None:
    assert export("--for", "images")[0] == 0
    folder = project / "output/mini/images"
    rows = list(csv.DictReader((folder / "images.csv").read_text("utf-8").splitlines()))
    assert [(r["file"], r["copies"]) for r in rows if r["kind"] == "card"] == [
        ("card-one-front.png", "3"),
        ("card-one-back.png", "3"),
        ("card-two-front.png", "1"),
        ("card-two-back.png", "1"),
    ]
    with Image.open(folder / "card-one-front.png") as picture:
        assert picture.size == (round(69 * 300 / 25.4), round(94 * 300 / 25.4))
        assert picture.mode == "RGB"
        assert picture.info["dpi"] == pytest.approx((300, 300), abs=0.01)
        assert b"RGB" in picture.info["icc_profile"]
        assert picture.getpixel((2, 2)) == (0x33, 0x66, 0x99)
    listed = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert listed["outlet"] == "images"
    assert {file["file"] for file in listed["files"]} == {row["file"] for row in rows} | {
        "images.csv"
    }


def test_without_bleed_a_picture_is_the_trim(project: Path, export: Export) -> None:
    assert export("--for", "images", "--no-bleed", "--dpi", "254", "--format", "jpeg")[0] == 0
    with Image.open(project / "output/mini/images/card-one-front.jpg") as picture:
        assert picture.size == (630, 880)
        assert picture.format == "JPEG"


def test_transparent_outside_the_die_line(project: Path, export: Export) -> None:
    assert export("--for", "images", "--transparent", "--dpi", "254")[0] == 0
    with Image.open(project / "output/mini/images/card-one-front.png") as picture:
        corner, edge = picture.getpixel((1, 1)), picture.getpixel((315, 1))
        assert isinstance(corner, tuple)
        assert isinstance(edge, tuple)
        assert (corner[3], edge[3]) == (0, 255)
    with Image.open(project / "output/mini/images/chit-chit-front.png") as picture:
        alpha = picture.getchannel("A")
        whole = sum(level * count for level, count in enumerate(alpha.histogram())) / 255
        assert whole == pytest.approx(3.14159 / 4 * 190**2, rel=0.002)


def test_a_piece_of_its_own_outline_is_cut_out_on_both_sides_and_white_where_bare(
    project: Path, export: Export
) -> None:
    cards, dot = project / "cards/mini", '<circle cx="{}" cy="25" r="2" fill="{}"/>'
    ell = "size: [20mm, 30mm], shape: path, path: M0 0 H10 V20 H20 V30 H0 Z"
    pack = (cards / "pack.yaml").read_text("utf-8")
    pack = pack.replace("stocks:\n", f"stocks:\n  ell: {{{ell}}}\n").replace(
        "[card,", "[ell, card,"
    )
    (cards / "pack.yaml").write_text(pack, "utf-8")
    (cards / "kinds/ell.yaml").write_text(
        "kind: ell\nstock: ell\nfaces: {front: dots.svg.j2, back: dots.svg.j2}\nfields: {}\n",
        "utf-8",
    )
    (cards / "ells.yaml").write_text("kind: ell\ncomponents: [{id: ell}]\n", "utf-8")
    dots = dot.format(5, "#ff0000") + dot.format(15, "#0000ff")
    (project / "templates/mini/dots.svg.j2").write_text(dots, "utf-8")
    assert export("--for", "images", "--transparent", "--dpi", "127")[0] == 0
    assert run(["preview", ".", "--only", "ell", "--dpi", "127"]) == 0
    bare, paper = (255, 255, 255, 0), (255, 255, 255, 255)
    for name in ("images/ell-ell-{}.png", "preview.only/ell.ell.{}.png"):
        for side, above in (("front", [paper, bare]), ("back", [bare, paper])):
            with Image.open(project / "output/mini" / name.format(side)) as picture:
                assert picture.size == (100, 150)
                assert [picture.getpixel((x, 25)) for x in (25, 75)] == above
                assert picture.getpixel((25, 125)) == (255, 0, 0, 255)
                assert picture.getpixel((75, 125)) == (0, 0, 255, 255)
    with Image.open(project / "output/mini/preview.only/ell.png") as sheet:
        seen = sheet.convert("RGB")
    colours = {colour for _, colour in seen.getcolors(1 << 20) or []}
    assert {(255, 255, 255), (255, 0, 0), seen.getpixel((0, 0))} <= colours
    assert seen.getpixel((0, 0)) != (255, 255, 255)


@pytest.mark.thorough
def test_the_same_bytes_whatever_the_number_of_workers(project: Path, export: Export) -> None:
    assert export("--for", "images", "-o", "one")[0] == 0
    assert export("--for", "images", "-o", "two", "--jobs", "2")[0] == 0
    one, two = (
        {p.name: p.read_bytes() for p in (project / name / "mini/images").iterdir()}
        for name in ("one", "two")
    )
    assert one == two
    assert len(one) == 8


@pytest.mark.thorough
def test_what_is_no_more_made_goes_and_what_is_not_ours_stays(
    project: Path, export: Export
) -> None:
    pack = project / "cards/mini/pack.yaml"
    folder = project / "output/mini/images"
    pack.write_text(pack.read_text() + 'outlets: {images: {names: "{kind}/{id}-{side}"}}\n')
    assert export("--for", "images")[0] == 0
    assert (folder / "card/one-front.png").is_file()
    (folder / "odd/mine.txt").write_text("mine")
    pack.write_text(pack.read_text().replace("{kind}/{id}-{side}", "{id}.{side}"))
    assert export("--for", "images")[0] == 0
    assert (folder / "one.front.png").is_file()
    assert not (folder / "card").exists()
    assert (folder / "odd/mine.txt").read_text() == "mine"


@pytest.mark.thorough
def test_a_part_goes_to_a_folder_of_its_own(project: Path, export: Export) -> None:
    assert export("--for", "images")[0] == 0
    whole = sorted((project / "output/mini/images").iterdir())
    assert export("--for", "images", "--only", "two")[0] == 0
    assert sorted((project / "output/mini/images").iterdir()) == whole
    part = {path.name for path in (project / "output/mini/images.only").iterdir()}
    assert part == {"card-two-front.png", "card-two-back.png", "images.csv", "manifest.json"}


@pytest.mark.parametrize(
    ("names", "code"),
    [
        ("{kind}-{id}", "GP213"),
        ("{kind}-{id}-{side}-{who}", "GP213"),
        ("../{kind}-{id}-{side}", "GP213"),
        ("/{id}{side}", "GP213"),
        ("{id}?{side}", "GP213"),
        ("{id.__class__}{id}{side}", "GP213"),
    ],
)
def test_names_that_will_not_do(names: str, code: str, project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    pack.write_text(pack.read_text() + f'outlets: {{images: {{names: "{names}"}}}}\n')
    status, _, err = export("--for", "images")
    assert status == 1
    assert f"cards/mini/pack.yaml:9:27: error[{code}]" in err
    assert not (project / "output").exists()


def test_pictures_are_called_by_the_names_of_cards(project: Path, export: Export) -> None:
    pack, cards = project / "cards/mini/pack.yaml", project / "cards/mini/cards.yaml"
    pack.write_text(pack.read_text() + 'outlets: {images: {names: "{kind}/{name} ({side})"}}\n')
    more = '  - {id: three, name: "Who: AC/DC?  Éé"}\n  - {id: four, name: "..."}\n'
    cards.write_text(cards.read_text() + more, "utf-8")
    status, _, err = export("--for", "images")
    assert status == 0, err
    fronts = {path.stem for path in (project / "output/mini/images/card").glob("*(front).png")}
    assert fronts == {"One (front)", "Two (front)", "Who AC DC Éé (front)", "four (front)"}
    assert (project / "output/mini/images/chit/chit (front).png").is_file()  # it has no name
    cards.write_text(cards.read_text() + "  - {id: five, name: two}\n", "utf-8")
    status, _, err = export("--for", "images")
    assert status == 1
    assert "error[GP713]: two files would be called card/two (front).png" in err


def test_two_files_of_one_name(project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    pack.write_text(pack.read_text() + 'outlets: {images: {names: "{side}{id}"}}\n')
    (project / "cards/mini/chits.yaml").write_text("kind: chit\ncomponents: [{id: one}]\n")
    status, _, err = export("--for", "images")
    assert status == 1
    assert "pack.yaml:9:19: error[GP713]: two files would be called frontone.png" in err


def test_a_name_that_windows_keeps_for_a_device(project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    pack.write_text(pack.read_text() + 'outlets: {images: {names: "{id}/{side}"}}\n')
    (project / "cards/mini/chits.yaml").write_text("kind: chit\ncomponents: [{id: aux}]\n")
    status, _, err = export("--for", "images")
    assert status == 1
    assert "pack.yaml:9:19: error[GP713]: aux/front.png: 'aux' is a device on Windows" in err
    assert not (project / "output").exists()
