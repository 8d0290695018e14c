"""Draws the pictures of docs/studio.md in a real browser: `python docs/studio_pictures.py`."""

import io
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, expect, sync_playwright

from generator.looks import Dress, card_looks
from generator.starters import start_pack

PICTURES = Path(__file__).resolve().parent / "pictures"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
WIDTH, HEIGHT, COLOURS = 1280, 800, 112
AT_REST = """() => !document.querySelector(".face:not(:has(img)), .save:not(.saved)") &&
  [...document.images].every((one) => one.complete)"""
TABLE = """Name\tType\tCost\tRules
Ember Wolf\tBeast\t3\tWhen it attacks, discard one card.
Quiet Harbour\tPlace\t1\tDraw a card.
Salt Witch\tHero\t5\tLook at the next two cards of the deck.
"""


def main() -> None:
    """Take a picture of each view."""
    with tempfile.TemporaryDirectory() as folder, opened(folder) as (browser, address):
        page = browser.new_page(
            locale="en-GB",
            viewport={"width": WIDTH, "height": HEIGHT},
            color_scheme="light",
            reduced_motion="reduce",
        )
        expect.set_options(timeout=60_000)
        page.goto(address)
        cards(page)
        look(page)
        table(page)
        files(page)
        printing(page)
        start(page)


@contextmanager
def opened(folder: str) -> Iterator[tuple[Browser, str]]:
    """Serve a pack of sample cards, and run a browser."""
    games = Path(folder, "games")
    games.mkdir()
    start_pack(games, "saltmarsh", dress=Dress(card_looks()["classic"]))
    command = (sys.executable, "-m", "generator", "studio", "--no-open", ".")
    home = os.environ | {"HOME": folder}
    server = subprocess.Popen(  # noqa: S603
        command, cwd=games, env=home, stdout=subprocess.PIPE, text=True
    )
    try:
        address = next(line for line in server.stdout or () if "http://" in line).split()[-1]
        with sync_playwright() as playwright:
            yield (
                playwright.chromium.launch(
                    executable_path=next(filter(None, map(shutil.which, BROWSERS))),
                    args=["--no-sandbox"] if os.geteuid() == 0 else [],
                ),
                address,
            )
    finally:
        server.terminate()
        server.wait()


def cards(page: Page) -> None:
    """Show a mistake where it is."""
    tab(page, "Cards")
    expect(page.locator(".side .face img")).to_have_count(2)
    cost = page.locator('[id="field-cost"]')
    before = cost.input_value()
    cost.fill("a lot")
    expect(page.locator(".field-faults")).to_be_visible()
    keep(page, "cards")
    cost.fill(before)
    expect(page.locator(".field-faults")).to_have_count(0)


def look(page: Page) -> None:
    """Show a box that is chosen."""
    tab(page, "Look")
    page.locator(".box-pick", has_text="rules").first.click()
    keep(page, "look")


def table(page: Page) -> None:
    """Show cells that are chosen."""
    tab(page, "Table")
    page.get_by_role("gridcell").nth(3).click()
    page.keyboard.press("Shift+ArrowDown")
    expect(page.locator(".face img")).to_have_count(2)
    keep(page, "table")


def files(page: Page) -> None:
    """Show the data of the cards."""
    tab(page, "Files")
    page.locator(".cm-line").nth(5).click()
    expect(page.locator(".face img")).to_have_count(2)
    keep(page, "files")


def printing(page: Page) -> None:
    """Show pages."""
    tab(page, "Print")
    page.get_by_role("button", name="Make the pages").click()
    expect(page.locator(".result.done")).to_be_visible()
    keep(page, "print")


def start(page: Page) -> None:
    """Show what a table becomes."""
    page.evaluate("location.hash = '#/start'")
    expect(page.locator(".start")).to_be_visible()
    page.evaluate(
        """(text) => {
          const data = new DataTransfer();
          data.setData("text/plain", text);
          document.querySelector(".start").dispatchEvent(new DragEvent("drop",
            { dataTransfer: data, bubbles: true, cancelable: true }));
        }""",
        TABLE,
    )
    expect(page.locator(".draft-faces img")).to_have_count(3)
    expect(page.locator(".look-picture img")).to_have_count(len(card_looks()))
    keep(page, "start")


def tab(page: Page, name: str) -> None:
    """Choose a view."""
    page.locator(".tabs a", has_text=name).click()


def keep(page: Page, name: str) -> None:
    """Save a picture of the page once its pictures are there."""
    page.wait_for_function(AT_REST)
    picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    path = PICTURES / f"studio-{name}.png"
    picture.quantize(COLOURS).save(path, optimize=True)
    sys.stdout.write(f"{path.name}: {path.stat().st_size // 1000} kB\n")


if __name__ == "__main__":
    main()
