"""The marks that an SVG leads to: groups, clip paths, opacities, and parts left to the engine."""

from collections.abc import Sequence

import pytest

from generator.fonts import own_fonts
from generator.render.display import EngineMark, GroupMark, LetterMark, Mark, PictureMark, ShapeMark
from generator.render.svg_lint import Linter

BOX = '<rect width="9" height="9"/>'
LINE = '<path d="M0 0h9" fill="none" stroke="red"/>'
BOTH = '<rect width="9" height="9" stroke="red"/>'
TEXT = "<?text 0?>"
CLIP = f'<clipPath id="c">{BOX}</clipPath>'
STOPS = '<stop offset="0" stop-color="red"/><stop offset="1"/>'
LETTERS = {ShapeMark: "s", PictureMark: "p", LetterMark: "t", EngineMark: "e"}


def marks(body: str) -> tuple[Mark, ...]:
    linted = Linter(own_fonts()).read(f"<svg>{body}</svg>".encode())
    assert linted.faults == ()
    return linted.marks


def told(listed: Sequence[Mark]) -> str:
    """Marks as letters, groups in brackets, each behind its opacity."""
    return "".join(
        f"{mark.opacity:g}({told(mark.marks)})"
        if isinstance(mark, GroupMark)
        else f"{getattr(mark, 'opacity', 1):g}".replace("1", "") + LETTERS[type(mark)]
        for mark in listed
    )


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        (f"{BOX}{TEXT}{LINE}", "sts"),
        (f"<g><g>{BOX}</g></g>", "s"),
        (f'<g opacity="0.5">{BOX}</g>', "0.5s"),
        (f'<g opacity="0.5"><g opacity="0.5">{LINE}</g></g>', "0.25s"),
        (f'<g opacity="0.5">{BOX}{BOX}</g>', "0.5(ss)"),
        (f'<g opacity="0.5">{BOTH}</g>', "0.5(s)"),
        (f'<g opacity="0.5">{TEXT}</g>', "0.5(t)"),
        ('<image href="a" opacity="50%" width="9" height="9"/>', "0.5p"),
        (f'<g opacity="0">{BOX}</g><g display="none">{BOX}</g>', ""),
        (f'<g i:label="Ink" style="display:none">{BOX}</g>{BOX}', "s"),
        (f'<g style="-x-y:1;opacity:.5">{BOX}</g>', "0.5s"),
        (f'<g visibility="hidden">{TEXT}{BOX}<g visibility="visible">{LINE}</g></g>', "s"),
        (f'<defs><g id="a">{BOX}</g></defs><use href="#a"/>', "e"),
        (f'<symbol id="a">{BOX}</symbol><g opacity="0.5"><use href="#a"/></g>', "0.5e"),
        (f'<mask id="m">{BOX}</mask><g mask="url(#m)">{BOX}{TEXT}</g>', "e"),
        (f'{CLIP}<g clip-path="url(#c)">{BOX}{TEXT}</g>', "st"),
        (f'<g clip-path="url(#c)">{BOX}</g>{CLIP}', "s"),
        (f'{CLIP}<g clip-path="none">{BOX}</g>', "s"),
        (f'<clipPath id="c">{BOX}{BOX}</clipPath><g clip-path="url(#c)">{BOX}</g>', "e"),
        (f'<clipPath id="c" clipPathUnits="objectBoundingBox">{BOX}</clipPath>'
         f'<g clip-path="url(#c)">{BOX}</g>', "e"),
        (f'<clipPath id="c"/><g clip-path="url(#c)">{BOX}</g>', "e"),
        (f'<linearGradient id="g">{STOPS}</linearGradient><g fill="url(#g)">{BOX}{TEXT}</g>', "se"),
        (f'<g stroke="url(#g)">{BOX}</g><linearGradient id="g">{STOPS}</linearGradient>', "s"),
        (f'<linearGradient id="g"><stop offset="0" stop-opacity="0.5"/>{STOPS}</linearGradient>'
         '<rect width="9" height="9" fill="url(#g)"/>', "e"),
        ('<path d="M0 0h9" paint-order="stroke" stroke="red"/>', "e"),
        ('<path d="M0 0h9" pathLength="3" stroke="red"/>', "e"),
        ('<path d="M5 5"/><rect width="0" height="9"/><circle r="0"/><path/>', ""),
        ('<path d="M0 0h9"/>', ""),
    ],
)  # fmt: skip
def test_marks_are_in_the_order_of_painting(body: str, shown: str) -> None:
    assert told(marks(body)) == shown


def test_current_colour_is_inherited_as_a_word() -> None:
    [mark] = marks(f'<g color="red" fill="currentColor"><g color="blue">{BOX}</g></g>')
    assert isinstance(mark, ShapeMark)
    assert mark.look.fill == "blue"


def test_the_engine_takes_the_bytes_of_an_element_and_the_look_around_it() -> None:
    body = f'<g fill="red" transform="translate(1 2)"><use href="#a"/></g><g id="a">{BOX}</g>'
    mark, _ = marks(body)
    assert isinstance(mark, EngineMark)
    assert f"<svg>{body}"[mark.begin : mark.end] == '<use href="#a"/>'
    assert (mark.look.fill, mark.matrix.e, mark.matrix.f) == ("red", 1, 2)
