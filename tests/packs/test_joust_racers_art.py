"""The paper machines: nets fold to boxes whatever their form, any part goes with any other,
strips keep their columns, tokens and species are told apart without colour."""

from __future__ import annotations

import math
import re
from itertools import combinations
from pathlib import Path

import pytest
import yaml
from packs.gallery import pictures, shown
from packs.shipped import ROOT
from PIL import ImageChops

from generator.preflight.colour_sight import Sight, apart

NAME = "joust-racers"
TEMPLATES = ROOT / "templates" / "joust-racers"
SHARED = ROOT / "templates" / "shared"
FORMS = ("slab", "shell", "wing", "clock", "bulb")
CHARGES = ("portcullis", "scallop", "crescent", "cog", "trefoil")
SPECIES = ("brock", "karkin", "lunet", "tock", "mire")
KNIGHT = {
    "folk": ("badger", "crab", "moth", "clockwork", "toad"),
    "helm": ("none", "barbute", "kettle", "crown", "hood", "goggles", "jousting"),
    "crest": ("none", "plume", "fan", "horns", "wheel", "pennon", "star"),
    "arms": ("lance", "sword", "hammer", "mace", "banner", "spanner", "bow"),
    "cloth": ("plain", "pale", "bend", "lozengy", "chequy"),
    "field": ("pavilions", "stands", "track", "forge"),
}
NETS = (
    *((f'chassis(look, "{half}"', height) for half, height in (("a", 66), ("b", 46))),
    ("engine(look", 30),
)
FLAT = (("tires(look", 32), ("weapon(look", 30), ('shield(look, "left"', 26))
PARTS = '{% from "shared/machines/parts.svg.j2" import chassis, engine, tires, weapon, shield %}'
MARKERS = '{% import "shared/machines/markers.svg.j2" as m %}'

XY = tuple[float, float]


def look(form: str) -> str:
    charge = CHARGES[FORMS.index(form)]
    return f'{{"form": "{form}", "hue": colour.{SPECIES[FORMS.index(form)]}, "charge": "{charge}"}}'


def cuts(svg: str) -> list[list[XY]]:
    """The outlines that are cut: straight, closed, and drawn as a line of 0.35 mm."""
    paths = re.findall(r'<path d="([^"]*)Z" fill="none" [^>]*stroke-width="\.35"', svg)
    found = []
    for path in paths:
        points: list[XY] = []
        for command, values in re.findall(r"([MLHV])([^MLHVZ]*)", path):
            numbers = [float(n) for n in re.findall(r"-?[\d.]+", values)]
            if command == "H":
                points.append((numbers[0], points[-1][1]))
            else:
                points += zip(numbers[::2], numbers[1::2], strict=True)
        found.append(points)
    return found


def crossing(a: XY, b: XY, c: XY, d: XY) -> bool:
    """Whether the lines ab and cd cross within both."""

    def side(p: XY, q: XY, r: XY) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < -1e-9 and side(c, d, a) * side(c, d, b) < -1e-9


@pytest.fixture(scope="module")
def nets(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], str]:
    """The drawing of each net in each form."""
    wanted = {(call, form): height for call, height in NETS for form in FORMS}
    templates = [
        f'{PARTS}{{% set look = {look(form)} %}}{{{{ {call}, 5, 5, 54, {height}, "n") }}}}'
        for (call, form), height in wanted.items()
    ]
    faces = shown(tmp_path_factory.mktemp("nets"), NAME, "64mm 76mm", templates)
    return {net: face.svg for net, face in zip(wanted, faces, strict=True)}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("call", "height"), NETS)
def test_a_net_folds_to_a_box(
    nets: dict[tuple[str, str], str], call: str, height: int, form: str
) -> None:
    """All walls are right angled and equally high, so that they meet; no part of a net covers
    another; the whole fits the natural size that it is documented with."""
    svg = nets[call, form]
    assert re.search(r" scale\(1(\.0)?\)", svg)
    (net,) = cuts(svg)
    sides = list(zip(net, net[1:] + net[:1], strict=True))
    assert [pair for pair in combinations(sides, 2) if crossing(*pair[0], *pair[1])] == []
    xs, ys = [x for x, _ in net], [y for _, y in net]
    assert max(xs) - min(xs) <= 54
    assert max(ys) - min(ys) <= height
    if "chassis" in call and height == 66:  # a hull has the front tab, of four corners
        net = net[:2] + net[6:]
    else:  # what stands on it has a foot of two corners below the front and the rear wall
        rear = 6 * ((len(net) - 4) // 6 // 2) + 2
        net = net[:2] + net[4 : rear + 2] + net[rear + 4 :]
    assert len(net) % 6 == 0
    walls = [net[i : i + 6] for i in range(0, len(net), 6)]
    depth = math.dist(*walls[0][:2])
    for wall, following in zip(walls, walls[1:] + walls[:1], strict=True):
        foot, low, end, *_ = wall
        corner = following[0]
        assert math.dist(foot, low) == pytest.approx(depth, abs=0.02)
        assert math.dist(corner, end) == pytest.approx(depth, abs=0.02)
        assert math.dist(foot, corner) == pytest.approx(math.dist(low, end), abs=0.02)
        along = ((corner[0] - foot[0]), (corner[1] - foot[1]))
        assert along[0] * (low[0] - foot[0]) + along[1] * (low[1] - foot[1]) == pytest.approx(
            0, abs=0.02 * math.hypot(*along)
        )
        assert math.dist(wall[3], wall[4]) > 2


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("mode", ["net", "flat", "art", "line"])
def test_every_form_of_every_part_is_drawn(tmp_path: Path, mode: str) -> None:
    calls = "".join(
        f'<g id="{form}-{n}">{{{{ {call.replace("look", look(form), 1)}, 0, 0, 54, {height}, '
        f'"{form}{n}", mode="{mode}") }}}}</g>'
        for form in FORMS
        for n, (call, height) in enumerate(NETS + FLAT)
    )
    svg = shown(tmp_path, NAME, "64mm 76mm", [PARTS + calls])[0].svg
    groups = re.split(r'<g id="(?:\w+)-\d">', svg)[1:]
    assert len(groups) == len(set(groups)) == 30
    assert all(len(group) > 250 for group in groups)


def test_any_part_goes_with_any_other(tmp_path: Path) -> None:
    looks = "{% set L = [" + ", ".join(look(form) for form in FORMS) + "] %}"
    template = looks + (
        '{% from "shared/machines/parts.svg.j2" import racer_top, assembly %}'
        '{% from "parts/cover.svg.j2" import racer_side %}'
        f"{{% set folks = {KNIGHT['folk']} %}}"
        '{% for i in range(5) %}{% set parts = {"chassis": L[i], "engine": L[i - 1],'
        ' "tires": L[i - 2], "weapon": L[i - 3], "shields": {"front": L[i - 4], "left": L[i]}} %}'
        '<g id="top-{{ i }}">{{ racer_top(parts, 0, 0, 42, 62, "t" ~ i) }}</g>'
        '<g id="kit-{{ i }}">{{ assembly(parts, 0, 0, 72, 80, "a" ~ i) }}</g>'
        "{% for step in range(1, 7) %}"
        '<g id="step-{{ i }}{{ step }}">'
        '{{ assembly(parts, 0, 0, 72, 80, "s" ~ i ~ step, step=step) }}</g>'
        "{% endfor %}"
        '<g id="side-{{ i }}">{{ racer_side(parts, {"folk": folks[i], "helm": "none",'
        ' "crest": "none", "cloth": "plain"}, 0, 0, 60, 38, "r" ~ i) }}</g>{% endfor %}'
    )
    svg = shown(tmp_path, NAME, "120mm 120mm", [template])[0].svg
    _, *parts = re.split(r'<g id="((?:top|kit|step|side)-\d+)">', svg)
    groups: dict[str, str] = {}
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        groups[name] = groups.get(name, "") + part
    assert len(set(groups.values())) == len(groups) == 45


def test_a_knight_is_made_of_any_choices(tmp_path: Path) -> None:
    """Each choice of each key comes up, whatever it is combined with, and shows."""
    arts = [
        {key: values[(n + i * (n // len(values))) % len(values)]}
        | {k: v[0 if k == key else n % len(v)] for k, v in KNIGHT.items() if k != key}
        for i, (key, values) in enumerate(KNIGHT.items())
        for n in range(len(values))
    ]
    template = '{% from "parts/knights.svg.j2" import knight %}' + "".join(
        f'<g id="knight-{n}">{{{{ knight({art}, 0, 0, 55, 48, colour.rose, "k{n}") }}}}</g>'
        for n, art in enumerate(arts)
    )
    svg = shown(tmp_path, NAME, "60mm 50mm", [template])[0].svg.removesuffix("</svg>")
    drawings = [
        re.sub(r"k\d+(kn|tb)", "", group) for group in re.split(r'<g id="knight-\d+">', svg)[1:]
    ]
    assert len(drawings) == len(arts)
    for first, second in combinations(range(len(arts)), 2):
        same = {key: arts[first][key] for key in KNIGHT} == {k: arts[second][k] for k in KNIGHT}
        assert (drawings[first] == drawings[second]) == same


def test_a_value_stands_in_the_middle_of_its_column(tmp_path: Path) -> None:
    """The same place on each strip, whatever the figure and the height of the strip."""
    columns = [{"key": f"k{i}", "icon": "speed", "at": i, "span": 1} for i in range(12)]
    calls = [
        f'strip({columns}, {{"k0": 1, "k5": 1, "k11": 1}}, 5, 5, 54, 8.5, "a")',
        f'strip({columns}, {{"k0": 1, "k5": 1, "k11": 1}}, 5, 20, 54, 5, "b", icons=false)',
    ]
    template = '{% from "parts/strips.svg.j2" import strip, middle %}' + "".join(
        f"{{{{ {call} }}}}" for call in calls
    )
    svg = shown(tmp_path, NAME, "64mm 40mm", [template])[0].svg
    starts = [float(x) for x in re.findall(r'<tspan x="([\d.]+)"[^>]*>1<', svg)]
    assert len(starts) == 6
    assert starts[:3] == starts[3:]
    assert starts[1] - starts[0] == pytest.approx(5 * 54 / 12, abs=0.001)
    assert starts[2] - starts[1] == pytest.approx(6 * 54 / 12, abs=0.001)


@pytest.mark.parametrize("of", ["", f", {look('clock')}"])
def test_the_back_is_the_same_either_way_up(tmp_path: Path, of: str) -> None:
    template = '{% from "parts/frames.svg.j2" import card_back %}' + (
        f'{{{{ card_back(stock, "b"{of}) }}}}'
    )
    (back,) = pictures(shown(tmp_path, NAME, "63.5mm 88.9mm", [template]), tmp_path / "png")
    # a pixel at an edge may differ by its antialiasing, a shape may not
    differing = ImageChops.difference(back, back.rotate(180)).point(lambda d: 255 * (d > 110))
    assert sum(differing.histogram()[255:]) < 0.002 * back.width * back.height
    assert sum(back.histogram()[:110]) > 0.1 * back.width * back.height


def test_each_token_has_a_shape_of_its_own(tmp_path: Path) -> None:
    """In one ink, without their numbers, no two kinds of token look alike."""
    calls = (
        "waypoint(1", "waypoint_passed(1", 'blocker("Cart", 1, 1', 'falcon("silver", 1',
        'falcon("gold", 2', "valor(1", "valor_back(", "glory(1", "slow(", "weakness(",
        "token_back(", "wall(",
    )  # fmt: skip
    templates = [
        f'{MARKERS}{{{{ m.{call if call.endswith("(") else call + ", "}stock, "t") }}}}'
        for call in calls
    ]
    tokens = [
        picture.resize((24, 24)).point(lambda grey: 255 * (grey > 128))
        for picture in pictures(shown(tmp_path, NAME, "25.4mm 25.4mm", templates), tmp_path / "png")
    ]
    for (one, a), (other, b) in combinations(zip(calls, tokens, strict=True), 2):
        differing = ImageChops.difference(a, b).histogram()[255]
        assert differing > 24 * 24 * 0.04, (one, other)


def test_no_two_icons_are_alike() -> None:
    icons = [path.read_text(encoding="utf-8") for path in (SHARED / "icons").glob("*.svg")]
    assert len(icons) > 60
    assert len(set(icons)) == len(icons)
    assert [icon for icon in icons if 'viewBox="0 0 24 24"' not in icon or "#" in icon] == []


@pytest.mark.parametrize("ink", ["full", "low", "mono"])
@pytest.mark.parametrize("sight", Sight)
def test_species_differ_for_every_eye(sight: Sight, ink: str) -> None:
    styles = yaml.safe_load((TEMPLATES / "styles.yaml").read_text(encoding="utf-8"))
    palette = {**styles["colours"], **styles["ink"].get(ink, {})}
    colours = {name: palette[name] for name in SPECIES}
    pairs = list(combinations(colours, 2))
    assert len(pairs) == 10
    assert [p for p in pairs if apart(colours[p[0]], colours[p[1]], sight) < 10] == []


def test_both_packs_share_their_colours() -> None:
    """What is drawn for one of them looks the same in the other."""
    other = ROOT / "templates" / "road-joust" / "styles.yaml"
    texts = (path.read_text(encoding="utf-8") for path in (TEMPLATES / "styles.yaml", other))
    mine, theirs = (yaml.safe_load(text) for text in texts)
    for key in ("fonts", "colours", "ink"):
        assert mine[key] == theirs[key]
