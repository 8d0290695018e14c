"""A forme in, a finished sheet out: printer profile, ruler and slug, crop marks, folds, dies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from generator.geometry import ORIGIN, Point, Rect, Size, bounds
from generator.impose.die import crease, crosses_trim, die_line, on_page
from generator.impose.forme import Cell, Crease, Forme, Guide, Item, Polygon, printable
from generator.impose.furniture import furnish
from generator.impose.marks import FOLD_DASH, Clearance, MarkStyle, crop_marks, fold_ticks
from generator.model.pack import Print
from generator.model.sheet import (
    Layer,
    LineMark,
    Mark,
    PathMark,
    Placement,
    Sheet,
    Side,
    TextMark,
)
from generator.model.stock import LabelSheet, Paper, PrinterProfile
from generator.units import format_mm


@dataclass(frozen=True, slots=True)
class Slug:
    """What the line on every sheet says of the file: pack title, version, file name."""

    title: str
    version: str
    file: str


@dataclass(frozen=True, slots=True)
class Dressing:
    """What all the sheets of a print have in common."""

    print_: Print
    paper: Paper
    label_sheet: LabelSheet | None
    profile: PrinterProfile
    slug: Slug
    style: MarkStyle


def dress(forme: Forme, number: int, of: int, duplex: bool, dressing: Dressing) -> Sheet:
    """Sheet `number` of `of`; `duplex` says that there are back pages too.

    What the printer shifts is shifted the other way, marks with their faces; ruler and slug stay.
    """
    paper, style = dressing.paper, dressing.style
    moved = _shifted(forme, dressing.profile)
    art = tuple(item.cell.art for item in moved.items)
    area = printable(forme.page, paper.margin)
    clear_of = (*art, *moved.keep_clear, *map(_box_of, moved.lines))
    told = (f"{number} of {of}", str(forme.side) if duplex else "", forme.note)
    wordings = _wordings(dressing, *told)
    furniture = furnish(forme.page, area, clear_of, wordings, style.grey)
    crops = (item.cell for item in moved.items if item.guide is Guide.CROP)
    creases = (*moved.creases, *_creases(moved.items))
    marks: tuple[Mark, ...] = (
        *moved.lines,
        *_outside((*crops, *moved.crop), creases, art, furniture.boxes, area, style=style),
        *_dies(moved.items, style),
        *(PathMark(Layer.CUT, _line(cut), style.width, style.grey) for cut in moved.cuts),
        *_inner_folds(moved.items, style),
        *furniture.marks,
    )
    label = " ".join(filter(None, (str(number), str(forme.side) if duplex else "", forme.name)))
    placements = tuple(_placement(item, forme.page) for item in moved.items)
    return Sheet(paper, forme.page, forme.side, number, label, placements, marks)


@lru_cache(maxsize=16)
def _outside(
    crops: tuple[Cell, ...],
    creases: tuple[Crease, ...],
    art: tuple[Rect, ...],
    boxes: tuple[Rect, ...],
    area: Rect,
    *,
    style: MarkStyle,
) -> tuple[LineMark, ...]:
    """All marks that stand outside of the art; kept, as most sheets of a print are alike."""
    clear = Clearance(art, boxes, area, style)
    return (*crop_marks(crops, clear, style), *fold_ticks(creases, clear, style))


def _shifted(forme: Forme, profile: PrinterProfile) -> Forme:
    """The forme against the printer's measured offset of that side."""
    offset = profile.front if forme.side is Side.FRONT else profile.back
    if offset == ORIGIN:
        return forme
    by = Point(-offset.x, -offset.y)
    return replace(
        forme,
        items=tuple(item.moved(by) for item in forme.items),
        crop=tuple(cell.moved(by) for cell in forme.crop),
        creases=tuple(
            Crease(c.start.moved(by.x, by.y), c.end.moved(by.x, by.y), c.art.moved(by.x, by.y))
            for c in forme.creases
        ),
        lines=tuple(_mark_moved(mark, by) for mark in forme.lines),
        cuts=tuple(tuple(p.moved(by.x, by.y) for p in cut) for cut in forme.cuts),
    )


def _mark_moved(mark: LineMark | TextMark, by: Point) -> LineMark | TextMark:
    if isinstance(mark, TextMark):
        return replace(mark, at=mark.at.moved(by.x, by.y))
    return replace(mark, start=mark.start.moved(by.x, by.y), end=mark.end.moved(by.x, by.y))


def _box_of(mark: LineMark | TextMark) -> Rect:
    """What a mark takes, to keep ruler and slug off it; who sets text keeps its box clear."""
    return bounds((mark.at,)) if isinstance(mark, TextMark) else bounds((mark.start, mark.end))


def _line(cut: Polygon) -> str:
    """Path data of a line to cut along; one that ends where it starts is closed."""
    closed = cut[0] == cut[-1]
    corners = cut[:-1] if closed else cut
    points = " L ".join(f"{format_mm(p.x)} {format_mm(p.y)}" for p in corners)
    return f"M {points} Z" if closed else f"M {points}"


def _wordings(dressing: Dressing, count: str, side: str, note: str) -> tuple[str, ...]:
    """The slug in full and in ever fewer words for small papers."""
    slug, paper = dressing.slug, dressing.paper
    sheet = f"sheet {count}, {side}" if side else f"sheet {count}"
    sheet = f"{sheet} · {note}" if note else sheet
    name = f"{slug.title} {slug.version}"
    media = [dressing.label_sheet.title] if dressing.label_sheet else []
    media += [dressing.print_.media] if dressing.print_.media else []
    scale = "print at 100 %, no scaling"
    wordings = (
        (name, slug.file, sheet, paper.title, *media, scale),
        (name, slug.file, sheet, paper.title, scale),
        (name, sheet, paper.title, scale),
        (sheet, scale),
        (sheet,),
    )
    return tuple(" · ".join(words) for words in wordings)


def _dies(items: tuple[Item, ...], style: MarkStyle) -> list[PathMark]:
    return [
        PathMark(
            Layer.CUT,
            die_line(item.face.stock, item.cell),
            style.width,
            style.grey,
            item.cell.art if item.poster else None,
        )
        for item in items
        if item.guide is Guide.DIE
    ]


def _creases(items: tuple[Item, ...]) -> list[Crease]:
    return [
        crease(item.face.stock, item.cell, fold)
        for item in items
        if item.guide.is_drawn and item.cell.art.contains(item.cell.trim)
        for fold in item.face.stock.folds
        if crosses_trim(item.face.stock, fold)
    ]


def _inner_folds(items: tuple[Item, ...], style: MarkStyle) -> list[LineMark]:
    """Folds that end inside the trim, or slant, cannot be shown from outside: they are drawn."""
    return [
        LineMark(
            Layer.FOLD,
            on_page(item.face.stock, item.cell, fold.start),
            on_page(item.face.stock, item.cell, fold.end),
            style.width,
            style.grey,
            FOLD_DASH,
        )
        for item in items
        if item.guide.is_drawn and item.cell.art.contains(item.cell.trim)
        for fold in item.face.stock.folds
        if not crosses_trim(item.face.stock, fold)
    ]


def _placement(item: Item, page: Size) -> Placement:
    trim, bleed = item.cell.trim, item.face.stock.bleed
    clip = item.cell.art.cut_to(Rect(0, 0, page.width, page.height))
    return Placement(
        face=item.face,
        copy=item.copy,
        side=item.side,
        x=trim.x,
        y=trim.y,
        width=trim.width,
        height=trim.height,
        rotation=item.cell.rotation,
        bleed=bleed,
        clip=None if clip == trim.grown(bleed) and not item.cell.edge else clip,
        edge=item.cell.edge,
        poster=item.poster,
        marked=item.guide is not Guide.LABEL,
    )
