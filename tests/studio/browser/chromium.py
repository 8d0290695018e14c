"""The browser that the tests use, where there is one."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, sync_playwright

NAMES = ("chromium", "chromium-browser", "google-chrome")


def found() -> str | None:
    """Return the path of a browser."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@contextmanager
def opened(path: str) -> Iterator[Browser]:
    """Run a browser without windows."""
    as_root = hasattr(os, "geteuid") and os.geteuid() == 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox"] if as_root else []
        )
        yield browser
        browser.close()
