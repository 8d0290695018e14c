"""For `make docs`: the one script that the site would fetch from elsewhere comes from itself."""

from typing import Any

ELSEWHERE = "https://unpkg.com/iframe-worker/shim"
OWN = "search_from_disk.js"


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """The page with our own copy of the script, by its way from there."""
    return output.replace(ELSEWHERE, "../" * page.file.dest_uri.count("/") + OWN)


def on_post_template(output_content: str, **_: Any) -> str:
    """The same for the page that says that there is no such page."""
    return output_content.replace(ELSEWHERE, f"/{OWN}")
