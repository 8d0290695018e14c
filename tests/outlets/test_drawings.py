"""Faces as SVG for drawing programs."""

from collections.abc import Callable
from pathlib import Path

import pytest
from defusedxml import ElementTree
from PIL import Image

Export = Callable[..., tuple[int, str, str]]
SVG = "{http://www.w3.org/2000/svg}"


def test_a_face_is_one_svg_with_its_text_as_text(project: Path, export: Export) -> None:
    front = project / "templates/mini/front.svg.j2"
    front.write_text(front.read_text() + '{{ image("art/field.png", 10, 40, 20, 20) }}')
    assert export("--for", "svg")[0] == 0
    root = ElementTree.parse(project / "output/mini/svg/card-one-front.svg").getroot()
    assert (root.get("width"), root.get("height")) == ("69mm", "94mm")
    assert "One" in "".join(text for node in root.iter(f"{SVG}text") for text in node.itertext())
    (image,) = root.iter(f"{SVG}image")
    assert image.get("{http://www.w3.org/1999/xlink}href", image.get("href", "")).startswith(
        "data:image/png;base64,"
    )


@pytest.mark.parametrize(
    ("name", "form", "shown"),
    [
        ("a.avif", "AVIF", "png"),
        ("a.tif", "TIFF", "png"),
        ("a.bmp", "BMP", "png"),
        ("a.gif", "GIF", "gif"),
        ("a.jfif", "JPEG", "jpeg"),
        ("really-a-jpeg.png", "JPEG", "jpeg"),
    ],
)
def test_pictures_inside_are_of_formats_that_drawing_programs_read(
    project: Path, export: Export, name: str, form: str, shown: str
) -> None:
    Image.radial_gradient("L").convert("RGB").save(project / "cards/mini/art" / name, form)
    front = project / "templates/mini/front.svg.j2"
    front.write_text(front.read_text() + f'{{{{ image("art/{name}", 10, 40, 20, 20) }}}}')
    assert export("--for", "svg")[0] == 0
    svg = (project / "output/mini/svg/card-one-front.svg").read_text("utf-8")
    assert f"data:image/{shown};base64," in svg
