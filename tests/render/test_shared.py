"""The templates that come with Gridpress."""

import re
from pathlib import Path

import pytest
from PIL import ImageChops
from render.studio import Studio, png

from generator.geometry import Size
from generator.model.catalogue import Shape, Stock

IMPORT = (
    '{% from "shared/card.svg.j2" import ground, frame, lattice, ruled %}'
    '{% from "shared/table.svg.j2" import table, table_height, bullets, bullets_height %}'
    '{% from "shared/label.svg.j2" import plate, badge %}'
    '{% from "shared/place.svg.j2" import place, places %}'
)


@pytest.mark.parametrize("size", [Size(63, 88), Size(12, 12), Size(148, 105), Size(20, 84)])
def test_the_blank_back_suits_any_stock_and_either_way_up(
    size: Size, studio: Studio, tmp_path: Path
) -> None:
    studio.stock = Stock("any", size, bleed=2)
    outcome = studio.draw(faces={"front": "shared/blank-back.svg.j2"})
    assert outcome.diagnostics == ()
    drawn = png(outcome.value[0], tmp_path)
    turned = ImageChops.difference(drawn, drawn.rotate(180)).convert("L")
    assert sum(level * count for level, count in enumerate(turned.histogram())) < (
        0.02 * 255 * drawn.width * drawn.height
    )
    assert drawn.getpixel((1, 1)) != (255, 255, 255), "it goes on into the bleed"


def test_a_table_gives_each_row_the_height_of_its_words(studio: Studio) -> None:
    rows = '[["Slide", "one more hex in the old direction before the turn"], ["Spin", "turn"]]'
    face = studio.face(
        IMPORT
        + f'{{% set rows = {rows} %}}{{{{ table(6, 10, [15, 30], rows, heads=["A", "B"]) }}}}'
        "<path d=\"M0 {{ table_height([15, 30], rows, heads=['A', 'B']) }}\"/>"
    )
    boxes = [text.box for text in face.text_boxes]
    assert [round(box.x, 3) for box in boxes] == [7, 22] * 3
    assert [text.lines for text in face.text_boxes] == [1, 1, 1, 3, 1, 1]
    assert boxes[3].y < boxes[3].bottom < boxes[5].y
    rules = [float(y) for y in re.findall(r'd="M6 ([\d.]+)h45"', face.svg)]
    assert len(rules) == 2
    assert boxes[0].bottom < rules[0] < boxes[2].y < boxes[3].bottom < rules[1] < boxes[4].y
    (height,) = re.findall(r'd="M0 ([\d.]+)"', face.svg)
    assert 10 + float(height) == pytest.approx(boxes[5].bottom + 0.9, abs=0.02)


def test_bullets_stand_under_each_other(studio: Studio) -> None:
    face = studio.face(
        IMPORT + '{{ bullets(6, 10, 40, ["one", "two words and quite a few more of them"]) }}'
    )
    first, second = (text.box for text in face.text_boxes)
    assert second.y == pytest.approx(first.bottom + 1, abs=0.02)
    assert face.svg.count("<circle") == 2


def test_a_plate_and_a_badge_hold_their_words_in_the_middle(studio: Studio) -> None:
    face = studio.face(
        IMPORT + '{{ plate(6, 6, 40, 7, "Recovery", "body", "#000", "white") }}'
        '{{ badge(50, 30, 5, 7, "body", "#000", "white") }}'
    )
    plate, badge = face.text_boxes
    assert plate.used.centre.x == pytest.approx(26, abs=0.3)
    assert badge.used.centre.x == pytest.approx(50, abs=0.3)


@pytest.mark.parametrize(
    ("stock", "outline"),
    [
        (Stock("a", Size(20, 30)), '<rect width="21" height="31" rx="0"/>'),
        (
            Stock("b", Size(20, 30), shape=Shape.ROUNDED, corner_radius=3),
            '<rect width="21" height="31" rx="3.5"/>',
        ),
        (
            Stock("c", Size(20, 20), shape=Shape.CIRCLE),
            '<ellipse cx="10.5" cy="10.5" rx="10.5" ry="10.5"/>',
        ),
        (
            Stock("d", Size(19, 23), shape=Shape.HEXAGON),
            '<path d="M10 0L20 6V18L10 24L0 18V6Z"/>',
        ),
        (
            Stock("e", Size(23, 19), shape=Shape.HEXAGON),
            '<path d="M0 10L6 0H18L24 10L18 20H6Z"/>',
        ),
        (Stock("f", Size(9, 9), shape=Shape.PATH, path="M0 0h9l-9 9z"), '<path d="M0 0h9l-9 9z"/>'),
    ],
    ids=lambda value: str(value.shape) if isinstance(value, Stock) else "",
)
def test_a_place_is_as_large_as_its_piece(stock: Stock, outline: str, studio: Studio) -> None:
    studio.stock = stock
    drawn = studio.inside(IMPORT + '{{ place(stocks.card, 5, 6, "#000") }}')
    corner = "5 6" if stock.shape is Shape.PATH else "4.5 5.5"
    assert f'<g transform="translate({corner})" fill="none" stroke="#000"' in drawn
    assert outline in re.sub(r"\.0(?!\d)", "", drawn)


def test_a_misspelt_kind_has_no_place(studio: Studio) -> None:
    (found,) = studio.findings(IMPORT + '{{ place(stocks.crad, 5, 6, "#000") }}')
    assert found.code == "GP303"
    assert (
        str(found.span)
        == f"templates/mini/face.svg.j2:1:{len(IMPORT) + len('{{ place(stocks.') + 1}"
    )
    assert found.hint == "did you mean 'card'?\nit is used at templates/shared/place.svg.j2:8"


def test_a_value_that_does_not_suit_a_shared_macro_is_told_where_the_pack_calls_it(
    studio: Studio,
) -> None:
    (found,) = studio.findings(IMPORT + '\n{{ place(stocks.card, "left", 6, "#000") }}')
    assert (found.code, found.span.line) == ("GP304", 2)
    assert "it is used at templates/shared/place.svg.j2:" in found.hint
