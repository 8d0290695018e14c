"""Writes an HTML page with a picture of every icon that a pack may use."""

from __future__ import annotations

import base64
from itertools import groupby
from pathlib import Path
from typing import Final

from generator.assets import MAX_BYTES, AssetFinder
from generator.files import FileTooLargeError, UnreadableError
from generator.html_pages import html_page
from generator.project import Project

PAGE: Final = "icons.html"


def icon_page(title: str, assets: AssetFinder, project: Project) -> str:
    """Return the page, with icons grouped by folder."""
    icons = assets.icons()
    folder_of = {name: path.parents[name.count("/")] for name, path in icons.items()}
    folders = [
        (project.display(folder), [(name, _source(icons[name], project)) for name in names])
        for folder, names in groupby(icons, folder_of.__getitem__)
    ]
    return html_page(
        "generator",
        "icon_page.html.j2",
        title=f"Icons of {title}",
        kicker="Gridpress icons",
        own=project.display(assets.icon_folders[0]),
        folders=folders,
    )


def _source(path: Path, project: Project) -> str:
    """Return an icon as the source of an image, or "" if it cannot be read."""
    try:
        drawn = base64.b64encode(project.roots.read(path, MAX_BYTES)).decode("ascii")
    except (UnreadableError, FileTooLargeError):
        return ""
    return f"data:image/svg+xml;base64,{drawn}"
