"""What one puts on a download page: a zip with all there is to print and a page that says how, and
a picture."""

from __future__ import annotations

import re
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from typing import Final

from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.model.pack import Layout, Pack
from generator.outlets.leaflet import FileToDownload, write_leaflet
from generator.outlets.shipment import ExportOptions, Lot, Shipment, Shipped
from generator.print_runs import LaidOut, PrintRun

LOW: Final = "low-ink"
RULES: Final = "rules"
CONTENTS: Final = "contents.txt"
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""Of a zip: what was made of the same files is the same."""
_UNFIT: Final = re.compile(r"[^A-Za-z0-9.]+")


class Download:
    """The outlet of those who print at home, and did not make the game."""

    name = "pnp"
    title = "the download"

    def bleeds(self, pack: Pack, lots: Sequence[Lot], asked: ExportOptions) -> Mapping[str, float]:
        """Every kind as it is."""
        return {}

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<pack>-<version>.zip`, what is in it as `contents.txt`, and `cover.png`."""
        full, low = shipment.printed("full", ink="full"), shipment.printed("low", ink="low")
        said = tuple(dict.fromkeys((*full.diagnostics, *low.diagnostics)))
        if full.value is None or low.value is None:
            return Outcome((), said)
        printed = list(_files(shipment, full.value, low.value))
        folder = shipment.folder
        with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
            made = write_leaflet(shipment, printed, Path(scratch), folder)
        said += made.diagnostics
        if not made.ok:
            return Outcome((), said)
        content = {name: folder / name for name in made.value}
        for one in printed:
            content[one.path] = folder / "full" / one.run.file_name
            content[_low(one.path)] = folder / "low" / one.run.file_name
        for name, text in _texts(shipment.pack):
            (folder / name).write_text(text, encoding="utf-8", newline="\r\n")
            content[name] = folder / name
        stem = f"{shipment.pack.name}-{_UNFIT.sub('-', shipment.pack.version)}".strip("-.")
        _zip(folder / f"{stem}.zip", shipment.pack.name, content)
        wrong = _faults(folder / f"{stem}.zip", shipment.pack.name, content)
        if wrong:
            hint = "this should not be: export again; if it stays, tell us"
            raise GridpressError(Diagnostic(shipment.pack.span, "GP716", wrong, hint))
        sizes = "".join(f"{p.stat().st_size:>12,}  {name}\n" for name, p in sorted(content.items()))
        (folder / CONTENTS).write_text(sizes, encoding="utf-8")
        for name, path in content.items():
            if name != "cover.png":
                path.unlink()
        rmtree(folder / "full")
        rmtree(folder / "low")
        return Outcome((Shipped(f"{stem}.zip"), Shipped(CONTENTS), Shipped("cover.png")), said)


def _files(shipment: Shipment, full: LaidOut, low: LaidOut) -> Iterator[FileToDownload]:
    """The files of both builds, side by side."""
    others = {run.file_name for run in low.runs}
    for run in full.runs:
        if run.file_name in others:
            sizes = (
                (shipment.folder / ink / run.file_name).stat().st_size for ink in ("full", "low")
            )
            yield FileToDownload(run, _path(run), *sizes)


def _path(run: PrintRun) -> str:
    """By paper, rules apart."""
    home = RULES if run.print_.layout is Layout.BOOKLET else run.paper.name
    return f"{home}/{run.file_name}"


def _low(path: str) -> str:
    home, _, name = path.rpartition("/")
    return f"{home}/{LOW}/{name}"


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    head = f"{pack.title} {pack.version}\n{'=' * len(f'{pack.title} {pack.version}')}\n\n"
    thanks = "".join(f"- {line}\n" for line in pack.credits) or "- nobody is named\n"
    yield "credits.txt", f"{head}{thanks}"
    terms = pack.licence or (
        "No licence is given. What the credits do not say must be asked of the authors."
    )
    yield "licence.txt", f"{head}{terms}\n"


def _zip(target: Path, root: str, content: Mapping[str, Path]) -> None:
    """Files below a folder, stored as they are: PDFs and pictures are packed already."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name, path in sorted(content.items()):
            entry = zipfile.ZipInfo(f"{root}/{name}", _FIRST_DAY)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())


def _faults(target: Path, root: str, content: Mapping[str, Path]) -> str:
    """What is wrong with a zip, read back."""
    with zipfile.ZipFile(target) as packed:
        broken = packed.testzip()
        if broken is not None:
            return f"{target.name}: {broken} is damaged"
        for name, path in content.items():
            if packed.getinfo(f"{root}/{name}").file_size != path.stat().st_size:
                return f"{target.name}: {name} is not what was printed"
    return ""
