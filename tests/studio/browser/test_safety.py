"""Nothing that one types is lost: other programs, other tabs, and a server that dies."""

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, expect
from studio.browser.person import Person
from studio.browser.served import Served

from generator.cache import user_folder
from generator.studio.edited_texts import text_digest
from generator.studio.journal import Journal, Unsaved

CARDS = "cards/duel/cards.yaml"


def write_outside(person: Person, old: str, new: str) -> None:
    """Change a file as another program does."""
    text = person.read(CARDS)
    assert old in text
    person.file(CARDS).write_text(text.replace(old, new), "utf-8")


def test_an_edit_of_another_program_is_taken_told_and_can_be_undone(person: Person) -> None:
    before = person.read(CARDS)
    expect(person.front()).to_be_visible()
    person.changes(person.front(), lambda: write_outside(person, "Watchtower", "Beacon"))
    expect(person.page.get_by_text(f"Another program changed {CARDS}")).to_be_visible()
    expect(person.field("name")).to_have_value("Beacon")
    person.undo()
    expect(person.field("name")).to_have_value("Watchtower")
    person.is_saved()
    assert person.read(CARDS) == before


def test_a_conflict_shows_both_texts_and_keeps_the_chosen_one(person: Person) -> None:
    page = person.page
    expect(person.front()).to_be_visible()
    person.field("name").fill("Mine")
    expect(page.locator(".save")).to_have_text("Saving …")
    write_outside(person, "Watchtower", "Theirs")
    expect(page.locator(".save")).to_have_text("Also changed outside")
    assert "name: Theirs" in person.read(CARDS)
    person.tab("Files")
    quarrel = page.get_by_role("region", name="This file was changed in two places")
    expect(
        quarrel.get_by_role("row").filter(has_text="Mine").filter(has_text="Theirs")
    ).to_be_visible()
    expect(quarrel.get_by_role("button", name="Keep mine")).to_be_visible()
    quarrel.get_by_role("button", name="Take the file on disk").click()
    person.is_saved()
    person.tab("Cards")
    expect(person.field("name")).to_have_value("Theirs")
    assert "name: Theirs\n" in person.read(CARDS)


def test_two_tabs_see_and_never_overwrite_each_other(
    person: Person, context: BrowserContext
) -> None:
    other = Person(context.new_page(), person.served, person.root)
    other.go("cards/card/fair-wind")
    expect(other.field("name")).to_have_value("Fair Wind")
    person.field("name").fill("Lighthouse")
    expect(other.entry("Lighthouse")).to_be_visible()
    other.field("name").fill("Storm")
    expect(person.entry("Storm")).to_be_visible()
    person.is_saved()
    other.is_saved()
    text = person.read(CARDS)
    assert re.findall("name: (.*)", text) == ["Lighthouse", "Storm", "The Wanderer"]
    assert other.faults == []


def test_what_is_typed_as_the_page_closes_is_kept(person: Person, context: BrowserContext) -> None:
    expect(person.front()).to_be_visible()
    other = Person(context.new_page(), person.served, person.root)
    other.go(f"files/{CARDS}")
    other.page.locator(".cm-line", has_text="name: Watchtower").click()
    other.page.evaluate("window.setTimeout = () => 0")  # no pause in typing is noticed
    other.page.keyboard.press("End")
    other.page.keyboard.type("s")
    other.page.goto("about:blank")
    expect(person.entry("Watchtowers")).to_be_visible()


def test_unsaved_text_comes_back_after_a_crash(
    context: BrowserContext, root: Path, tmp_path: Path, served: Served
) -> None:
    first = Served(tmp_path, str(root))
    person = Person(context.new_page(), first, root)
    person.enter()
    expect(person.front()).to_be_visible()
    saved = person.read(CARDS)
    first.kill()
    typed = Unsaved(CARDS, saved.replace("Watchtower", "Lighthouse"), text_digest(saved))
    Journal(user_folder() / "studio", root).put(typed)
    expect(person.page.locator(".save")).to_have_text("Not connected")
    second = Served(tmp_path, str(root))
    try:
        person.served = second
        person.enter()
        expect(person.field("name")).to_have_value("Lighthouse")
        person.undo()
        expect(person.field("name")).to_have_value("Watchtower")
    finally:
        second.end()
