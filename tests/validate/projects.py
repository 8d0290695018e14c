"""Fixture projects, and the findings of loading and validating one in a folder.

Some are kept as bundles with paths relative to the project; a plain pack.yaml is left out there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from bundles import laid, unbundled

from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic
from generator.load import read_document, read_pack
from generator.model.catalogue import PrinterProfile
from generator.model.pack import Pack
from generator.project import Project
from generator.validate import check_pack, read_catalogue, read_profile

FIXTURES = Path(__file__).parents[1] / "fixtures" / "validate"
SHIPPED = FIXTURES / "shipped"
PACK = "demo"
PLAIN = {f"cards/{PACK}/pack.yaml": "title: Demo\nversion: 1.0.0\n"}
_EXPECT = re.compile(r"# expect: (.*)$")
_ONE = re.compile(r"(\d+) (GP\d+) (error|warning)")

Finding = tuple[str, int, int, str, str]


@dataclass(frozen=True)
class Checked:
    """The pack and its findings."""

    pack: Pack
    diagnostics: tuple[Diagnostic, ...]
    profile: PrinterProfile

    def findings(self, root: Path) -> list[Finding]:
        """File (from the project's root), line, column, code, severity; sorted."""
        return sorted(
            (
                Path(d.span.file).relative_to(root).as_posix(),
                d.span.line,
                d.span.column,
                d.code,
                str(d.severity),
            )
            for d in self.diagnostics
        )


def unpacked(name: str, folder: Path) -> Path:
    """Return the root of a project; one that is kept as a bundle is unpacked into a folder."""
    kept = FIXTURES / name
    return laid(PLAIN | unbundled(kept), folder) if kept.suffix == ".txt" else kept


def check(root: Path, players: int | None = None, only: str | None = None) -> Checked:
    """Load and validate the pack `demo` of a project."""
    project = Project(root, SHIPPED)
    said: list[Diagnostic] = []
    documents = []
    for name in ("stocks.yaml", "papers.yaml", "label_sheets.yaml"):
        for path in project.shared_files(name):
            read = read_document(path, str(path))
            said += read.diagnostics
            assert read.value is not None
            documents.append(read.value)
    catalogue = read_catalogue(documents)
    profile = PrinterProfile()
    if (root / "printer.yaml").exists():
        read = read_document(root / "printer.yaml", str(root / "printer.yaml"))
        assert read.value is not None
        outcome = read_profile(read.value)
        profile = outcome.value
        said += outcome.diagnostics
    source = read_pack(Absolute(root, SHIPPED), PACK)
    assert source.value is not None
    assets = AssetFinder([project.cards(PACK)], [root / "templates" / PACK / "icons"])
    checked = check_pack(source.value, catalogue.value, assets=assets, players=players, only=only)
    said += (*catalogue.diagnostics, *source.diagnostics, *checked.diagnostics)
    return Checked(checked.value, tuple(said), profile)


class Absolute(Project):
    """A project whose files are shown by their whole path."""

    def display(self, path: Path) -> str:
        return str(path)


def expected(root: Path) -> list[Finding]:
    """Return the sorted `# expect:` comments of a project's files."""
    return sorted(_expected(root))


def _expected(root: Path) -> Iterator[Finding]:
    for path in root.rglob("*.yaml"):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            found = _EXPECT.search(line)
            for column, code, severity in _ONE.findall(found[1]) if found else ():
                yield path.relative_to(root).as_posix(), number, int(column), code, severity
