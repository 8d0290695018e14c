"""Someone at the studio: a page, and the project whose cards they make."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import ConsoleMessage, Locator, Page, expect
from studio.browser.served import Served

MOD = "Control"


class Person:
    """A page of the studio. It notes what goes wrong in the page."""

    def __init__(self, page: Page, served: Served, root: Path) -> None:
        self.page = page
        self.served = served
        self.root = root
        self.faults: list[str] = []
        page.on("pageerror", lambda error: self.faults.append(str(error)))
        page.on("console", self._hear)

    def _hear(self, message: ConsoleMessage) -> None:
        # The page reports what the server refuses; the browser repeats it in its console.
        if message.type == "error" and not message.text.startswith("Failed to load resource"):
            self.faults.append(message.text)

    def enter(self) -> None:
        """Come in with the secret."""
        self.page.goto(self.served.address)

    def go(self, route: str) -> None:
        """Go to a route of the page."""
        self.page.goto(f"{self.served.origin}/#/{route}")

    def open(self, route: str = "cards", pack: str = "") -> None:
        """Open the project, then a view of it."""
        asked = {"folder": str(self.root), "pack": pack}
        answer = self.page.request.post(
            f"{self.served.origin}/api/open", data=asked, headers={"Origin": self.served.origin}
        )
        assert answer.ok, answer.text()
        self.go(route)

    def file(self, path: str) -> Path:
        """Return the path of a file of the project."""
        return self.root / path

    def read(self, path: str) -> str:
        """Return a file as it is on the disk."""
        return self.file(path).read_text("utf-8")

    def field(self, name: str) -> Locator:
        """Return the field of the form with a path."""
        return self.page.locator(f'[id="field-{name}"]')

    def entry(self, name: str) -> Locator:
        """Return a component in the gallery, by the words that are read out."""
        return self.page.locator(".gallery a.entry").filter(has_text=name)

    def front(self) -> Locator:
        """Return the picture of the first side on the desk."""
        return self.page.locator(".side .face img").first

    def tab(self, name: str) -> None:
        """Choose a view in the top bar."""
        self.page.locator(".tabs a").filter(has_text=name).click()

    def changes(self, picture: Locator, act: Callable[[], object]) -> None:
        """Do something that gives a picture another content."""
        expect(picture).to_be_visible()
        before = picture.get_attribute("src") or ""
        act()
        expect(picture).not_to_have_attribute("src", before)

    def is_saved(self) -> None:
        """Wait until everything is in its file."""
        expect(self.page.locator(".save")).to_have_text("Saved")

    def undo(self) -> None:
        """Press the keys for undo."""
        self.page.keyboard.press(f"{MOD}+z")


def copied(project: Path, folder: Path) -> Path:
    """Return a copy of a project in a folder of a test."""
    return Path(shutil.copytree(project, folder / "project"))
