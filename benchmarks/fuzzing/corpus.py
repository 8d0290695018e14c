"""The small good projects that are broken: each a mapping of paths to what lies there.

`mini` has something of everything and is kept in `corpus/mini`; `race` and `scrap` are cut out of
shipped packs; `printed` is `mini` with its finished files, `sheets` what a
designer has before there is a pack, `archive` a project as one zip, `target` what is there when a
printer is to be measured.
"""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Final

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTCollection, TTFont
from PIL import Image, ImageDraw

from generator.calibration import RADIUS, TELLTALE, TELLTALES, mark_centres
from generator.geometry import Size

HERE: Final = Path(__file__).resolve().parent / "corpus"
ROOT: Final = Path(__file__).resolve().parents[2]
_PIXELS: Final = 72
_PER_MM: Final = 4


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link, and what it leads to."""

    target: str


@dataclass(frozen=True, slots=True)
class Special:
    """What is no file: a `fifo`, a `socket` or an empty `folder`."""

    sort: str


Entry = bytes | Link | Special
Project = Mapping[str, Entry]


PARTS: Final[Mapping[str, tuple[str, ...]]] = {
    "cards": ("card*", "suit*", "marker*", "art", "badge*", "locales", "fold"),
    "tracks": ("segment*", "ring*", "map*", "tiles", "maps"),
    "tokens": ("token*.yaml", "tokens.csv", "more*", "starters", "stickers"),
    "boards": ("board*",),
}
"""What `mini` is made of: of each part the names of its files, folders and prints."""


@cache
def project(name: str) -> dict[str, bytes]:
    """A good project by its name; `mini-PART` has a part of `mini` alone."""
    if name.startswith("mini-"):
        return _part(name.removeprefix("mini-"))
    return {
        "mini": mini,
        "race": race,
        "scrap": scrap,
        "printed": printed,
        "sheets": sheets,
        "archive": archive,
        "target": target,
    }[name]()


def mini() -> dict[str, bytes]:
    """The pack with something of everything, with pictures, fonts and a workbook."""
    files = _read(HERE / "mini")
    art = "cards/mini/art/"
    files[f"{art}field.png"] = _picture("PNG")
    files[f"{art}photo.jpg"] = _picture("JPEG")
    files[f"{art}web.webp"] = _picture("WEBP")
    files["cards/mini/more.xlsx"] = workbook(
        [["id", "name", "value", "copies"], ["disc", "Disc", 3, 1]]
    )
    plain = cut_font(ROOT / "fonts/russo-one/RussoOne_400Regular.ttf")
    files["fonts/own/own.ttf"] = plain
    return files


def part_of(path: str) -> str:
    """The part of `mini` that a file belongs to; empty for what all parts need."""
    names = path.split("/")[2:]
    for part, patterns in PARTS.items():
        if any(fnmatchcase(name, pattern) for name in names for pattern in patterns):
            return part
    return ""


def _part(kept: str) -> dict[str, bytes]:
    files = {path: content for path, content in mini().items() if part_of(path) in (kept, "")}
    head = files["cards/mini/pack.yaml"].decode()
    for line in re.findall(r"  \w+: \{title: .*\n", head):
        if part_of(f"cards/mini/{line.split(':')[0].strip()}") != kept:
            head = head.replace(line, "")
    for line, kind in re.findall(r"(  \w+: \{\w+: \{(\w+): .*\n)", head):
        if part_of(f"cards/mini/{kind}") != kept:
            head = head.replace(line, "")
    files["cards/mini/pack.yaml"] = head.encode()
    return files


def race() -> dict[str, bytes]:
    """Vehicles, tracks and what they need, of the game of chariots."""
    kinds = (
        *("vehicle", "trait", "special", "damage-effect", "stamina-effect", "race-type"),
        *("option", "die", "track", "track-piece"),
    )
    kept = _kinds("chariot-dash", kinds)
    files = {
        name: re.sub(rb"(?m)^(stock|faces|quantity|why): .*\n", b"", kept[name]) for name in kept
    }
    for name, most in {
        "vehicles": 3,
        "traits": 99,
        "specials": 99,
        "effects": 99,
        "stamina-effects": 99,
        "race-types": 99,
        "options": 99,
        "dice": 99,
        "tracks": 2,
        "track-pieces": 99,
    }.items():
        files[f"cards/chariot-dash/{name}.yaml"] = _first("chariot-dash", f"{name}.yaml", most)
    tracks = "cards/chariot-dash/tracks.yaml"
    files[tracks] = re.sub(rb"racer: [a-z-]+", b"racer: basic", files[tracks])
    for starter in ("vehicle", "track"):
        name = f"cards/chariot-dash/starters/{starter}.yaml"
        files[name] = (ROOT / name).read_bytes()
    head = (ROOT / "cards/chariot-dash/pack.yaml").read_text(encoding="utf-8")
    files["cards/chariot-dash/pack.yaml"] = re.sub(
        r"\nprints:\n.*?\ncredits:", "\ncredits:", head, flags=re.DOTALL
    ).encode()
    files |= _templates("chariot-dash", ("icons/*.svg", "styles.yaml"))
    return files


def scrap() -> dict[str, bytes]:
    """Some of the crash cards of the game of scrap, with their real faces and a table."""
    kinds = ("crash-card", "crash-deck", "crash-effect", "racer", "ability", "lap")
    files = _kinds("scrap-circuit", kinds)
    racer = files["cards/scrap-circuit/kinds/racer.yaml"].decode()
    unprinted = re.sub(r"^(stock|quantity|why|faces): .*\n", "", racer, flags=re.MULTILINE)
    files["cards/scrap-circuit/kinds/racer.yaml"] = unprinted.encode()
    for kind in kinds:
        name = f"{kind}s.yaml".replace("ys.yaml", "ies.yaml")
        files[f"cards/scrap-circuit/{name}"] = (ROOT / "cards/scrap-circuit" / name).read_bytes()
    files["cards/scrap-circuit/crash-cards.csv"] = (
        b"id,deck,effect,copies\nelbow,dents,forward-back,18\nlimp,smoke,forward-3,9\n"
        b"stalled,smoke,stay-put,9\nspin,fire,back-4,20\n"
    )
    head = (ROOT / "cards/scrap-circuit/pack.yaml").read_text(encoding="utf-8")
    start, end = head.index("  dashboards:"), head.index("credits:")
    head = (head[:start] + head[end:]).replace(
        "[crash-card, goal-card, bonus-card]", "[crash-card]"
    )
    files["cards/scrap-circuit/pack.yaml"] = head.encode()
    faces = (
        "crash-card.svg.j2",
        "crash-card-back.svg.j2",
        "parts/**/*.j2",
        "art/*/*.svg",
        "icons/*.svg",
        "styles.yaml",
    )
    return files | _templates("scrap-circuit", faces)


def printed() -> dict[str, bytes]:
    """The finished files of one or two components of each kind of `mini`."""
    with tempfile.TemporaryDirectory(prefix="fuzz-printed-") as name:
        folder = Path(name)
        for path, content in mini().items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(content)
        build = ("build", name, "-o", f"{name}/output", "--only", "[ehrg]*")
        command = (sys.executable, "-m", "generator", *build)
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        made = _read(folder / "output/mini")
    # A part is printed, to be quick about it, and given the names that a whole build has.
    printed = (path for path in made if path.endswith((".pdf", "manifest.only.json")))
    whole = {path.replace(".only.", "."): made[path] for path in printed}
    told = whole["manifest.json"].replace(b".only.pdf", b".pdf")
    profiles = (HERE / "pdf_profiles.yaml").read_bytes()
    return {**whole, "manifest.json": told, "cards/shared/pdf_profiles.yaml": profiles}


def sheets() -> dict[str, bytes]:
    """A table with something of all that a column can hold, and a workbook."""
    rows: list[list[str | float]] = [
        ["Card Name", "Qty", "Cost", "Kind", "Text", "Image", "# note", "Tags"],
        ["Red Hot", 3, 2.5, "fire", "Take **two** cards.", "red.png", "mine", "a; b"],
        ["Wet, Cold", 1, 0, "water", 'Say "no".', "", "", "b"],
        ["Ñandú", 2, -1, "fire", "Move #3 and {coin}.", "x/y.png", "?", ""],
    ]
    stream = io.StringIO()
    csv.writer(stream).writerows(rows)
    return {"sheet.csv": stream.getvalue().encode(), "book.xlsx": workbook(rows)}


def archive() -> dict[str, bytes]:
    """The cards of `mini` as one zip."""
    return {"game.zip": zipped(_part("cards"))}


def target() -> dict[str, bytes]:
    """A printed target as it is scanned, the manifest of its print, and what is known of the
    printer."""
    known = {
        path: content
        for path, content in mini().items()
        if path in ("printer.yaml", "cards/shared/papers.yaml")
    }
    with tempfile.TemporaryDirectory(prefix="fuzz-target-") as name:
        (Path(name) / "cards/shared").mkdir(parents=True)
        for path, content in known.items():
            (Path(name) / path).write_bytes(content)
        command = (sys.executable, "-m", "generator", "calibrate", name, "-o", f"{name}/output")
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
        made = _read(Path(name) / "output")
    files = {f"output/{path}": content for path, content in made.items() if path.endswith(".json")}
    scan = _scanned()
    for form in ("PNG", "JPEG", "WEBP"):
        stream = io.BytesIO()
        scan.save(stream, form, quality=80)
        files[f"front.{form.lower().replace('jpeg', 'jpg')}"] = stream.getvalue()
    return known | files


def _scanned() -> Image.Image:
    """A front that was printed 0.4 mm too far right, against what was known, on a dark ground."""
    sheet = Image.new("L", (round(210 * _PER_MM), round(297 * _PER_MM)), 255)
    pen = ImageDraw.Draw(sheet)
    first, *others = mark_centres(Size(210, 297))
    dots = [(mark, RADIUS) for mark in (first, *others)]
    dots += [(first.moved(right, 0), TELLTALE) for right in (TELLTALES[0], *TELLTALES[2:])]
    for mark, radius in dots:
        x, y = mark.x + 0.4, mark.y
        box = (x - radius, y - radius, x + radius, y + radius)
        pen.ellipse([edge * _PER_MM for edge in box], fill=20)
    whole = Image.new("L", (sheet.width + 40, sheet.height + 40), 90)
    whole.paste(sheet, (20, 20))
    return whole


@cache
def donors(suffix: str) -> tuple[str, ...]:
    """The texts of all shipped files that end so, to take pieces from."""
    folders = ("cards", "templates", "tests/fixtures")
    paths = sorted(path for name in folders for path in (ROOT / name).rglob(f"*{suffix}"))
    return tuple(path.read_text(encoding="utf-8", errors="replace") for path in paths)


def workbook(rows: Iterable[Iterable[str | float]]) -> bytes:
    """A workbook of one sheet, the same bytes each time."""
    lines = [
        "".join(
            f"<c><v>{cell}</v></c>"
            if not isinstance(cell, str)
            else f'<c t="inlineStr"><is><t>{cell}</t></is></c>'
            for cell in row
        )
        for row in rows
    ]
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml"
    data = "".join(f'<row r="{number}">{line}</row>' for number, line in enumerate(lines, 1))
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types">'
        '<Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Override PartName="/xl/workbook.xml" ContentType="{sheet}.sheet.main+xml"/>'
        f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{sheet}.worksheet+xml"/>'
        f'<Override PartName="/xl/sharedStrings.xml" ContentType="{sheet}.sharedStrings+xml"/>'
        "</Types>",
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="rId1" '
        f'Type="{office}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="Sheet" sheetId="1" r:id="rId1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships">'
        f'<Relationship Id="rId1" Type="{office}/worksheet" Target="worksheets/sheet1.xml"/>'
        f'<Relationship Id="rId2" Type="{office}/sharedStrings" Target="sharedStrings.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{data}</sheetData>'
        "</worksheet>",
        "xl/sharedStrings.xml": f'<sst xmlns="{main}" count="1"><si><t>word</t></si></sst>',
    }
    return zipped({name: text.encode() for name, text in parts.items()})


def zipped(parts: Mapping[str, bytes]) -> bytes:
    """A ZIP archive, the same bytes each time."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0)), content)
    return stream.getvalue()


def cut_font(path: Path) -> bytes:
    """A font with the letters of ASCII alone."""
    font = TTFont(path, recalcTimestamp=False)
    options = subset.Options(name_IDs=["*"], layout_features=["kern", "liga"], hinting=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=range(32, 127))
    cutter.subset(font)
    return _saved(font)


@cache
def fonts() -> tuple[bytes, ...]:
    """The font of `mini` in each of its forms: with curves of TrueType, of PostScript, and a
    collection."""
    plain = mini()["fonts/own/own.ttf"]
    collection = TTCollection()
    collection.fonts = [TTFont(io.BytesIO(plain), recalcTimestamp=False) for _ in range(2)]
    stream = io.BytesIO()
    collection.save(stream)
    return plain, _as_postscript(plain), stream.getvalue()


def _as_postscript(content: bytes) -> bytes:
    font = TTFont(io.BytesIO(content))
    names = font.getGlyphOrder()
    glyphs, widths = font.getGlyphSet(), {name: font["hmtx"][name] for name in names}
    shapes = {}
    for name in names:
        pen = T2CharStringPen(widths[name][0], glyphs)
        glyphs[name].draw(pen)
        shapes[name] = pen.getCharString()
    builder = FontBuilder(font["head"].unitsPerEm, isTTF=False)
    builder.setupGlyphOrder(names)
    builder.setupCharacterMap(font.getBestCmap())
    builder.setupCFF("RussoOne-Regular", {"FullName": "Russo One"}, shapes, {})
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=font["hhea"].ascent, descent=font["hhea"].descent)
    builder.setupNameTable({"familyName": "Russo One", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    builder.font.recalcTimestamp = False
    builder.font["head"].created = builder.font["head"].modified = 0
    return _saved(builder.font)


def _saved(font: TTFont) -> bytes:
    stream = io.BytesIO()
    font.save(stream)
    return stream.getvalue()


def _picture(form: str) -> bytes:
    picture = Image.new("RGB", (_PIXELS, _PIXELS))
    picture.putdata([(x * 3, y * 3, (x * y) % 256) for y in range(_PIXELS) for x in range(_PIXELS)])
    stream = io.BytesIO()
    picture.save(stream, form, quality=60)
    return stream.getvalue()


def _read(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def _kinds(pack: str, kinds: Iterable[str]) -> dict[str, bytes]:
    names = [f"cards/{pack}/kinds/{kind}.yaml" for kind in kinds]
    return {name: (ROOT / name).read_bytes() for name in names}


def _templates(pack: str, patterns: Iterable[str]) -> dict[str, bytes]:
    folder = ROOT / "templates" / pack
    paths = [path for pattern in patterns for path in sorted(folder.rglob(pattern))]
    return {
        path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths if path.is_file()
    }


def _first(pack: str, name: str, most: int) -> bytes:
    """A component file with its first components."""
    text = (ROOT / "cards" / pack / name).read_text(encoding="utf-8")
    return "".join(list(_items(text))[: most + 1]).encode()


def _items(text: str) -> Iterator[str]:
    starts = [found.start() for found in re.finditer(r"^  - ", text, re.MULTILINE)]
    for start, end in zip([0, *starts], [*starts, len(text)], strict=True):
        yield text[start:end]
