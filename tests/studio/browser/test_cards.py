"""Editing cards: type, make mistakes, undo; with the mouse, and with keys alone."""

import re

from PIL import Image
from playwright.sync_api import Locator, Page, expect
from studio.browser.dropping import drop_picture
from studio.browser.person import Person

CARDS = "cards/duel/cards.yaml"


def test_what_is_typed_is_drawn_and_written_and_nothing_else_changes(person: Person) -> None:
    before = person.read(CARDS)
    person.changes(person.front(), lambda: person.field("name").fill("Lighthouse"))
    expect(person.entry("Lighthouse")).to_be_visible()
    person.field("cost").fill("")
    person.field("cost").fill("7")
    expect(person.page.get_by_role("button", name="Undo: Cost of watchtower")).to_be_visible()
    person.is_saved()
    renamed = before.replace("name: Watchtower", "name: Lighthouse")
    assert person.read(CARDS) == renamed.replace("cost: 4", "cost: 7")


def test_a_fault_stands_where_one_looks_until_it_is_put_right(person: Person) -> None:
    page, cost = person.page, person.field("cost")
    expect(page.locator(".side .face.fresh img")).to_have_count(2)
    cost.fill("four")
    fault = page.locator(".field-faults")
    expect(fault).to_have_count(1)
    expect(cost).to_have_attribute("aria-invalid", "true")
    expect(cost).to_have_attribute("aria-describedby", re.compile("field-cost-faults"))
    expect(page.locator(".side rect.flaw.error")).to_have_count(1)
    expect(person.entry("Watchtower")).to_have_accessible_name(re.compile("has errors"))
    expect(page.locator(".status-fault.error")).to_contain_text("four")
    expect(page.locator(".side .face.stale")).to_have_count(2)
    page.get_by_role("button", name="1 error").click()
    page.get_by_role("dialog", name="Faults").locator("a.fault").click()
    expect(cost).to_be_focused()
    cost.fill("7")
    expect(fault).to_have_count(0)
    expect(page.locator(".side .face.fresh")).to_have_count(2)
    expect(page.locator(".side rect.flaw")).to_have_count(0)
    expect(page.get_by_role("button", name="No faults")).to_be_visible()
    person.is_saved()
    assert "cost: 7\n" in person.read(CARDS)


def test_undo_and_redo_go_over_views(person: Person) -> None:
    page = person.page
    before = person.read(CARDS)
    person.field("name").fill("Lighthouse")
    expect(page.get_by_role("button", name="Undo: Name of watchtower")).to_be_visible()
    person.is_saved()
    person.tab("Table")
    cell = page.get_by_role("gridcell", name="Lighthouse")
    expect(cell).to_be_visible()
    page.get_by_role("button", name=re.compile("^Undo: ")).click()
    expect(cell).to_have_count(0)
    person.is_saved()
    assert person.read(CARDS) == before
    page.keyboard.press("Control+y")
    expect(cell).to_be_visible()
    person.tab("Cards")
    expect(person.field("name")).to_have_value("Lighthouse")
    person.is_saved()
    assert "name: Lighthouse" in person.read(CARDS)


def test_a_click_on_words_of_the_card_leads_to_their_field(person: Person) -> None:
    expect(person.front()).to_be_visible()
    spots = person.page.locator(".side .spot")
    expect(spots.first).to_be_attached()
    seen = set()
    for at in range(spots.count()):
        spots.nth(at).click()
        seen.add(person.page.evaluate("document.activeElement.dataset.field"))
    assert {"name", "cost", "text"} <= seen
    person.field("text").fill("Deal **2** damage.")
    expect(person.page.locator(".rich-preview strong")).to_have_text("2")


def test_a_picture_is_chosen_with_the_mouse(person: Person) -> None:
    person.file("cards/duel/art").mkdir()
    Image.new("RGB", (90, 70)).save(person.file("cards/duel/art/tower.png"))
    art = person.field("art")
    person.changes(person.front(), lambda: choose(person.page, art, "tower"))
    expect(art).to_contain_text("tower")


def choose(page: Page, field: Locator, name: str) -> None:
    """Choose from what a field offers."""
    field.click()
    page.get_by_role("option", name=name).click()


def test_a_picture_dropped_on_the_card_is_kept_and_shown(person: Person) -> None:
    expect(person.front()).to_be_visible()
    side = person.page.locator(".side .face").first
    person.changes(person.front(), lambda: drop_picture(side, "My Tower.png"))
    expect(person.page.get_by_role("button", name="Undo: Art of watchtower")).to_be_visible()
    person.is_saved()
    assert re.search(r"art: \S*my-tower", person.read(CARDS), re.IGNORECASE)
    assert [one.suffix for one in person.root.rglob("*ower.png")] == [".png"]
    person.changes(person.front(), person.undo)
    person.is_saved()
    assert "art:" not in person.read(CARDS)


def test_cards_are_added_found_and_deleted(person: Person) -> None:
    page = person.page
    before = person.read(CARDS)
    page.get_by_role("button", name="Add: Card").click()
    expect(page.locator(".form-title h2")).to_have_text("New Card")
    person.field("name").fill("Storm")
    page.keyboard.press("Tab")
    expect(person.field("id")).to_have_value("storm")
    expect(person.field("type")).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("/")
    page.keyboard.type("storm")
    expect(page.locator(".gallery a.entry")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".gallery a.entry")).to_have_count(4)
    person.field("id").fill("The Wanderer")
    page.keyboard.press("Tab")
    expect(person.field("id")).to_have_value("the-wanderer-2")
    expect(page.locator(".form-title h2")).to_have_text("Storm")
    page.get_by_role("button", name="Delete", exact=True).click()
    expect(page.locator(".gallery a.entry")).to_have_count(3)
    page.get_by_role("button", name="Add: Card").click()
    expect(page.locator(".form-title h2")).to_have_text("New Card")
    person.undo()
    expect(page.locator(".form-title h2")).to_have_text("The Wanderer")
    person.is_saved()
    assert person.read(CARDS) == before


def test_keys_alone_lead_from_the_gallery_to_an_edit_and_back(person: Person) -> None:
    page, press = person.page, person.page.keyboard.press
    expect(person.front()).to_be_visible()
    focused = page.locator(":focus")
    page.locator("body").focus()
    for _ in range(25):
        press("Tab")
        if page.evaluate("document.activeElement.matches('.gallery a.entry')"):
            break
    expect(focused).to_have_accessible_name(re.compile(r"^Watchtower( ×\d)?$"))
    press("ArrowRight")
    expect(focused).to_have_accessible_name(re.compile(r"^Fair Wind( ×\d)?$"))
    press("ArrowDown")
    expect(focused).to_have_accessible_name(re.compile(r"^The Wanderer( ×\d)?$"))
    press("Enter")
    expect(focused).to_have_attribute("data-field", "name")
    press("End")
    page.keyboard.type(" II")
    expect(page.get_by_role("button", name="Undo: Name of the-wanderer")).to_be_visible()
    person.is_saved()
    assert "name: The Wanderer II" in person.read(CARDS)
    press("Escape")
    expect(focused).to_have_accessible_name(re.compile(r"^The Wanderer II( ×\d)?$"))
    person.undo()
    expect(focused).to_have_accessible_name(re.compile(r"^The Wanderer( ×\d)?$"))
    person.is_saved()
    assert "name: The Wanderer\n" in person.read(CARDS)
