"""The small sound projects that are broken, each a mapping of paths to what lies there.

`mini` has something of everything; its texts are in `corpus/mini`.
"""

from __future__ import annotations

import io
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

import openpyxl
from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.t2CharStringPen import T2CharStringPen
from fontTools.ttLib import TTCollection, TTFont
from PIL import Image

ROOT: Final = Path(__file__).resolve().parents[2]
_CORPUS: Final = Path(__file__).resolve().parent / "corpus"


@dataclass(frozen=True, slots=True)
class Link:
    """A symbolic link."""

    target: str


@dataclass(frozen=True, slots=True)
class Special:
    """A `fifo`, a `socket` or an empty `folder`."""

    sort: str


Entry = bytes | Link | Special
Project = Mapping[str, Entry]


@cache
def project(name: str) -> Mapping[str, bytes]:
    """Return a sound project by its name."""
    return {
        "mini": mini,
        "race": race,
        "scrap": scrap,
        "printed": printed,
        "sheets": sheets,
        "archive": archive,
    }[name]()


@cache
def mini() -> Mapping[str, bytes]:
    """Return a pack with something of everything: tables, pictures, a font, a workbook."""
    return _read(_CORPUS / "mini") | {
        "cards/mini/art/field.png": _picture("PNG"),
        "cards/mini/art/photo.jpg": _picture("JPEG"),
        "cards/mini/art/web.webp": _picture("WEBP"),
        "cards/mini/more.xlsx": _workbook(
            ["id", "name", "value", "copies"], ["disc", "Disc", 3, 1]
        ),
        "fonts/own/own.ttf": _small_font(),
    }


def race() -> Mapping[str, bytes]:
    """Return the vehicles and tracks of the chariot game, without what is printed."""
    kinds = (
        *("vehicle", "trait", "special", "damage-effect", "stamina-effect", "race-type"),
        *("option", "die", "track", "track-piece"),
    )
    tables = "vehicles traits specials effects stamina-effects race-types options dice tracks"
    names = (
        *("track-pieces.yaml", "starters/vehicle.yaml", "starters/track.yaml"),
        *(f"{table}.yaml" for table in tables.split()),
    )
    files = _files("chariot-dash", kinds, names, ("icons/*.svg", "styles.yaml"))
    for path in files:
        if "/kinds/" in path:
            files[path] = re.sub(rb"(?m)^(stock|faces|quantity|why): .*\n", b"", files[path])
    head = "cards/chariot-dash/pack.yaml"
    files[head] = re.sub(rb"\nprints:\n.*?\ncredits:", b"\ncredits:", files[head], flags=re.DOTALL)
    for table, most in (("vehicles", 3), ("tracks", 2)):
        path = f"cards/chariot-dash/{table}.yaml"
        files[path] = b"\n  - ".join(files[path].split(b"\n  - ")[: most + 1]) + b"\n"
    files[path] = re.sub(rb"racer: [a-z-]+", b"racer: basic", files[path])
    return files


def scrap() -> Mapping[str, bytes]:
    """Return the crash cards of the game of scrap, with their real faces and a table."""
    kinds = "crash-card crash-deck character ability lap".split()
    names = "crash-decks characters abilities laps".split()
    faces = (
        *("crash-card.face.yaml", "crash-card-back.svg.j2", "parts/**/*.j2", "art/*/*.svg"),
        *("icons/*.svg", "styles.yaml"),
    )
    files = _files("scrap-circuit", kinds, [f"{name}.yaml" for name in names], faces)
    character = "cards/scrap-circuit/kinds/character.yaml"
    files[character] = re.sub(rb"(?m)^(stock|quantity|why|faces): .*\n", b"", files[character])
    files["cards/scrap-circuit/crash-cards.yaml"] = b"kind: crash-card\nrows: crash-cards.csv\n"
    files["cards/scrap-circuit/crash-cards.csv"] = (
        b"id,deck,copies,name,picture,who,also,number,second,worth,text\n"
        b"elbow,dents,18,Elbow,forward-back,active,other,5,2,6,Back ##. **Then** you move #.\n"
        b"limp,smoke,9,Limp home,forward,active,none,3,,3,**You** move #.\n"
        b"stalled,smoke,9,Stalled,stay-put,active,none,,,0,You **stay** where you are.\n"
        b"spin,fire,20,Spin,back,active,none,4,,-4,Move **back** #.\n"
    )
    head = files["cards/scrap-circuit/pack.yaml"]
    head = head[: head.index(b"  dashboards:")] + head[head.index(b"credits:") :]
    cards = (b"[crash-card, goal-card, bonus-card]", b"[crash-card]")
    files["cards/scrap-circuit/pack.yaml"] = head.replace(*cards)
    return files


def printed() -> Mapping[str, bytes]:
    """Return the finished files of some components of `mini`, with profiles for preflight."""
    with tempfile.TemporaryDirectory(prefix="fuzz-printed-") as name:
        for path, content in mini().items():
            target = Path(name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        build = ("build", name, "-o", f"{name}/output", "--only", "[ehrg]*")
        subprocess.run(
            (sys.executable, "-m", "generator", *build), cwd=ROOT, check=True, capture_output=True
        )
        made = _read(Path(name, "output/mini"))
    # Files of a part get the names that a whole build gives them.
    whole = {
        path.replace(".only.", "."): content
        for path, content in made.items()
        if path.endswith((".pdf", "manifest.only.json"))
    }
    whole["manifest.json"] = whole["manifest.json"].replace(b".only.pdf", b".pdf")
    profiles = (_CORPUS / "pdf_profiles.yaml").read_bytes()
    return {**whole, "cards/shared/pdf_profiles.yaml": profiles}


def sheets() -> Mapping[str, bytes]:
    """Return a table with all that a column can hold, and the same as a workbook."""
    table = (
        "Card Name,Qty,Cost,Kind,Text,Image,# note,Tags\n"
        "Red Hot,3,2.5,fire,Take **two** cards.,red.png,mine,a; b\n"
        '"Wet, Cold",1,0,water,"Say ""no"".",,,b\n'
        "Ñandú,2,-1,fire,Move #3 and {coin}.,x/y.png,?,\n"
    )
    rows = (["Card Name", "Qty", "Kind"], ["Red Hot", 3, "fire"], ["Ñandú", -1.5, ""])
    return {"sheet.csv": table.encode(), "book.xlsx": _workbook(*rows)}


def archive() -> Mapping[str, bytes]:
    """Return `mini` as one zip."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as made:
        for path, content in mini().items():
            made.writestr(zipfile.ZipInfo(path), content)
    return {"game.zip": stream.getvalue()}


@cache
def fonts() -> tuple[bytes, ...]:
    """Return the font of `mini` with PostScript outlines, and as a collection."""
    plain = mini()["fonts/own/own.ttf"]
    collection = TTCollection()
    collection.fonts = [TTFont(io.BytesIO(plain), recalcTimestamp=False) for _ in range(2)]
    stream = io.BytesIO()
    collection.save(stream)
    return _as_postscript(plain), stream.getvalue()


def _as_postscript(content: bytes) -> bytes:
    font = TTFont(io.BytesIO(content))
    glyphs, widths, shapes = font.getGlyphSet(), dict(font["hmtx"].metrics), {}
    for name in font.getGlyphOrder():
        pen = T2CharStringPen(widths[name][0], glyphs)
        glyphs[name].draw(pen)
        shapes[name] = pen.getCharString()
    builder = FontBuilder(font["head"].unitsPerEm, isTTF=False)
    builder.setupGlyphOrder(font.getGlyphOrder())
    builder.setupCharacterMap(font.getBestCmap())
    builder.setupCFF("RussoOne-Regular", {"FullName": "Russo One"}, shapes, {})
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=font["hhea"].ascent, descent=font["hhea"].descent)
    builder.setupNameTable({"familyName": "Russo One", "styleName": "Regular"})
    builder.setupOS2()
    builder.setupPost()
    return _saved(builder.font)


def _small_font() -> bytes:
    """Return a shipped font with the letters of ASCII alone."""
    font = TTFont(ROOT / "fonts/russo-one/RussoOne_400Regular.ttf")
    options = subset.Options(name_IDs=["*"], layout_features=["kern", "liga"], hinting=False)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=range(32, 127))
    cutter.subset(font)
    return _saved(font)


def _saved(font: TTFont) -> bytes:
    font.recalcTimestamp = False
    font["head"].created = font["head"].modified = 3_800_000_000
    stream = io.BytesIO()
    font.save(stream)
    return stream.getvalue()


def _workbook(*rows: Iterable[object]) -> bytes:
    book = openpyxl.Workbook()
    assert book.active is not None
    for row in rows:
        book.active.append(list(row))
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


@cache
def other_pictures() -> tuple[bytes, ...]:
    """Return the picture of `mini` in forms and modes that a pack may not have."""
    forms = (
        *(("GIF", "P"), ("TIFF", "RGB"), ("BMP", "RGB"), ("PNG", "P"), ("PNG", "I;16")),
        *(("JPEG", "CMYK"), ("WEBP", "RGBA"), ("EPS", "RGB"), ("JPEG2000", "RGB")),
    )
    made = [_picture(form, mode) for form, mode in forms]
    return (*made, b"", b"<svg xmlns='http://www.w3.org/2000/svg'/>")


def _picture(form: str, mode: str = "RGB") -> bytes:
    picture = Image.new("RGB", (72, 72))
    picture.putdata([(x * 3, y * 3, (x * y) % 256) for y in range(72) for x in range(72)])
    stream = io.BytesIO()
    picture.convert(mode).save(stream, form, quality=60)
    return stream.getvalue()


def _files(
    pack: str, kinds: Iterable[str], names: Iterable[str], looks: Iterable[str]
) -> dict[str, bytes]:
    """Return some files of a shipped pack."""
    cards, templates = ROOT / "cards" / pack, ROOT / "templates" / pack
    paths = [cards / "pack.yaml", *(cards / name for name in names)]
    paths += [cards / f"kinds/{kind}.yaml" for kind in kinds]
    paths += [path for look in looks for path in sorted(templates.glob(look)) if path.is_file()]
    return {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}


def _read(folder: Path) -> dict[str, bytes]:
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}
