"""More of how people start: pasted cells, another look, a folder that is no project."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect
from studio.browser.served import Served

TABLE = "Name,Cost,Rules\nEmber Wolf,2,Bite.\nOwl,1,Look.\n"


@pytest.fixture
def start(context: BrowserContext, served: Served) -> Iterator[Page]:
    """Open the page at Start."""
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.goto(served.address)
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
        TABLE.replace(",", "\t"),
    )
    picture = start.locator(".draft-faces img").first
    expect(picture).to_be_visible()
    before = picture.get_attribute("src") or ""
    start.get_by_role("button", name="Ship's console").click()
    expect(picture).not_to_have_attribute("src", before)
    expect(start.get_by_role("button", name="Ship's console")).to_have_attribute(
        "aria-pressed", "true"
    )


def test_a_folder_without_a_pack_is_refused_in_words(start: Page, tmp_path: Path) -> None:
    start.get_by_role("combobox", name="Folder").fill(str(tmp_path))
    start.keyboard.press("Enter")
    expect(start.locator(".toast")).to_contain_text("there is no pack in")
