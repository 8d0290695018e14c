"""Icons as drawing programs and other people save them, by the colours that they print."""

import base64
import io
from collections.abc import Mapping
from pathlib import Path

import pytest
from PIL import Image
from render.studio import Studio, png, source

FIELD = Path(__file__).parents[1] / "fixtures/field/icons"
BOX = 12
ACROSS = 5
WHITE, GREEN, BLACK, RED, BLUE = "#ffffff", "#2a7f62", "#000000", "#c0392b", "#1f6feb"

Looks = Mapping[tuple[float, float], str]
"""Colours at places of an icon, as shares of its width and height."""

FIELD_CASES: Mapping[str, Looks] = {
    "c-ai-doctype": {(0.4, 0.6): "#a8743a", (0.1, 0.1): WHITE},
    "e-css": {(0.5, 0.3): GREEN, (0.5, 0.5): RED, (0.05, 0.05): WHITE},
    "hidden-layer": {(0.5, 0.5): GREEN, (0.02, 0.02): WHITE},
    "k-figma-alpha": {(0.5, 0.5): BLUE, (0.05, 0.05): WHITE},
    "m-ink-mm": {(0.5, 0.5): GREEN, (0.2, 0.5): WHITE},
    "n-mm-attr": {(0.7, 0.7): GREEN, (0.2, 0.2): WHITE, (0.95, 0.95): WHITE},
    "r-pattern": {(0.05, 0.05): GREEN, (0.105, 0.105): WHITE},
    "rgb-percent": {(0.5, 0.5): "#2e9a5f", (0.03, 0.03): "#fff3c0"},
    "t-offvb": {(0.5, 0.5): GREEN, (0.033, 0.5): BLACK},
    "w-pct": {(0.78, 0.78): GREEN, (0.02, 0.02): WHITE},
    "y-rgbapct": {
        (0.5, 0.1): "#2a7e54", (0.5, 0.3): "#cc331a", (0.5, 0.5): "#7f7fff",
        (0.5, 0.7): "#ff7fff", (0.5, 0.9): "#a8743a",
    },
}  # fmt: skip


def red_png() -> str:
    content = io.BytesIO()
    Image.new("RGB", (4, 4), RED).save(content, "PNG")
    return base64.b64encode(content.getvalue()).decode()


def lying_photo() -> str:
    """A photo, red above green, stored on its side with the turn in its EXIF data."""
    stored = Image.new("RGB", (40, 20), GREEN)
    stored.paste(RED, (0, 0, 20, 20))
    exif, content = Image.Exif(), io.BytesIO()
    exif[0x0112] = 6
    stored.save(content, "JPEG", exif=exif, quality=95, subsampling=0)
    return base64.b64encode(content.getvalue()).decode()


TOP, BOTTOM = '<path d="M0 0H10V5H0z" {0}/>', '<path d="M0 5H10V10H0z" {0}/>'
SQUARE = '<rect width="10" height="10" {0}/>'
SHADED = '<rect x="2" y="2" width="5" height="5" fill="#2a7f62" {0}/>'
GREEN_SQUARE = SQUARE.format('fill="#2a7f62"')
TURNED = (
    '<rect x="2" y="2" width="6" height="6" fill="#2a7f62" style="transform:rotate(45deg);{}"/>'
)
MULTIPLIED = '<rect width="6" height="6" fill="#ff0"/><rect x="4" y="4" width="6" height="6" {}/>'
OWN_CASES: Mapping[str, tuple[str, Looks]] = {
    "variables": (
        "<style>:root{--tone:#2a7f62}</style>"
        + TOP.format('style="fill:var(--tone, red)"')
        + BOTTOM.format('fill="var(--none, #1F6FEB)"'),
        {(0.5, 0.2): GREEN, (0.5, 0.8): BLUE},
    ),
    "wide-after-hex": (
        SQUARE.format('fill="#1F6FEB" style="fill:#1F6FEB;fill:color(display-p3 .12 .43 .92)"'),
        {(0.5, 0.5): BLUE},
    ),
    "newer-colours": (
        TOP.format('fill="rgb(42 127 98 / 100%)"') + BOTTOM.format('fill="rebeccapurple"'),
        {(0.5, 0.2): GREEN, (0.5, 0.8): "#663399"},
    ),
    "selectors": (
        "<style>svg .a > path:first-child{fill:#2a7f62} #b{fill:#c0392b !important}</style>"
        f'<g class="a">{TOP.format("")}</g>' + BOTTOM.format('id="b" style="fill:blue"'),
        {(0.5, 0.2): GREEN, (0.5, 0.8): RED},
    ),
    "turned-by-style": (
        TURNED.format("transform-origin:5px 5px"),
        {(0.5, 0.12): GREEN, (0.22, 0.22): WHITE},
    ),
    "turned-in-its-box": (
        TURNED.format("transform-box:fill-box;transform-origin:center"),
        {(0.5, 0.12): GREEN, (0.22, 0.22): WHITE},
    ),
    "blended": (
        MULTIPLIED.format('fill="#0ff" style="mix-blend-mode:multiply"'),
        {(0.2, 0.2): "#ffff00", (0.5, 0.5): "#00ff00", (0.8, 0.8): "#00ffff"},
    ),
    "switch": (
        f'<switch><g requiredExtensions="x">{SQUARE.format("")}</g>'
        f"<g>{GREEN_SQUARE}</g></switch>",
        {(0.5, 0.5): GREEN},
    ),
    "nested": (
        '<svg x="2" y="2" width="4" height="4" viewBox="0 0 1 1">'
        '<circle r="9" fill="#2a7f62"/></svg>',
        {(0.4, 0.4): GREEN, (0.8, 0.8): WHITE},
    ),
    "embedded": (
        f'<image width="10" height="10" href="data:image/png;base64,{red_png()}"/>',
        {(0.5, 0.5): RED},
    ),
    "marker": (
        '<marker id="m" markerWidth="4" markerHeight="4" refX="2" refY="2">'
        '<path d="M0 0h4v4H0z" fill="#c0392b"/></marker>'
        '<path d="M2 5h5" stroke="#000" marker-end="url(#m)"/>',
        {(0.3, 0.5): BLACK, (0.7, 0.5): RED, (0.7, 0.2): WHITE},
    ),
    "over-the-edge": (
        SQUARE.format('fill="#2a7f62" transform="translate(5 5)"'),
        {(0.7, 0.7): GREEN, (1.1, 1.1): WHITE},
    ),
    "same-line-everywhere": (
        '<g transform="scale(10)"><path d="M0 .5h1" stroke="#000" stroke-width="1" '
        'vector-effect="non-scaling-stroke"/></g>',
        {(0.5, 0.5): BLACK, (0.5, 0.3): WHITE},
    ),
    "paint-that-is-not-there": (
        TOP.format('fill="url(#x) #2a7f62"') + BOTTOM.format('fill="url(#x)"'),
        {(0.5, 0.2): GREEN, (0.5, 0.8): WHITE},
    ),
    "a-photo-held-upright": (
        f'<image width="10" height="10" href="data:image/jpeg;base64,{lying_photo()}"/>',
        {(0.5, 0.2): RED, (0.5, 0.8): GREEN, (0.1, 0.5): WHITE},
    ),
    "shadow-by-style": (
        SHADED.format('style="filter:drop-shadow(2px 2px 0 #c0392b)"'),
        {(0.4, 0.4): GREEN, (0.75, 0.75): RED, (0.95, 0.95): WHITE},
    ),
    "two-shadows-by-style": (
        SHADED.format(
            'style="filter:drop-shadow(rgb(192,57,43) 2px 2px) drop-shadow(-1px -1px #1f6feb)"'
        ),
        {(0.4, 0.4): GREEN, (0.75, 0.75): RED, (0.15, 0.15): BLUE},
    ),
    "pale-shadow-of-a-line": (
        '<path d="M2 2h6" stroke="#2a7f62" style="filter:drop-shadow(0 5px rgba(0,0,0,.5))"/>',
        {(0.5, 0.2): GREEN, (0.5, 0.7): "#7f7f7f"},
    ),
    "shadow-in-srgb": (
        '<filter id="s" x="-1" y="-1" width="3" height="3" color-interpolation-filters="sRGB">'
        '<feDropShadow dx="2" dy="2" stdDeviation="0" flood-color="#c0392b"/></filter>'
        + SHADED.format('filter="url(#s)"'),
        {(0.4, 0.4): GREEN, (0.75, 0.75): RED},
    ),
    "effects-that-are-not-there": (
        TOP.format('fill="#2a7f62" clip-path="url(#x)" mask="url(#y)"')
        + BOTTOM.format('fill="#1f6feb" style="filter:url(#z)"'),
        {(0.5, 0.2): GREEN, (0.5, 0.8): BLUE},
    ),
    "what-only-inkscape-shows-is-not-used": (
        "<flowRoot><flowPara> </flowPara></flowRoot>"
        f'<defs><meshgradient id="m"/><hatch id="h"/></defs>{GREEN_SQUARE}',
        {(0.5, 0.5): GREEN},
    ),
    "html-or-text": (
        '<switch><foreignObject width="9" height="9"><i xmlns="http://www.w3.org/1999/xhtml"/>'
        f"</foreignObject><g>{GREEN_SQUARE}</g></switch>",
        {(0.5, 0.5): GREEN},
    ),
    "text-in-a-font": (
        '<text x="0" y="9" font-family="Cinzel, serif" font-size="12" font-weight="900" '
        'fill="#2a7f62">I</text>',
        {(0.3, 0.5): GREEN, (0.8, 0.5): WHITE},
    ),
}  # fmt: skip


def grid(names: list[str]) -> str:
    calls = [
        f'{{{{ icon("{name}", {place(n)[0]}, {place(n)[1]}, {BOX}, {BOX}, "bronze") }}}}'
        for n, name in enumerate(names)
    ]
    return '<rect x="-3" y="-3" width="69" height="94" fill="#fff"/>' + "".join(calls)


def place(number: int) -> tuple[float, float]:
    return 3 + 14 * (number % 4), 3 + 14 * (number // 4)


def check(studio: Studio, tmp_path: Path, cases: Mapping[str, Looks]) -> None:
    drawn = png(studio.face(grid(list(cases))), tmp_path, dpi=254)
    for number, (name, looks) in enumerate(cases.items()):
        x, y = place(number)
        for (across, down), colour in looks.items():
            at = round(10 * (x + BOX * across + 3)), round(10 * (y + BOX * down + 3))
            found = drawn.getpixel(at)
            assert isinstance(found, tuple)
            wanted = [int(colour[n : n + 2], 16) for n in (1, 3, 5)]
            off = max(abs(one - other) for one, other in zip(found, wanted, strict=True))
            assert off <= 3, (name, across, down, found, colour)


def test_files_of_the_field_print_as_a_browser_shows_them(studio: Studio, tmp_path: Path) -> None:
    for name in FIELD_CASES:
        studio.write(f"templates/mini/icons/{name}.svg", (FIELD / f"{name}.svg").read_bytes())
    check(studio, tmp_path, FIELD_CASES)


def test_what_drawing_programs_write_prints_as_a_browser_shows_it(
    studio: Studio, tmp_path: Path
) -> None:
    for name, (body, _) in OWN_CASES.items():
        studio.icon(name, body)
    check(studio, tmp_path, {name: looks for name, (_, looks) in OWN_CASES.items()})


def test_a_drawing_of_the_engine_stands_in_text_takes_a_colour_and_an_ink(
    studio: Studio, tmp_path: Path
) -> None:
    studio.icon("spots", '<mask id="m"><path d="M0 0h10v10H0z" fill="#fff"/></mask>'
                '<path d="M0 0h10v10H0z" mask="url(#m)"/>')  # fmt: skip
    face = studio.face('{{ text_line("a {spots}", 5, 20, "title", rich=true, colour="bronze") }}')
    assert len(face.drawing.engine) == 1
    assert 'fill="#a8743a"' in face.drawing.engine[0].svg
    assert "data:image/svg+xml;base64," in face.svg
    grey = studio.face('{{ icon("spots", 5, 5, 9, colour="bronze") }}', ink="mono",
                       scratch=tmp_path)  # fmt: skip
    assert 'fill="#7f7f7f"' in grey.drawing.engine[0].svg
    twice = studio.face('{{ icon("spots", 5, 5, 9) }}{{ icon("spots", 5, 25, 19) }}')
    assert len(twice.drawing.engine) == 1


def test_a_picture_may_be_a_drawing_and_fits_its_box(studio: Studio, tmp_path: Path) -> None:
    two = '<path d="M0 0h10v20H0z" fill="#2a7f62"/><path d="M10 0h10v20H10z" fill="#c0392b"/>'
    wide = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20">{two}</svg>'
    studio.write("cards/mini/art/two.svg", wide)
    studio.values = {"art": source("art/two.svg")}
    face = studio.face(
        '<rect x="-3" y="-3" width="69" height="94" fill="#fff"/>'
        "{{ image(c.art, 30, 0, 20, 10) }}"
        '{{ image(c.art, 0, 20, 20, 10, fit="contain") }}'
        '{{ image(c.art, 0, 40, 20, 10, fit="stretch") }}'
    )
    assert len(face.drawing.engine) == 1
    drawn = png(face, tmp_path, dpi=127)
    places = {5: (28, 32, 48, 52), 15: (35,), 25: (2, 8, 12), 45: (2, 18)}
    seen = [drawn.getpixel((5 * (x + 3), 5 * (y + 3))) for y, row in places.items() for x in row]
    green, red, white = (42, 127, 98), (192, 57, 43), (255, 255, 255)
    assert seen == [white, green, red, white, white, white, green, red, green, red]
    (told,) = studio.findings('{{ image("art/none.svg", 0, 0, 9, 9) }}')
    assert told.code == "GP501"


@pytest.mark.parametrize("family", ["Arial", "sans-serif", ""])
def test_text_in_a_font_that_is_missing_is_told(studio: Studio, family: str) -> None:
    studio.icon("label", f'<text y="9" font-family="{family}">I</text>')
    (found,) = studio.findings('{{ icon("label", 5, 5, 9) }}')
    assert found.code == "GP503"
    assert "has text in the font" in found.message
    assert "Object to Path in Inkscape" in found.hint


@pytest.mark.parametrize(
    ("body", "told", "hint"),
    [
        (
            "<flowRoot><flowRegion/><flowPara>Move two</flowPara></flowRoot>",
            "has flowed text, which only Inkscape can show",
            "Text > Convert to Text",
        ),
        (
            '<defs><meshgradient id="m"/></defs>' + SQUARE.format('style="fill:url(#m)"'),
            "has a mesh gradient, which only Inkscape shows",
            "export the drawing as PNG",
        ),
        (
            '<hatch id="h"/>' + SQUARE.format('fill="url(#h)"'),
            "has a hatch, which only Inkscape shows",
            "export the drawing as PNG",
        ),
        (
            '<foreignObject width="9" height="9"><div xmlns="http://www.w3.org/1999/xhtml" '
            'style="background:conic-gradient(red,blue)"/></foreignObject>',
            "has HTML in a <foreignObject>",
            "Figma writes angular gradients",
        ),
        (
            SQUARE.format('style="opacity: 0"').replace(
                "/>", '><animate attributeName="opacity" to="1" fill="freeze"/></rect>'
            ),
            "has a part that only its animation shows",
            "after the animation",
        ),
        (
            '<foreignObject width="9" height="9"><p>Move</p></foreignObject>',
            "has HTML in a <foreignObject>",
            "save its texts as paths",
        ),
        (
            "<style>.a{fill:#000; .b{fill:#fff}}</style>",
            "has styles inside of other styles, which are not understood",
            "one after",
        ),
        (
            "<style>@layer base{.a{fill:#fff}}</style>",
            "has styles inside of @layer, which are not understood",
            "without it",
        ),
        (
            SQUARE.format('style="mix-blend-mode:plus-lighter"'),
            "is blended with plus-lighter, which PDF does not have",
            "choose Screen",
        ),
        (
            SQUARE.format('style="filter:drop-shadow(1px 1px red) blur(1px)"'),
            "has the filter",
            "draw the shadow as a shape",
        ),
        (
            SQUARE.format('style="filter:drop-shadow(1px 1px 1px 1px red)"'),
            "has the filter",
            "draw the shadow as a shape",
        ),
    ],
)
def test_what_neither_way_prints_is_refused_with_a_way_out(
    studio: Studio, body: str, told: str, hint: str
) -> None:
    studio.icon("odd", body)
    (found,) = studio.findings('{{ icon("odd", 5, 5, 9) }}')
    assert found.code == "GP503"
    assert told in found.message
    assert hint in found.hint
