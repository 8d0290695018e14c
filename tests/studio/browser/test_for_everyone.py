"""Each view, light and dark, has nothing that axe-core finds fault with."""

from pathlib import Path

from playwright.sync_api import Page, expect
from studio.browser.person import Person

AXE = Path(__file__).parent / "vendor" / "axe.min.js"
RUN = """async () => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map((one) => one.target).join(", ")}`);
}"""
AT_REST = """() => document.getAnimations()
  .filter((one) => one.effect.getComputedTiming().endTime !== Infinity)
  .forEach((one) => one.finish())"""
VIEWS = {
    "start": ".start",
    "cards": ".side .face img",
    "look": ".stage .box",
    "table": "[role=gridcell]",
    "files": ".cm-content",
    "print": ".view-print *",
}


def violations(page: Page) -> list[str]:
    """Return what axe-core says of a page as it is now, light and dark."""
    found: list[str] = []
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        page.evaluate(AT_REST)
        found += page.evaluate(RUN)
    return found


def test_every_view_is_for_everyone(person: Person) -> None:
    page = person.page
    page.evaluate(AXE.read_text("utf-8"))
    found = {}
    for view, shown in VIEWS.items():
        person.go(view)
        expect(page.locator(shown).first).to_be_visible()
        found[view] = violations(page)
    assert {view: said for view, said in found.items() if said} == {}


def test_faults_and_menus_are_for_everyone(person: Person) -> None:
    page = person.page
    page.evaluate(AXE.read_text("utf-8"))
    person.field("cost").fill("four")
    page.get_by_role("button", name="1 error").click()
    expect(page.get_by_role("dialog", name="Faults")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Theme").click()
    assert violations(page) == []


def test_dialogs_on_a_tablet_are_for_everyone(person: Person) -> None:
    page = person.page
    page.set_viewport_size({"width": 1024, "height": 768})
    page.evaluate(AXE.read_text("utf-8"))
    person.go("print")
    page.get_by_role("button", name="Make the pages").click()
    expect(page.locator(".result.done")).to_be_visible()
    assert violations(page) == []
    page.locator(".page-thumb").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert violations(page) == []
    page.keyboard.press("Escape")
    person.go("look")
    page.get_by_role("button", name="Change the look").click()
    expect(page.get_by_role("dialog", name="Change the look")).to_be_visible()
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
