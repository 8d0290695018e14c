"""Icons: the parts of an SVG file that are kept, and the message for each bad file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.assets import MAX_BYTES, AssetFinder
from generator.diagnostics import Diagnostic, GridpressError, Span
from generator.svg_files import IconArt

HERE = Span("cards/x/cards.yaml", 4, 12)
NAMES = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'


def drawing(inside: str, root: str = 'viewBox="0 0 24 24"') -> str:
    return f"<svg {NAMES} {root}>{inside}</svg>"


def finder(path: Path) -> AssetFinder:
    """Return a finder that searches only the folder of the file."""
    return AssetFinder((), (path.parent,))


def read(tmp_path: Path, content: str | bytes) -> IconArt:
    path = tmp_path / "whip.svg"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return finder(path).art(path, HERE)


def fault(tmp_path: Path, content: str | bytes) -> Diagnostic:
    with pytest.raises(GridpressError) as caught:
        read(tmp_path, content)
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span == HERE
    assert diagnostic.message.startswith("the icon whip.svg ")
    assert diagnostic.hint
    return diagnostic


@pytest.mark.parametrize(
    ("inside", "body"),
    [
        ('<path d="M0 0L1 1"/>', '<path d="M0 0L1 1"/>'),
        ('<g id="a"><rect width="1"/></g>', '<g id="a"><rect width="1"/></g>'),
        ('<title>Whip</title><desc>x</desc><path d=""/>', '<path d=""/>'),
        (
            '<path style="fill: red; -x-y:1;stroke:#000" fill="blue"/>',
            '<path fill="red" stroke="#000"/>',
        ),
        ('<path class="a" data-x="1" aria-label="b" xml:space="preserve" d=""/>', '<path d=""/>'),
        ('<path paint-order="normal" filter="none" font-family="x"/>', "<path/>"),
        ('<g display="none"><path/></g><path style="display:inline"/>', '<path display="inline"/>'),
        ('<a href="http://x"><path/></a>', "<g><path/></g>"),
        (
            '<path fill="rgb(100%, 0%, 0%)" stroke="hsl(0 100% 50% / .5)"/>',
            '<path fill="#ff0000" stroke="#ff000080"/>',
        ),
        (
            '<rect width="50%" x="1in" ry="10%" stroke-dasharray="1mm, 50%"/>',
            '<rect width="12" x="96" ry="2.4" stroke-dasharray="3.77953 12"/>',
        ),
        (
            '<e:view xmlns:e="urn:editor"><path/></e:view><path e:x="1" xmlns:e="urn:editor"/>',
            "<path/>",
        ),
        ("<!-- drawn by hand --><?x y?><path/>", "<path/>"),
        (" <path/>\n text ", "<path/>"),
    ],
)
def test_shapes_come_through(tmp_path: Path, inside: str, body: str) -> None:
    assert read(tmp_path, drawing(inside)) == IconArt((0, 0, 24, 24), body)


def test_the_look_of_the_root_is_kept(tmp_path: Path) -> None:
    root = 'viewBox="0 0 24 24" width="24" height="24" fill="none" stroke="currentColor" id="x"'
    art = read(tmp_path, drawing("<path/>", root))
    assert art.body == '<g fill="none" stroke="currentColor"><path/></g>'


@pytest.mark.parametrize(
    ("root", "box"),
    [
        ('viewBox="-1,2 3.5 4e1"', (-1, 2, 3.5, 40)),
        ('viewBox=" 0  0 512 512 "', (0, 0, 512, 512)),
        ('width="10" height="20.5px"', (0, 0, 10, 20.5)),
        ('width="1in" height="6pc"', (0, 0, 96, 96)),
    ],
)
def test_the_view_box(tmp_path: Path, root: str, box: tuple[float, float, float, float]) -> None:
    assert read(tmp_path, drawing("<path/>", root)).view_box == box


def test_a_drawing_without_a_namespace(tmp_path: Path) -> None:
    assert read(tmp_path, '<svg viewBox="0 0 1 1"><path/></svg>').body == "<path/>"


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is empty"),
        (drawing("\n <path"), "is not well-formed SVG: see its line 2, column 7"),
        (b"\xff\xfe\xfd", "is not well-formed SVG"),
        ('<?xml version="1.0" encoding="nope"?><svg/>', "is not text in a known encoding"),
        ("<html/>", "is not an SVG drawing"),
        (drawing("<path/>", ""), "has no viewBox, or an empty one"),
        (drawing("<path/>", 'width="100%" height="100%"'), "has no viewBox, or an empty one"),
        (drawing("<path/>", 'viewBox="0 0 0 24"'), "has no viewBox, or an empty one"),
        (drawing("<path/>", 'viewBox="0 0 nan nan"'), "has no viewBox, or an empty one"),
        (drawing("<path/>", 'viewBox="0 0 1"'), "has a viewBox that is not four numbers: '0 0 1'"),
        (drawing("\n<script>x</script>"), "has a script (its line 2)"),
        (drawing("<foreignObject/>"), "has HTML in a <foreignObject> (its line 1)"),
        (drawing('<image href="x.png"/>'), "refers to something outside: 'x.png'"),
        (drawing("<style>@import 'x.css';</style>"), "has a style that is read from elsewhere"),
        (drawing('<path style="clip-path:circle(5px)"/>'), "has the clip-path 'circle(5px)'"),
        (drawing('<path fill="color-mix(in srgb, red, blue)"/>'), "which is not understood"),
        (drawing('<path style="rotate:45deg"/>'), "is placed by the style rotate: 45deg"),
        (drawing('<path transform="spin(3)"/>'), "has the transform 'spin(3)'"),
        (b"\x1f\x8b\x08", "is compressed (SVGZ)"),
        (drawing('<path onclick="x()"/>'), "has a script in the attribute onclick"),
        (
            drawing("<path/>", 'onload="x()" viewBox="0 0 1 1"'),
            "has a script in the attribute onload",
        ),
        (drawing('<use href="x.svg#a"/>'), "refers to something outside"),
        (drawing('<use xlink:href="http://x"/>'), "refers to something outside"),
        (drawing('<path fill="url(http://x)"/>'), "refers to something outside"),
        (drawing('<path style="fill:URL( x.svg#a )"/>'), "refers to something outside"),
        (drawing('<use href="#a"/>'), "uses #a, which does not exist"),
        (drawing("<use/>"), "uses #, which does not exist"),
        (drawing('<metadata id="a"/><use href="#a"/>'), "uses #a, which does not exist"),
        (drawing("<g>" * 110 + "</g>" * 110), "is nested deeper than 100 groups"),
        (drawing("<g>" * 50_000 + "</g>" * 50_000), "is nested deeper than 100 groups"),
        ('<!DOCTYPE svg [<!ENTITY a "aa">]><svg>&a;</svg>', "declares entities"),
        (
            '<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]><svg>&a;</svg>',
            "declares entities",
        ),
        (drawing(" " * MAX_BYTES), "has more than 3 MB"),
    ],
)
def test_a_bad_icon(tmp_path: Path, content: str | bytes, words: str) -> None:
    found = fault(tmp_path, content)
    assert found.code == "GP503"
    assert words in found.message


def test_a_deep_tree_that_is_dropped_does_no_harm(tmp_path: Path) -> None:
    deep = "<metadata>" + "<g>" * 50_000 + "</g>" * 50_000 + "</metadata><path/>"
    assert read(tmp_path, drawing(deep)).body == "<path/>"


def test_what_cannot_be_read(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none.svg"):
        with pytest.raises(GridpressError) as caught:
            finder(path).art(path, HERE)
        assert [d.code for d in caught.value.diagnostics] == ["GP002"]


@given(st.binary(max_size=80))
def test_any_content_is_an_icon_or_a_fault(
    tmp_path_factory: pytest.TempPathFactory, content: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.svg"
    for whole in (content, drawing("").encode().replace(b"></", b">" + content + b"</")):
        path.write_bytes(whole)
        try:
            finder(path).art(path, HERE)
        except GridpressError as error:
            assert error.diagnostics[0].code == "GP503"  # noqa: PT017, either way is right


def test_a_gradient_that_many_shapes_are_filled_with_is_drawn_once(tmp_path: Path) -> None:
    gradient = '<linearGradient id="g"><stop offset="0"/><stop offset="1"/></linearGradient>'
    assert read(tmp_path, drawing(gradient + '<path fill="url(#g)"/>' * 9_000)).body
