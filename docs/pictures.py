"""Printed packs in, the pictures of docs/pictures out: run `make pictures` after a pack changes.

    python docs/pictures.py output docs/pictures

Writes `<pack>-<print>.png`, the pieces of each print that a page of the docs shows, on a table,
`vehicle-kit.png`, those of a new vehicle, and `sheet.png`, the first picture of the README, with
pieces of several packs and the studio.
"""

import json
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pypdfium2
import staging
from PIL import Image

from generator.cli import run

WIDE, HERO_WIDE, COLOURS = 1200, 1600, 128
MOST_KINDS = 5
PAGES = "rules-page"


class Pack:
    """A printed pack: its manifest, and the pieces that its preview drew."""

    def __init__(self, folder: Path, scratch: str) -> None:
        self.name = folder.name
        self.files = json.loads((folder / "manifest.json").read_text("utf-8"))["files"]
        run(["preview", self.name, "--dpi", str(staging.DPI), "-o", scratch])
        self.drawn = Path(scratch, self.name, "preview")

    def prints(self) -> Iterator[tuple[str, Sequence[Mapping[str, Any]]]]:
        """Each A4 file's print, and its pages; of those with the same pieces, the first."""
        seen: set[frozenset[tuple[str, str]]] = set()
        for file in self.files:
            placed = [one for page in file["pages"] for one in page["placements"]]
            pieces = frozenset((one["kind"], one["component"]) for one in placed)
            if file["paper"] == "a4" and pieces not in seen:
                seen.add(pieces)
                yield file["print"], file["pages"]

    def pieces(self, kind: str, names: Sequence[str], side: str) -> list[Image.Image]:
        paths = [self.drawn / f"{kind}.{name}.{side}.png" for name in dict.fromkeys(names)]
        return [Image.open(path).convert("RGBA") for path in paths if path.exists()]

    def groups(self, pages: Sequence[Mapping[str, Any]]) -> Iterator[staging.Group]:
        """The pieces of a print by kind; pages of a booklet as it is read."""
        kinds: dict[str, list[str]] = {}
        for placed in (one for page in pages for one in page["placements"]):
            kinds.setdefault(placed["kind"], []).append(placed["component"])
        filled = [kind for kind in kinds if not kind.startswith("blank")]
        for kind in (filled or [*kinds])[:MOST_KINDS]:
            names = kinds[kind]
            if kind == PAGES:
                shown = [
                    one["component"]
                    for one in (pages[0]["placements"][-1], *pages[-1]["placements"])
                ]
                yield staging.opened(*map(self.page, shown))
            else:
                backs = self.pieces(kind, names, "back")
                yield staging.group(varied(self.pieces(kind, names, "front")), backs)

    def all_of(self, kind: str, side: str) -> list[Image.Image]:
        paths = sorted(self.drawn.glob(f"{kind}.*.{side}.png"))
        return [Image.open(path).convert("RGBA") for path in paths]

    def page(self, name: str) -> Image.Image:
        return next(p for s in ("front", "back") for p in self.pieces(PAGES, [name], s))


def varied(pieces: list[Image.Image], most: int = 10) -> list[Image.Image]:
    """At most so many pieces, from the whole of a list."""
    return pieces[:: -(-len(pieces) // most) or 1]


def main(output: Path, target: Path) -> None:
    shown = "".join(page.read_text("utf-8") for page in target.parent.rglob("*.md"))
    with tempfile.TemporaryDirectory() as scratch:
        folders = sorted(path.parent for path in output.glob("*/manifest.json"))
        packs = {folder.name: Pack(folder, scratch) for folder in folders}
        for pack in packs.values():
            for name, pages in pack.prints():
                path = target / f"{pack.name}-{name}.png"
                if path.name in shown:
                    save(staging.scene([*pack.groups(pages)], WIDE), path)
        save(kit(Path(scratch, "own")), target / "vehicle-kit.png")
        save(hero(packs, output, target / "studio-look.png"), target / "sheet.png")


def kit(folder: Path) -> Image.Image:
    """All that a started vehicle is printed on."""
    folder.mkdir()
    run(["new", "vehicle", "comet", "--in", str(folder)])
    run(["preview", str(folder), "--only", "comet", "--dpi", str(staging.DPI), "-o", str(folder)])
    drawn = {
        path.stem: Image.open(path).convert("RGBA")
        for path in sorted(folder.rglob("preview*/*.*.png"))
    }

    def of(kind: str, side: str) -> list[Image.Image]:
        return [one for name, one in drawn.items() if re.fullmatch(rf"{kind}\..*\.{side}", name)]

    hand = [card for card in of("crew-card", "front") for _ in range(3)]
    counters = [*of("counter", "front"), *of("counter", "back")]
    laid = [
        *staging.moved(staging.spread([*of("vehicle", "back"), *of("vehicle", "front")]), 212, 128),
        *staging.moved(staging.fan(hand), 448, 195),
        *staging.moved(staging.standing(of("standee", "front")), 500, 60),
        *staging.moved(staging.scattered(counters), 425, 42),
    ]
    return staging.photograph(laid, 545, 262, WIDE)


def hero(packs: Mapping[str, Pack], output: Path, screen: Path) -> Image.Image:
    """A track in play, hands of cards, a printed sheet, and the studio on a tablet."""

    def hand(pack: str, kind: str, number: int, x: float, y: float, turn: float) -> staging.Group:
        cards = packs[pack].all_of(kind, "front")
        return staging.moved(staging.fan(varied(cards, number)), x, y, turn)

    chariots, circuit = packs["chariot-dash"], packs["scrap-circuit"]
    backs = packs["dragon-draft"].all_of("dragon", "back")
    sheet = pypdfium2.PdfDocument(output / "dragon-draft/cards-a4.pdf")[0]
    printed = sheet.render(scale=staging.DPI / 72).to_pil().convert("RGBA")
    lying = [
        staging.Lying(chariots.all_of("track-poster", "front")[0], 560, 150, -4),
        *staging.moved(staging.standing(chariots.all_of("standee", "front")[:6]), 500, 45),
        staging.Lying(printed, 300, 165, 5),
        staging.Lying(staging.tablet(Image.open(screen)), 150, 120, -4, 4),
        *staging.moved(staging.scattered(circuit.all_of("segment", "front")[:4]), 635, 205, 4),
        staging.Lying(circuit.all_of("character", "front")[0], 560, 335, -6, 2),
        *hand("joust-racers", "part-card", 5, 425, 315, 4),
        *hand("dragon-draft", "dragon", 6, 215, 310, -5),
        *staging.moved(staging.pile(backs[:1]), 75, 315, 8),
    ]
    return staging.photograph(lying, 800, 390, HERO_WIDE)


def save(picture: Image.Image, path: Path) -> None:
    """Write a PNG of few colours: flat art loses nothing by it."""
    small = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    small.save(path, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
