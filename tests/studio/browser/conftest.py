"""One browser and one server, and a project of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect
from studio.browser import chromium
from studio.browser.person import Person
from studio.browser.served import Served
from studio.studio_life import nursery

from generator.starters import start_pack

DESK = ViewportSize(width=1280, height=800)
PATIENCE = 30_000  # ms
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Run a browser; skip the test if no browser is installed."""
    path = chromium.found()
    if path is None:
        pytest.skip(f"the studio was not tried: no browser on PATH ({', '.join(chromium.NAMES)})")
    nursery.begin()  # a copy made later would hold on to the browser
    with chromium.opened(path) as running:
        yield running


@pytest.fixture(scope="session")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a studio without a project."""
    running = Served(tmp_path_factory.mktemp("nowhere"))
    yield running
    running.end()


@pytest.fixture(scope="session")
def _windows(browser: Browser, served: Served) -> Iterator[BrowserContext]:
    """Let windows into the studio; they keep its files."""
    context = browser.new_context(viewport=DESK, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    context.request.get(served.address)
    yield context
    context.close()


@pytest.fixture
def context(_windows: BrowserContext) -> Iterator[BrowserContext]:
    """Let windows into the studio; those that a test opens are closed at its end."""
    before = _windows.pages
    yield _windows
    for page in _windows.pages:
        if page not in before:
            page.close()


@pytest.fixture(scope="session")
def _window(_windows: BrowserContext) -> Page:
    return _windows.new_page()


@pytest.fixture
def page(_window: Page, served: Served) -> Iterator[Page]:
    """Use the one window as if it were new: to open another takes longer than most tests."""
    _window.set_viewport_size(DESK)
    _window.emulate_media(color_scheme="light")
    yield _window
    _window.evaluate("localStorage.clear()")
    _window.goto(f"{served.origin}/static/")  # nothing, in the process of the page


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Start a small pack: three cards."""
    root = tmp_path / "project"
    root.mkdir()
    start_pack(root, "duel")
    return root


@pytest.fixture
def person(page: Page, served: Served, root: Path) -> Iterator[Person]:
    """Open the pack in Cards; at the end nothing may have gone wrong in the page."""
    person = Person(page, served, root)
    person.open()
    yield person
    assert person.faults == []
