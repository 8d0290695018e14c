"""A good build in, one that has one thing wrong out."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pikepdf
from msgspec.structs import replace

from generator.model.face import Face, Placement, Sheet
from generator.order import Order
from generator.prepress import lay_out, silent
from generator.press import write_print_files
from generator.print_runs import LaidOut
from generator.project import find_targets

ORDER = Order(jobs=1)
DRAWN = re.compile(
    r"(?P<clip>q (?:[^\n]* (?:re|h) W n )?)(?P<turn>\S+ \S+ \S+ \S+) (?P<x>\S+) (?P<y>\S+) cm "
    r"/(?P<face>F\w+) Do Q\n"
)


@dataclass(frozen=True, slots=True)
class Damage:
    """One way to be wrong: the code that must be found, in which file, and what else may be."""

    name: str
    code: str
    file: str
    apply: Callable[[Press, Path], None]
    also: frozenset[str] = frozenset()


class Press:
    """The good pack, laid out; prints it, or what a damage makes of its faces."""

    def __init__(self, project: Path) -> None:
        [target] = find_targets([str(project)])
        laid_out = lay_out(target, ORDER)
        if laid_out.value is None or laid_out.diagnostics:
            raise SystemExit(f"the good pack is not good: {laid_out.diagnostics}")
        self.laid_out: LaidOut = laid_out.value
        self._good = Path(tempfile.mkdtemp(prefix="gauntlet-"))
        self._write(self.laid_out, self._good)

    def print_good(self, folder: Path) -> None:
        """A copy of the good build."""
        shutil.copytree(self._good, folder, dirs_exist_ok=True)

    def print_with(self, folder: Path, change: Callable[[Face], Face]) -> None:
        """The build with other faces in the places of some."""
        changed: dict[int, Face] = {}

        def other(face: Face) -> Face:
            if id(face) not in changed:
                new = change(face)
                digest = hashlib.sha256(new.svg.encode()).hexdigest()
                changed[id(face)] = replace(new, sha256=digest)
            return changed[id(face)]

        def placed(placement: Placement) -> Placement:
            return replace(placement, face=other(placement.face))

        self.print_sheets(folder, lambda s: replace(s, placements=tuple(map(placed, s.placements))))

    def print_sheets(self, folder: Path, change: Callable[[Sheet], Sheet], file: str = "") -> None:
        """The build with sheets, of one file or all, as imposition might have laid them out."""
        runs = tuple(
            replace(run, sheets=tuple(map(change, run.sheets)))
            if file in ("", run.file_name)
            else run
            for run in self.laid_out.runs
        )
        self._write(replace(self.laid_out, runs=runs), folder)

    def close(self) -> None:
        shutil.rmtree(self._good)

    @staticmethod
    def _write(laid_out: LaidOut, folder: Path) -> None:
        faults = write_print_files(laid_out, ORDER, folder, silent)
        if faults:
            raise SystemExit(f"the engine refuses a face: {faults}")


def in_pdf(
    name: str,
    code: str,
    change: Callable[[pikepdf.Pdf], object],
    *,
    file: str = "cards-a4.pdf",
    also: str = "",
    **save: Any,
) -> Damage:
    """Something in a finished file; the manifest gets the new sha256, so that does not tell."""

    def apply(press: Press, folder: Path) -> None:
        press.print_good(folder)
        path = folder / file
        with pikepdf.open(path, allow_overwriting_input=True) as pdf:
            change(pdf)
            pdf.save(path, deterministic_id="encryption" not in save, **save)
        seal(path)

    return Damage(name, code, file, apply, frozenset(also.split()))


def in_bytes(name: str, code: str, change: Callable[[bytes], bytes], *, also: str = "") -> Damage:
    """The bytes of a file."""

    def apply(press: Press, folder: Path) -> None:
        press.print_good(folder)
        path = folder / "cards-a4.pdf"
        path.write_bytes(change(path.read_bytes()))
        seal(path)

    return Damage(name, code, "cards-a4.pdf", apply, frozenset(also.split()))


def in_page(
    name: str,
    code: str,
    change: Callable[[str], str],
    *,
    page: int = 0,
    file: str = "cards-a4.pdf",
    also: str = "",
) -> Damage:
    """The content of a page."""

    def change_pdf(pdf: pikepdf.Pdf) -> None:
        stream = pdf.pages[page].Contents
        before = stream.read_bytes().decode("latin-1")
        after = change(before)
        assert after != before, f"{name}: nothing to change"
        stream.write(after.encode("latin-1"))

    return in_pdf(name, code, change_pdf, file=file, also=also)


def in_face(
    name: str,
    code: str,
    change: Callable[[Face], Face],
    *,
    file: str = "cards-a4.pdf",
    also: str = "",
) -> Damage:
    """What a face shows, as if a template had drawn it."""

    def apply(press: Press, folder: Path) -> None:
        press.print_with(folder, change)

    return Damage(name, code, file, apply, frozenset(also.split()))


def in_marks(
    name: str, code: str, change: Callable[[Any], Any], *, file: str, also: str = ""
) -> Damage:
    """Marks of a file as imposition might have drawn them: the manifest says the same."""

    def changed(sheet: Sheet) -> Sheet:
        return replace(sheet, marks=tuple(map(change, sheet.marks)))

    def apply(press: Press, folder: Path) -> None:
        press.print_sheets(folder, changed, file)

    return Damage(name, code, file, apply, frozenset(also.split()))


def in_manifest(
    name: str,
    code: str,
    change: Callable[[dict[str, Any], dict[str, Any]], object],
    *,
    file: str = "cards-a4.pdf",
    also: str = "",
) -> Damage:
    """What the manifest says: of all, and of the file."""

    def apply(press: Press, folder: Path) -> None:
        press.print_good(folder)
        path = folder / "manifest.json"
        told = json.loads(path.read_text(encoding="utf-8"))
        [of_file] = [listed for listed in told["files"] if listed["file"] == file]
        change(told, of_file)
        path.write_text(json.dumps(told), encoding="utf-8")

    return Damage(name, code, file, apply, frozenset(also.split()))


def forms(pdf: pikepdf.Pdf, page: int = 0) -> Iterator[pikepdf.Object]:
    """The faces on a page, in order of drawing."""
    content = pdf.pages[page].Contents.read_bytes().decode("latin-1")
    for found in DRAWN.finditer(content):
        yield pdf.pages[page].resources.XObject[f"/{found['face']}"]


def resources_of(form: pikepdf.Object, category: str) -> Iterator[pikepdf.Object]:
    """Fonts or pictures of a face and of the forms in it."""
    resources = form.get("/Resources", pikepdf.Dictionary())
    for key, thing in dict(resources.get("/XObject", {})).items():
        if thing.get("/Subtype") == pikepdf.Name.Form:
            yield from resources_of(thing, category)
        elif category == "/XObject":
            del key
            yield thing
    if category != "/XObject":
        yield from dict(resources.get(category, {})).values()


def seal(path: Path) -> None:
    """The manifest has the sha256 of a file as it is."""
    manifest = path.parent / "manifest.json"
    told = json.loads(manifest.read_text(encoding="utf-8"))
    for file in told["files"]:
        if file["file"] == path.name:
            file["sha256"] = hashlib.sha256(path.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(told), encoding="utf-8")
