"""Print a table of each pack's files on its page in docs/packs: run `make components`.

    python docs/components.py [--check] output/chariot-dash...

The table stands between two marks on the page and lists the files of the pack's last build in that
folder. `--check` writes nothing, and fails when a page differs from the build.
"""

import html
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml

from generator.build import PackedKind, packing_list
from generator.model.face import Side
from generator.model.manifest import FileEntry, Manifest, read_manifest

PAGES = Path(__file__).parent / "packs"
PACKS = Path(__file__).parent.parent / "cards"
START = "<!-- components: made by `make components`, do not edit -->\n"
END = "<!-- end of components -->\n"
RANGE = re.compile(r"(?<=\d)(?: to |-)(?=\d)")
HEADING = "## The sheets\n\n"


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
    """Return the page with its table renewed, or added at its end."""
    about = yaml.safe_load((PACKS / manifest.pack / "pack.yaml").read_text(encoding="utf-8"))
    made = START + components(manifest, about["prints"]) + END
    before, start, rest = page.partition(START)
    if not start:
        return f"{page.rstrip()}\n\n{HEADING}{made}"
    _, end, after = rest.partition(END)
    if not end:
        raise SystemExit(f"the page has the mark {START.strip()!r} but not {END.strip()!r}")
    return before + made + after


def components(manifest: Manifest, prints: Mapping[str, Mapping[str, Any]]) -> str:
    """Return a table of the prints: their sheets of paper, their pieces, and what to print on."""
    kinds = packing_list(manifest)
    pieces = f"{sum(kind.pieces for kind in kinds)} pieces"
    players = f", for {manifest.players} players" if manifest.players else ""
    files: dict[str, list[FileEntry]] = {}
    for file in manifest.files:
        files.setdefault(file.print_, []).append(file)
    rows = (
        (
            f"`{name}`",
            sheets(found),
            contents(found, kinds, booklet=prints[name].get("layout") == "booklet"),
            ground(found[0], prints[name].get("media", "")),
        )
        for name, found in files.items()
    )
    table = "".join(lines(("file", "sheets of paper", "what", "print it on"), rows))
    return f"\n{pieces}{players}:\n\n{table}\n"


def sheets(files: Sequence[FileEntry]) -> str:
    """Return how many sheets of paper a print takes: `17`, or `17 (letter 19)` if they differ."""
    counts = {file.paper: sum(page.side is Side.FRONT for page in file.pages) for file in files}
    first, *others = counts.items()
    more = "".join(f" ({paper} {count})" for paper, count in others if count != first[1])
    return f"{first[1]}{more}"


def contents(files: Sequence[FileEntry], kinds: Sequence[PackedKind], *, booklet: bool) -> str:
    names = {file.file for file in files}
    here = [kind for kind in kinds if names & {*kind.pages}]
    if booklet:
        return "; ".join(f"{kind.title}, {kind.pieces} pages" for kind in here)
    return "; ".join(
        f"{kind.title} ×{kind.pieces}" if kind.pieces > 1 else kind.title for kind in here
    )


def ground(file: FileEntry, media: str) -> str:
    turned = any(page.side is Side.BACK for page in file.pages)
    weight = RANGE.sub("–", media.partition(";")[0])
    return (weight or "–") + (", both sides" if turned else "")


def lines(head: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """A table in Markdown."""
    yield row(head)
    yield f"|{'---|' * len(head)}\n"
    for cells in rows:
        yield row(cells)


def row(cells: Iterable[object]) -> str:
    shown = (html.escape(str(cell), quote=False).replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(shown)} |\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
