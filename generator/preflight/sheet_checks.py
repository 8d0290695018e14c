"""Checks pages as sheets: their sizes and boxes, what lies on what, and whether all pieces are cut
as their stock is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec.structs import replace

from generator.diagnostics import Severity
from generator.geometry import Point, Rect, around, format_mm, polygon_overlap
from generator.model.catalogue import Paper, Shape, Stock
from generator.model.face import Side
from generator.outlines import flattened, polygon
from generator.preflight.checking import AGAIN, PLACE_TOLERANCE, Finding, Subject, distance
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.page_reader import PageRead

SIZE_TOLERANCE: Final = 0.05
"""mm; a printer driver takes a page for its paper within several times as much."""
BOX_TOLERANCE: Final = 0.01
AT_FULL_SIZE: Final = "build it again, and do not let another program scale or crop it"
_EXPORTED: Final = "export it again, with its trim and bleed boxes, upright and at full size"
_AS_IT_WAS: Final = "build the pack again: papers.yaml, or the manifest, was changed since it was"
_OTHERWISE: Final = "build the pack again: what it is made of, or its manifest, was changed"
_SAME: Final = 0.01
_OFF_OUTLINE: Final = 0.1
"""mm by which corners of a curve that was made straight may be apart."""


def page_sizes(subject: Subject) -> Iterator[Finding]:
    """GP801: every page, as a viewer shows it, is its paper, and the paper what it is where it is
    known."""
    paper = subject.expected.paper if subject.expected else None
    for match in subject.matched:
        page, want = match.read, match.expected
        for message in _other_paper(want, paper) if paper else ():
            yield subject.fault("GP801", message, _AS_IT_WAS, page.number)
        sizes = {"the page": (page.width, page.height)}
        if (page.crop.width, page.crop.height) != (page.width, page.height):
            sizes["its CropBox"] = (page.crop.width, page.crop.height)
        for what, (width, height) in sizes.items():
            if max(abs(width - want.width), abs(height - want.height)) > SIZE_TOLERANCE:
                message = (
                    f"{what} is {_size(width, height)}, its paper {_size(want.width, want.height)}"
                )
                yield subject.fault("GP801", message, AT_FULL_SIZE, page.number)
        if page.turned:
            message = f"the page is turned by {page.turned}°"
            yield subject.fault("GP801", message, AT_FULL_SIZE, page.number)


def _other_paper(page: ExpectedPage, paper: Paper) -> Iterator[str]:
    """In what the manifest's paper is not that of papers.yaml."""
    sides, known = sorted((page.width, page.height)), sorted((paper.size.width, paper.size.height))
    if max(abs(a - b) for a, b in zip(sides, known, strict=True)) > SIZE_TOLERANCE:
        yield f"the manifest has {_size(*sides)} for {paper.title}, papers.yaml {_size(*known)}"
    if abs(page.margin - paper.margin) > BOX_TOLERANCE:
        yield (
            f"the manifest has {format_mm(page.margin)} mm for the margin of {paper.title},"
            f" papers.yaml {format_mm(paper.margin)} mm"
        )


def page_boxes(subject: Subject) -> Iterator[Finding]:
    """GP802: TrimBox and BleedBox are there, one inside the other inside the page; the TrimBox is
    what the pieces take, the BleedBox what their art takes. Of a stranger's page no CropBox may cut
    into what is printed."""
    hint = AT_FULL_SIZE if subject.expected else _EXPORTED
    for page, made in zip(subject.pages, subject.pdf.pages, strict=True):
        if subject.expected is None:
            yield from _odd_page(subject, page, float(made.obj.get("/UserUnit", 1)))
        if page.trim is not None and page.bleed is not None:
            messages = _unnested(page.trim, page.bleed, Rect(0, 0, page.width, page.height))
            for message in messages:
                yield subject.fault("GP802", message, hint, page.number)
            cropped = min(page.width, page.height) > 0 and not page.crop.contains(
                page.trim, BOX_TOLERANCE
            )
            if subject.expected is None and cropped and not _is_flat(page.trim):
                message = (
                    "the CropBox leaves out a part of the TrimBox: most programs print no more"
                )
                yield subject.fault("GP802", message, "make it as large as the page", page.number)
        elif subject.profile is None:  # who wants them asks for them
            flat = min(page.width, page.height) <= 0
            missing = "width or height" if flat else "BleedBox" if page.trim else "TrimBox"
            yield subject.fault("GP802", f"the page has no {missing}", hint, page.number)
    for match in subject.matched:
        pieces, read = match.expected.placements, match.read
        for name, box, around_them in (
            ("TrimBox", read.trim, [piece.finished for piece in pieces]),
            ("BleedBox", read.bleed, [piece.art for piece in pieces]),
        ):
            if (
                box
                and around_them
                and not _is_around(box, around_them, Rect(0, 0, read.width, read.height))
            ):
                whose = "pieces" if name == "TrimBox" else "art of the pieces"
                message = f"the {name} is not the box around the {whose}"
                yield subject.fault("GP802", message, AT_FULL_SIZE, read.number)


def _odd_page(subject: Subject, page: PageRead, unit: float) -> Iterator[Finding]:
    """What programs read in more than one way in a page of another program."""
    if page.turned % 90:
        message = f"the page is turned by {page.turned}°, and only quarter turns are known"
        yield subject.fault("GP802", message, _EXPORTED, page.number)
    if unit > 0 and unit != 1:
        message = (
            f"the page counts in {unit:g} points (UserUnit): a program that does not know that"
            f" prints it at {100 / unit:.0f} % of its size"
        )
        fault = subject.fault("GP802", message, _EXPORTED, page.number)
        yield replace(fault, severity=Severity.WARNING)


def _unnested(trim: Rect, bleed: Rect, paper: Rect) -> Iterator[str]:
    """What is wrong with the boxes of a page."""
    boxes = {"TrimBox": trim, "BleedBox": bleed, "page": paper}
    flat = [name for name, box in boxes.items() if _is_flat(box)]
    if flat:
        whose = "" if "page" in flat else " of the page"
        what = "page" if "page" in flat else " and the ".join(flat)
        yield f"the {what}{whose} has no width or height"
        return
    for inner, outer in (("TrimBox", "BleedBox"), ("BleedBox", "page")):
        if not boxes[outer].contains(boxes[inner], BOX_TOLERANCE):
            yield f"the {inner} reaches out of the {outer}"


def _is_flat(box: Rect) -> bool:
    return min(box.width, box.height) <= 0


def placements(subject: Subject) -> Iterator[Finding]:
    """GP803: no piece reaches over another or out of the page, and none is bled on."""
    for match in subject.matched:
        number = match.read.number
        paper = Rect(0, 0, match.read.width, match.read.height)
        for placement in match.expected.placements:
            if not paper.contains(placement.finished, PLACE_TOLERANCE):
                message = f"the {placement} at {_place(placement)} reaches out of the page"
                yield subject.fault("GP803", message, page=number, placed=placement)
        for one, other in _neighbours(match.expected.placements):
            depth = polygon_overlap(polygon(one.box, one.shape), polygon(other.box, other.shape))
            if depth > PLACE_TOLERANCE:
                message = f"the {one} and the {other} overlap by {depth:.2f} mm"
                yield subject.fault("GP803", message, page=number, placed=one)
            elif bled_on := _bled_on(one, other):
                message = f"the bleed of the {bled_on[0]} covers part of the {bled_on[1]}"
                yield subject.fault("GP803", message, page=number, placed=bled_on[1])


def _is_around(box: Rect, others: Sequence[Rect], paper: Rect) -> bool:
    """Whether it is the box around some others, as far as that is on the page."""
    right = around(others).cut_to(paper)
    return box.contains(right, PLACE_TOLERANCE) and right.contains(box, PLACE_TOLERANCE)


def _neighbours(pieces: tuple[Expected, ...]) -> Iterator[tuple[Expected, Expected]]:
    """All pairs whose art may meet."""
    by_place = sorted(pieces, key=lambda piece: piece.art.x)
    for index, one in enumerate(by_place):
        for other in by_place[index + 1 :]:
            if other.art.x > one.art.right:
                break
            if one.art.overlaps(other.art):
                yield one, other


def _bled_on(one: Expected, other: Expected) -> tuple[Expected, Expected] | None:
    """Of two pieces the one that bleeds and the one bled on, if any. Of shapes that are not
    straight only those are looked at whose art ends along an outline of its own."""
    straight = (Shape.RECTANGLE, Shape.ROUNDED)
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.outline:
            trim = polygon(victim.box, victim.shape)
            if polygon_overlap(bleeding.outline, trim) > PLACE_TOLERANCE:
                return bleeding, victim
    if one.shape not in straight or other.shape not in straight:
        return None
    for bleeding, victim in ((one, other), (other, one)):
        if bleeding.art.overlaps(victim.box, PLACE_TOLERANCE):
            return bleeding, victim
    return None


def _size(width: float, height: float) -> str:
    return f"{width:.2f} × {height:.2f} mm"


def _place(placement: Expected) -> str:
    return f"({format_mm(placement.box.x)}, {format_mm(placement.box.y)}) mm"


def copies(subject: Subject) -> Iterator[Finding]:
    """All copies of a piece are cut and folded alike."""
    first: dict[tuple[str, str, str], Expected] = {}
    for match in subject.matched:
        for placed in match.expected.placements:
            one = first.setdefault((*placed.piece[:2], placed.face), placed)
            if placed.poster is None and (what := _unlike(placed, one)):
                message = f"the {placed} has {what} than copy {one.copy} of it"
                yield subject.fault("GP815", message, AGAIN, match.read.number, placed)


def as_defined(subject: Subject) -> Iterator[Finding]:
    """Pieces have the size, shape and free outline of their stock, and the pages of posters repeat
    as much as the pack has it, if its definitions are at hand."""
    expected, told = subject.expected, set[str]()
    if expected is None:
        return
    repeated = expected.rules and expected.rules.overlap_mm
    if expected.overlap is not None and repeated and abs(repeated - expected.overlap) > _SAME:
        message = f"pages repeat {repeated:g} mm of each other, pack.yaml has {expected.overlap:g}"
        yield subject.fault("GP815", message, _OTHERWISE)
    for match in subject.matched:
        for placed in match.expected.placements:
            stock = expected.stocks.get(placed.kind)
            what = _unlike_stock(placed, stock) if stock and placed.kind not in told else ""
            if stock and what:
                told.add(placed.kind)
                message = f"the {placed} has another {what} than its stock, {stock.name}"
                yield subject.fault("GP815", message, _OTHERWISE, match.read.number, placed)


def _unlike_stock(placed: Expected, stock: Stock) -> str:
    """In what a piece is not its stock."""
    sides, known = (placed.width, placed.height), (stock.trim.width, stock.trim.height)
    if not _near(sides[::-1] if placed.rotation % 180 else sides, known):
        return "size"
    if placed.shape is not stock.shape:
        return "shape"
    if placed.shape is Shape.PATH and placed.side is Side.FRONT and placed.contour:
        here = [placed.upright(Rect(p.x, p.y, 0, 0)) for p in placed.contour]
        corners = [Point(place.x, place.y) for place in here]
        if any(_farther(corner, corners) for corner in flattened(stock.path)):
            return "outline"
    return ""


def _farther(corner: Point, others: Sequence[Point]) -> bool:
    return min(distance(corner, other) for other in others) > _OFF_OUTLINE


def _unlike(one: Expected, other: Expected) -> str:
    """In what two copies of a face are not cut alike."""
    sizes = (
        (placed.height, placed.width) if placed.rotation % 180 else (placed.width, placed.height)
        for placed in (one, other)
    )
    if one.shape is not other.shape or not _near(*sizes):
        return "another size or shape"
    if abs(one.bleed - other.bleed) > PLACE_TOLERANCE:
        return "another bleed"
    if one.folds_mm != other.folds_mm:
        return "other folds"
    if one.side is Side.FRONT and one.contour and other.contour:
        ways = ([each.upright(Rect(p.x, p.y, 0, 0)) for p in each.contour] for each in (one, other))
        if not _near(*([v for place in way for v in (place.x, place.y)] for way in ways)):
            return "another outline"
    return ""


def _near(one: Sequence[float], other: Sequence[float]) -> bool:
    return len(one) == len(other) and all(
        abs(a - b) <= PLACE_TOLERANCE for a, b in zip(one, other, strict=True)
    )
