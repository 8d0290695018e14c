"""Manifests in, the list of components of docs/packs/<pack>.md out: run `make components`.

    python docs/components.py [--check] output/chariot-dash...

Between the two marks of each pack's page stands every component with its count, files and pages,
as the pack's last build in that folder says; the words around it are left alone. `--check` writes
nothing and fails when a page is not as the manifest says, and so holds the pages up to date.
"""

import html
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from generator.build import PackedKind, packing_list
from generator.model.manifest import Manifest, page_range, read_manifest

PAGES = Path(__file__).parent / "packs"
START = "<!-- components: made by `make components`, do not edit -->\n"
END = "<!-- end of components -->\n"
HEADING = "## Every component\n\n"


def main(words: Sequence[str]) -> int:
    checks = "--check" in words
    stale = []
    for folder in (Path(word) for word in words if word != "--check"):
        path = folder / "manifest.json"
        if not path.exists():
            sys.stderr.write(f"{folder}: passed over, nothing is printed there\n")
            continue
        manifest = read_manifest(path.read_bytes())
        page = PAGES / f"{manifest.pack}.md"
        now = page.read_text(encoding="utf-8") if page.exists() else new_page(manifest.pack)
        then = with_components(now, manifest)
        if checks and (not page.exists() or then != now):
            stale.append(page)
        elif not checks:
            page.write_text(then, encoding="utf-8")
    for page in stale:
        sys.stderr.write(f"{page}: not as the pack is printed now; run make components\n")
    return int(bool(stale))


def new_page(pack: str) -> str:
    return f"# {pack.replace('-', ' ').title()}\n"


def with_components(page: str, manifest: Manifest) -> str:
    """The page with its list renewed, or put at its end."""
    made = START + components(manifest) + END
    before, start, rest = page.partition(START)
    if not start:
        return f"{page.rstrip()}\n\n{HEADING}{made}"
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"the page has the mark {START.strip()!r} but not {END.strip()!r}")
    return before + made + after


def components(manifest: Manifest) -> str:
    """The kinds in a table, then the components of each kind printed that has several."""
    kinds = packing_list(manifest)
    players = manifest.players
    number = len(kinds), sum(kind.different for kind in kinds), sum(kind.pieces for kind in kinds)
    whom = f"For {players} players: " if players else ""
    head = "\n{}{} kinds, {} different components, {} pieces.\n\n".format(whom, *number)
    rows = (
        (kind.title, kind.count, kind.pieces, places(kind.pages), kind.why or "–") for kind in kinds
    )
    table = "".join(lines(("kind", "different", "pieces", "pages", "why"), rows))
    return head + table + "".join(map(details, kinds)) + "\n"


def details(kind: PackedKind) -> str:
    if len(kind.components) < 2 or not kind.pieces:
        return ""
    files = list(kind.pages)
    rows = (
        (
            f"`{component.id}`",
            component.pieces,
            *(page_range(component.pages.get(file, ())) or "–" for file in files),
        )
        for component in kind.components
    )
    names = (file.removesuffix(".pdf") for file in files)
    table = "".join(lines((f"{kind.name}", "pieces", *names), rows))
    summary = f"{html.escape(kind.title)}: {kind.count}"
    return f"\n<details><summary>{summary}</summary>\n\n{table}\n</details>\n"


def places(pages: dict[str, tuple[int, ...]]) -> str:
    """`cards-a4 1–3, cards-letter 1–4`."""
    found = (f"{file.removesuffix('.pdf')} {page_range(on)}" for file, on in pages.items())
    return "; ".join(found) or "–"


def lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield row(head)
    yield row(["---"] * len(head))
    for cells in rows:
        yield row(cells)


def row(cells: Iterable[object]) -> str:
    shown = (html.escape(str(cell), quote=False).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
