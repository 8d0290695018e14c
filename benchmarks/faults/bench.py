"""A fault in, what preflight and the checks before it say of it out: found, told rightly, how large."""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

import pypdfium2
from PIL import Image, ImageChops

from faults.fair import Files, fair, write
from generator.cache import NOTHING_KEPT, InMemory
from generator.diagnostics import Diagnostic, GridpressError
from generator.order import Order
from generator.preflight import preflight_build
from generator.prepress import lay_out, silent
from generator.press import write_print_files
from generator.project import find_targets

PLAIN_SHARE = 0.0005
"""Part of a page's pixels from which on a fault is to be found."""
PLAIN_MM = 0.3
_DPI = 100
_SEEN = 12
"""Of 255: how far a pixel must be from what it was to count."""


class Level(StrEnum):
    """Where a fault is made."""

    PACK = "pack"
    FACE = "face"
    PICTURE = "picture"
    WORDS = "words"
    PAGE = "page"
    MARKS = "marks"
    FILE = "file"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that makes one reprint a sheet. `make` gets the bench and a folder to build in.
    `says` is a pattern of what must be told (code and message); `file` is where ("" for wherever);
    `mm` is by how much it moves something; a `drawn` one came from the seed."""

    kind: str
    level: Level
    name: str
    says: str
    make: Callable[[Bench, Path], None]
    file: str = ""
    mm: float = 0.0
    drawn: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of a fault: the findings (code and message), whether one says what it is, those in
    files that it did not touch, its share of the pixels of the page that it changed most."""

    fault: Fault
    findings: tuple[str, ...]
    told: bool
    false: tuple[str, ...]
    share: float
    broke: str = ""

    @property
    def found(self) -> bool:
        return bool(self.findings)

    @property
    def plain(self) -> bool:
        """True for one that is large enough that it must be found."""
        return self.share >= PLAIN_SHARE or self.fault.mm >= PLAIN_MM


@dataclass
class Bench:
    """A good build to make faults in. What was worked out is kept in memory, as builds keep it."""

    files: Files = field(default_factory=fair)
    cache: InMemory = field(default_factory=lambda: InMemory(NOTHING_KEPT))
    good: Path = field(default_factory=lambda: Path(tempfile.mkdtemp(prefix="bench-")))
    said: tuple[Diagnostic, ...] = ()
    _pages: dict[str, list[Image.Image]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.build(self.files, self.good)
        if alarms := (*self.said, *self.look(self.good)[1]):
            raise SystemExit(f"the good pack is not good: {alarms}")

    def close(self) -> None:
        shutil.rmtree(self.good)

    def build(self, files: Files, folder: Path) -> None:
        """Print a project; what is told before that is in `said`."""
        project = folder.with_name(f"{folder.name}-project")
        try:
            write(files, project)
            self.said = _printed(project, folder, self.cache)
        finally:
            shutil.rmtree(project)

    def start(self, folder: Path) -> None:
        """A copy of the good build."""
        shutil.copytree(self.good, folder, dirs_exist_ok=True)

    def look(self, folder: Path) -> tuple[dict[str, list[str]], list[str]]:
        """What preflight finds, by file, and all of it."""
        build = preflight_build(folder, cache=self.cache)
        found = {
            r.file.name: [f"{d.code} {d.message}" for d in r.diagnostics] for r in build.reports
        }
        found[""] = [f"{f.code} {f.message}" for f in build.findings]
        return found, [told for several in found.values() for told in several]

    def judge(self, fault: Fault) -> Verdict:
        """Make a fault and look at it."""
        self.said = ()
        with tempfile.TemporaryDirectory(prefix="bench-") as made:
            folder = Path(made, "build")
            folder.mkdir()
            broke, found = "", {"": []}
            try:
                fault.make(self, folder)
                found[""] += [f"{d.code} {d.message}" for d in self.said]
                if (folder / "manifest.json").exists():
                    seen, _ = self.look(folder)
                    found = {**seen, "": found[""] + seen[""]}
            except GridpressError as error:
                found[""] += [f"{d.code} {d.message}" for d in error.diagnostics]
            except Exception as error:  # the engine of a check broke down: not found
                broke = f"{type(error).__name__}: {error}"[:80]
            here, elsewhere = found[""], []
            for name, several in found.items():
                if name and fault.file and name != fault.file:
                    elsewhere += several
                elif name:
                    here = here + several
            told = any(re.search(fault.says, line, re.I) for line in here)
            share = 0.0 if broke else self.share(folder, fault)
        return Verdict(fault, tuple(here), told, tuple(elsewhere), share, broke)

    def share(self, folder: Path, fault: Fault) -> float:
        """The largest part of a page's pixels that are other than in the good build."""
        names = [fault.file] if fault.file else [path.name for path in self.good.glob("*.pdf")]
        return max(self._share_of(name, folder / name) for name in names)

    def _share_of(self, name: str, now: Path) -> float:
        good = self.good / name
        if not now.exists():
            return 1.0  # nothing is printed
        if now.read_bytes() == good.read_bytes():
            return 0.0
        if name not in self._pages:
            self._pages[name] = _drawn(good)
        before, after = self._pages[name], _drawn(now)
        if len(before) != len(after):
            return 1.0
        return max(_changed(*pair) for pair in zip(before, after, strict=True))


def _printed(project: Path, folder: Path, cache: InMemory) -> tuple[Diagnostic, ...]:
    """Print a project into a folder; what is said before preflight."""
    order = Order(jobs=1, cache=cache)
    [target] = find_targets([str(project)])
    laid_out = lay_out(target, order)
    if laid_out.value is None:
        return laid_out.diagnostics
    return (*laid_out.diagnostics, *write_print_files(laid_out.value, order, folder, silent))


def _drawn(path: Path) -> list[Image.Image]:
    """The pages of a file as they are printed; none of one that nobody can open."""
    pages: list[Image.Image] = []
    with suppress(pypdfium2.PdfiumError):
        document = pypdfium2.PdfDocument(path)
        try:
            document.init_forms()
            pages = [page.render(scale=_DPI / 72).to_pil().convert("RGB") for page in document]
        finally:
            document.close()
    return pages


def _changed(before: Image.Image, after: Image.Image) -> float:
    if before.size != after.size:
        return 1.0
    bands = ImageChops.difference(before, after).split()
    worst = ImageChops.lighter(ImageChops.lighter(bands[0], bands[1]), bands[2])
    counts = worst.histogram()
    return sum(counts[_SEEN:]) / sum(counts)
