"""Faces that are drawn from face files: each kind of box, its place, and its faults."""

from pathlib import Path

import pytest
from PIL import Image
from render.studio import Studio, operators, png, source

from generator.cache import Cache
from generator.diagnostics import Diagnostic, Span
from generator.geometry import Rect, Size
from generator.load import read_document
from generator.model.catalogue import Shape, Stock
from generator.model.face import Face
from generator.model.face_file import FaceFile
from generator.model.values import Items, Record, SourceText
from generator.validate import read_face_files
from generator.validate.definition_files import definition_reading

FILE = "card.face.yaml"
BRONZE, SAND, INK = (168, 116, 58), (230, 203, 152), (29, 26, 23)


def face_files(studio: Studio, **texts: str) -> tuple[dict[str, FaceFile], list[Diagnostic]]:
    documents = {}
    for name, text in texts.items():
        path = studio.write(f"templates/mini/{name}.face.yaml", text)
        document = read_document(path, path.name, studio.project.roots)
        assert document.value is not None, document.diagnostics
        documents[path.name] = document.value
    reading = definition_reading()
    return read_face_files(documents, reading), reading.faults


def boxes(studio: Studio, *lines: str, head: str = "", tail: str = "") -> tuple[Face, ...]:
    """Draw the faces of a file with these boxes, without a finding."""
    faces, found = drawn(studio, *lines, head=head, tail=tail)
    assert [str(f) for f in found] == []
    return faces


def drawn(
    studio: Studio, *lines: str, head: str = "", tail: str = ""
) -> tuple[tuple[Face, ...], list[Diagnostic]]:
    body = "".join(f"  {line}\n" for line in lines)
    files, faults = face_files(studio, card=f"face: poker\n{head}boxes:\n{body}{tail}")
    if faults:
        return (), faults
    studio.more = {"face_files": files}
    outcome = studio.draw(faces={"front": SourceText(FILE, source("", 1).span)})
    return outcome.value, list(outcome.diagnostics)


def pixel(studio: Studio, face: Face, x: float, y: float) -> tuple[int, ...]:
    """Return the colour at a place of the trim, in mm."""
    stock = face.stock
    folder = studio.root / "png"
    folder.mkdir(exist_ok=True)
    image = png(face, folder)
    at = (round((x + stock.bleed) * 5), round((y + stock.bleed) * 5))
    found = image.getpixel(at)
    assert isinstance(found, tuple)
    return found


def near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return all(abs(one - other) < 12 for one, other in zip(found, wanted, strict=True))


def test_a_text_shows_a_field_and_each_face_knows_the_place_of_its_boxes(studio: Studio) -> None:
    studio.values = {"name": source("Watchtower")}
    [face] = boxes(studio, "name: {text: name, at: [5, 10, 50, 8]}")
    assert face.words == "Watchtower"
    [text], [placed] = face.text_boxes, face.placed
    assert text.box == placed.rect == Rect(5, 10, 50, 8)
    assert (placed.name, placed.span.line, placed.span.column) == ("name", 3, 3)
    assert text.span == source("").span


@pytest.mark.parametrize(
    ("box", "words"),
    [
        ('{text: "{{ cost }} gold", at: [5, 5, 50, 8]}', "7 gold"),
        ('{text: "{{ cost * 2 }} for {{ name }}", at: [5, 5, 50, 8]}', "14 for A*b"),
        ('{text: "Only {{ nothing }}", at: [5, 5, 50, 8]}', ""),
        ("{text: nothing, at: [5, 5, 50, 8]}", ""),
        ("{text: stats.might, at: [5, 5, 50, 8]}", "3"),
        ("{text: tags, at: [5, 5, 50, 8]}", "old, wise"),
        ("{words: Duel, at: [5, 5, 50, 8]}", "Zweikampf"),
        ("{text: rare, at: [5, 5, 50, 8]}", "yes"),
        ("{words: Fixed, at: [5, 5, 50, 8]}", "Fixed"),
        ("{text: name, at: [5, 5, 50, 8], when: cost > 6}", "A*b"),
        ("{text: name, at: [5, 5, 50, 8], when: cost > 7}", ""),
        ("{text: name, at: [5, 5, 50, 8], when: side == 'back'}", ""),
        ("{badge: nothing, at: [5, 5, 10, 10]}", ""),
    ],
)
def test_texts_are_fields_sentences_and_fixed_words(studio: Studio, box: str, words: str) -> None:
    span = source("").span
    studio.values = {"cost": 7, "name": source("A*b"), "nothing": None, "rare": True}
    studio.values |= {"tags": Items(["old", "wise"]), "stats": Record({"might": 3}, span)}
    body = f"face: poker\nboxes:\n  it: {box}\n"
    files, faults = face_files(studio, card=body)
    assert faults == []
    studio.more = {"face_files": files, "words": {"Duel": "Zweikampf"}}
    [face] = studio.draw(faces={"front": FILE}).value
    assert face.words == words


def test_what_touches_the_cut_runs_into_the_bleed(studio: Studio) -> None:
    lines = "a: {fill: bronze, at: [0, 0, 63, 20]}", "b: {fill: ink, at: [20, 40, 20, 10]}"
    [face] = boxes(studio, *lines, head="ground: sand\n")
    assert near(pixel(studio, face, -2.5, -2.5), BRONZE)
    assert near(pixel(studio, face, 65.5, 10), BRONZE)
    assert near(pixel(studio, face, 65.5, 90.5), SAND)
    assert near(pixel(studio, face, 41, 45), SAND)
    assert near(pixel(studio, face, 39, 45), INK)


@pytest.mark.parametrize("bleed", [0.0, 3.0, 6.0])
@pytest.mark.parametrize("shape", [Shape.CIRCLE, Shape.HEXAGON, Shape.ROUNDED])
def test_every_stock_is_filled_to_the_end_of_its_bleed(
    studio: Studio, shape: Shape, bleed: float
) -> None:
    studio.stock = Stock("round", Size(40, 40), shape=shape, bleed=bleed, corner_radius=3)
    [face] = boxes(studio, "a: {fill: bronze, at: [0, 0, 40, 40]}")
    edge = bleed - 0.3
    assert all(near(pixel(studio, face, *at), BRONZE) for at in ((20, -edge), (40 + edge, 20)))


def test_the_name_of_a_file_is_no_field(studio: Studio) -> None:
    studio.values = {"art": source("gone.png")}
    _, found = drawn(studio, "art: {picture: art.png, at: [20, 20, 20, 20]}")
    assert [each.code for each in found] == ["GP501"]
    assert "art.png" in found[0].message


@pytest.mark.parametrize("name", ["'{{ name }}.png'", "a-name-that-is-far-too-long-to-be-read.png"])
@pytest.mark.parametrize(("draft", "severity"), [(False, "error"), (True, "warning")])
def test_a_picture_that_a_face_file_names_is_reported_when_it_is_missing(
    studio: Studio, name: str, draft: bool, severity: str
) -> None:
    studio.values, studio.kind = {"name": source("old_a*b")}, {"draft": draft}
    faces, found = drawn(studio, f"art: {{picture: {name}, at: [20, 20, 43.5, 68.9]}}")
    assert [(each.code, str(each.severity)) for each in found] == [("GP501", severity)]
    assert "'old_a*b.png'" in found[0].message or "far-too-long" in found[0].message
    if draft:
        assert near(pixel(studio, faces[0], 40, 30), (220, 220, 220))


def test_a_picture_fills_its_box_and_shows_the_point_in_focus(studio: Studio) -> None:

    image = Image.new("RGB", (800, 400), "#1d1a17")
    image.paste("#a8743a", (600, 0, 800, 400))
    path = studio.root / "cards/mini/wide.png"
    path.parent.mkdir(parents=True)
    image.save(path)
    studio.values = {"art": source("wide.png"), "crop": Items([0.9, 0.5, 1])}
    [face] = boxes(studio, "art: {picture: art, at: [20, 20, 20, 20]}")
    assert near(pixel(studio, face, 30, 30), INK)
    [face] = boxes(studio, "art: {picture: art, focus: crop, at: [20, 20, 20, 20]}")
    assert near(pixel(studio, face, 28, 30), INK)
    assert near(pixel(studio, face, 32, 30), BRONZE)
    assert near(pixel(studio, face, 41, 30), (255, 255, 255))


def test_icons_stand_in_a_row_as_often_as_a_field_says(studio: Studio) -> None:
    studio.icon("star", '<rect width="10" height="10"/>')
    studio.values = {"rank": 3}
    [face] = boxes(studio, "s: {icon: star, times: rank, at: [10, 10, 40, 5], gap: 1, colour: ink}")
    assert near(pixel(studio, face, 30, 12.5), INK)
    assert near(pixel(studio, face, 24, 12.5), INK)
    assert near(pixel(studio, face, 18, 12.5), (255, 255, 255))
    studio.values = {"rank": 1}
    [face] = boxes(studio, "s: {icon: star, times: rank, at: [10, 10, 40, 5], align: right}")
    assert near(pixel(studio, face, 48, 12.5), (0, 0, 0))
    assert near(pixel(studio, face, 30, 12.5), (255, 255, 255))


def test_boxes_of_a_row_share_its_place_without_the_empty_ones(studio: Studio) -> None:
    studio.values = {"might": 3, "wit": None, "luck": 5}
    [face] = boxes(studio, "s: {row: [{badge: might}, {badge: wit}, {badge: luck}], gap: 2,",
                   "    at: [10, 60, 42, 10]}")  # fmt: skip
    # Words keep a margin from the sides of a badge.
    places = [(box.box.x, box.box.width) for box in face.text_boxes]
    assert places == [(10.8, 18.4), (32.8, 18.4)]


@pytest.mark.parametrize(("valign", "top"), [("top", 20), ("middle", 30), ("bottom", 40)])
def test_texts_of_a_column_take_what_they_need(studio: Studio, valign: str, top: float) -> None:
    studio.values = {"text": source("Draw a card."), "flavour": source("Salt!"), "more": None}
    column = "column: [{text: text}, {text: more}, {line: ink, width: 0.4}, {text: flavour}]"
    [face] = boxes(studio, f"s: {{{column}, gap: 1, valign: {valign}, at: [5, 20, 50, 28]}}")
    first, second = (box.box for box in face.text_boxes)
    assert first.height == pytest.approx(second.height)
    assert second.y - first.bottom == pytest.approx(2.4)
    assert first.y == pytest.approx(top, abs=0.2)


def test_texts_of_a_full_column_shrink_together(studio: Studio) -> None:
    studio.values = {"text": source("Draw a card. " * 9), "flavour": source("Salt! " * 9)}
    [face] = boxes(studio, "s: {column: [{text: text}, {text: flavour}], at: [5, 20, 40, 17]}")
    first, second = face.text_boxes
    assert first.size_pt == second.size_pt
    assert 34 < second.box.bottom <= 37


@pytest.mark.parametrize(
    "shape",
    ["rectangle", "circle", "hexagon", "octagon", "diamond", "shield", "star", "banner"],
)
def test_badges_have_shapes(studio: Studio, shape: str) -> None:
    studio.values = {"cost": 1}
    [face] = boxes(
        studio, f"c: {{badge: cost, at: [20, 20, 20, 20], shape: {shape}, ground: bronze}}"
    )
    assert near(pixel(studio, face, 30, 36), BRONZE) or shape == "star"
    assert near(pixel(studio, face, 30, 26), BRONZE)
    assert near(pixel(studio, face, 30, 41.5), (255, 255, 255))


def test_a_variant_changes_colours_and_places_and_drops_boxes(studio: Studio) -> None:
    lines = ("band: {fill: bronze, at: [0, 0, 63, 20]}", "name: {text: name, at: [5, 30, 50, 8]}")
    tail = "variants:\n  by: type\n  Hero: {band: {fill: ink}, name: {at: [5, 60, 50, 8]}}\n"
    tail += "  Spell: {band: null}\n"
    for type_, colour, top in (
        ("Hero", INK, 60),
        ("Spell", (255, 255, 255), 30),
        ("?", BRONZE, 30),
    ):
        studio.values = {"name": source("Ada"), "type": source(type_)}
        [face] = boxes(studio, *lines, tail=tail)
        assert near(pixel(studio, face, 30, 10), colour)
        assert face.text_boxes[0].box.y == top


def test_variants_by_several_values_add_up(studio: Studio) -> None:
    lines = ("band: {fill: bronze, at: [0, 0, 63, 20]}", "name: {text: name, at: [5, 30, 50, 8]}")
    tail = "variants:\n  - by: type\n    Hero: {band: {fill: ink}}\n"
    tail += "  - by: long\n    true: {name: {at: [5, 60, 50, 8]}}\n"
    head = "let: {letters: name | length, long: letters > 3}\n"
    for type_, name, colour, top in (
        ("Hero", "Ada", INK, 30),
        ("Hero", "Adalbert", INK, 60),
        ("?", "Adalbert", BRONZE, 60),
    ):
        studio.values = {"name": source(name), "type": source(type_)}
        [face] = boxes(studio, *lines, head=head, tail=tail)
        assert near(pixel(studio, face, 30, 10), colour)
        assert face.text_boxes[0].box.y == top


def test_fields_have_other_names_in_boxes(studio: Studio) -> None:
    """Each name means the component's field, even when two names are exchanged."""
    base = 'face: poker\nlet: {both: "[name, text]"}\nboxes:\n'
    base += "  a: {text: name, at: [5, 5, 50, 8]}\n  b: {text: text, at: [5, 20, 50, 8]}\n"
    base += "  c: {text: cost, at: [5, 40, 50, 8]}\n  d: {text: both, at: [5, 60, 50, 8]}\n"
    own = "like: base.face.yaml\nfields: {name: text, text: name, cost: none}\n"
    files, faults = face_files(studio, base=base, card=own)
    assert faults == []
    studio.values = {"name": source("Ada", 7), "text": source("Duel", 8)}
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}).value
    assert face.words.split("\n") == ["Duel", "Ada", "Duel, Ada"]
    assert face.text_boxes[0].span.line == 8


@pytest.mark.parametrize(
    ("row", "places"),
    [
        ("gap: 2", [(5, 5, 14), (21, 5, 14), (37, 5, 14)]),
        ("gap: 2, across: 2", [(5, 5, 22), (29, 5, 22), (5, 16, 22)]),
        ("gap: 2, align: left", [(5, 5, 10), (17, 5, 10), (29, 5, 10)]),
        ("gap: 2, align: right", [(17, 5, 10), (29, 5, 10), (41, 5, 10)]),
    ],
)
def test_boxes_of_a_row_stand_in_lines(
    studio: Studio, row: str, places: list[tuple[int, int, int]]
) -> None:
    studio.values = {name: source(name) for name in "abd"} | {"c": None}
    texts = ", ".join(f"{{text: {name}}}" for name in "abcd")
    [face] = boxes(studio, f"it: {{row: [{texts}], {row}, at: [5, 5, 46, 20]}}")
    for box, place in zip(face.text_boxes, places, strict=True):
        assert (box.box.x, box.box.y, box.box.width) == pytest.approx(place)


def test_a_badge_turns_as_a_whole(studio: Studio) -> None:
    """Its words are turned once; turned twice, they would lie level."""
    studio.values = {"name": source("Rhinoceros")}
    [face] = boxes(studio, "it: {badge: name, shape: rectangle, turn: 90, at: [20, 30, 20, 20]}")
    x, y = ((at + face.stock.bleed) * 5 for at in (30, 40))
    picture = png(face, studio.root)
    across = picture.crop((int(x) - 35, int(y), int(x) + 36, int(y) + 1))
    down = picture.crop((int(x), int(y) - 35, int(x) + 1, int(y) + 36))
    assert len(down.getcolors() or ()) > len(across.getcolors() or ())


def test_texts_of_a_row_have_one_size(studio: Studio) -> None:
    studio.values = {"a": source("Ox"), "b": source("Rhinoceros")}
    row = "[{text: a}, {badge: b, shape: rectangle}]"
    [face] = boxes(studio, f"it: {{row: {row}, size: 14pt, at: [5, 5, 36, 10]}}")
    [size] = {box.size_pt for box in face.text_boxes}
    assert 7 <= size < 14


def test_a_table_puts_words_beside_values_and_leaves_out_empty_ones(studio: Studio) -> None:
    studio.values = {"speed": 4, "armour": 12, "luck": None, "reach": source("far")}
    lines = "{Speed: speed, Luck: luck, Armour: armour, Reach: '{{ reach }}'}"
    [face] = boxes(studio, f"it: {{table: {lines}, across: 2, gap: 2, at: [5, 5, 42, 20]}}")
    assert face.words.split("\n") == ["Speed", "4", "Armour", "12", "Reach", "far"]
    speed, _, armour, twelve, reach, _ = (box.box for box in face.text_boxes)
    assert (speed.x, armour.x, reach.x) == pytest.approx((5, 27, 5))
    assert speed.y == armour.y < reach.y
    assert twelve.x + twelve.width == pytest.approx(47)


def test_a_table_in_a_column_is_as_high_as_its_lines(studio: Studio) -> None:
    studio.values = {"speed": 4, "text": source("Wait.")}
    studio.values["far"] = source("As far as a rider comes in a day of good weather")
    column = "[{table: {Speed: speed, Reach: far, Again: speed}}, {text: text}]"
    [face] = boxes(studio, f"it: {{column: {column}, size: 7.5pt, at: [5, 5, 42, 40]}}")
    assert {box.size_pt for box in face.text_boxes} == {7.5}
    speed, _, reach, far, again, _, text = (box.box for box in face.text_boxes)
    assert [box.lines for box in face.text_boxes] == [1, 1, 1, 2, 1, 1, 1]
    assert far.width > 28
    assert speed.bottom < reach.bottom < again.bottom < text.bottom
    assert text.y == pytest.approx(again.bottom)


def test_a_face_file_takes_over_the_boxes_of_another(studio: Studio) -> None:
    base = "face: poker\nground: sand\nboxes:\n  a: {text: name, at: [5, 5, 50, 8]}\n"
    base += "  b: {fill: ink, at: [5, 20, 50, 8]}\n"
    base += "variants: {by: name, Ada: {a: {size: 8pt}}}\n"
    own = "like: base.face.yaml\nboxes:\n  a: {at: [5, 50, 50, 8]}\n  b: null\n"
    own += "variants: {Ada: {a: {at: [5, 60, 50, 8]}}}\n"
    files, faults = face_files(studio, base=base, card=own)
    assert faults == []
    studio.values = {"name": source("Ada")}
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}).value
    assert [box.name for box in face.placed] == ["a"]
    assert face.text_boxes[0].box == Rect(5, 60, 50, 8)
    assert face.text_boxes[0].size_pt == 8


def test_a_file_has_the_last_word_over_variants_of_the_one_it_is_like(studio: Studio) -> None:
    base = "face: poker\nground: sand\nboxes:\n  a: {text: name, at: [5, 5, 50, 8], size: 9pt}\n"
    base += "variants: {by: name, Ada: {ground: ink, a: {at: [5, 20, 50, 8], size: 8pt}}}\n"
    own = "like: base.face.yaml\nground: bronze\nboxes:\n  a: {at: [5, 40, 50, 8]}\n"
    files, faults = face_files(studio, base=base, card=own)
    assert faults == []
    studio.values = {"name": source("Ada")}
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}).value
    [text] = face.text_boxes
    assert (text.box.y, text.size_pt) == (40, 8)
    assert near(pixel(studio, face, 30, 80), BRONZE)


@pytest.mark.parametrize(("name", "size"), [("Ada", 9), ("Adalbert", 7.5)])
def test_variants_by_the_same_value_are_one(studio: Studio, name: str, size: float) -> None:
    """They come before variants of the other file that depend on another value."""
    base = "face: poker\nlet: {long: name | length > 5}\nboxes:\n"
    base += (
        "  a: {text: name, at: [5, 5, 50, 8], size: 10pt}\n  b: {fill: ink, at: [5, 20, 9, 9]}\n"
    )
    base += "variants:\n  - {by: kind, x: {b: {fill: sand}}}\n"
    base += "  - {by: long, true: {a: {size: 7.5pt}}}\n"
    own = "like: base.face.yaml\nboxes:\n  b: {fill: sand}\n"
    own += "variants: {by: kind, y: {a: {size: 9pt}, b: {fill: bronze}}}\n"
    files, faults = face_files(studio, base=base, card=own)
    assert faults == []
    studio.values = {"name": source(name), "kind": source("y")}
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}).value
    assert face.text_boxes[0].size_pt == size
    assert near(pixel(studio, face, 8, 24), BRONZE)


def test_a_box_that_becomes_something_else_keeps_only_its_place(studio: Studio) -> None:
    base = "face: poker\nboxes:\n  text: {fill: ink, shape: circle, at: [5, 5, 50, 8]}\n"
    base += "  gone: {fill: ink, at: [5, 20, 50, 8]}\n"
    base += "variants: {by: name, Ada: {gone: {fill: sand}}}\n"
    own = "like: base.face.yaml\nboxes:\n  text: {text: name}\n  gone: null\n"
    own += "  frame: {frame: ink, at: [9, 60, 9, 9]}\n"
    files, faults = face_files(studio, base=base, card=own)
    assert faults == []
    studio.values = {"name": source("Ada")}
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}).value
    assert [box.name for box in face.placed] == ["text", "frame"]
    assert face.text_boxes[0].box == Rect(5, 5, 50, 8)


def test_a_macro_draws_a_part_and_a_template_draws_a_face_file(studio: Studio) -> None:
    rect = "<rect x='{{ x }}' y='{{ y }}' width='{{ w }}' height='{{ h }}' fill='{{ c.tint }}'/>"
    macro = f"{{% macro dot(x, y, w, h, c) %}}{rect}{{% endmacro %}}"
    studio.template(macro, "parts.svg.j2")
    studio.values = {"tint": source("#a8743a")}
    [face] = boxes(studio, "dot: {part: parts.svg.j2 dot, at: [10, 10, 20, 20]}")
    assert near(pixel(studio, face, 20, 20), BRONZE)
    face = studio.face('{{ boxes("card.face.yaml") }}')
    assert near(pixel(studio, face, 20, 20), BRONZE)
    assert face.placed[0].rect == Rect(10, 10, 20, 20)


def test_a_template_draws_a_face_file_for_another_component(studio: Studio) -> None:
    body = "face: poker\nground: sand\nboxes:\n  it: {fill: tint, at: [0, 10, 30, 10]}\n"
    studio.more = {"face_files": face_files(studio, card=body)[0]}
    other = Record({"id": "b", "tint": "bronze"}, Span("f"))
    small = Record({"w": 30, "h": 20, "bleed": 1}, Span("f"))
    studio.values = {"tint": source("ink"), "other": other, "small": small}
    face = studio.face('{{ boxes("card.face.yaml", c.other, c.small) }}')
    assert near(pixel(studio, face, 30.5, 15), BRONZE)
    assert near(pixel(studio, face, 10, 20.5), BRONZE)
    assert near(pixel(studio, face, 35, 15), (255, 255, 255))
    assert face.placed == ()


@pytest.mark.parametrize(("name", "given"), [("c", "c.other"), ("stock", "c, c.other")])
def test_what_a_face_file_is_drawn_for_is_checked(studio: Studio, name: str, given: str) -> None:
    studio.more = {"face_files": face_files(studio, card="face: poker\nboxes: {}\n")[0]}
    studio.values = {"other": Record({"name": "b"}, Span("f"))}
    [found] = studio.findings(f"{{{{ boxes('card.face.yaml', {given}) }}}}")
    assert f"{name} must be a" in found.message


@pytest.mark.parametrize(("w", "size"), [(50, 20), (28, 15), (21, 12), (15, 8.9)])
def test_a_text_has_the_first_of_some_sizes_at_which_it_fits(
    studio: Studio, w: int, size: float
) -> None:
    studio.values = {"name": source("Watchtower")}
    look = f"size: 20pt, steps: [15pt, 12pt], at: [5, 5, {w}, 8]"
    [face] = boxes(studio, f"a: {{text: name, {look}}}")
    assert face.text_boxes[0].size_pt == size


def test_a_turned_box_turns_about_its_middle(studio: Studio) -> None:
    [face] = boxes(studio, "a: {fill: ink, at: [20, 40, 20, 4], turn: 90}")
    assert near(pixel(studio, face, 30, 33), INK)
    assert near(pixel(studio, face, 22, 42), (255, 255, 255))


def test_low_ink_prints_other_colours(studio: Studio) -> None:
    files, _ = face_files(studio, card="face: poker\nground: bronze\nboxes: {}\n")
    studio.more = {"face_files": files}
    [face] = studio.draw(faces={"front": FILE}, ink="low").value
    assert near(pixel(studio, face, 30, 30), (232, 220, 203))


@pytest.mark.parametrize(
    ("line", "code", "column", "words"),
    [
        ("a: {text: nam, at: [5, 5, 50, 8]}", "GP303", 13, "there is no field 'nam'"),
        ('a: {text: "{{ nam }}", at: [5, 5, 50, 8]}', "GP211", 13, "'nam' is not known here"),
        ('a: {text: "{{ name + }}", at: [5, 5, 50, 8]}', "GP211", 13, "unexpected end"),
        ("a: {text: name, style: titel, at: [5, 5, 50, 8]}", "GP309", 3, "no style 'titel'"),
        ("a: {text: name, colour: inc, at: [5, 5, 50, 8]}", "GP309", 3, "no colour 'inc'"),
        ("a: {text: name, at: [5, 5, 50]}", "GP213", 23, "3 entries, 4 are needed"),
        ("a: {text: name, at: [5, 5, 0, 8]}", "GP213", 3, "nothing fits"),
        ("a: {text: name}", "GP213", 3, "at is missing"),
        ("a: {txt: name, at: [5, 5, 50, 8]}", "GP213", 3, "no word says what the box shows"),
        ("a: {text: name, badge: name, at: [5, 5, 9, 9]}", "GP213", 3, "has text and badge"),
        ("a: {text: name, fit: cover, at: [5, 5, 9, 9]}", "GP213", 19, "fit has no effect"),
        ("a: {text: name, colr: ink, at: [5, 5, 9, 9]}", "GP202", 19, "no such key"),
        ("a: {fill: ink, edge: bronze, at: [5, 5, 9, 9]}", "GP213", 24, "is no edge"),
        ("a: {icon: nothing-such, at: [5, 5, 9, 9]}", "GP502", 13, "no icon"),
        ("a: {picture: gone.png, at: [5, 5, 9, 9]}", "GP501", 16, "gone.png"),
        ("a: {part: parts.svg.j2 dial, at: [5, 5, 9, 9]}", "GP301", 13, "parts.svg.j2"),
        ("a: {row: [{row: [], gap: 1}], at: [5, 5, 9, 9]}", "GP213", 13, "no row in a row"),
        ("a: {icon: star, times: name, at: [5, 5, 9, 9]}", "GP304", 26, "times is Ada"),
        ("a: {text: stats, at: [5, 5, 9, 9]}", "GP304", 3, "a: only text and numbers"),
        ("a: {column: [{text: stats}], at: [5, 5, 9, 9]}", "GP304", 16, "only text and numbers"),
        ("a: {fill: stats, at: [5, 5, 9, 9]}", "GP304", 3, "only text and numbers"),
        ("a: {part: loop.svg.j2 loop, at: [5, 5, 9, 9]}", "GP306", 13, ""),
        ("a: {part: loop.svg.j2 gone, at: [5, 5, 9, 9]}", "GP303", 13, "no macro 'gone'"),
        ("a: {text: name, size: 30pt, at: [5, 5, 3, 3]}", "GP401", 11, "does not fit a box"),
        ("a: {text: name, at: [-9, 5, 30, 8]}", "GP404", 3, "is cut off"),
    ],
)
def test_faults_stand_where_they_are_written(
    studio: Studio, line: str, code: str, column: int, words: str
) -> None:
    studio.icon("star", '<rect width="10" height="10"/>')
    loop = '{% macro loop(x, y, w, h, c) %}{{ boxes("card.face.yaml") }}{% endmacro %}'
    studio.template(loop, "loop.svg.j2")
    studio.values = {"name": source("Ada"), "stats": Record({"might": 3}, source("").span)}
    _, found = drawn(studio, line)
    assert [each.code for each in found] == [code]
    [each] = found
    assert words in each.message
    assert each.span.column == column
    assert each.span.line == 3


def test_a_circle_of_files_is_reported(studio: Studio) -> None:
    files, faults = face_files(
        studio, a="like: b.face.yaml\nboxes: {}\n", b="like: a.face.yaml\nboxes: {}\n"
    )
    assert files == {}
    assert "a circle, a.face.yaml is like b.face.yaml is like a.face.yaml" in faults[0].message


def test_a_kept_face_is_drawn_anew_when_its_file_changes(studio: Studio, tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache")
    studio.values = {"name": source("Ada")}
    seen = []
    for left in (5, 5, 9):
        text = f"face: poker\nboxes:\n  a: {{text: name, at: [{left}, 5, 40, 8]}}\n"
        studio.more = {"face_files": face_files(studio, card=text)[0]}
        [face] = studio.draw(faces={"front": FILE}, cache=cache).value
        seen.append((face.text_boxes[0].box.x, operators(face)))
    assert seen[0] == seen[1]
    assert seen[2][0] == 9
    assert seen[2][1] != seen[1][1]
