"""The leaflet of a download: a cover, and pages on how to print, cut, fold and glue the game.

It is the pack in `generator/leaflet`, filled in for each game.
"""

from __future__ import annotations

import colorsys
import shutil
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from string import Template
from typing import Any, Final, NamedTuple

import yaml

from generator import export
from generator.build import Order, PrintRun, draw, open_pack
from generator.diagnostics import Outcome
from generator.export import Canvas, PdfInfo, Wanted
from generator.fonts import own_fonts
from generator.geometry import MM_PER_INCH, Size
from generator.model.catalogue import Paper, Shape
from generator.model.face import Face, Placement, Sheet, Side
from generator.model.pack import Backs, Layout, Pack
from generator.outlets.shipment import Lot, Shipment
from generator.project import Project, Target, shipped_root

COVER: Final = (1600, 1000)
"""Pixels."""
_PACK: Final = "how-to-make-it"
_HOME: Final = Path(__file__).resolve().parent.parent / "leaflet"
_ON_FIRST: Final = 9
_ON_OTHERS: Final = 14
"""Files listed on a page."""
_MOST_SHAPES: Final = 60
"""Pieces drawn in the picture of a sheet."""
_MOST_LETTERS: Final = 60
_LONGEST_WORD: Final = 28
_LEAST: Final = Size(200, 260)
_A4: Final = Size(210, 297)
"""Page of the leaflet if the paper is smaller than `_LEAST`, mm."""
_DISPLAY: Final = "Noto Sans"
_DARK: Final = "#22304f"
_ACCENT: Final = "#d9912b"
_DPI: Final = 300
_SIDES: Final = {
    Backs.DUPLEX_LONG: "both sides, long edge",
    Backs.DUPLEX_SHORT: "both sides, short edge",
    Backs.GUTTERFOLD: "one side, to fold",
    Backs.NONE: "one side",
}


class FileToDownload(NamedTuple):
    """A PDF in the zip: its layout, its path, and its bytes in full and in low ink."""

    run: PrintRun
    path: str
    size: int
    low: int


def write_leaflet(
    shipment: Shipment, printed: Sequence[FileToDownload], scratch: Path, folder: Path
) -> Outcome[tuple[str, ...]]:
    """Write `cover.png` and, for each paper, `how-to-make-it-<paper>.pdf`; return their names."""
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
    findings = (*opened.diagnostics, *faces.diagnostics)
    if not faces.ok:
        return Outcome((), findings)
    compiled = export.compile_art(faces.value, shipment.fonts, scratch, roots=project.roots)
    if not compiled.ok:
        return Outcome((), (*findings, *compiled.diagnostics))
    names = []
    for paper in dict.fromkeys(one.run.paper for one in printed):
        pages = [f for f in faces.value if f.component.startswith(f"{paper.name}-")]
        sheets = [_sheet(face, paper, number) for number, face in enumerate(pages, 1)]
        names.append(f"how-to-make-it-{paper.name}.pdf")
        title = f"{shipment.pack.title}: how to print and make it"
        export.write_pdf(
            sheets,
            compiled.value,
            shipment.fonts,
            folder / names[-1],
            PdfInfo(title, Backs.NONE),
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
    return Outcome((*names, "cover.png"), (*findings, *drawn.diagnostics))


def _sheet(face: Face, paper: Paper, number: int) -> Sheet:
    size = face.stock.trim
    placed = Placement(face, 1, Side.FRONT, 0.0, 0.0, size.width, size.height, 0, 0.0)
    return Sheet(paper, size, Side.FRONT, number, str(number), (placed,), ())


def _fill(
    project: Project, pack: Pack, printed: Sequence[FileToDownload], art: Sequence[str]
) -> None:
    """Write the components and the styles of the leaflet."""
    cards = project.cards(_PACK)
    about = _short(pack.description, 100)
    pages = []
    for paper in dict.fromkeys(one.run.paper for one in printed):
        of_paper = [one for one in printed if one.run.paper == paper]
        for number, some in enumerate(_pages(of_paper), 1):
            fits = paper.size.width >= _LEAST.width and paper.size.height >= _LEAST.height
            size = paper.size if fits else _A4
            fields = {
                "id": f"{paper.name}-{number}",
                "wide": size.width,
                "high": size.height,
                "number": number,
                "title": _short(pack.title),
                "version": _short(pack.version, 20),
                "paper": _short(paper.title, 30),
                "art": list(art),
                "files": [_row(one) for one in some],
                "steps": list(_steps([one.run for one in of_paper])) if number == 1 else [],
            }
            fields |= {"about": about} if about else {}
            terms = _short(pack.licence or "".join(pack.credits[:1]), 150, 150)
            fields |= {"terms": terms} if terms else {}
            pages.append(fields)
    cover = {"id": "cover", "title": _short(pack.title), "art": list(art)}
    cover |= {"about": about} if about else {}
    for name, kind, components in (("pages", "page", pages), ("cover", "cover", [cover])):
        fields = _rounded({"kind": kind, "components": components})
        text = yaml.safe_dump(fields, allow_unicode=True)
        (cards / f"{name}.yaml").write_text(text, encoding="utf-8")
    styles = project.root / "templates" / _PACK / "styles.yaml"
    text = Template(styles.read_text(encoding="utf-8")).substitute(_looks(pack))
    styles.write_text(text, encoding="utf-8")


def _pages(printed: Sequence[FileToDownload]) -> Iterator[Sequence[FileToDownload]]:
    yield printed[:_ON_FIRST]
    for start in range(_ON_FIRST, len(printed), _ON_OTHERS):
        yield printed[start : start + _ON_OTHERS]


def _row(one: FileToDownload) -> dict[str, Any]:
    """Return a row of the list of files."""
    run = one.run
    fronts = [sheet for sheet in run.sheets if sheet.side is Side.FRONT]
    count = len({sheet.number for sheet in run.sheets})
    size = fronts[0].size
    fields = {
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
    return fields | ({"media": _short(run.print_.media)} if run.print_.media else {})


def _shapes(sheet: Sheet) -> Iterator[list[float]]:
    for placed in sheet.placements[:_MOST_SHAPES]:
        box = placed.finished
        is_round = placed.face.stock.shape is Shape.CIRCLE
        yield [box.x, box.y, box.width, box.height, float(is_round)]


def _steps(runs: Sequence[PrintRun]) -> Iterator[dict[str, Any]]:
    """Yield the steps that this pack needs, in order."""
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
        sheets = sum(sheet.side is Side.FRONT for sheet in booklets[0].sheets)
        words = f"Fold {sheets} sheets together in the middle, staple the fold."
        yield _step("staple", booklets[0].print_.title, words, booklets[0].sheets[0])
    labels = [run for run in runs if run.print_.layout is Layout.LABELS]
    if labels and not (posters and booklets):
        words = f"On {_short(labels[0].print_.media or 'labels', 40)}. Press them on, edge to edge."
        yield _step("stick", labels[0].print_.title, words, labels[0].sheets[0])


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


def _rounded(fields: Any) -> Any:
    """Round all lengths to 0.01 mm."""
    if isinstance(fields, dict):
        return {key: _rounded(value) for key, value in fields.items()}
    if isinstance(fields, list):
        return [_rounded(value) for value in fields]
    return round(fields, 2) if isinstance(fields, float) else fields


def _short(text: str, most: int = _MOST_LETTERS, longest: int = _LONGEST_WORD) -> str:
    """Return a text in one line, shortened to fit, with long words shortened too."""
    cut = (word if len(word) <= longest else word[: longest - 1] + "…" for word in text.split())
    words = " ".join(cut)
    return words if len(words) <= most else words[: most - 1].rstrip() + "…"


def _looks(pack: Pack) -> dict[str, str]:
    """Return the font of the pack's titles, a dark colour of it, and a vivid one."""
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
    """Draw some fronts; return the names of the pictures."""
    chosen = list(_chosen(shipment.lots))
    names = tuple(f"face-{number}.png" for number in range(len(chosen)))
    wanted = []
    for name, face in zip(names, chosen, strict=True):
        wanted.append(Wanted(face, Canvas.cut_out(face.stock, _DPI), folder / name))
    if not wanted:
        return Outcome(())
    drawn = export.draw_canvases(wanted, shipment.fonts, folder.parent, roots=shipment.roots)
    return Outcome(names if drawn.ok else (), drawn.diagnostics)


def _chosen(lots: Sequence[Lot]) -> Iterator[Face]:
    """Yield up to three fronts of the largest upright deck, and one of each of two others."""
    decks = [lot for lot in lots if _is_card(lot)]
    decks.sort(key=lambda lot: -len(lot.pieces))
    for most, lot in zip((3, 1, 1), decks, strict=False):
        step = max(1, len(lot.pieces) // most)
        yield from (piece.front for piece in lot.pieces[::step][:most])


def _is_card(lot: Lot) -> bool:
    trim = lot.stock.trim
    upright = 1.1 <= trim.height / trim.width <= 1.9 and 40 <= trim.height <= 150
    return upright and lot.stock.shape in (Shape.RECTANGLE, Shape.ROUNDED)
