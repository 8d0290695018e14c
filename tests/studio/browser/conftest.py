"""A browser and a server for each module, and a project of its own for each test."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, ViewportSize, expect
from studio.browser import chromium
from studio.browser.person import Person
from studio.browser.served import Served

from generator.starters import start_pack

DESK = ViewportSize(width=1280, height=800)
PATIENCE = 30_000  # ms
expect.set_options(timeout=PATIENCE)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Run a browser; skip the test where there is none."""
    path = chromium.found()
    if path is None:
        pytest.skip(f"the studio was not tried: no browser on PATH ({', '.join(chromium.NAMES)})")
    with chromium.opened(path) as running:
        yield running


@pytest.fixture(scope="module")
def served(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Run a studio without a project."""
    running = Served(tmp_path_factory.mktemp("nowhere"))
    yield running
    running.end()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """Open windows that share cookies and nothing else with those of other tests."""
    context = browser.new_context(viewport=DESK, locale="en-GB", reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    yield context
    context.close()


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """Start a small pack: three cards."""
    root = tmp_path / "project"
    root.mkdir()
    start_pack(root, "duel")
    return root


@pytest.fixture
def person(context: BrowserContext, served: Served, root: Path) -> Iterator[Person]:
    """Open the pack in Cards; at the end nothing may have gone wrong in the page."""
    person = Person(context.new_page(), served, root)
    person.enter()
    person.open()
    yield person
    assert person.faults == []
