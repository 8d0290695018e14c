"""Writes an HTML page with a picture of every icon that a pack may use."""

from __future__ import annotations

import base64
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Final

from generator.assets import MAX_BYTES, AssetFinder
from generator.files import FileTooLargeError, UnreadableError
from generator.project import Project

PAGE: Final = "icons.html"
_HEAD: Final = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Icons of {title}</title>
<style>
body {{ margin: 2rem auto; max-width: 70rem; padding: 0 1rem; font: 16px/1.4 system-ui, sans-serif;
  background: #fbfaf7; color: #1f2328; }}
ul {{ display: grid; grid-template-columns: repeat(auto-fill, minmax(8rem, 1fr)); gap: 1rem;
  margin: 0; padding: 0; list-style: none; }}
li {{ background: #fff; border: 1px solid #d9dde3; border-radius: .5rem; padding: 1rem .5rem;
  text-align: center; overflow-wrap: anywhere; }}
img {{ width: 4rem; height: 4rem; object-fit: contain; display: block; margin: 0 auto .6rem; }}
code {{ user-select: all; }}
</style>
<h1>Icons of {title}</h1>
<p>Write <code>{{star}}</code> in a text, or <code>icon("star", x, y, size)</code> in a template.
Save your own icons as <code>{own}/name.svg</code>.</p>
"""


def icon_page(title: str, assets: AssetFinder, project: Project) -> str:
    """Return the page, with icons grouped by folder."""
    icons = assets.icons()
    own = escape(project.display(assets.icon_folders[0]))
    page = [_HEAD.format(title=escape(title), own=own)]
    folder_of = {name: path.parents[name.count("/")] for name, path in icons.items()}
    for folder, names in groupby(icons, folder_of.__getitem__):
        page.append(f"<h2>{escape(project.display(folder))}</h2>\n<ul>")
        page += [_entry(name, icons[name], project) for name in names]
        page.append("</ul>")
    return "\n".join((*page, "</html>\n"))


def _entry(name: str, path: Path, project: Project) -> str:
    shown = escape(name)
    try:
        drawn = base64.b64encode(project.roots.read(path, MAX_BYTES)).decode("ascii")
    except (UnreadableError, FileTooLargeError):
        return f"<li>cannot be read<br><code>{{{shown}}}</code></li>"
    source = f"data:image/svg+xml;base64,{drawn}"
    return f'<li><img src="{source}" alt="{shown}" loading="lazy"><code>{{{shown}}}</code></li>'
