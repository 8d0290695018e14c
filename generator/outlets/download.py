"""What one puts on a download page: a zip with all there is to print, a picture, and a first page
that says how: the pack in `generator/leaflet`, filled with what there is and how it is made."""

from __future__ import annotations

import colorsys
import re
import shutil
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from shutil import rmtree
from string import Template
from typing import Any, Final, NamedTuple

import yaml

from generator import export
from generator.diagnostics import Diagnostic, GridpressError, Outcome
from generator.export import Canvas, PdfInfo, Wanted
from generator.fonts import own_fonts
from generator.geometry import MM_PER_INCH, Size
from generator.model.catalogue import Paper, Shape
from generator.model.face import Face, Placement, Sheet, Side
from generator.model.pack import Backs, Layout, Pack
from generator.order import Order
from generator.outlets.shipment import Lot, Outlet, Shipment, Shipped
from generator.prepress import draw, open_pack
from generator.print_runs import LaidOut, PrintRun
from generator.project import Project, Target, shipped_root

COVER: Final = (1600, 1000)
"""Pixels of the picture of a download."""
_PACK: Final = "how-to-make-it"
_HOME: Final = Path(__file__).resolve().parent.parent / "leaflet"
_ON_FIRST: Final = 9
_ON_OTHERS: Final = 14
"""Files that a page tells of."""
_MOST_SHAPES: Final = 60
"""Pieces of a sheet that are shown in its picture."""
_MOST_LETTERS: Final = 60
_LONGEST: Final = 28
"""Letters of a word."""
_LEAST: Final = Size(200, 260)
_A4: Final = Size(210, 297)
"""A page of the leaflet is as large as the paper, mm; but one under `_LEAST` has no room for it."""
_DISPLAY: Final = "Noto Sans"
_DARK: Final = "#22304f"
_ACCENT: Final = "#d9912b"


class FileToDownload(NamedTuple):
    """A file of a build as one downloads it: how it was laid out, its path, and its size in full
    and in low ink, bytes."""

    run: PrintRun
    path: str
    size: int
    low: int


def write_leaflet(
    shipment: Shipment, printed: Sequence[FileToDownload], scratch: Path, folder: Path
) -> Outcome[tuple[str, ...]]:
    """Write `cover.png` and, for each paper, `how-to-make-it-<paper>.pdf` into a folder; the names.

    `scratch` is a folder for work in progress, of which pictures may lie there already.
    """
    project = Project(scratch / "leaflet", shipped_root())
    shutil.copytree(_HOME, project.root)
    art = _pictures(shipment, project.cards(_PACK))
    if not art.ok:
        return Outcome((), art.diagnostics)
    _fill(project, shipment.pack, printed, art.value)
    target, order = Target(project, _PACK), Order()
    opened = open_pack(target, order)
    if opened.value is None:
        return Outcome((), opened.diagnostics)
    faces = draw(opened.value, order, scratch, fonts=shipment.fonts)
    said = (*opened.diagnostics, *faces.diagnostics)
    if not faces.ok:
        return Outcome((), said)
    compiled = export.compile_art(faces.value, shipment.fonts, scratch, roots=project.roots)
    if not compiled.ok:
        return Outcome((), (*said, *compiled.diagnostics))
    names = []
    for paper in dict.fromkeys(one.run.paper for one in printed):
        pages = [f for f in faces.value if f.component.startswith(f"{paper.name}-")]
        sheets = [_sheet(face, paper, number) for number, face in enumerate(pages, 1)]
        names.append(f"how-to-make-it-{paper.name}.pdf")
        title = f"{shipment.pack.title}: how to print and make it"
        info = PdfInfo(title, Backs.NONE)
        export.write_pdf(
            sheets,
            compiled.value,
            shipment.fonts,
            folder / names[-1],
            info,
            own_fonts(),
            project.roots,
        )
    cover = next(face for face in faces.value if face.kind == "cover")
    canvas = Canvas(*COVER, COVER[0] * MM_PER_INCH / cover.stock.trim.width)
    drawn = export.draw_canvases(
        [Wanted(cover, canvas, folder / "cover.png")],
        shipment.fonts,
        scratch,
        roots=project.roots,
    )
    return Outcome((*names, "cover.png"), (*said, *drawn.diagnostics))


def _sheet(face: Face, paper: Paper, number: int) -> Sheet:
    size = face.stock.trim
    placed = Placement(face, 1, Side.FRONT, 0.0, 0.0, size.width, size.height, 0, 0.0)
    return Sheet(paper, size, Side.FRONT, number, str(number), (placed,), ())


# -- what there is to tell -------------------------------------------------------------------------


def _fill(
    project: Project, pack: Pack, printed: Sequence[FileToDownload], art: Sequence[str]
) -> None:
    """Write the components of the leaflet, and its colours."""
    cards = project.cards(_PACK)
    about = _short(pack.description, 100)
    pages = []
    for paper in dict.fromkeys(one.run.paper for one in printed):
        of_paper = [one for one in printed if one.run.paper == paper]
        for number, some in enumerate(_pages(of_paper), 1):
            size = _page(paper)
            told = {
                "id": f"{paper.name}-{number}",
                "wide": size.width,
                "high": size.height,
                "number": number,
                "title": _short(pack.title),
                "version": _short(pack.version, 20),
                "paper": _short(paper.title, 30),
                "art": list(art),
                "files": [_told(one) for one in some],
                "steps": list(_steps([one.run for one in of_paper])) if number == 1 else [],
            }
            told |= {"about": about} if about else {}
            terms = _short(pack.licence or "".join(pack.credits[:1]), 150, 150)
            told |= {"terms": terms} if terms else {}
            pages.append(told)
    cover = {"id": "cover", "title": _short(pack.title), "art": list(art)}
    cover |= {"about": about} if about else {}
    for name, kind, components in (("pages", "page", pages), ("cover", "cover", [cover])):
        told = _rounded({"kind": kind, "components": components})
        text = yaml.safe_dump(told, allow_unicode=True)
        (cards / f"{name}.yaml").write_text(text, encoding="utf-8")
    styles = project.root / "templates" / _PACK / "styles.yaml"
    text = Template(styles.read_text(encoding="utf-8")).substitute(_looks(pack))
    styles.write_text(text, encoding="utf-8")


def _page(paper: Paper) -> Size:
    """The size of a page of the leaflet: the paper's, unless that is too small for it."""
    fits = paper.size.width >= _LEAST.width and paper.size.height >= _LEAST.height
    return paper.size if fits else _A4


def _pages(printed: Sequence[FileToDownload]) -> Iterator[Sequence[FileToDownload]]:
    yield printed[:_ON_FIRST]
    for start in range(_ON_FIRST, len(printed), _ON_OTHERS):
        yield printed[start : start + _ON_OTHERS]


def _told(one: FileToDownload) -> dict[str, Any]:
    """A row: a file, what it is, and what it takes."""
    run = one.run
    fronts = [sheet for sheet in run.sheets if sheet.side is Side.FRONT]
    count = len({sheet.number for sheet in run.sheets})
    size = fronts[0].size
    told = {
        "name": one.path,
        "title": _short(run.print_.title or run.print_.name, 44),
        "amount": f"{count} sheet{'s' if count > 1 else ''}",
        "sides": _SIDES[run.backs],
        "size": _megabytes(one.size),
        "low": _megabytes(one.low),
        "w": size.width,
        "h": size.height,
        "shapes": list(_shapes(fronts[0])),
    }
    return told | ({"media": _short(run.print_.media)} if run.print_.media else {})


_SIDES: Final = {
    Backs.DUPLEX_LONG: "both sides, long edge",
    Backs.DUPLEX_SHORT: "both sides, short edge",
    Backs.GUTTERFOLD: "one side, to fold",
    Backs.NONE: "one side",
}


def _shapes(sheet: Sheet) -> Iterator[list[float]]:
    """Where the pieces of a sheet lie."""
    for placed in sheet.placements[:_MOST_SHAPES]:
        box = placed.finished
        is_round = placed.face.stock.shape is Shape.CIRCLE
        yield [box.x, box.y, box.width, box.height, float(is_round)]


def _steps(runs: Sequence[PrintRun]) -> Iterator[dict[str, Any]]:
    """What there is to do, in its order; only what this pack asks for."""
    first = next(sheet for sheet in runs[0].sheets if sheet.side is Side.FRONT)
    yield _step(
        "print",
        "Print",
        "At 100 %, never “fit to page”. The ruler on each sheet is 100 mm long: lay yours beside "
        "one sheet before you print the rest.",
        first,
    )
    duplex = [run for run in runs if run.backs in (Backs.DUPLEX_LONG, Backs.DUPLEX_SHORT)]
    if duplex:
        edges = " or ".join(
            dict.fromkeys("long" if r.backs is Backs.DUPLEX_LONG else "short" for r in duplex)
        )
        words = (
            f"Both sides, turned over at the {edges} edge, as the list says. A printer of one side "
            "prints the odd pages, then the even ones on their backs."
        )
        yield _step("sides", "Fronts and backs", words, duplex[0].sheets[0])
    folds = list(_folds(runs))
    cut = [run for run in runs if run.print_.layout in (Layout.NUP, Layout.NESTED)]
    if cut:
        words = "Along the marks: whole strips first, then each piece."
        words += " Creases come before cuts." * bool(folds)
        radii = {
            f"{placed.face.stock.corner_radius:g}"
            for run in cut
            for placed in run.sheets[0].placements
            if placed.face.stock.shape is Shape.ROUNDED
        }
        if radii:
            words += f" Round corners are of {' or '.join(sorted(radii))} mm."
        yield _step("cut", "Cut", words, cut[0].sheets[0])
    yield from folds
    posters = [r for r in runs for s in r.sheets[:1] for p in s.placements[:1] if p.poster]
    if posters:
        yield _glued(posters[0])
    booklets = [run for run in runs if run.print_.layout is Layout.BOOKLET]
    if booklets:
        words = f"Fold {len(_fronts(booklets[0]))} sheets together in the middle, staple the fold."
        yield _step("staple", booklets[0].print_.title, words, booklets[0].sheets[0])
    labels = [run for run in runs if run.print_.layout is Layout.LABELS]
    if labels and not (posters and booklets):
        words = f"On {_short(labels[0].print_.media or 'labels', 40)}. Press them on, edge to edge."
        yield _step("stick", labels[0].print_.title, words, labels[0].sheets[0])


def _fronts(run: PrintRun) -> list[Sheet]:
    return [sheet for sheet in run.sheets if sheet.side is Side.FRONT]


def _folds(runs: Iterable[PrintRun]) -> Iterator[dict[str, Any]]:
    stocks = (p.face.stock for run in runs for s in run.sheets for p in s.placements)
    stock = next((stock for stock in stocks if stock.folds), None)
    if stock is not None:
        words = "Score dashed lines with a blunt knife along a ruler, and fold them sharply."
        yield {
            "what": "fold",
            "title": "Fold",
            "text": words,
            "w": stock.trim.width,
            "h": stock.trim.height,
            "shapes": [[f.start.x, f.start.y, f.end.x, f.end.y] for f in stock.folds],
        }


def _glued(run: PrintRun) -> dict[str, Any]:
    """The pages of a poster as they come together."""
    pages = [p.poster for s in run.sheets for p in s.placements[:1] if p.poster]
    first = pages[0]
    wide, high = first.shown.width, first.shown.height
    shapes = [
        [c * wide, r * high, wide, high] for r in range(first.rows) for c in range(first.columns)
    ]
    words = (
        f"{first.rows} × {first.columns} pages: trim along the marks, lay each on the tab of its "
        "neighbour where the diamonds meet, and glue."
    )
    return {
        "what": "glue",
        "title": run.print_.title,
        "text": words,
        "w": wide * first.columns,
        "h": high * first.rows,
        "shapes": shapes[:_MOST_SHAPES],
    }


def _step(what: str, title: str, text: str, sheet: Sheet) -> dict[str, Any]:
    size, shapes = sheet.size, list(_shapes(sheet)) if what == "cut" else []
    return {
        "what": what,
        "title": _short(title, 30),
        "text": text,
        "w": size.width,
        "h": size.height,
        "shapes": shapes,
    }


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.1f} MB" if size >= 50_000 else f"{max(1, size // 1000)} kB"


def _rounded(told: Any) -> Any:
    """The same with lengths as they are written, to 0.01 mm."""
    if isinstance(told, dict):
        return {key: _rounded(value) for key, value in told.items()}
    if isinstance(told, list):
        return [_rounded(value) for value in told]
    return round(told, 2) if isinstance(told, float) else told


def _short(text: str, most: int = _MOST_LETTERS, longest: int = _LONGEST) -> str:
    """Text in one line, no longer than there is room for, and its words too."""
    cut = (word if len(word) <= longest else word[: longest - 1] + "…" for word in text.split())
    words = " ".join(cut)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


# -- how it looks ----------------------------------------------------------------------------------


def _looks(pack: Pack) -> dict[str, str]:
    """The font of the pack's titles, its darkest colour that is one, and its strongest."""
    fonts, styles = pack.styles.get("fonts") or {}, pack.styles.get("styles") or {}
    title = styles.get("title") or next(iter(styles.values()), None)
    family = fonts.get(title["font"]) if title else None
    colours = sorted({str(c)[:7] for c in (pack.styles.get("colours") or {}).values()})
    seen = {colour: colorsys.rgb_to_hls(*_rgb(colour)) for colour in colours}
    dark = [c for c, (_, light, strong) in seen.items() if light < 0.3 and strong > 0.15]
    vivid = [c for c, (_, light, strong) in seen.items() if 0.4 <= light <= 0.7 and strong > 0.4]
    return {
        "display": str(family or _DISPLAY),
        "dark": max(dark, key=lambda c: seen[c][2] * (0.4 - seen[c][1]), default=_DARK),
        "accent": max(vivid, key=lambda c: seen[c][2], default=_ACCENT),
    }


def _rgb(colour: str) -> tuple[float, float, float]:
    r, g, b = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    return r, g, b


def _pictures(shipment: Shipment, folder: Path) -> Outcome[tuple[str, ...]]:
    """Pictures of some fronts, those first of which there are most kinds to see."""
    chosen = list(_chosen(shipment.lots))
    names = tuple(f"face-{number}.png" for number in range(len(chosen)))
    wanted = []
    for name, face in zip(names, chosen, strict=True):
        trim, dpi = face.stock.trim, 300
        width, height = (max(1, round(s * dpi / MM_PER_INCH)) for s in (trim.width, trim.height))
        canvas = Canvas(width, height, dpi, face.stock.shape, cut=True)
        wanted.append(Wanted(face, canvas, folder / name))
    if not wanted:
        return Outcome(())
    drawn = export.draw_canvases(wanted, shipment.fonts, folder.parent, roots=shipment.roots)
    return Outcome(names if drawn.ok else (), drawn.diagnostics)


def _chosen(lots: Sequence[Lot]) -> Iterator[Face]:
    """Up to three fronts of the richest deck and one of each of two others, upright ones."""
    decks = [lot for lot in lots if _is_card(lot)]
    decks.sort(key=lambda lot: -len(lot.pieces))
    for most, lot in zip((3, 1, 1), decks, strict=False):
        step = max(1, len(lot.pieces) // most)
        yield from (piece.front for piece in lot.pieces[::step][:most])


def _is_card(lot: Lot) -> bool:
    trim = lot.stock.trim
    upright = 1.1 <= trim.height / trim.width <= 1.9 and 40 <= trim.height <= 150
    return upright and lot.stock.shape in (Shape.RECTANGLE, Shape.ROUNDED)


LOW: Final = "low-ink"
RULES: Final = "rules"
CONTENTS: Final = "contents.txt"
_FIRST_DAY: Final = (1980, 1, 1, 0, 0, 0)
"""Of a zip: what was made of the same files is the same."""
_UNFIT: Final = re.compile(r"[^A-Za-z0-9.]+")


class Download(Outlet):
    """The outlet of those who print at home, and did not make the game."""

    name = "pnp"
    title = "the download"

    def fill(self, shipment: Shipment) -> Outcome[tuple[Shipped, ...]]:
        """`<pack>-<version>.zip`, what is in it as `contents.txt`, and `cover.png`."""
        full, low = shipment.printed("full", ink="full"), shipment.printed("low", ink="low")
        said = tuple(dict.fromkeys((*full.diagnostics, *low.diagnostics)))
        if full.value is None or low.value is None:
            return Outcome((), said)
        printed = list(_files(shipment, full.value, low.value))
        folder = shipment.folder
        with tempfile.TemporaryDirectory(prefix="gridpress-") as scratch:
            made = write_leaflet(shipment, printed, Path(scratch), folder)
        said += made.diagnostics
        if not made.ok:
            return Outcome((), said)
        content = {name: folder / name for name in made.value}
        for one in printed:
            content[one.path] = folder / "full" / one.run.file_name
            content[_low(one.path)] = folder / "low" / one.run.file_name
        for name, text in _texts(shipment.pack):
            (folder / name).write_text(text, encoding="utf-8", newline="\r\n")
            content[name] = folder / name
        stem = f"{shipment.pack.name}-{_UNFIT.sub('-', shipment.pack.version)}".strip("-.")
        _zip(folder / f"{stem}.zip", shipment.pack.name, content)
        wrong = _faults(folder / f"{stem}.zip", shipment.pack.name, content)
        if wrong:
            hint = "this should not be: export again; if it stays, tell us"
            raise GridpressError(Diagnostic(shipment.pack.span, "GP716", wrong, hint))
        sizes = "".join(f"{p.stat().st_size:>12,}  {name}\n" for name, p in sorted(content.items()))
        (folder / CONTENTS).write_text(sizes, encoding="utf-8")
        for name, path in content.items():
            if name != "cover.png":
                path.unlink()
        rmtree(folder / "full")
        rmtree(folder / "low")
        return Outcome((Shipped(f"{stem}.zip"), Shipped(CONTENTS), Shipped("cover.png")), said)


def _files(shipment: Shipment, full: LaidOut, low: LaidOut) -> Iterator[FileToDownload]:
    """The files of both builds, side by side."""
    others = {run.file_name for run in low.runs}
    for run in full.runs:
        if run.file_name in others:
            sizes = (
                (shipment.folder / ink / run.file_name).stat().st_size for ink in ("full", "low")
            )
            yield FileToDownload(run, _path(run), *sizes)


def _path(run: PrintRun) -> str:
    """By paper, rules apart."""
    home = RULES if run.print_.layout is Layout.BOOKLET else run.paper.name
    return f"{home}/{run.file_name}"


def _low(path: str) -> str:
    home, _, name = path.rpartition("/")
    return f"{home}/{LOW}/{name}"


def _texts(pack: Pack) -> Iterator[tuple[str, str]]:
    head = f"{pack.title} {pack.version}\n{'=' * len(f'{pack.title} {pack.version}')}\n\n"
    thanks = "".join(f"- {line}\n" for line in pack.credits) or "- nobody is named\n"
    yield "credits.txt", f"{head}{thanks}"
    terms = pack.licence or (
        "No licence is given. What the credits do not say must be asked of the authors."
    )
    yield "licence.txt", f"{head}{terms}\n"


def _zip(target: Path, root: str, content: Mapping[str, Path]) -> None:
    """Files below a folder, stored as they are: PDFs and pictures are packed already."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as packed:
        for name, path in sorted(content.items()):
            entry = zipfile.ZipInfo(f"{root}/{name}", _FIRST_DAY)
            entry.create_system = 3
            entry.external_attr = 0o644 << 16
            packed.writestr(entry, path.read_bytes())


def _faults(target: Path, root: str, content: Mapping[str, Path]) -> str:
    """What is wrong with a zip, read back."""
    with zipfile.ZipFile(target) as packed:
        broken = packed.testzip()
        if broken is not None:
            return f"{target.name}: {broken} is damaged"
        for name, path in content.items():
            if packed.getinfo(f"{root}/{name}").file_size != path.stat().st_size:
                return f"{target.name}: {name} is not what was printed"
    return ""
