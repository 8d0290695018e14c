"""Table with the clipboards of spreadsheets, and under a finger."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect
from studio.browser.person import Person
from studio.browser.served import Served

CARDS = "cards/duel/cards.yaml"
TABLET = ViewportSize(width=1024, height=768)
EXCEL = """<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><style>
br {mso-data-placement:same-cell;}</style></head><body><table><!--StartFragment-->
 <tr height=20><td height=20>Name</td><td class=xl65 x:num>7</td></tr>
 <tr style='display:none'><td>hidden</td><td></td></tr>
 <tr height=20><td>&quot;Fog&quot;</td><td>A text that Excel
  wraps<br>
    in&nbsp;two</td></tr><!--EndFragment--></table></body></html>"""
EXCEL_TEXT = 'Name\t7\r\n"Fog"\t"A text that Excel wraps\nin two"\r\n'
OFFICE = """<html><body><table cellspacing="0"><tr><td height="17" align="left"><br></td>
<td align="right" sdval="3" sdnum="1033;"><font size=1>3</font></td></tr>
<tr><td colspan=2 align="left"><b>wide</b></td></tr></table></body></html>"""
SHEETS = """<meta charset='utf-8'><google-sheets-html-origin><style type="text/css"><!--td
{border: 1px solid #cccccc;}br {mso-data-placement:same-cell;}--></style>
<span data-sheets-root="1">one<br/>cell</span></google-sheets-html-origin>"""
COPIES = [
    (EXCEL, EXCEL_TEXT, [["Name", "7"], ['"Fog"', "A text that Excel wraps\nin two"]]),
    (OFFICE, "\t3\nwide\t\n", [["", "3"], ["wide", ""]]),
    (SHEETS, "one\ncell", [["one\ncell"]]),
    ("<p>not a table</p>", "a\tb", [["a", "b"]]),
    ("", "5\u00a0cm\n", [["5\u00a0cm"]]),
]


def test_what_spreadsheets_copy_is_read_as_one_sees_it(page: Page, served: Served) -> None:
    page.goto(f"{served.origin}/")
    read = """async ([html, text]) => {
      const main = document.querySelector("script[type=module]").src;
      const { fromClipboard } = await import(new URL("views/table/clipboard.js", main));
      const data = { "text/html": html, "text/plain": text };
      return fromClipboard({ getData: (type) => data[type] });
    }"""
    for html, text, rows in COPIES:
        assert page.evaluate(read, [html, text]) == rows


@pytest.fixture
def finger(browser: Browser, served: Served, root: Path) -> Iterator[Person]:
    """Open the pack in Table on a tablet."""
    context = browser.new_context(viewport=TABLET, locale="en-GB", has_touch=True)
    person = Person(context.new_page(), served, root)
    context.request.get(served.address)
    person.open("table")
    yield person
    assert person.faults == []
    context.close()


def test_a_tap_chooses_a_cell_and_one_more_edits_it(finger: Person) -> None:
    page = finger.page
    cell = page.get_by_role("gridcell", name="Watchtower", exact=True)
    cell.tap()
    expect(cell).to_have_class(re.compile("cursor"))
    field = page.locator(".cell-editor")
    expect(field).to_be_hidden()
    cell.tap()
    expect(field).to_be_focused()
    field.fill("Lighthouse")
    page.get_by_role("gridcell", name="Fair Wind", exact=True).tap()
    expect(page.get_by_role("gridcell", name="Lighthouse", exact=True)).to_be_visible()
    finger.is_saved()
    assert "name: Lighthouse" in finger.read(CARDS)


def test_a_finger_on_the_chosen_cell_takes_more_cells(finger: Person) -> None:
    page = finger.page
    first = page.get_by_role("gridcell", name="Watchtower", exact=True)
    last = page.get_by_role("gridcell", name="The Wanderer", exact=True)
    first.tap()
    expect(first).to_have_class(re.compile("cursor"))
    touch = page.context.new_cdp_session(page)
    for kind, cell in (("touchStart", first), ("touchMove", last), ("touchEnd", None)):
        box = cell.bounding_box() if cell else None
        points = [{"x": box["x"] + 20, "y": box["y"] + 10}] if box else []
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.locator(".grid-cell.chosen")).to_have_count(3)
    expect(page.locator(".cell-editor")).to_be_hidden()


def test_choices_are_typed_in_a_row_and_what_is_none_is_seen(person: Person) -> None:
    person.tab("Table")
    page = person.page
    page.get_by_role("gridcell", name="The Wanderer", exact=True).click()
    page.keyboard.press("ArrowRight")
    for text in ("Omen", "2", "3", "fir"):
        page.keyboard.type(text)
        page.keyboard.press("Tab")
    page.keyboard.press("ArrowLeft")
    page.keyboard.type("castle")
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox", name="Scene")).to_have_value("castle")
    expect(page.get_by_role("option")).to_have_count(4)
    page.keyboard.press("Escape")
    person.is_saved()
    assert "type: Omen\n    cost: 2\n    rank: 3\n    scene: firs" in person.read(CARDS)


def test_rows_are_pasted_where_there_are_none_and_a_fault_leads_to_its_cell(person: Person) -> None:
    text = person.read(CARDS)
    person.file(CARDS).write_text(text[: text.index("components:")] + "components: []\n", "utf-8")
    person.go("table/card")
    page = person.page
    expect(page.get_by_role("status").filter(has_text="0 rows")).to_be_visible()
    page.locator(".sheet-grid").focus()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.activeElement.dispatchEvent(new ClipboardEvent("paste",
            { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        "Gale\tWeather\t7\r\nCalm\tWeather\tmany\r\n",
    )
    expect(page.locator(".grid-cell.chosen")).to_have_count(6)
    page.locator(".status-fault").click()
    cell = page.get_by_role("gridcell", name="many")
    expect(cell).to_have_class(re.compile("cursor"))
