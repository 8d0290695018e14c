"""A deck grows: copies, fields and pictures that its kind did not have, and findings accepted."""

import re

from playwright.sync_api import expect
from studio.browser.dropping import drop_picture
from studio.browser.person import Person

CARDS, FACE = "cards/duel/cards.yaml", "templates/duel/card.face.yaml"
KIND = "cards/duel/kinds/card.yaml"


def without(person: Person, file: str, what: str) -> None:
    """Take what a pattern finds out of a file."""
    person.file(file).write_text(re.sub(what, "", person.read(file)), "utf-8")


def test_a_kind_gets_copies_a_field_and_a_picture(person: Person) -> None:
    without(person, FACE, r"  art: .*\n|, when: not art")
    without(person, CARDS, r"    copies: .*\n")
    without(person, KIND, r"quantity: .*\n|  (copies|art): .*\n|(?s:checks:.*)")
    page = person.page
    expect(page.locator(".form-title")).to_contain_text("1 printed")
    person.field("copies").fill("3")
    expect(page.locator(".form-title")).to_contain_text("3 printed")
    person.is_saved()
    assert "quantity: copies" in person.read(KIND)

    page.get_by_role("button", name="Add a field").click()
    asked = page.get_by_role("form", name="Add a field")
    asked.get_by_label("Name").fill("Side of the moon")
    asked.get_by_label("What it holds").select_option("Choice")
    asked.get_by_label("Choices").fill("bright, dark")
    asked.get_by_role("button", name="Add").click()
    expect(person.field("side_of_the_moon")).to_be_visible()

    drop_picture(page.locator(".side .face").first, "My Tower.png")
    page.get_by_role("button", name="Add a picture field").click()
    expect(person.field("picture")).to_contain_text("tower")
    person.undo()
    expect(person.field("picture")).to_have_count(0)
    person.is_saved()
    assert "side_of_the_moon: {type: choice, choices: [bright, dark]" in person.read(KIND)
