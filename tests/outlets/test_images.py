"""Pictures and SVG files of faces, their names, and the folders they go to."""

import csv
import json
from collections.abc import Callable
from pathlib import Path

import pytest
from defusedxml import ElementTree
from outlets.helpers import add_kind, change
from PIL import Image

from generator.cli import run
from generator.diagnostics import Span
from generator.outlets.shipment import paths_fault

Export = Callable[..., tuple[int, str, str]]
SVG = "{http://www.w3.org/2000/svg}"


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
    ell = "size: [20mm, 30mm], shape: path, path: M0 0 H10 V20 H20 V30 H0 Z"
    stocks = "stocks:\n", f"stocks:\n  ell: {{{ell}}}\n"
    change(project / "cards/mini/pack.yaml", *stocks, "[card,", "[ell, card,")
    add_kind(project, "ell", "faces: {front: dots.svg.j2, back: dots.svg.j2}")
    dot = '<circle cx="{}" cy="25" r="2" fill="{}"/>'
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


def test_the_same_bytes_whatever_the_number_of_workers(printable: Path, export: Export) -> None:
    part = "--for", "images,press,pcio", "--only", "card/*"
    made = []
    for jobs in ("1", "2"):
        assert export(*part, "-o", jobs, "--jobs", jobs)[0] == 0
        folder = printable / jobs
        files = sorted(path for path in folder.rglob("*") if path.is_file())
        made.append({path.relative_to(folder): path.read_bytes() for path in files})
    assert made[0] == made[1]
    assert len({path.parts[1] for path in made[0]}) == 3


def test_old_files_go_and_files_of_others_stay(project: Path, export: Export) -> None:
    pack = project / "cards/mini/pack.yaml"
    folder = project / "output/mini/images"
    change(pack, 'outlets: {images: {names: "{kind}/{id}-{side}"}}\n')
    assert export("--for", "images")[0] == 0
    assert (folder / "card/one-front.png").is_file()
    (folder / "odd/mine.txt").write_text("mine")
    change(pack, "{kind}/{id}-{side}", "{id}.{side}")
    assert export("--for", "images")[0] == 0
    assert (folder / "one.front.png").is_file()
    assert not (folder / "card").exists()
    assert (folder / "odd/mine.txt").read_text() == "mine"


def test_a_part_goes_to_a_folder_of_its_own(project: Path, export: Export) -> None:
    assert export("--for", "images", "--only", "two")[0] == 0
    assert not (project / "output/mini/images").exists()
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
    change(project / "cards/mini/pack.yaml", f'outlets: {{images: {{names: "{names}"}}}}\n')
    status, _, err = export("--for", "images")
    assert status == 1
    assert f"cards/mini/pack.yaml:9:27: error[{code}]" in err
    assert not (project / "output").exists()


def test_pictures_are_called_by_the_names_of_cards(project: Path, export: Export) -> None:
    cards, names = project / "cards/mini/cards.yaml", "{kind}/{name} ({side})"
    change(project / "cards/mini/pack.yaml", f'outlets: {{images: {{names: "{names}"}}}}\n')
    more = '  - {id: three, name: "Who: AC/DC?  Éé"}\n  - {id: four, name: "..."}\n'
    change(cards, more)
    status, _, err = export("--for", "images")
    assert status == 0, err
    fronts = {path.stem for path in (project / "output/mini/images/card").glob("*(front).png")}
    assert fronts == {"One (front)", "Two (front)", "Who AC DC Éé (front)", "four (front)"}
    assert (project / "output/mini/images/chit/chit (front).png").is_file()  # it has no name
    change(cards, "  - {id: five, name: two}\n")
    status, _, err = export("--for", "images")
    assert status == 1
    assert "error[GP713]: two files would be called card/two (front).png" in err


@pytest.mark.parametrize(
    ("names", "component", "said"),
    [
        ("{side}{id}", "one", "two files would be called frontone.png"),
        ("{id}/{side}", "aux", "aux/front.png: 'aux' is a device on Windows"),
    ],
)
def test_names_that_no_folder_can_hold(
    names: str, component: str, said: str, project: Path, export: Export
) -> None:
    change(project / "cards/mini/pack.yaml", f'outlets: {{images: {{names: "{names}"}}}}\n')
    change(project / "cards/mini/chits.yaml", "{id: chit}", f"{{id: {component}}}")
    status, _, err = export("--for", "images")
    assert status == 1
    assert f"pack.yaml:9:19: error[GP713]: {said}" in err
    assert not (project / "output").exists()


@pytest.mark.parametrize(
    "path", ["/coin/1.png", "a//b.png", "../b.png", "a/./b.png", "a/.b", "", "a/"]
)
def test_an_empty_placeholder_leads_to_no_other_folder(path: str) -> None:
    fault = paths_fault(["fine/1.png", path], Span("pack.yaml"))
    assert fault is not None
    assert fault.code == "GP713"


def test_an_svg_has_its_text_as_text(project: Path, export: Export) -> None:
    assert export("--for", "svg", "--only", "one")[0] == 0
    root = ElementTree.parse(project / "output/mini/svg.only/card-one-front.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("69mm", "94mm")
    assert "One" in "".join(text for node in root.iter(f"{SVG}text") for text in node.itertext())


@pytest.mark.parametrize(
    ("name", "form", "shown"),
    [
        ("a.png", "PNG", "png"),
        ("a.avif", "AVIF", "png"),
        ("a.tif", "TIFF", "png"),
        ("a.bmp", "BMP", "png"),
        ("a.gif", "GIF", "gif"),
        ("really-a-jpeg.png", "JPEG", "jpeg"),
    ],
)
def test_pictures_in_an_svg_are_of_formats_that_drawing_programs_read(
    project: Path, export: Export, name: str, form: str, shown: str
) -> None:
    Image.radial_gradient("L").convert("RGB").save(project / "cards/mini/art" / name, form)
    front = project / "templates/mini/front.svg.j2"
    change(front, f'{{{{ image("art/{name}", 10, 40, 20, 20) }}}}')
    assert export("--for", "svg", "--only", "one")[0] == 0
    svg = (project / "output/mini/svg.only/card-one-front.svg").read_text("utf-8")
    assert f"data:image/{shown};base64," in svg
