"""Finds projects and packs by names and folders, and compares versions.

A project is a folder with `cards/ templates/ fonts/`. The shipped packs are one too: the repository
in a checkout, `generator/shipped` in an installed wheel.
"""

from __future__ import annotations

import operator
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path
from typing import Final

from msgspec import Struct

from generator.diagnostics import Diagnostic, GridpressError, Span, did_you_mean, plain
from generator.files import Roots, UnreadableError

SHARED: Final = "shared"
PACK_FILE: Final = "pack.yaml"
PROFILE_FILE: Final = "printer.yaml"
PARTS: Final = ("cards", "templates", "fonts")
"""The folders of a project that are read."""
WORKBOOKS: Final = (".xlsx", ".xlsm")
"""Workbooks beside these folders may be named by `rows:` too."""
PICTURES: Final = (
    *(".png", ".jpg", ".jpeg", ".jfif", ".webp", ".avif", ".tif", ".tiff", ".bmp", ".gif"),
    ".svg",
)
STARTERS: Final = "starters"
"""The folder of a pack with files to start components from."""

_UNPRINTABLE: Final = "has a name that a pack cannot have"


def workbooks_in(root: Path) -> list[str]:
    """Return the names of the workbooks in a project's own folder, sorted."""
    try:
        names = os.listdir(root)
    except OSError:
        return []
    return sorted(
        n for n in names if n.lower().endswith(WORKBOOKS) and not n.startswith(("~", "."))
    )


def shipped_root() -> Path:
    """Return the folder of the shipped packs, templates and fonts."""
    package = Path(__file__).resolve().parent
    installed = package / "shipped"
    return installed if installed.is_dir() else package.parent


def here() -> Path | None:
    """Return the current folder; None if it was deleted."""
    try:
        return Path.cwd()
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class Project:
    """A folder of packs: its own root, and the root that Gridpress ships."""

    root: Path
    shipped: Path
    unsaved: Mapping[Path, bytes] = field(default_factory=dict, compare=False, repr=False)
    """Texts to read in place of files, as in `Roots`."""
    around: Path | None = field(default_factory=here, compare=False, repr=False)
    """The current folder when the project was opened; None if it was deleted."""
    roots: Roots = field(init=False, compare=False, repr=False)
    """The roots for reading: the project and what Gridpress ships."""

    def __post_init__(self) -> None:
        roots = Roots((self.root,), (self.shipped,), self.unsaved)
        object.__setattr__(self, "roots", roots)

    def home(self, pack: str) -> Path:
        """Return the root that holds a pack: the project's own, else the shipped one."""
        own = self.roots.holds(self.root / "cards" / pack / PACK_FILE)
        has_it = os.path.isfile(self.shipped / "cards" / pack / PACK_FILE)
        return self.shipped if has_it and not own else self.root

    def cards(self, pack: str) -> Path:
        """Return the folder of a pack's definitions."""
        return self.home(pack) / "cards" / pack

    def template_folders(self, pack: str, required: Iterable[str] = ()) -> tuple[Path, ...]:
        """Return the folders of templates, nearest first: the pack's own, those of required packs,
        then the shared ones."""
        of_packs = (self.home(name) / "templates" / name for name in (pack, *required))
        own, shipped = self.root / "templates", self.shipped / "templates"
        return tuple(dict.fromkeys((*of_packs, own, shipped)))

    def shared_files(self, name: str) -> tuple[Path, ...]:
        """Return the shipped and then the project's `cards/shared/<name>`, if they exist."""
        roots = dict.fromkeys((self.shipped, self.root))
        paths = (root / "cards" / SHARED / name for root in roots)
        return tuple(filter(self.roots.holds, paths))

    def font_folders(self) -> tuple[Path, ...]:
        """Return the folders of fonts that exist, nearest first."""
        folders = dict.fromkeys((self.root / "fonts", self.shipped / "fonts"))
        return tuple(filter(self.roots.holds, folders))

    def display(self, path: Path) -> str:
        """Return a path as the user would type it: relative to the current folder, the shipped
        files or the project."""
        bases = (self.around, self.shipped, self.root.parent)
        inside = next((base for base in bases if base and path.is_relative_to(base)), None)
        return (path.relative_to(inside) if inside else path).as_posix()

    def located(self, shown: str) -> Path | None:
        """Return the file or folder that `display` names so; None if there is none."""
        for base in (self.around, self.shipped, self.root.parent):
            path = None if base is None else base / shown
            is_ours = path and (path.is_relative_to(self.root) or path.is_relative_to(self.shipped))
            if path and is_ours and self.roots.holds(path) and self.display(path) == shown:
                return path
        return None

    def packs(self) -> tuple[str, ...]:
        """Return the names of the project's packs, sorted."""
        return tuple(sorted(self._pack_names(self.root / "cards")))

    def known_packs(self) -> frozenset[str]:
        """Return the names of all packs that the project can require."""
        return frozenset((*self.packs(), *self._pack_names(self.shipped / "cards")))

    def _pack_names(self, cards: Path) -> Iterator[str]:
        """Yield the names of packs. Raises GridpressError for an unreadable folder or an unusable
        name (GP002), and for a link that leads out (GP004)."""
        roots = self.roots
        if not roots.holds(cards):
            return
        current = cards
        known: dict[str, str] = {}
        try:
            for entry in roots.entries(cards):
                current = entry.path
                if entry.fault is not None:
                    raise entry.fault
                if entry.is_folder and roots.holds(current / PACK_FILE):
                    if plain(entry.path.name) != entry.path.name:
                        raise UnreadableError(
                            "GP002", _UNPRINTABLE, "name it with letters and digits"
                        )
                    same = unicodedata.normalize("NFC", current.name).casefold()
                    if known.setdefault(same, current.name) != current.name:
                        message = f"and {known[same]!r} have the same name on some systems"
                        raise UnreadableError("GP002", message, "give it another name")
                    yield entry.path.name
        except UnreadableError as error:
            place = Span(self.display(current))
            raise GridpressError(error.told(place, "the folder")) from error


class Target(Struct, frozen=True):
    """A pack to work on, and its project."""

    project: Project
    pack: str


def find_targets(names: Iterable[str]) -> tuple[Target, ...]:
    """Return the packs that the command line names: pack names, project folders or pack folders.

    Without a name: every pack of the current folder, or every shipped one. Raises GridpressError
    for unknown names.
    """
    around = project_here()
    shipped = Project(around.shipped, around.shipped)
    wanted = tuple(names)
    if not wanted:
        return tuple(Target(around, pack) for pack in around.packs() or shipped.packs())
    # inside a project, shipped packs use its packs, fonts and printer profile
    known = {pack: Target(around, pack) for pack in (*shipped.packs(), *around.packs())}
    targets: list[Target] = []
    faults: list[Diagnostic] = []
    for name in wanted:
        if name in known:
            targets.append(known[name])
            continue
        try:
            targets.extend(_from_folder(name, shipped.root, known))
        except GridpressError as error:
            faults.extend(error.diagnostics)
    if faults:
        raise GridpressError(*faults)
    return tuple(dict.fromkeys(targets))


def is_no_project() -> bool:
    """Return whether the current folder is no project, so that the shipped packs are used."""
    shipped = shipped_root()
    return here() != shipped and project_here().root == shipped


def project_here() -> Project:
    """Return the project in the current folder, or that of the shipped packs. A folder with only a
    printer.yaml or shared files is a project too."""
    shipped, folder = shipped_root(), here()
    project = Project(folder or shipped, shipped)
    said = (project.root / PROFILE_FILE, project.root / "cards" / SHARED)
    is_one = project.packs() or any(map(project.roots.holds, said))
    return project if is_one else Project(shipped, shipped)


def _all_of(project: Project) -> tuple[Target, ...]:
    return tuple(Target(project, pack) for pack in project.packs())


def _from_folder(name: str, shipped: Path, known: Iterable[str]) -> tuple[Target, ...]:
    folder = Path(name)
    if not os.path.isdir(folder) or (here() is None and not folder.is_absolute()):
        raise GridpressError(
            Diagnostic(
                Span(name), "GP001", f"no pack or folder {name!r}", did_you_mean(name, known)
            )
        )
    folder = folder.resolve()
    if os.path.isfile(folder / PACK_FILE) and folder.parent.name == "cards":
        return (Target(Project(folder.parents[1], shipped), folder.name),)
    project = Project(folder, shipped)
    if not project.packs():
        raise GridpressError(
            Diagnostic(
                Span(name),
                "GP003",
                f"{name!r} is a folder without a pack",
                "a project has cards/<pack>/pack.yaml; see docs/make-a-deck.md",
            )
        )
    return _all_of(project)


_BOUND: Final = r"(>=|<=|==|>|<)\s*(\d{1,6}(?:\.\d{1,6}){0,5})"
_BOUNDS: Final = rf"\s*{_BOUND}(\s*,\s*{_BOUND})*\s*"

_COMPARES: Final[Mapping[str, Callable[[int, int], bool]]] = {
    ">=": operator.ge, "<=": operator.le, "==": operator.eq, ">": operator.gt, "<": operator.lt,
}  # fmt: skip


def is_requirement(text: str) -> bool:
    """Return whether a text is a list of bounds: `>= 1.2`, `>= 1.2, < 2`."""
    return re.fullmatch(_BOUNDS, text) is not None


def fits(version: str, requirement: str) -> bool:
    """Return whether the leading numbers of a version are within all bounds.

    1.2 equals 1.2.0, and a suffix such as `-draft` is ignored. A version without numbers fits
    nothing.
    """
    numbers = re.match(r"\d{1,6}(\.\d{1,6}){0,5}", version.strip())
    if numbers is None:
        return False
    return all(
        _COMPARES[compare](_order(numbers[0], bound), 0)
        for compare, bound in re.findall(_BOUND, requirement)
    )


def _order(version: str, other: str) -> int:
    """Return a number below 0 if the version is before the other, 0 if equal, above 0 if after
    it."""
    pairs = zip_longest(map(int, version.split(".")), map(int, other.split(".")), fillvalue=0)
    return next((a - b for a, b in pairs if a != b), 0)
