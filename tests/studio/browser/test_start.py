"""The way from nothing to a first card."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect
from studio.browser.dropping import drop
from studio.browser.person import Person
from studio.browser.served import Served

TABLE = b"Name,Cost,Rules\nEmber Wolf,3,Bite.\nQuiet Harbour,1,Draw a card.\n"


def test_a_table_that_is_dropped_becomes_cards_and_is_kept(
    page: Page, served: Served, tmp_path: Path
) -> None:
    person = Person(page, served, tmp_path)
    person.go("start")
    drop(page.locator(".start"), "My Beasts.csv", TABLE, "text/csv")
    first = page.get_by_role("link", name="Ember Wolf")
    expect(first.locator("img")).to_be_visible()
    expect(page.locator(".draft-faces a")).to_have_count(2)
    page.get_by_label("Name", exact=True).fill("Beasts of Salt")
    page.get_by_label("Folder").fill(str(tmp_path))
    page.get_by_role("button", name="Keep it").click()
    expect(page.locator(".form-title h2")).to_have_text("Ember Wolf")
    person.changes(person.front(), lambda: person.field("name").fill("Ash Wolf"))
    person.is_saved()
    (table,) = person.root.glob("cards/*/*.csv")
    assert "ember-wolf,Ash Wolf,3,Bite." in table.read_text("utf-8")
    assert "Beasts of Salt" in person.read(f"cards/{table.parent.name}/pack.yaml")
    assert person.faults == []


def test_a_look_becomes_a_pack_of_sample_cards(page: Page, served: Served) -> None:
    person = Person(page, served, Path())
    person.go("start")
    look = person.page.locator(".look-card").first
    expect(look.locator("img")).to_be_visible()
    look.click()
    expect(person.front()).to_be_visible()
    expect(person.page.locator(".gallery a.entry").first).to_be_visible()
    assert person.faults == []


@pytest.fixture
def start(page: Page, served: Served) -> Iterator[Page]:
    """Open the page at Start."""
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(f"{served.origin}/#/start")
    # Another test may have left a draft.
    tile = page.get_by_role("heading", name="From a spreadsheet")
    other = page.get_by_role("button", name="Start something else")
    expect(tile.or_(other)).to_be_visible()
    if other.is_visible():
        other.click()
    yield page
    assert faults == []


def test_pasted_cells_become_cards_in_another_look(start: Page) -> None:
    paste = start.get_by_role("textbox", name="or paste cells here")
    paste.evaluate(
        """(box, text) => {
          const clipboardData = new DataTransfer();
          clipboardData.setData("text/plain", text);
          const how = { clipboardData, bubbles: true, cancelable: true };
          box.dispatchEvent(new ClipboardEvent("paste", how));
        }""",
        "Name\n" + "\n".join(f"Wolf {n}" for n in range(14)),
    )
    picture = start.locator(".draft-faces img").first
    expect(picture).to_be_visible()
    expect(start.locator(".draft-faces a")).to_have_count(12)
    start.get_by_role("button", name="Show 2 more").click()
    expect(start.locator(".draft-faces a")).to_have_count(14)
    before = picture.get_attribute("src") or ""
    start.get_by_role("button", name="Ship's console").click()
    expect(picture).not_to_have_attribute("src", before)
    expect(start.get_by_role("button", name="Ship's console")).to_have_attribute(
        "aria-pressed", "true"
    )
    start.get_by_role("button", name="Start something else").click()
    expect(start.get_by_role("heading", name="From a spreadsheet")).to_be_visible()
    start.go_back()
    expect(picture).to_be_visible()


def test_a_folder_without_a_pack_is_refused_in_words(start: Page, tmp_path: Path) -> None:
    start.get_by_role("combobox", name="Folder").fill(str(tmp_path))
    start.keyboard.press("Enter")
    expect(start.locator(".toast")).to_contain_text("there is no pack in")
