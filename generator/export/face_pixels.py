"""Draws previews of faces: with their bleed and their flaws framed, or as they are cut out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from generator import limits, workers
from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import GridpressError, Outcome
from generator.export.canvases import NOTHING, Canvas, Ground, as_png, canvas_page, rendered
from generator.export.loose_pages import LoosePage, loose_pages
from generator.export.pictures import picture_reader
from generator.export.svg_to_pdf import beside, compile_art, even_chunks
from generator.files import Roots
from generator.fonts import FontLibrary
from generator.geometry import MM_PER_INCH, Rect
from generator.model.face import Face

_PREVIEWS_AT_ONCE: Final = 24
_PAPER: Final[Ground] = (255, 255, 255, 255)


class _PreviewTask(NamedTuple):
    """Pages of a PDF for one worker, and their pictures."""

    place: str
    pdf: bytes
    targets: tuple[Path, ...]
    dpi: float
    flaws: tuple[tuple[Rect, ...], ...]
    grounds: tuple[Ground, ...]


def face_pictures(
    faces: Sequence[Face],
    fonts: FontLibrary,
    folder: Path,
    *,
    dpi: float,
    cut: bool = False,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cache: Cache = NOTHING_KEPT,
) -> Outcome[Mapping[str, Path]]:
    """Draw every distinct face to `folder/<sha256>.png` with its bleed, and its flaws framed in
    red. With `cut`, faces without flaws are drawn as they are cut out.

    Returns the picture of each face by its sha256. Raises the errors of `compile_art`.
    """
    wanted = list({face.sha256: face for face in faces}.values())
    art = compile_art(wanted, fonts, folder, roots=roots, jobs=jobs, cache=cache)
    pictures = {face.sha256: folder / f"{face.sha256}.png" for face in wanted}
    if not art.ok:
        return Outcome(pictures, art.diagnostics)
    read = picture_reader(wanted, roots or beside(wanted))

    def page(face: Face) -> LoosePage:
        is_cut = cut and not face.flaws
        return canvas_page(face, Canvas.cut_out(face.stock, dpi)) if is_cut else LoosePage.of(face)

    tasks = [
        _PreviewTask(
            str(some[0].span),
            loose_pages(pages := list(map(page, some)), art.value, fonts, read, cache),
            tuple(pictures[face.sha256] for face in some),
            dpi,
            tuple(_on_picture(face) for face in some),
            tuple(NOTHING if page.cut else _PAPER for page in pages),
        )
        for some in even_chunks(wanted, -(-len(wanted) // _PREVIEWS_AT_ONCE))
    ]
    done = 0
    here = len(tasks) == 1 and jobs == 1  # no worker needed
    for drawn in map(_draw, tasks) if here else (n for _, n in workers.answers(_draw, tasks, jobs)):
        done += drawn
        progress(done, len(wanted))
    return Outcome(pictures, ())


def face_picture(
    face: Face,
    fonts: FontLibrary,
    folder: Path,
    *,
    width: int,
    roots: Roots,
    cache: Cache = NOTHING_KEPT,
) -> bytes | None:
    """Return a PNG of a face with its bleed, `width` pixels wide, without frames around its flaws;
    None if the SVG engine refuses it or one of its files has changed."""
    art = compile_art([face], fonts, folder, roots=roots, cache=cache)
    if not art.ok:
        return None
    page = LoosePage.of(face)
    try:
        pdf = loose_pages([page], art.value, fonts, picture_reader([face], roots), cache)
    except GridpressError:
        return None
    dpi = (width - _LESS) * MM_PER_INCH / face.box.width
    with limits.at(face.span):
        return next(as_png(picture, dpi, level=1) for picture in rendered(pdf, [(dpi, _PAPER)]))


_LESS: Final = 0.01
"""Pixels taken from the width of a picture, so that rounding up adds none."""


def _draw(task: _PreviewTask) -> int:
    """Draw the pages of a task; return how many."""
    with limits.at(task.place):
        drawn = rendered(task.pdf, [(task.dpi, ground) for ground in task.grounds])
        for picture, target, flaws in zip(drawn, task.targets, task.flaws, strict=True):
            target.write_bytes(as_png(_framed(picture, flaws, task.dpi), task.dpi))
    return len(task.targets)


_RED: Final = "#d6001c"
_FRAME_MM: Final = 0.6


def _on_picture(face: Face) -> tuple[Rect, ...]:
    """Return the flaws of a face, mm from the corner of its bleed."""
    return tuple(flaw.moved(face.stock.bleed, face.stock.bleed) for flaw in face.flaws)


def _framed(picture: Image.Image, flaws: Sequence[Rect], dpi: float) -> Image.Image:
    """Return a picture with red frames around places, mm."""
    if not flaws:
        return picture
    picture = picture.convert("RGB")
    pen, scale = ImageDraw.Draw(picture), dpi / MM_PER_INCH
    for flaw in flaws:
        around = flaw.grown(_FRAME_MM)
        corners = [v * scale for v in (around.x, around.y, around.right, around.bottom)]
        pen.rectangle(corners, outline=_RED, width=max(2, round(_FRAME_MM * scale)))
    return picture
