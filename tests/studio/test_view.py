"""Faces and findings as sent to the studio's page: files, ends, fields, and places on faces."""

from typing import Any

import msgspec
import openpyxl
from studio.looked import Looked

from generator.diagnostics import Diagnostic
from generator.studio.answers import Answers
from generator.studio.face_parts import face_parts
from generator.studio.typed_rows import typed_rows
from generator.studio.view import FacesShown, FindingView, face_view, finding_view

CARDS = "cards/mini/cards.yaml"
TEMPLATE = "templates/mini/card.svg.j2"


def findings(looked: Looked) -> dict[str, FindingView]:
    """Return the findings by code, with all faces drawn."""
    shown = FacesShown()
    for update in looked.draw():
        shown.show(update)
    found = looked.session.findings()
    return {one.code: finding_view(one, looked.written, looked.files, shown) for one in found}


def words(looked: Looked, found: FindingView) -> str:
    """Return the words that a finding is about."""
    lines = (looked.root / found.file).read_text("utf-8").split("\n")
    assert found.end_line == found.line
    return lines[found.line - 1][found.column - 1 : found.end_column - 1]


def test_a_wrong_value_has_its_field_its_end_and_its_faces(mini: Looked) -> None:
    mini.draw()
    mini.replace(CARDS, "speed: 3", "speed: 33")
    found = findings(mini)["GP204"]
    assert (found.file, words(mini, found)) == (CARDS, "33")
    assert (found.kind, found.id, found.path) == ("card", "first", ("speed",))


def test_a_missing_field_is_named_at_its_component(mini: Looked) -> None:
    mini.replace(CARDS, "    speed: 3\n", "")
    found = findings(mini)["GP201"]
    assert (found.kind, found.id, found.path) == ("card", "first", ("speed",))
    assert words(mini, found) == "id"


def test_an_unknown_field_is_marked_at_its_name(mini: Looked) -> None:
    mini.replace(CARDS, "speed: 3", "speed: 3\n    spede: 4")
    found = findings(mini)["GP202"]
    assert (words(mini, found), found.path) == ("spede", ("spede",))


def test_a_list_and_an_item_of_it_are_told_apart(mini: Looked) -> None:
    kind = "cards/mini/kinds/card.yaml"
    mini.replace(
        kind, "  mark:", "  tags: {type: list, max_length: 2, of: {type: int, max: 5}}\n  mark:"
    )
    mini.replace(CARDS, "    mark: dot", "    tags:\n      - 1\n      - 9\n    mark: dot")
    item = findings(mini)["GP204"]
    assert (item.path, words(mini, item)) == (("tags", 1), "9")
    mini.replace(CARDS, "      - 9\n", "      - 2\n      - 3\n")
    whole = findings(mini)["GP204"]
    assert (whole.path, whole.line) == (("tags",), 10)


def test_a_text_that_does_not_fit_is_framed_on_its_face(mini: Looked) -> None:
    mini.replace(CARDS, "name: First", "name: " + "First " * 5)
    mini.replace(TEMPLATE, '53, 8, "body"', '9, 4, "body"')
    found = findings(mini)["GP401"]
    assert found.faces == ("card/first/front",)
    assert found.rects == (("card/first/front", (5.0, 35.0, 9.0, 4.0)),)
    assert (found.path, words(mini, found)) == (("name",), "First First First First First")


def test_a_line_of_a_template_is_found_on_the_faces_that_report_it(mini: Looked) -> None:
    mini.replace(TEMPLATE, '53, 20, "body")', '53, 20, "body", size=5.5)')
    found = findings(mini)["GP405"]
    assert (found.file, found.line, found.kind) == (TEMPLATE, 4, None)
    assert words(mini, found) == '{{ text_box(c.text, 5, 45, 53, 20, "body", size=5.5) }}'
    assert found.rects == (("card/first/front", (5.0, 45.0, 53.0, 20.0)),)


def test_what_a_waiver_can_accept_says_so_without_yaml(mini: Looked) -> None:
    mini.replace(TEMPLATE, '53, 20, "body")', '53, 20, "body", size=5.5)')
    found = findings(mini)["GP405"]
    assert found.waived_as == "card/first"
    assert "waivers" not in found.hint
    mini.replace(CARDS, "speed: 3", "speed: 33")
    assert findings(mini)["GP204"].waived_as == ""


def test_the_one_gap_of_a_field_is_found_at_the_field(mini: Looked) -> None:
    rows = "".join(f"card {n},Move.,1,sun,art/field.png,dot,{n}\n" for n in range(9))
    mini.replace(
        "cards/mini/kinds/card.yaml", "fields:", "fields:\n  price: {type: int, optional: true}"
    )
    mini.write(
        "cards/mini/cards.csv",
        f"name,text,speed,suit,art,mark,price\n{rows}".replace("dot,5", "dot,"),
    )
    mini.write(CARDS, "kind: card\nrows: cards.csv\n")
    found = findings(mini)["GP219"]
    assert (found.id, found.path, found.hint) == ("card-5", ("price",), "")
    assert found.waived_as == "card/card-5"


def test_a_slip_of_the_yaml_has_the_field_before_it(mini: Looked) -> None:
    mini.draw()
    mini.replace(CARDS, "speed: 3", "speed: [3")
    found = findings(mini)["GP101"]
    assert (found.file, found.id, found.path) == (CARDS, "first", ("speed",))
    assert words(mini, found) == "["


def test_a_cell_has_the_place_of_its_text(mini: Looked) -> None:
    mini.write(
        "cards/mini/cards.csv",
        "Card Name,Text,speed,suit,art,mark\n"
        '"Anna, the first",Move.,1,sun,art/field.png,dot\n'
        "Bert,Move.,12,sun,art/field.png,dot\n",
    )
    mini.write(CARDS, "kind: card\nrows: cards.csv\ncolumns: {Card Name: name}\n")
    found = findings(mini)["GP204"]
    assert (found.file, words(mini, found)) == ("cards/mini/cards.csv", "12")
    assert (found.kind, found.id, found.path) == ("card", "bert", ("speed",))
    mini.replace("cards/mini/cards.csv", "Bert,Move.", "Bert,")
    missing = findings(mini)["GP201"]
    assert (missing.id, missing.path) == ("bert", ("text",))


def test_a_cell_of_a_workbook_has_its_row_and_its_field(mini: Looked) -> None:
    book = openpyxl.Workbook()
    for row in (
        ("name", "text", "speed", "suit", "art", "mark"),
        ("Anna", "Move.", 1, "sun", "art/field.png", "dot"),
        ("Bert", "Move.", 12, "sun", "art/field.png", "dot"),
    ):
        book.active.append(row)
    book.save(mini.root / "cards/mini/cards.xlsx")
    mini.write(CARDS, "kind: card\nrows: cards.xlsx\n")
    found = findings(mini)["GP204"]
    assert (found.file, found.line, found.column) == ("cards/mini/cards.xlsx", 3, 3)
    assert (found.kind, found.id, found.path) == ("card", "bert", ("speed",))
    rows = typed_rows(mini.written, "card", mini.files)
    assert [(row.id, row.path, row.nodes["speed"]["text"]) for row in rows] == [
        ("anna", (), "1"),
        ("bert", (), "12"),
    ]
    assert all("workbook" in row.readonly for row in rows)


def test_a_fault_of_a_kind_is_in_its_file(mini: Looked) -> None:
    mini.replace("cards/mini/kinds/card.yaml", "min: 1", "min: one")
    found: Any = next(iter(findings(mini).values()))
    assert (found.file, found.path) == ("cards/mini/kinds/card.yaml", None)
    assert words(mini, found) == "one"


def test_a_face_is_shown_with_its_stock(mini: Looked) -> None:
    [update] = mini.draw()
    assert update.face
    view = msgspec.to_builtins(face_view(update.face, "fresh"))
    assert view == {
        "key": "card/first/front", "kind": "card", "id": "first", "side": "front",
        "sha": update.face.sha256, "width": 63.5, "height": 88.9, "bleed": 3.0, "safe": 3.0,
        "shape": "rounded", "path": "", "corner": 3.0, "state": "fresh", "flaws": (),
    }  # fmt: skip


def parts(looked: Looked) -> Any:
    [update] = looked.draw()
    assert looked.check.opened
    assert update.face, looked.session.findings()
    pack = looked.check.opened.pack
    return msgspec.to_builtins(face_parts(update.face, pack, looked.written, looked.files))


def test_parts_of_a_face_lead_to_fields_and_lines(mini: Looked) -> None:
    mini.replace(TEMPLATE, "{{ icon", '{{ text_line(c.speed, 5, 80, "body") }}\n{{ icon')
    found = parts(mini)
    assert [(one["field"][2], one["line"]) for one in found["texts"]] == [
        (("speed",), 2),
        (("name",), 4),
        (("text",), 5),
    ]
    file, line, column = found["texts"][1]["value"]
    written = (mini.root / file).read_text("utf-8").splitlines()[line - 1]
    assert written[: column - 1].endswith("name: ")
    art, mark = found["pictures"]
    assert (art["rect"], art["field"], art["icon"]) == (
        (10, 10, 20, 20),
        ("card", "first", ("art",)),
        False,
    )
    assert (mark["field"][2], mark["icon"], mark["file"]) == (("mark",), True, TEMPLATE)


def test_parts_of_a_face_file_lead_to_its_boxes(mini: Looked) -> None:
    face = "templates/mini/card.face.yaml"
    mini.write(
        face,
        "face: poker\nboxes:\n  name: {text: name, at: [5, 5, 50, 8]}\n"
        "  facts:\n    row: [{text: speed}, {icon: mark}]\n"
        "    at: [5, 20, 50, 8]\n    gap: 1\n",
    )
    mini.replace("cards/mini/kinds/card.yaml", "card.svg.j2", "card.face.yaml")
    found = parts(mini)
    assert [(one["file"], one["line"], one["field"][2]) for one in found["texts"]] == [
        (face, 3, ("name",)),
        (face, 5, ("speed",)),
    ]


def test_a_face_that_no_template_could_draw_is_blank_and_faulty(mini: Looked) -> None:
    mini.replace(TEMPLATE, "{{ text_box(", "{{ text_bax(")
    answers = Answers()
    answers.look_at(mini.check, mini.session.target.project)
    (view,) = (answers.shown(update) for update in mini.draw())
    assert view
    assert (view.key, view.state, view.sha) == ("card/first/front", "faulty", "")


def test_a_face_whose_first_drawing_a_wrong_value_interrupts_is_as_it_was_and_marked(
    mini: Looked,
) -> None:
    mini.replace(CARDS, "speed: 3", "speed: fast")
    answers = Answers()
    answers.look_at(mini.check, mini.session.target.project)
    (view,) = (answers.shown(update) for update in mini.draw())
    assert view
    assert (view.key, view.state, bool(view.sha)) == ("card/first/front", "stale", True)


def test_a_finding_without_a_pack_has_only_its_place(mini: Looked) -> None:
    [found] = [Diagnostic(mini.check.opened.pack.span, "GP606", "nothing to print")]  # type: ignore[union-attr]
    told = finding_view(found, None, mini.files, FacesShown())
    assert (told.file, told.faces, told.path) == ("cards/mini/pack.yaml", (), None)
