"""The parts that are cut out, and the tokens: outlines have their centring marks, front tab, folds
and glue tabs; a mark points at the middle of the side that it stands at."""

from __future__ import annotations

import math
import re

import pytest
from packs.gallery import shown
from packs.shipped import sides, words

from generator.model.face import Face
from generator.model.pack import Pack

NAME = "joust-racers"
SPECIES = {"slab": "brock", "shell": "karkin", "wing": "lunet", "clock": "tock", "bulb": "mire"}
ROSE = "#c21858"
PARTS = '{% from "shared/machines/parts.svg.j2" import chassis, engine, tires, weapon, shield %}'
BOXES = {
    "hull": 'chassis(look, "a", 5, 5, 54, 66, "n")',
    "cowl": 'chassis(look, "b", 5, 5, 54, 46, "n")',
    "engine": 'engine(look, 5, 5, 54, 30, "n")',
}
DOUBLED = {
    "weapon": 'weapon(look, 5, 5, 54, 30, "n")',
    "shield": 'shield(look, "left", 5, 5, 54, 26, "n")',
}
TIRES = 'tires(look, 5, 5, 54, 32, "n")'
CUT = r'<path (?:transform="[^"]*" )?d="([^"]*)Z" fill="(?:none|#ffffff)" [^>]*stroke-width="\.35"'
MARK = (
    r'<path transform="translate\(([-\d.]+) ([-\d.]+)\) rotate\((\d+)\) scale\(([\d.]+)\)" '
    rf'd="M0 0L\.8 1\.400?H-\.8Z" fill="{ROSE}"'
)
SPOT = r'<circle cx="([-\d.]+)" cy="([-\d.]+)" r="2\.2" fill="#f6d3e0"'
FOLD = r'<path d="M([-\d.]+) ([-\d.]+)L([-\d.]+) ([-\d.]+)"[^>]*stroke-dasharray="1\.6 \.9"'

STRAIGHT = re.compile(r"[MLHV\d\s.-]+")
STAR = re.compile(r'd="M[^LZ]*(?:L[^LZ]*){9}Z" fill="#ffffff"')

XY = tuple[float, float]


@pytest.fixture(scope="module")
def drawings(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """Each part in each form, as it is cut out, by its name and form."""
    wanted = {
        (part, form): call
        for part, call in {**BOXES, **DOUBLED, "tires": TIRES}.items()
        for form in SPECIES
    }
    templates = [
        f'{PARTS}{{% set look = {{"form": "{form}", "hue": colour.{SPECIES[form]}, '
        f'"charge": "cog"}} %}}{{{{ {call} }}}}'
        for (_, form), call in wanted.items()
    ]
    faces = shown(tmp_path_factory.mktemp("parts"), NAME, "64mm 76mm", templates)
    return {part: face.svg for part, face in zip(wanted, faces, strict=True)}


def corners(path: str) -> list[XY]:
    """The corners of a path of straight lines."""
    found: list[XY] = []
    for command, values in re.findall(r"([MLHV])([^MLHVZ]*)", path):
        numbers = [float(n) for n in re.findall(r"-?[\d.]+", values)]
        if command == "H":
            found.append((numbers[0], found[-1][1]))
        elif command == "V":
            found.append((found[-1][0], numbers[0]))
        else:
            found += zip(numbers[::2], numbers[1::2], strict=True)
    return found


def from_line(p: XY, a: XY, b: XY) -> float:
    """How far a point is from a line between two others."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    t = ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / (dx * dx + dy * dy)
    t = max(0.0, min(1.0, t))
    return math.dist(p, (a[0] + t * dx, a[1] + t * dy))


def folds(svg: str) -> list[tuple[XY, XY]]:
    """The fold lines of a drawing, from end to end."""
    found = (tuple(map(float, line)) for line in re.findall(FOLD, svg))
    return [((x1, y1), (x2, y2)) for x1, y1, x2, y2 in found]


@pytest.mark.thorough(but=4)
@pytest.mark.parametrize("form", SPECIES)
@pytest.mark.parametrize("part", BOXES)
def test_a_box_has_its_marks_front_tab_folds_and_glue_tabs(
    drawings: dict[tuple[str, str], str], part: str, form: str
) -> None:
    svg = drawings[part, form]
    (outline,) = (corners(path) for path in re.findall(CUT, svg) if STRAIGHT.fullmatch(path))
    assert len(outline) > 20
    lines = folds(svg)
    # one mark at the middle of each side, with its point on the fold there
    marks = [(float(x), float(y), int(turn)) for x, y, turn, _ in re.findall(MARK, svg)]
    assert sorted(turn for _, _, turn in marks) == [0, 90, 180, 270]
    ends = {turn: (x, y) for x, y, turn in marks}
    for turn, point in ends.items():
        assert min(from_line(point, *line) for line in lines) < 0.06, turn
    assert ends[0][0] == ends[180][0] == 0
    assert ends[0][1] < ends[180][1]
    assert ends[270][0] == -ends[90][0] < 0
    assert ends[90][1] == ends[270][1] == 0
    # the front tab is the one that ends the net in front, in the middle, and is rose
    front = min(y for _, y in outline)
    tabs = [
        corners(path)
        for path in re.findall(rf'<path d="([^"]*)Z" fill="{ROSE}"/>', svg)
        if STRAIGHT.fullmatch(path)
    ]
    (tab,) = (t for t in tabs if min(y for _, y in t) == pytest.approx(front, abs=0.011))
    assert min(x for x, _ in tab) == -max(x for x, _ in tab)
    foot = max(y for _, y in tab)
    assert any(a[0] < min(tab)[0] + 0.01 and a[1] == b[1] == pytest.approx(foot) for a, b in lines)
    # each wall is folded at the lid, which is drawn twice, and at its glue tab; what stands on a
    # hull is folded and glued at its two feet as well, a hull is folded at its front tab
    feet = 0 if part == "hull" else 2
    walls = len(re.findall(r'Z" fill="#f6d3e0"/>', svg)) - feet
    assert walls >= 4
    assert len(lines) == 3 * walls + (feet or 1)


@pytest.mark.parametrize("form", SPECIES)
@pytest.mark.parametrize(("part", "middle"), [("weapon", 10.0), ("shield", 18.0)])
def test_a_doubled_piece_has_its_fold_feet_and_their_middle(
    drawings: dict[tuple[str, str], str], part: str, middle: float, form: str
) -> None:
    svg = drawings[part, form]
    assert len(re.findall(CUT, svg)) == 2
    spine = [(a, b) for a, b in folds(svg) if a[1] == b[1] == 0]
    feet = [(a, b) for a, b in folds(svg) if a[1] == b[1] != 0]
    assert len(spine) == 1
    assert len(feet) == 2
    marks = [(float(x), float(y)) for x, y, _, _ in re.findall(MARK, svg)]
    assert marks == [((a[0] + b[0]) / 2, a[1]) for a, b in feet]
    assert [x for x, _ in marks] == [middle] * 2
    assert len(re.findall(r'fill="#f6d3e0"/>', svg)) == 2


@pytest.mark.parametrize("form", SPECIES)
@pytest.mark.parametrize("part", DOUBLED)
def test_a_doubled_piece_has_its_front_tab(
    drawings: dict[tuple[str, str], str], part: str, form: str
) -> None:
    """Part of its foot is rose: in front on both halves of a weapon, outside on a shield."""
    svg = drawings[part, form]
    (left, foot), (right, _) = next(line for line in folds(svg) if line[0][1] == line[1][1] > 0)
    tabs = [
        corners(path)
        for path in re.findall(rf'<path d="([^"]*)Z" fill="{ROSE}"/>', svg)
        if STRAIGHT.fullmatch(path)
    ]
    for tab in tabs:
        xs, ys = [x for x, _ in tab], [y for _, y in tab]
        assert left <= min(xs) < max(xs) <= right
        assert min(map(abs, ys)) == foot
    if part == "weapon":
        assert [max(x for x, _ in tab) for tab in tabs] == [right] * 2
    else:
        assert [sum(x for x, _ in tab) / 4 for tab in tabs] == [(left + right) / 2]


@pytest.mark.parametrize("form", SPECIES)
def test_tires_are_cut_in_pairs_marked_and_folded_between(
    drawings: dict[tuple[str, str], str], form: str
) -> None:
    svg = drawings["tires", form]
    pairs = re.findall(r'<path d="([^"]*)Z" fill="none"[^>]*stroke-width="\.35"', svg)
    pairs = [path for path in pairs if path.count("A") == 2]
    assert len(pairs) == len(folds(svg)) == 4
    assert all(a[1] == b[1] == 0 for a, b in folds(svg))
    # one half of each pair is glued on; marks point at the middle of its sides
    (middle,) = {(float(x), float(y)) for x, y in re.findall(SPOT, svg)}
    marks = [(float(x), float(y)) for x, y, _, _ in re.findall(MARK, svg)]
    assert len(marks) == 16
    assert {round(math.dist(middle, mark), 3) for mark in marks} == {6.2}
    # the front tab is part of the outline, on two pairs to the right and on two to the left
    tips = [max(map(float, re.findall(r"L(-?4)-", path)), key=abs) for path in pairs]
    assert tips == [4, 4, -4, -4]


@pytest.mark.parametrize("form", SPECIES)
def test_tires_are_glued_to_walls_of_the_hull(
    drawings: dict[tuple[str, str], str], form: str
) -> None:
    """Four spots, each whole on one wall, as many on the right as on the left."""
    svg = drawings["hull", form]
    spots = [(float(x), float(y)) for x, y in re.findall(SPOT, svg)]
    assert len(spots) == 4
    assert {(-x, y) for x, y in spots} == set(spots)
    (outline,) = (corners(path) for path in re.findall(CUT, svg) if STRAIGHT.fullmatch(path))
    edges = [(a, b) for a, b in zip(outline, outline[1:] + outline[:1], strict=True) if a != b]
    for spot in spots:
        assert min(from_line(spot, *edge) for edge in edges) > 2.2
        assert min(from_line(spot, *line) for line in folds(svg)) > 2.2


def test_wheels_of_a_side_do_not_touch(drawings: dict[tuple[str, str], str]) -> None:
    for form in SPECIES:
        rows = sorted(float(y) for x, y in re.findall(SPOT, drawings["hull", form]) if "-" not in x)
        assert rows[1] - rows[0] > 2 * 6.2


def lid(svg: str) -> list[XY]:
    """The corners of the lid of a box: its edges are the last that are drawn as folds."""
    lines = folds(svg)
    closed = next(n for n in range(4, len(lines)) if lines[-n][0] == lines[-1][1])
    return [a for a, _ in lines[-closed:]]


def within(p: XY, outline: list[XY]) -> bool:
    """Whether a point is inside of a convex outline that runs clockwise."""
    edges = zip(outline, outline[1:] + outline[:1], strict=True)
    return all((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0 for a, b in edges)


@pytest.mark.parametrize("form", SPECIES)
def test_what_stands_on_a_hull_fits_its_place(
    drawings: dict[tuple[str, str], str], form: str
) -> None:
    """The dotted line on a hull is the cowl's outline, and behind it an engine has its length."""
    hull = drawings["hull", form]
    (dotted,) = (corners(d) for d in re.findall(r'd="([^"]*)Z"[^>]*stroke-dasharray="\.4', hull))
    assert dotted == lid(drawings["cowl", form])
    assert all(within(corner, lid(hull)) for corner in dotted)
    room = max(y for _, y in lid(hull)) - max(y for _, y in dotted)
    engines = [lid(drawings["engine", other]) for other in SPECIES]
    assert all(max(y for _, y in e) - min(y for _, y in e) <= room for e in engines)


def die_line(face: Face) -> list[XY]:
    """The corners of the outline that a token is cut to."""
    path = face.stock.path
    assert path is not None
    return corners(path.replace(" Z", "Z"))


def body(outline: list[XY]) -> tuple[XY, XY]:
    """The left upper and right lower corner of a token without its front tab, whose corners are
    all that stand higher than the ends of the sides."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    tab = [x for x, y in outline if y == min(ys)]
    assert len(tab) == 2
    assert sum(tab) == min(xs) + max(xs)
    assert max(tab) - min(tab) < (max(xs) - min(xs)) / 3
    return (min(xs), sorted(set(ys))[1]), (max(xs), max(ys))


@pytest.mark.thorough
def test_flat_racers_have_a_front_tab_and_a_mark_on_each_side(
    pack: Pack, faces: tuple[Face, ...]
) -> None:
    tokens = [f for f in faces if f.kind == "racer-token" and f.name == "front"]
    assert {f.component for f in tokens} == {c.id for c in pack.components["racer"]}
    for face in tokens:
        (left, top), (right, low) = body(die_line(face))
        cx, cy = (left + right) / 2, (top + low) / 2
        (shift,) = re.findall(
            r'<g transform="translate\(([\d.]+) ([\d.]+)\)"><path transform="tr', face.svg
        )
        assert (float(shift[0]), float(shift[1])) == (cx, cy)
        marks = re.findall(MARK.replace(ROSE, "#24142e"), face.svg)
        ends = {int(turn): (cx + float(x), cy + float(y)) for x, y, turn, _ in marks}
        for turn, side in {0: (cx, top), 90: (right, cy), 180: (cx, low), 270: (left, cy)}.items():
            assert math.dist(ends[turn], side) < 0.5, turn
        (tab,) = (
            corners(d) for d in re.findall(rf'<path d="([^"]*)Z" fill="{ROSE}"/>', face.svg)[:1]
        )
        assert min(y for _, y in tab) < 0
        assert max(y for _, y in tab) > top
        assert min(x for x, _ in tab) + max(x for x, _ in tab) == 2 * cx


def test_every_face_is_drawn(faces: tuple[Face, ...]) -> None:
    both, one = {"front", "back"}, {"front"}
    assert sides(faces) == {
        "part-card": both, "knight": both, "racer": both, "racer-token": both, "ruler": both,
        "blocker": both, "waypoint": both, "token": both, "falcon": both, "turn-sheet": both,
        "ability-sheet": both, "credits-sheet": both, "rules-page": one,
    }  # fmt: skip
    assert min(box.size_pt for face in faces for box in face.text_boxes) >= 7
    assert not any("[" in words(face) for face in faces)


def test_both_faces_of_each_token_say_what_they_are_for(
    pack: Pack, faces: tuple[Face, ...]
) -> None:
    def said(kind: str, component: str) -> tuple[str, str]:
        sides = {f.name: f for f in faces if (f.kind, f.component) == (kind, component)}
        assert sides["front"].svg != sides["back"].svg
        return words(sides["front"]).strip(), words(sides["back"]).strip()

    by_what = {c.values["what"]: c for c in pack.components["token"]}
    assert set(by_what) == {"valor", "glory", "slow", "weakness"}
    valor, glory = by_what["valor"], by_what["glory"]
    assert said("token", valor.id) == (str(valor.values["front"]), "")
    assert said("token", glory.id) == (str(glory.values["front"]), str(glory.values["back"]))
    assert glory.values["front"] != glory.values["back"]
    assert said("token", by_what["slow"].id) == ("", "")
    backs = {f.component: f.svg for f in faces if f.kind == "token" and f.name == "back"}
    stars = {name for name, svg in backs.items() if STAR.search(svg)}
    assert stars == {valor.id}  # only Valor has a star behind it
    assert backs[by_what["slow"].id] == backs[by_what["weakness"].id]
    for waypoint in [c for c in pack.components["waypoint"] if c.quantity]:
        number = str(waypoint.values["number"])
        assert said("waypoint", waypoint.id) == (number, number)
    for blocker in pack.components["blocker"]:
        values = blocker.values
        assert said("blocker", blocker.id)[0] == (
            f"{values['name']} {values['armor']} {values['durability']}"
        )
    for racer in pack.components["racer"]:
        assert said("racer-token", racer.id) == ("", f"{racer.values['name']} −1")
