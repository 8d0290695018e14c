"""What people print: pages shown large, faults first, files for others, and what changed."""

import zipfile
from pathlib import Path

from playwright.sync_api import expect
from studio.browser.person import Person

SLOW = 60_000  # ms; a pack is printed on a busy machine


def printed(person: Person) -> None:
    """Print, and wait for the first page."""
    person.page.get_by_role("button", name="Make the pages").click()
    expect(person.page.get_by_text("The pages are ready")).to_be_visible(timeout=SLOW)


def test_only_what_changed_is_printed_and_named(person: Person) -> None:
    page = person.page
    person.tab("Print")
    printed(person)
    person.tab("Cards")
    person.field("name").fill("Lighthouse")
    person.is_saved()
    person.tab("Print")
    expect(page.get_by_text("1 changed since")).to_contain_text("Lighthouse")
    page.get_by_label("Only what changed since I printed").check()
    page.get_by_role("button", name="Make the pages").click()
    words = page.get_by_text("These pages hold the 1 component that changed: Lighthouse")
    expect(words).to_be_visible(timeout=SLOW)


def test_a_page_is_shown_large_by_keys_and_leads_to_its_cards(person: Person) -> None:
    page = person.page
    person.tab("Print")
    printed(person)
    page.locator(".page-thumb").first.focus()
    page.keyboard.press("Enter")
    large = page.get_by_role("dialog")
    expect(large).to_have_accessible_name("Page 1 front of cards-a4.pdf")
    page.keyboard.press("ArrowRight")
    expect(large).to_have_accessible_name("Page 1 back of cards-a4.pdf")
    page.keyboard.press("Escape")
    expect(page.locator(".page-thumb").first).to_be_focused()
    page.keyboard.press("Enter")
    large.get_by_role("link", name="Watchtower").click()
    expect(person.field("name")).to_have_value("Watchtower")


def test_an_error_is_named_and_leads_to_its_card(person: Person) -> None:
    page = person.page
    expect(person.front()).to_be_visible()
    person.field("cost").fill("four")
    person.tab("Print")
    expect(page.get_by_text("1 error must be fixed before you can print.")).to_be_visible()
    expect(page.get_by_role("button", name="Make the pages")).to_be_disabled()
    page.locator(".print-errors a").click()
    expect(person.field("cost")).to_have_value("four")


def test_the_files_of_an_outlet_come_as_a_zip(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.tab("Print")
    page.get_by_role("radio", name="Shops and programs").click()
    page.get_by_role("spinbutton", name="Dots per inch").fill("72")
    page.get_by_role("button", name="Make the files").click()
    link = page.get_by_role("link", name="Download all as a zip")
    expect(link).to_be_visible(timeout=SLOW)
    with page.expect_download() as waiting:
        link.click()
    path = tmp_path / "all.zip"
    waiting.value.save_as(path)
    with zipfile.ZipFile(path) as archive:
        assert "card-watchtower-front.png" in archive.namelist()
