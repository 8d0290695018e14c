import pytest
from markupsafe import Markup

from generator.render.face_builder import CurrentFace
from generator.render.shapes import Draw
from generator.render.styles import Palette


@pytest.fixture
def draw() -> Draw:
    return Draw(Palette({"bronze": "#a8743a"}, CurrentFace()))


def test_a_shape_is_one_path_with_its_attributes(draw: Draw) -> None:
    drawn = draw.hexagon(0, 0, 20, fill="bronze", stroke_width=0.30004, stroke_linejoin="round")
    assert isinstance(drawn, Markup)
    assert drawn == (
        '<path d="M0 -11.547L10 -5.774L10 5.774L0 11.547L-10 5.774L-10 -5.774Z" '
        'fill="#a8743a" stroke-linejoin="round" stroke-width="0.3" />'
    )


def test_lines_are_not_filled_unless_asked(draw: Draw) -> None:
    line = [[0, 0], [10, 0]]
    assert 'fill="none"' in draw.polyline(line)
    assert 'fill="red"' in draw.polyline(line, fill="red")
    assert "fill" not in draw.polygon([*line, [5, 5]])
    assert 'fill="none"' in draw.grid(0, 0, 9, 9, 3, 3)


def test_a_blob_is_another_for_each_seed_and_the_same_for_one(draw: Draw) -> None:
    assert draw.blob(0, 0, 5, seed="a") == draw.blob(0, 0, 5, seed="a")
    assert draw.blob(0, 0, 5, seed="a") != draw.blob(0, 0, 5, seed="b")
    assert draw.blob(0, 0, 5, count=6).count("C") == 6


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda draw: draw.hexagon("a", 0, 20), "cx must be a number, not text"),
        (lambda draw: draw.hexagon(True, 0, 20), "cx must be a number, not true or false"),
        (lambda draw: draw.hexagon(0, 0, 0), "across_flats is 0, and must be more than 0"),
        (lambda draw: draw.arc(float("nan"), 0, 5, 0, 9), "not a place on a face"),
        (lambda draw: draw.regular(0, 0, 5, 2.5), "whole number from 3 to 2000"),
        (lambda draw: draw.grid(0, 0, 9, 9, 10**5, 1), "whole number from 1 to 2000"),
        (lambda draw: draw.hatch(0, 0, 99, 99, 0.01), "whole number from 1 to 2000"),
        (lambda draw: draw.polygon("abc"), "points must be a list"),
        (lambda draw: draw.polygon([[1, 2]]), "from 3 to 2000"),
        (lambda draw: draw.polygon([[1, 2], [3], [4, 5]]), r"each of the points must be \[x, y\]"),
        (lambda draw: draw.rounded_rect(0, 0, 9, 9, [1, 2]), "one radius or four"),
    ],
)
def test_what_cannot_be_drawn_is_said_in_words(call, words: str, draw: Draw) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises((TypeError, ValueError), match=words):
        call(draw)


def test_every_shape_prints(draw: Draw, studio) -> None:  # type: ignore[no-untyped-def]
    """Shapes from the helpers pass the checks that all templates pass."""
    shapes = [
        "polygon([[5, 5], [9, 5], [7, 9]])",
        "polyline([[5, 5], [9, 5]])",
        "regular(20, 20, 5, 7)",
        "hexagon(20, 20, 9)",
        "star(20, 20, 5, 5, 2)",
        "arc(20, 20, 5, 0, 270)",
        "ring_sector(20, 20, 3, 5, 0, 90)",
        "rounded_rect(5, 5, 20, 9)",
        "gear(20, 20, 9, 6, 5, 2)",
        "arrow(5, 5, 20, 9)",
        "arc_arrow(20, 20, 9, 0, 180)",
        "grid(5, 5, 20, 20, 4, 4)",
        "hatch(5, 5, 20, 20)",
        "ticks(20, 20, 8, 9, 0, 270, 11)",
        "blob(20, 20, 9)",
        "dots([[5, 5]])",
    ]
    methods = {name for name in dir(draw) if not name.startswith("_")}
    assert methods == {shape.split("(")[0] for shape in shapes}
    inside = studio.inside("".join(f"{{{{ draw.{shape} }}}}" for shape in shapes))
    assert inside.count("<path") == len(shapes)
