"""A download page: a zip of all PDFs, a cover picture, and a leaflet on how to make the game."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from shutil import rmtree
from typing import Final

from generator.build import LaidOut
from generator.diagnostics import Outcome
from generator.model.pack import Layout, Pack
from generator.outlets.leaflet import FileToDownload, write_leaflet
from generator.outlets.shipment import Outlet, Shipment, Shipped

LOW: Final = "low-ink"
RULES: Final = "rules"
CONTENTS: Final = "contents.txt"
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""Date of all files in the zip, so that the same pack gives the same bytes."""
_UNFIT: Final = re.compile(r"[^A-Za-z0-9.]+")


class Download(Outlet):
    """The outlet for people who print the game at home."""

    name = "pnp"
    title = "the download"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """Write `<pack>-<version>.zip`, its list of files as `contents.txt`, and `cover.png`."""
        full, low = shipment.printed("full", ink="full"), shipment.printed("low", ink="low")
        findings = tuple(dict.fromkeys((*full.diagnostics, *low.diagnostics)))
        if full.value is None or low.value is None:
            return Outcome((), findings)
        printed = list(_files(shipment, full.value, low.value))
        folder = shipment.folder
        with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
            made = write_leaflet(shipment, printed, Path(scratch), folder)
        findings += made.diagnostics
        if not made.ok:
            return Outcome((), findings)
        content = {name: folder / name for name in made.value}
        for one in printed:
            content[one.path] = folder / "full" / one.run.file_name
            content[_low(one.path)] = folder / "low" / one.run.file_name
        for name, text in _texts(shipment.pack):
            (folder / name).write_text(text, encoding="utf-8", newline="\r\n")
            content[name] = folder / name
        stem = f"{shipment.pack.name}-{_UNFIT.sub('-', shipment.pack.version)}".strip("-.")
        _zip(folder / f"{stem}.zip", shipment.pack.name, content)
        sizes = "".join(f"{p.stat().st_size:>12,}  {name}\n" for name, p in sorted(content.items()))
        (folder / CONTENTS).write_text(sizes, encoding="utf-8")
        for name, path in content.items():
            if name != "cover.png":
                path.unlink()
        rmtree(folder / "full")
        rmtree(folder / "low")
        return Outcome((Shipped(f"{stem}.zip"), Shipped(CONTENTS), Shipped("cover.png")), findings)


def _files(shipment: Shipment, full: LaidOut, low: LaidOut) -> Iterator[FileToDownload]:
    """Yield the files of both builds, side by side."""
    others = {run.file_name for run in low.runs}
    for run in full.runs:
        if run.file_name in others:
            sizes = (
                (shipment.folder / ink / run.file_name).stat().st_size for ink in ("full", "low")
            )
            home = RULES if run.print_.layout is Layout.BOOKLET else run.paper.name
            yield FileToDownload(run, f"{home}/{run.file_name}", *sizes)


def _low(path: str) -> str:
    home, _, name = path.rpartition("/")
    return f"{home}/{LOW}/{name}"


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    title = f"{pack.title} {pack.version}"
    head = f"{title}\n{'=' * len(title)}\n\n"
    thanks = "".join(f"- {line}\n" for line in pack.credits) or "- nobody is named\n"
    yield "credits.txt", f"{head}{thanks}"
    terms = pack.licence or (
        "No licence is given. Ask the authors about anything that the credits do not say."
    )
    yield "licence.txt", f"{head}{terms}\n"


def _zip(target: Path, root: str, content: Mapping[str, Path]) -> None:
    """Write a zip of files below a folder, stored without compression."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name, path in sorted(content.items()):
            entry = zipfile.ZipInfo(f"{root}/{name}", _FIRST_DAY)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())
