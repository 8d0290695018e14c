"""Editing the boxes of a card: choose, drag, order and add them, by mouse and keys."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect
from studio.browser.person import Person

FACE = "templates/duel/card.face.yaml"


class Desk:
    """The view Look of the pack."""

    def __init__(self, person: Person) -> None:
        self.person = person
        self.page: Page = person.page
        person.tab("Look")
        expect(self.page.locator(".box")).not_to_have_count(0)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return where a place of the card is, given in mm."""
        card = self.page.locator(".stage-card").bounding_box()
        assert card
        scale = card["width"] / 63.5
        return card["x"] + x * scale, card["y"] + y * scale

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        """Drag from one place of the card to another, without letting go."""
        mouse = self.page.mouse
        mouse.move(*self.at(*start))
        mouse.down()
        mouse.move(*self.at(*end), steps=4)

    @property
    def chosen(self) -> Locator:
        """Return the entries of chosen boxes in the list."""
        return self.page.locator(".box-row.chosen .box-name")


@pytest.fixture
def desk(person: Person) -> Iterator[Desk]:
    """Show the first card in Look; at the end, undo makes the file as it was."""
    before = person.read(FACE)
    yield Desk(person)
    undo = person.page.get_by_role("button", name=re.compile("^Undo: "))
    while undo.count():
        name = undo.get_attribute("aria-label")
        undo.click()
        expect(person.page.get_by_role("button", name=f"Redo: {name[6:]}")).to_be_visible()
    person.is_saved()
    assert person.read(FACE) == before


def test_a_dragged_box_is_drawn_there_and_only_its_numbers_change(desk: Desk) -> None:
    person = desk.person
    before = person.read(FACE)
    desk.page.mouse.click(*desk.at(30, 70))
    expect(desk.chosen).to_have_text(["Rules"])
    picture = desk.page.locator(".stage-face img")
    drawn = picture.get_attribute("src")
    desk.page.keyboard.down("Alt")  # without snapping
    desk.drag((30, 70), (32, 73))
    expect(desk.page.locator(".stage-note")).to_be_visible()
    desk.page.mouse.up()
    desk.page.keyboard.up("Alt")
    expect(picture).not_to_have_attribute("src", drawn or "")
    expect(desk.page.get_by_role("button", name="Undo: move Rules")).to_be_visible()
    person.is_saved()
    old, new = before.splitlines(), person.read(FACE).splitlines()
    changed = [(one, other) for one, other in zip(old, new, strict=True) if one != other]
    assert len(changed) == 1
    assert re.sub(r"at: \[[^]]*\]", "", changed[0][0]) == re.sub(
        r"at: \[[^]]*\]", "", changed[0][1]
    )


def test_another_click_chooses_the_box_below_and_escape_ends_a_drag(desk: Desk) -> None:
    for name in ("Name", "Band"):
        desk.page.mouse.click(*desk.at(30, 49))
        expect(desk.chosen).to_have_text([name])
    desk.page.mouse.dblclick(*desk.at(30, 49))
    expect(desk.chosen).to_have_text(["Name"])
    desk.page.mouse.click(*desk.at(30, 49))
    desk.drag((30, 49), (20, 30))
    desk.page.keyboard.press("Escape")
    desk.page.mouse.up()
    expect(desk.page.locator(".stage-note")).to_have_count(0)
    expect(desk.page.get_by_role("button", name="Undo", exact=True)).to_be_disabled()


def test_keys_alone_move_a_box_and_say_where_it_is(desk: Desk) -> None:
    desk.page.locator(".stage").focus()
    for _ in range(3):
        desk.page.keyboard.press("Tab")
    expect(desk.chosen).to_have_text(["Band"])
    desk.page.keyboard.press("ArrowDown")
    desk.page.keyboard.press("Alt+ArrowUp")
    expect(desk.page.locator(".look > [role=status]")).to_have_text("Band: 0, 44.3 mm.")
    expect(desk.page.get_by_role("button", name="Undo: move Band")).to_be_visible()
    desk.person.is_saved()
    assert "at: [0, 44.3, 63.5, 10.5]" in desk.person.read(FACE)


def test_a_change_for_a_variant_is_written_there(desk: Desk) -> None:
    page, person = desk.page, desk.person
    page.locator(".strip-card").nth(2).click()
    page.get_by_role("radio", name="Only: Hero").click()
    page.locator(".box-pick", has_text="Name").first.click()
    size = page.get_by_label("Size", exact=True)
    size.fill("12")
    size.press("Enter")
    expect(page.get_by_role("button", name="Undo: Size of Name")).to_be_visible()
    person.is_saved()
    assert "Hero: {band: {fill: cool}, name: {size: 12pt}}" in person.read(FACE)


def test_boxes_are_copied_renamed_ordered_and_deleted(desk: Desk) -> None:
    page, person = desk.page, desk.person
    names = page.locator(".box-list .box-name")
    page.locator(".box-pick", has_text="Stars").first.click()
    page.get_by_role("button", name="Duplicate").click()
    expect(desk.chosen).to_have_text(["Stars 2"])
    page.locator(".box-pick", has_text="Stars 2").dblclick()
    page.keyboard.type("rank")
    page.keyboard.press("Enter")
    expect(desk.chosen).to_have_text(["Rank"])
    page.get_by_role("button", name="Send to back").click()
    expect(names.last).to_have_text("Rank")
    expect(page.get_by_role("button", name="Undo: order of Rank")).to_be_visible()
    person.is_saved()
    assert person.read(FACE).index("  rank:") < person.read(FACE).index("  scene:")
    dragged = names.nth(2).inner_text()
    first = page.locator(".box-row").first
    page.locator(".box-grip").nth(2).drag_to(first, target_position={"x": 40, "y": 2})
    expect(names.first).to_have_text(dragged)
    page.keyboard.press("Delete")
    expect(page.locator(".box-pick", has_text="Rank")).to_have_count(0)
    expect(names).to_have_count(8)


def test_new_words_can_be_typed_at_once(desk: Desk) -> None:
    page = desk.page
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("menuitem", name="Words").click()
    expect(page.get_by_role("textbox", name="Words")).to_be_focused()
    page.keyboard.type("First print")
    expect(page.locator(".box-row.chosen")).to_contain_text("First print")
    desk.person.is_saved()
    assert "words: First print" in desk.person.read(FACE)


def test_a_colour_of_the_pack_changes_all_cards(desk: Desk) -> None:
    page, person = desk.page, desk.person
    cards = page.locator(".strip-card img")
    expect(cards).to_have_count(3)
    before = [one.get_attribute("src") for one in cards.all()]
    page.get_by_label(re.compile("^Colour Band,")).fill("#204080")
    for number, src in enumerate(before):
        expect(cards.nth(number)).not_to_have_attribute("src", src or "")
    person.is_saved()
    assert '"#204080"' in person.read("templates/duel/styles.yaml")


def test_a_place_on_a_template_leads_to_its_line(desk: Desk) -> None:
    page, person = desk.page, desk.person
    back = "templates/duel/card-back.svg.j2"
    template = person.read(back)
    written = template.replace("</svg>", "") + "{{ text_box('Duel', 10, 10, 40, 10, 'title') }}\n"
    (person.root / back).write_text(written, encoding="utf-8")
    page.get_by_role("radio", name="Back").click()
    page.get_by_role("link", name=re.compile("line")).first.click()
    line = len(written.splitlines())
    expect(page).to_have_url(re.compile(rf"#/files/{re.escape(back)}:{line}"))
