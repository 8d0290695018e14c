"""Table, Files and Print: changes made in one appear in the files and in the print."""

import re
import zipfile
from pathlib import Path

import pypdfium2
from playwright.sync_api import expect
from studio.browser.person import Person

from generator.starters import start_pack

CARDS = "cards/duel/cards.yaml"
FACE = "templates/duel/card.face.yaml"
STYLES = "templates/duel/styles.yaml"
MM = 72 / 25.4  # points


def printed(person: Person) -> Path:
    """Print on A4, and return the file that the browser downloads."""
    page = person.page
    person.tab("Print")
    expect(page.get_by_role("checkbox", name="A4")).to_be_checked()
    expect(page.get_by_role("checkbox", name="US Letter")).not_to_be_checked()
    page.get_by_role("button", name="Make the pages").click()
    expect(page.locator(".result.done")).to_be_visible()
    with page.expect_download() as loading:
        page.get_by_role("link", name="Download").click()
    return Path(loading.value.path())


def place_of(words: str, pdf: Path) -> tuple[float, float]:
    """Return where words are on the first page, in mm from the lower left."""
    with pypdfium2.PdfDocument(pdf) as document:
        text = document[0].get_textpage()
        found = text.search(words).get_next()
        assert found
        left, bottom, _, _ = text.get_charbox(found[0])
        return left / MM, bottom / MM


def test_a_moved_box_is_moved_in_the_print(person: Person) -> None:
    page = person.page
    x, y = place_of("Place", printed(person))
    person.tab("Look")
    page.locator(".box-pick", has_text="Type").first.click()
    page.get_by_label("Top, mm").fill("58.6")
    page.get_by_label("Top, mm").press("Enter")
    expect(page.get_by_role("button", name="Undo: move Type")).to_be_visible()
    person.is_saved()
    assert "type:  {text: type, at: [5.5, 58.6, 52.5, 4], style" in person.read(FACE)
    moved_x, moved_y = place_of("Place", printed(person))
    assert (round(moved_x - x, 2), round(moved_y - y, 2)) == (0, -2)


def test_cells_pasted_from_a_spreadsheet_are_one_step(person: Person) -> None:
    page = person.page
    before = person.read(CARDS)
    person.tab("Table")
    page.get_by_role("gridcell", name="Watchtower", exact=True).click()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.activeElement.dispatchEvent(new ClipboardEvent("paste",
            { clipboardData: data, bubbles: true, cancelable: true }));
        }""",
        "Lighthouse\tCoast\t7\r\nGale\tWeather\tmany\r\n",
    )
    expect(page.get_by_role("gridcell", name="Gale", exact=True)).to_be_visible()
    wrong = page.get_by_role("gridcell", name="many")
    expect(wrong).to_have_attribute("aria-invalid", "true")
    person.is_saved()
    text = person.read(CARDS)
    assert re.findall("name: (.*)", text) == ["Lighthouse", "Gale", "The Wanderer"]
    assert re.findall("cost: (.*)", text) == ["7", "many", "5"]
    person.undo()
    expect(wrong).to_have_count(0)
    person.is_saved()
    assert person.read(CARDS) == before


def test_the_faces_of_a_row_are_shown_also_if_two_rows_have_the_same_back(person: Person) -> None:
    person.tab("Table")
    faces = person.page.locator(".beside .face img")
    expect(faces).to_have_count(2)
    person.page.get_by_role("gridcell", name="Fair Wind", exact=True).click()
    expect(person.page.get_by_role("img", name="Fair Wind, Back")).to_be_visible()
    expect(faces).to_have_count(2)


def test_a_fault_in_a_file_is_marked_where_it_is_and_seen_in_cards(person: Person) -> None:
    page = person.page
    person.tab("Files")
    line = page.locator(".cm-line", has_text="cost: 4")
    line.click()
    page.keyboard.press("End")
    page.keyboard.type("x")
    expect(page.locator(".cm-lintRange-error")).to_have_text("4x")
    expect(page.locator(".file-faces .flaw.error").first).to_be_attached()
    person.tab("Cards")
    expect(person.field("cost")).to_have_value("4x")
    person.tab("Files")
    line.click()
    page.keyboard.press("End")
    page.keyboard.press("Backspace")
    expect(page.locator(".cm-lintRange-error")).to_have_count(0)
    expect(page.get_by_role("button", name="No faults")).to_be_visible()


def test_a_card_beside_its_file_follows_each_key_and_leads_to_its_lines(person: Person) -> None:
    page = person.page
    person.tab("Files")
    picture = page.get_by_role("img", name="Watchtower, Front")
    expect(picture).to_be_visible()
    page.locator(".file-faces .spot", has_text="cards.yaml:5").first.click()
    expect(page.locator(".cm-activeLine")).to_contain_text("Watchtower")
    person.open(f"files/{STYLES}")
    expect(picture).to_have_attribute("src", re.compile("/api/picture/"))
    before = str(picture.get_attribute("src"))
    page.locator(".cm-line", has_text="band:").first.dblclick(position={"x": 80, "y": 8})
    page.keyboard.type("1a3b5c")
    expect(picture).not_to_have_attribute("src", before)


def test_a_pack_that_cannot_be_read_is_put_right_in_its_file(person: Person) -> None:
    page = person.page
    path = "cards/duel/pack.yaml"
    person.file(path).write_text(f"{person.read(path)}[", "utf-8")
    person.open(f"files/{path}")
    expect(page.get_by_text("1 fault", exact=True)).to_be_visible()
    page.get_by_role("textbox", name="pack.yaml").press("Control+End")
    page.keyboard.press("Backspace")
    expect(page.get_by_role("button", name="No faults")).to_be_visible()


def test_faces_with_a_mistake_have_the_same_mark_and_words_everywhere(person: Person) -> None:
    page = person.page
    expect(person.front()).to_be_visible()
    path = person.file(FACE)
    path.write_text(person.read(FACE).replace("text: type", "text: typo"), "utf-8")
    for place in (".desk-faces", ".gallery"):
        marked = page.locator(f"{place} .face:is(.faulty, .stale)").first
        expect(marked).to_contain_text("Has a mistake")
    for view in ("Look", "Table"):
        person.tab(view)
        expect(page.locator(".face.faulty").first).to_contain_text("Has a mistake")


def test_tab_leaves_the_editor_until_somebody_writes(person: Person) -> None:
    page = person.page
    before = person.read(CARDS)
    person.tab("Files")
    editor = page.get_by_role("textbox", name="cards.yaml")
    editor.focus()
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    editor.focus()
    page.keyboard.press("Control+Home")
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(editor).to_be_focused()
    page.keyboard.press("Escape")
    page.keyboard.press("Tab")
    expect(editor).not_to_be_focused()
    person.is_saved()
    assert person.read(CARDS) == f"\n  {before}"


def test_a_word_finds_cards_from_every_view_but_files(person: Person) -> None:
    page = person.page
    expect(person.front()).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("wanderer")
    expect(page.get_by_text("does not match the search")).to_be_visible()
    page.keyboard.press("Enter")
    expect(person.field("name")).to_have_value("The Wanderer")
    expect(page.get_by_text("does not match the search")).to_have_count(0)
    person.tab("Files")
    expect(page.locator("#search")).to_have_value("")
    person.tab("Print")
    expect(page.get_by_role("button", name="Make the pages")).to_be_visible()
    page.keyboard.press("/")
    page.keyboard.type("wind")
    expect(person.entry("Fair Wind")).to_be_visible()
    person.tab("Table")
    expect(page.get_by_role("gridcell", name="The Wanderer", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Show all rows").click()
    expect(page.locator(".grid-cell.cursor")).to_have_text("Fair Wind")


def test_a_reload_keeps_the_card_in_every_view_that_has_one(person: Person) -> None:
    page = person.page
    page.locator(".gallery a.entry", has_text="Fair Wind").click()
    for view in ("Look", "Cards"):
        person.tab(view)
        expect(page).to_have_url(re.compile("fair-wind"))
        page.reload()
        shown = page.get_by_role("img", name="Fair Wind", exact=False)
        expect(shown.first).to_be_visible()
    person.tab("Table")
    page.locator("#cell-1-1").click()
    expect(page).to_have_url(re.compile("/fair-wind/type$"))
    page.reload()
    expect(page.locator(".cell-line")).to_contain_text("Fair Wind")
    expect(page.locator(".cell-line")).to_contain_text("Type")


def test_every_view_bears_that_another_pack_is_opened(person: Person) -> None:
    page = person.page
    start_pack(person.root, "quest")
    person.open()
    views = {"Cards": ".gallery .entry", "Look": ".box-pick", "Table": "[role=gridcell]",
             "Files": ".cm-line", "Print": ".print-order button"}  # fmt: skip
    for at, (view, content) in enumerate(views.items()):
        person.tab(view)
        expect(page.locator(content).first).to_be_visible()
        page.locator(".pack-menu").click()
        page.get_by_role("menuitemradio", name="Duel" if at % 2 else "Quest").click()
        expect(page).to_have_title(re.compile("Duel" if at % 2 else "Quest"))
        expect(page.locator(content).first).to_be_visible()


SLOW = 60_000  # ms; a pack is printed on a busy machine


def wait_for_pages(person: Person) -> None:
    """Print, and wait for the first page."""
    person.page.get_by_role("button", name="Make the pages").click()
    expect(person.page.get_by_text("The pages are ready")).to_be_visible(timeout=SLOW)


def test_pages_are_shown_large_by_keys_and_lead_to_their_cards_whose_changes_are_printed_alone(
    person: Person,
) -> None:
    page = person.page
    person.tab("Print")
    wait_for_pages(person)
    changed = page.get_by_label("Only what changed since I printed")
    expect(changed).to_be_disabled()  # nobody has taken the pages yet
    with page.expect_download():
        page.get_by_role("link", name="Download").click()
    expect(page.get_by_text("Nothing changed since you printed")).to_be_visible()
    page.locator(".page-thumb").first.focus()
    page.keyboard.press("Enter")
    large = page.get_by_role("dialog")
    expect(large).to_have_accessible_name("Page 1 front of cards-a4.pdf")
    page.keyboard.press("ArrowRight")
    expect(large).to_have_accessible_name("Page 1 back of cards-a4.pdf")
    page.keyboard.press("Escape")
    expect(large).to_have_count(0)
    expect(page.locator(".page-thumb").first).to_be_focused()
    page.keyboard.press("Enter")
    large.get_by_role("link", name="Watchtower").click()
    expect(person.field("name")).to_have_value("Watchtower")
    person.field("name").fill("Lighthouse")
    person.is_saved()
    person.tab("Print")
    expect(page.get_by_text("1 changed since")).to_contain_text("Lighthouse")
    changed.check()
    page.get_by_role("button", name="Make the pages").click()
    words = page.get_by_text("These pages hold the 1 component that changed: Lighthouse")
    expect(words).to_be_visible(timeout=SLOW)


def test_an_error_is_named_and_leads_to_its_card(person: Person) -> None:
    page = person.page
    expect(person.front()).to_be_visible()
    person.field("cost").fill("four")
    person.tab("Print")
    expect(page.get_by_text("1 error must be fixed before you can print.")).to_be_visible()
    expect(page.get_by_role("button", name="Make the pages")).to_be_disabled()
    page.locator(".print-errors a").click()
    expect(person.field("cost")).to_have_value("four")


def test_a_warning_is_accepted_where_the_print_lists_it(person: Person) -> None:
    page = person.page
    faint = person.read(STYLES).replace('ink: "#231a14"', 'ink: "#d9c9ae"')
    person.file(STYLES).write_text(faint, "utf-8")
    person.tab("Print")
    wait_for_pages(person)
    expect(page.locator(".result-findings li, .page-mark")).to_have_count(3)
    page.locator(".result .accept").first.click()
    expect(page.locator(".result-findings li, .page-mark")).to_have_count(0)
    person.is_saved()
    assert "code: GP825, component: card/*" in person.read("cards/duel/pack.yaml")


def test_the_files_of_an_outlet_come_as_a_zip(person: Person, tmp_path: Path) -> None:
    page = person.page
    person.tab("Print")
    page.get_by_role("radio", name="Shops and programs").click()
    page.get_by_role("button", name="Pictures A picture of each face").click()
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
    page.go_back()
    page.get_by_role("combobox", name="Backs").select_option("No backs")
    page.reload()
    expect(page.get_by_role("combobox", name="Backs")).to_have_value("none")
