"""The modules of Gridpress in, the picture of the house out: run `make house`.

    python docs/house.py [--check | --list]

Each floor may import from the floors below it, and nothing from those above; beside one another
only what `BESIDE` allows. So the picture is drawn from the imports themselves, and drawing it fails
where one goes another way. `--check` draws nothing and fails when the picture is out of date;
`--list` prints every module with what it is for, as its first lines say.
"""

import ast
import sys
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import svgwrite

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "generator"
PICTURE = Path(__file__).parent / "pictures/house.svg"

STAGES: Final = ("load", "validate", "render", "impose", "export", "preflight")
FLOORS: Final[tuple[tuple[str, tuple[str, ...]], ...]] = (
    ("prints and exits", ("command line",)),
    ("a page in the browser, served while files are edited", ("studio",)),
    ("calls the stages, one after the other", ("build",)),
    ("six stages: data flows from left to right", STAGES),
    ("what stages share", ("tracks", "text", "sandbox")),
    ("values that pass between stages: all above import from here", ("model",)),
    ("files, fonts, shapes, processes, cache: all above stand on it", ("ground",)),
)
OF_MODULES: Final = {
    "cli": "command line", "guard": "command line", "__main__": "command line",
    "outlets": "build", "importing": "build",
}  # fmt: skip
"""The rooms of modules and packages that have none of their own name; all others are ground."""
BELOW_ALL: Final = ("model", "ground")
"""All floors above import from these, so that no line is drawn to them."""
BESIDE: Final = {("ground", "model"), ("model", "text")}
"""Upwards all the same: the ground works on the model's values, and a face that is asked for its
SVG has its lines written by who set them."""

WIDE, HIGH, GAP, MARGIN = 1060, 78, 30, 210
"""Pixels; captions stand in the margin, where no line runs."""


def main(words: list[str]) -> int:
    if "--list" in words:
        sys.stdout.writelines(f"{path}: {what}\n" for path, what in listed())
        return 0
    rooms, doors = surveyed()
    wrong = list(upwards(doors))
    for line in wrong:
        sys.stderr.write(f"{line}\n")
    drawn = picture(rooms, doors)
    if "--check" in words:
        stale = not PICTURE.exists() or PICTURE.read_text("utf-8") != drawn
        if stale:
            sys.stderr.write(f"{PICTURE}: not as the modules are now; run make house\n")
        return int(bool(wrong) or stale)
    PICTURE.write_text(drawn, encoding="utf-8")
    return int(bool(wrong))


def listed() -> Iterator[tuple[str, str]]:
    """Every module, those of games too, by its path; what it is for."""
    for folder in (PACKAGE, ROOT / "games"):
        for path in sorted(folder.rglob("*.py")):
            if not {"tests", "studies"} & {*path.parts}:
                said = ast.get_docstring(ast.parse(path.read_text("utf-8"))) or ""
                what = " ".join(said.partition("\n\n")[0].split())
                yield path.relative_to(ROOT).as_posix(), what.partition("; long, ")[0]


def surveyed() -> tuple[Counter[str], set[tuple[str, str]]]:
    """The rooms with the number of their modules, and which imports from which."""
    rooms: Counter[str] = Counter()
    doors: set[tuple[str, str]] = set()
    for path in sorted(PACKAGE.rglob("*.py")):
        source = path.read_text("utf-8")
        room = room_of(path.relative_to(PACKAGE).with_suffix("").parts[0])
        rooms[room] += 1
        for part in imported(ast.parse(source)):
            if room_of(part) != room:
                doors.add((room, room_of(part)))
    return rooms, doors


def room_of(part: str) -> str:
    known = {room for _, floor in FLOORS for room in floor}
    return part if part in known else OF_MODULES.get(part, "ground")


def imported(tree: ast.Module) -> Iterator[str]:
    """The first name below `generator` of all that a module imports."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == "generator":
            yield from (alias.name for alias in node.names if (alias.name != "__version__"))
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("generator."):
            yield str(node.module).split(".")[1]


def upwards(doors: set[tuple[str, str]]) -> Iterator[str]:
    """The imports that go up, or to a stage beside."""
    floor = {room: level for level, (_, rooms) in enumerate(FLOORS) for room in rooms}
    for here, there in sorted(doors):
        to_stage = here in STAGES and there in STAGES
        if (floor[here] > floor[there] or to_stage) and (here, there) not in BESIDE:
            yield f"{here} imports from {there}, which is no floor below it"


def picture(rooms: Counter[str], doors: set[tuple[str, str]]) -> str:
    high = len(FLOORS) * (HIGH + GAP) + GAP
    drawing = svgwrite.Drawing(size=(WIDE, high), viewBox=f"0 0 {WIDE} {high}", debug=False)
    drawing.add(drawing.rect((0, 0), (WIDE, high), fill="#fbf8f1"))
    text = {"font_family": "Noto Sans, sans-serif", "fill": "#22303c"}
    at: dict[str, tuple[float, float, float]] = {}
    for level, (_, names) in enumerate(FLOORS):
        wide = (WIDE - MARGIN - 20 * len(names)) / len(names)
        for place, name in enumerate(names):
            at[name] = (MARGIN + place * (wide + 20), GAP + level * (HIGH + GAP), wide)
    for here, there in sorted(doors):
        (x, y, wide), (to_x, to_y, to_wide) = at[here], at[there]
        if to_y > y and there not in BELOW_ALL:
            start, end = (x + wide / 2, y + HIGH), (to_x + to_wide / 2, to_y)
            drawing.add(drawing.line(start, end, stroke="#b9a98c", stroke_width=1.2))
    for level, (what, names) in enumerate(FLOORS):
        for name in names:
            x, y, wide = at[name]
            stage = name in STAGES
            fill, edge = ("#dbe9e4", "#2f6f5e") if stage else ("#ffffff", "#22303c")
            drawing.add(drawing.rect((x, y), (wide, HIGH), 8, 8, fill=fill, stroke=edge))
            size = f"{rooms[name]} modules"
            middle = {"text_anchor": "middle", **text}
            drawing.add(
                drawing.text(
                    name, (x + wide / 2, y + 36), font_size=19, font_weight="bold", **middle
                )
            )
            drawing.add(drawing.text(size, (x + wide / 2, y + 58), font_size=12, **middle))
            if stage and name != STAGES[-1]:
                tip = (x + wide, y + HIGH / 2)
                arrow = [(tip[0] + 2, tip[1] - 8), (tip[0] + 18, tip[1]), (tip[0] + 2, tip[1] + 8)]
                drawing.add(drawing.polygon(arrow, fill="#2f6f5e"))
        lines = textwrap.wrap(what, 26)
        first = GAP + level * (HIGH + GAP) + HIGH / 2 + 4 - 8 * (len(lines) - 1)
        for n, line in enumerate(lines):
            drawing.add(drawing.text(line, (20, first + 16 * n), font_size=12, **text))
    return f"{drawing.tostring()}\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
