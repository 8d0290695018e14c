import re
from pathlib import Path

from PIL import Image
from render.studio import Studio, png


def pixel(picture: Image.Image, x: float, y: float) -> tuple[int, ...]:
    """The colour at a place on the trim, mm."""
    found = picture.getpixel((round((x + 3) * 5), round((y + 3) * 5)))
    assert isinstance(found, tuple)
    return found


def test_an_icon_fills_its_width(studio: Studio) -> None:
    studio.icon("bar", '<rect width="20" height="10"/>', "0 0 20 10")
    assert studio.inside('{{ icon("bar", 5, 6, 10) }}') == (
        '<g fill="#000000" transform="translate(5 6) scale(0.5)"><rect width="20" height="10"/></g>'
    )


def test_the_colour_of_an_icon_fills_what_has_none_and_current_color(
    studio: Studio, tmp_path: Path
) -> None:
    studio.icon(
        "flag",
        '<rect width="5" height="10"/><rect x="5" width="3" height="10" fill="currentColor"/>'
        '<rect x="8" width="2" height="10" fill="#00ff00"/>',
    )
    drawn = png(studio.face('{{ icon("flag", 10, 10, 10, colour="#ff0000") }}'), tmp_path)
    assert [pixel(drawn, x, 15) for x in (12, 16.5, 19)] == [
        (255, 0, 0),
        (255, 0, 0),
        (0, 255, 0),
    ]


def test_ids_of_different_icons_never_meet(studio: Studio, tmp_path: Path) -> None:
    def half(x: int) -> str:
        return (
            f'<defs><clipPath id="a"><rect x="{x}" width="5" height="10"/></clipPath></defs>'
            '<g clip-path="url(#a)"><rect width="10" height="10"/></g>'
        )

    studio.icon("left", half(0))
    studio.icon("right", half(5))
    face = studio.face(
        '{{ icon("left", 5, 5, 10) }}{{ icon("right", 25, 5, 10) }}{{ icon("left", 5, 25, 10) }}'
    )
    ids = re.findall(r' id="([^"]+)"', face.svg)
    assert len(ids) == 3
    assert len(set(ids)) == 2
    drawn = png(face, tmp_path)
    black, white = (0, 0, 0), (255, 255, 255)
    assert [pixel(drawn, x, 10) for x in (7, 13, 27, 33)] == [black, white, white, black]
    assert [pixel(drawn, x, 30) for x in (7, 13)] == [black, white]
