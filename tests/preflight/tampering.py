"""Good files in, the same files with one thing wrong out."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf

from generator.diagnostics import Diagnostic
from generator.preflight import preflight

_told: dict[tuple[str, str, str], tuple[Diagnostic, ...]] = {}
"""What was said of the last file that was asked for, by all that it is made of."""


def tamper(path: Path, change: Callable[[pikepdf.Pdf], None]) -> None:
    """Change a PDF, and its sha256 in the manifest, so that nothing else gives it away."""
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path)
    rewrite_bytes(path, lambda data: data)


def rewrite_bytes(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Change the bytes of a file, as no program does that reads it, and its sha256."""
    path.write_bytes(change(path.read_bytes()))
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    tell(path, lambda file: file.update(sha256=sha256))


def rewrite(path: Path, page: int, change: Callable[[str], str]) -> None:
    """Change the content stream of a page."""

    def change_page(pdf: pikepdf.Pdf) -> None:
        stream = pdf.pages[page].Contents
        before = stream.read_bytes().decode("latin-1")
        after = change(before)
        assert after != before
        stream.write(after.encode("latin-1"))

    tamper(path, change_page)


def tell(path: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change what the manifest says of a PDF."""
    manifest = path.parent / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    [file] = [file for file in told["files"] if file["file"] == path.name]
    change(file)
    manifest.write_text(json.dumps(told), encoding="utf-8")


def found(path: Path, manifest: Path | None = None) -> list[tuple[str, int]]:
    """Code and page of every finding."""
    return [(d.code, d.span.line) for d in diagnostics(path, manifest)]


def codes(path: Path) -> set[str]:
    """The codes of all findings."""
    return {code for code, _ in found(path)}


def messages(path: Path) -> str:
    """What is said, one finding a line."""
    return "\n".join(d.message for d in diagnostics(path))


def diagnostics(path: Path, manifest: Path | None = None) -> tuple[Diagnostic, ...]:
    """What preflight says; of the same bytes under the same name it is asked once."""
    beside = manifest or path.parent / "manifest.json"
    contents = [each.read_bytes() if each.is_file() else b"" for each in (path, beside)]
    about = str(path), *(hashlib.sha256(content).hexdigest() for content in contents)
    key = about[0], about[1], about[2] + str(manifest)
    if key not in _told:
        _told.clear()
        _told[key] = preflight(path, manifest, own=True).diagnostics
    return _told[key]
