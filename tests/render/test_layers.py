"""A face parted into art and text: what is cut, what stays whole, and that nothing is lost."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st
from render.studio import Studio, source, style, styles

from generator.fonts import own_fonts
from generator.geometry import Rect
from generator.model.face import Art, Face, Text
from generator.model.pack import Record

LINE = '{{ text_line("Word", 5, 9, "body") }}'
LIBRARY = own_fonts()
BOX = '<rect width="9" height="9"/>'


def kinds(face: Face) -> str:
    """The layers of a face: a for art, t for text, u for text that is not seen."""
    return "".join(
        "a" if isinstance(layer, Art) else "t" if layer.shown else "u" for layer in face.layers
    )


def texts(face: Face) -> list[Text]:
    return [layer for layer in face.layers if isinstance(layer, Text)]


def art(face: Face) -> list[str]:
    return [layer.svg for layer in face.layers if isinstance(layer, Art)]


@pytest.mark.parametrize(
    ("template", "layers"),
    [
        (BOX, "a"),
        (LINE, "t"),
        (BOX + LINE, "at"),
        (BOX + LINE + LINE + BOX + LINE, "attat"),
        (f"<g>{BOX}<g>{LINE}</g></g>", "at"),
        (f"<g>{LINE}</g><g></g>\n<defs></defs>", "t"),
        (f'<g opacity="0.5">{BOX}{LINE}</g>', "au"),
        (f'<g opacity="1">{BOX}{LINE}</g>', "at"),
        (f'<g mask="url(#m)">{LINE}</g><mask id="m">{BOX}</mask>', "au"),
        (f'<g stroke="#ff0000" stroke-dasharray="1 1">{LINE}</g>', "au"),
        ('<clipPath id="c"><rect width="9" height="9"/></clipPath>'
         f'<g clip-path="url(#c)">{BOX}{LINE}</g>', "at"),
        (f'<clipPath id="c"><use href="#r"/></clipPath><rect id="r"/>'
         f'<g clip-path="url(#c)">{BOX}{LINE}</g>', "au"),
        (f'<g visibility="hidden">{LINE}</g>', "a"),
        (f'<defs><g id="d">{LINE}</g></defs><use href="#d"/>', "a"),
        (f'<g id="d">{BOX}{LINE}</g><use href="#d" y="9"/>', "ata"),
        ('<linearGradient id="g"><stop offset="0" stop-color="#ff0000"/></linearGradient>'
         '{{ text_line("Word", 5, 9, "body", colour="url(#g)") }}', "au"),
        ('{{ text_line("Word", 5, 9, "body", colour="none") }}', "t"),
        (f'<g stroke="#ff0000" stroke-opacity="0.5">{LINE}</g>', "au"),
        (f'<g stroke="#ff0000" paint-order="stroke">{LINE}</g>', "au"),
        (f'<g stroke="#ff0000" paint-order="normal">{LINE}</g>', "t"),
        (f'<clipPath id="c"/><g clip-path="url(#c)">{LINE}</g>', "au"),
        (f'<clipPath id="c">{BOX}{LINE}</clipPath><g clip-path="url(#c)">{LINE}</g>', "a"),
        (f'<clipPath id="c"><g>{BOX}</g></clipPath><g clip-path="url(#c)">{LINE}</g>', "au"),
        (f'{LINE}<g opacity="0.5">{LINE}</g>', "tau"),
    ],
)  # fmt: skip
def test_what_is_art_and_what_is_text(studio: Studio, template: str, layers: str) -> None:
    outcome = studio.draw(template)
    [face] = outcome.value
    assert kinds(face) == layers, art(face)


def test_groups_are_opened_again_behind_a_text(studio: Studio) -> None:
    face = studio.face(
        f'<g transform="translate(2 3)" fill="#123456"><g id="a&amp;b" opacity="1">{BOX}'
        f"{LINE}{BOX}</g></g>".replace("a&amp;b", "deep")
    )
    first, second = art(face)
    around = '<g transform="translate(2 3)" fill="#123456"><g id="deep" opacity="1">'
    assert first.endswith(f"{around}{BOX}</g></g></svg>")
    assert second.endswith(f"{around}{BOX}</g></g></svg>")
    assert texts(face)[0].matrix == (1, 0, 0, 1, 2, 3)


def test_what_a_part_refers_to_comes_with_it(studio: Studio) -> None:
    face = studio.face(
        '<linearGradient id="base"><stop offset="0" stop-color="#ff0000"/></linearGradient>'
        '<linearGradient id="hue" href="#base"/><rect width="3" height="3"/>'
        f'{LINE}<rect width="9" height="9" fill="url(#hue)"/>{LINE}{BOX}'
    )
    before, behind, last = art(face)
    assert ('id="base"' in before, "<defs>" in before) == (True, False)
    assert (behind.count('id="hue"'), behind.count('id="base"')) == (1, 1)
    assert "Gradient" not in last


def test_the_gradient_of_a_text_comes_with_it(studio: Studio) -> None:
    face = studio.face(
        '<linearGradient id="hue"><stop offset="0" stop-color="#ff0000"/></linearGradient>'
        f'{LINE}{{{{ text_line("Word", 5, 9, "body", colour="url(#hue)") }}}}'
    )
    [drawn] = art(face)
    assert (drawn.count('id="hue"'), drawn.count("url(#hue)")) == (1, 1)


def test_a_text_takes_on_what_the_groups_around_it_say(studio: Studio) -> None:
    face = studio.face(
        '<g fill-opacity="50%" stroke="#a8743a" stroke-width="0.3"><g stroke-linejoin="round" '
        f'stroke-miterlimit="2" fill-opacity="0.25">{LINE}</g>{LINE}</g>'
    )
    inner, outer = texts(face)
    assert (inner.opacity, outer.opacity) == (0.25, 0.5)
    assert inner.stroke is not None
    assert (inner.stroke.colour, inner.stroke.width, inner.stroke.join, inner.stroke.limit) == (
        "#a8743a", 0.3, "round", 2,
    )  # fmt: skip


def test_a_text_is_clipped_on_the_face(studio: Studio) -> None:
    face = studio.face(
        '<clipPath id="c"><rect x="1" y="1" width="9" height="4" transform="scale(2)"/></clipPath>'
        f'<g transform="translate(10 0)"><g clip-path="url(#c)">{LINE}</g></g>'
    )
    [text] = texts(face)
    [clip] = text.clips
    xs = [x for _, points in clip.segments for x in points[::2]]
    ys = [y for _, points in clip.segments for y in points[1::2]]
    assert (min(xs), max(xs), min(ys), max(ys)) == (12, 30, 2, 10)


def test_outlines_are_where_the_text_would_be(studio: Studio) -> None:
    plain = studio.face(LINE)
    [drawn] = art(studio.face(f'<g opacity="0.5">{LINE}</g>'))
    data = drawn.split(' d="')[1].split('"')[0]
    numbers = [
        float(n) for n in data.replace("Z", " ").translate(_LETTERS).replace(",", " ").split()
    ]
    box = plain.text_boxes[0].used
    # curves have points outside of what they draw
    assert box.grown(0.5).x < min(numbers[::2]) < box.x + 0.5
    assert box.right - 0.5 < max(numbers[::2]) < box.right + 0.5


_LETTERS = str.maketrans(dict.fromkeys("MLQCHV", " "))


def test_an_icon_in_a_line_is_a_drawing_of_its_own(studio: Studio) -> None:
    studio.icon("whip", '<path d="M0 0h9v9z"/>')
    studio.values = {"text": source("{whip} and {whip}", rich=True)}
    face = studio.face('{{ text_line(c.text, 5, 9, "body") }}' + BOX)
    _, one, other, _ = face.layers
    assert isinstance(one, Art)
    assert isinstance(other, Art)
    assert one.sha256 == other.sha256, "it is drawn once"
    assert one.matrix != other.matrix


def test_ink_changes_texts_icons_and_art(studio: Studio) -> None:
    studio.icon("whip", '<path d="M0 0h9v9z"/>')
    template = '{{ text_line("{whip} a", 5, 9, "title", rich=true) }}<rect fill="#a8743a"/>'
    face = studio.face(template, ink="low")
    assert texts(face)[0].fill == "#e8dccb"
    assert all("#e8dccb" in svg and "#a8743a" not in svg for svg in art(face))


def test_faces_that_look_alike_have_one_name_others_have_not(studio: Studio) -> None:
    looks = {
        studio.face(template).sha256
        for template in (
            LINE,
            LINE.replace("5, 9", "5, 9.1"),
            LINE.replace("Word", "Ward"),
            LINE.replace('"body"', '"tiny"').replace("tiny", "title"),
            LINE.replace('"body"', '"body", colour="bronze"'),
            f'<g transform="rotate(1)">{LINE}</g>',
            f'<g fill-opacity="0.5">{LINE}</g>',
            BOX + LINE,
            LINE + BOX,
        )
    }
    assert len(looks) == 9
    assert studio.face(LINE).sha256 == studio.face(f"<g>{LINE}</g>").sha256


def test_features_make_another_face(studio: Studio) -> None:
    plain = studio.face('{{ text_line("1910", 5, 9, "body") }}').sha256
    old = style("body", 9, 7, features=("old-style",))
    studio.styles = styles(styles=Record({"body": old}, studio.styles.span))
    assert studio.face('{{ text_line("1910", 5, 9, "body") }}').sha256 != plain


def test_words_come_in_the_order_of_painting(studio: Studio) -> None:
    own = '<text x="1" y="9" font-family="Alegreya Sans" font-size="3">my <tspan>own</tspan></text>'
    face = studio.face(f'{LINE}{own}{{{{ text_line("last", 9, 30, "body") }}}}')
    assert face.words == "Word\nmy own\nlast"
    assert studio.face(f'<g visibility="visible">{LINE}</g>').words is None, "who knows"


def test_a_face_of_endless_parts_is_too_much(studio: Studio) -> None:
    shared = "<linearGradient id='g'>" + "<stop offset='0'/>" * 300 + "</linearGradient>"
    part = f"<rect fill='url(#g)' width='20' height='20'/>{LINE}"
    found = studio.findings(shared + f"{{% for i in range(900) %}}{part}{{% endfor %}}")
    assert [d.code for d in found] == ["GP306"]


@pytest.mark.parametrize(
    ("between", "layers"),
    [
        ('<rect x="30" y="5" width="9" height="9"/>', "att"),
        ('<rect x="5" y="5" width="9" height="9"/>', "atat"),
        ('<circle cx="5" cy="15" r="5"/>', "att"),
        ('<circle cx="5" cy="15" r="9"/>', "atat"),
        ('<path d="M5 12h9v9z"/>', "att"),
        ('<path d="M5 12h9v-9z"/>', "atat"),
        ('<path d="M5 12h9v9z" stroke="#ff0000" stroke-width="2"/>', "atat"),
        ('<g stroke="#ff0000"><line x1="5" y1="11" x2="9" y2="11"/></g>', "atat"),
        ('<g transform="translate(30 0)"><rect x="5" y="5" width="9" height="9"/></g>', "att"),
        ('<use href="#r"/>', "atat"),
        ('<rect x="30" width="9" height="9"/>' * 200, "atat"),
    ],
)
def test_art_that_touches_no_text_is_not_cut(studio: Studio, between: str, layers: str) -> None:
    far = '{{ text_line("Far", 40, 60, "body") }}'
    face = studio.face(f'<rect id="r" x="40" y="70" width="9" height="9"/>{LINE}{between}{far}')
    assert kinds(face) == layers


NUMBERS = st.integers(0, 50)


@pytest.mark.thorough
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("text"), NUMBERS, NUMBERS),
            st.tuples(st.just("box"), NUMBERS, NUMBERS),
            st.tuples(st.just("open"), NUMBERS, NUMBERS),
            st.tuples(st.just("close"), NUMBERS, NUMBERS),
        ),
        max_size=14,
    )
)
def test_all_is_there_once_and_what_touches_stays_in_order(
    steps: list[tuple[str, int, int]],
) -> None:
    template, places, moved = "", {}, [(0, 0)]
    for number, (step, x, y) in enumerate(steps):
        left, top = moved[-1][0] + x, moved[-1][1] + y
        if step == "text":
            template += f'{{{{ text_line("mmm{number}", {x}, {y}, "body") }}}}'
            places[f"mmm{number}"] = Rect(left, top - 1.4, 10, 1.4)
        elif step == "box":
            template += f'<rect id="n{number}" x="{x}" y="{y}" width="9" height="4"/>'
            places[f"n{number}"] = Rect(left, top, 9, 4)
        elif step == "open":
            template += f'<g transform="translate({x} {y})">'
            moved.append((left, top))
        elif len(moved) > 1:
            template += "</g>"
            moved.pop()
    with TemporaryDirectory() as folder:
        outcome = Studio(Path(folder), LIBRARY).draw(template + "</g>" * (len(moved) - 1))
    [face] = outcome.value
    found = []
    for layer in face.layers:
        if isinstance(layer, Text):
            found.append("".join(run.text for run in layer.lines[0].runs))
            continue
        assert layer.svg.count("<g") == layer.svg.count("</g>")
        found += re.findall(r' id="(n\d+)"', layer.svg)
    assert sorted(found) == sorted(places)
    for one, other in itertools.combinations(places, 2):
        if places[one].overlaps(places[other]) or one[0] == other[0]:
            assert found.index(one) < found.index(other)
