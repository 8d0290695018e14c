"""Faces in, one PDF page or one PNG for each distinct face out.

The only module that knows the SVG engine, Typst. It keeps about 1 MB for each face that it has
drawn, so faces are compiled in chunks, each in a fresh process.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Final, NamedTuple

import typst

from generator import limits, workers
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.export.chunks import chunk_count, distinct, even_chunks
from generator.export.typesetting import SETTING, layers
from generator.files import Roots, UnreadableError
from generator.model.face import Asset, Face
from generator.pictures import MAX_FILE
from generator.units import format_mm

Progress = Callable[[int, int], None]

_PICTURES_IN_A_CHUNK: Final = 24
_FACES: Final = "faces.json"
_FAMILIES: Final = re.compile(r"""font-family\s*=\s*(["'])(.*?)\1""")


@dataclass(frozen=True, slots=True)
class FacePdfs:
    """Where each distinct face is: `pages` maps a face's sha256 to (index in `files`, page)."""

    files: tuple[Path, ...]
    pages: Mapping[str, tuple[int, int]]


def compile_faces(
    faces: Sequence[Face],
    font_folders: Sequence[Path],
    scratch: Path,
    *,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> Outcome[FacePdfs]:
    """Draw every distinct face on a page of exactly its trim and bleed, into PDFs in `scratch`.

    Fonts come from `font_folders` alone, never from the system, and pictures from below `roots`
    (without any: from their own folders), where they must be as they were. A face that the engine
    refuses is GP703. Raises OSError when `scratch` cannot be written, and GridpressError (GP703)
    when the engine breaks down.
    """
    wanted = distinct(faces)
    chunks = even_chunks(wanted, chunk_count(len(wanted)))
    files = tuple(scratch / f"faces-{number}.pdf" for number in range(len(chunks)))
    tasks = [
        _Task(
            str(chunk[0].span),
            _pages(chunk),
            roots or _beside(faces),
            tuple(font_folders),
            (file,),
            None,
        )
        for chunk, file in zip(chunks, files, strict=True)
    ]
    said = _run(tasks, chunks, jobs, progress)
    pages = {
        face.sha256: (number, page)
        for number, chunk in enumerate(chunks)
        for page, face in enumerate(chunk)
    }
    return Outcome(FacePdfs(files, pages), said)


def faces_to_png(
    faces: Sequence[Face],
    font_folders: Sequence[Path],
    folder: Path,
    *,
    dpi: float,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
) -> Outcome[Mapping[str, Path]]:
    """Draw every distinct face to `folder/<sha256>.png`, bleed included, as print draws it.

    Returns the picture of each face by its sha256. Errors are those of `compile_faces`.
    """
    wanted = distinct(faces)
    chunks = even_chunks(wanted, -(-len(wanted) // _PICTURES_IN_A_CHUNK))
    pictures = {face.sha256: folder / f"{face.sha256}.png" for face in wanted}
    around, folders = roots or _beside(faces), tuple(font_folders)
    tasks = [
        _Task(
            str(chunk[0].span),
            _pages(chunk),
            around,
            folders,
            tuple(pictures[f.sha256] for f in chunk),
            dpi,
        )
        for chunk in chunks
    ]
    return Outcome(pictures, _run(tasks, chunks, jobs, progress))


class _Page(NamedTuple):
    """What the engine needs of a face: its SVG, size with bleed and the bleed (mm), pictures by
    href."""

    svg: str
    width: float
    height: float
    bleed: float
    assets: tuple[Asset, ...]


class _Task(NamedTuple):
    """Pages for one worker, the first of them written at `place`: into one PDF, or with `dpi` into
    one PNG each. Pictures are below one of the roots."""

    place: str
    pages: tuple[_Page, ...]
    roots: Roots
    font_folders: tuple[Path, ...]
    targets: tuple[Path, ...]
    dpi: float | None


class _Fault(NamedTuple):
    """Why the engine refuses a page of its task."""

    page: int
    reason: str


def _beside(faces: Sequence[Face]) -> Roots:
    return Roots(tuple({asset.path.parent: None for face in faces for asset in face.assets}))


def _pages(faces: Sequence[Face]) -> tuple[_Page, ...]:
    return tuple(
        _Page(
            face.svg,
            face.stock.trim.width + 2 * face.stock.bleed,
            face.stock.trim.height + 2 * face.stock.bleed,
            face.stock.bleed,
            face.assets,
        )
        for face in faces
    )


def _run(
    tasks: Sequence[_Task], chunks: Sequence[Sequence[Face]], jobs: int, progress: Progress
) -> tuple[Diagnostic, ...]:
    total = sum(map(len, chunks))
    done = 0
    faults: dict[int, list[Diagnostic]] = {}
    try:
        for number, found in workers.answers(_draw, tasks, jobs, fresh=True):
            faults[number] = [_diagnostic(chunks[number][f.page], f.reason) for f in found]
            done += len(chunks[number])
            progress(done, total)
    except workers.WorkerCrash as crash:
        raise GridpressError(
            Diagnostic(
                Span(chunks[0][0].span.file),
                "GP703",
                f"the print engine broke down: {crash}",
                "most often memory ran out: close other programs, or build with --jobs 1",
            )
        ) from crash
    return tuple(fault for number in sorted(faults) for fault in faults[number])


def _diagnostic(face: Face, reason: str) -> Diagnostic:
    return Diagnostic(
        face.span,
        "GP703",
        f"the print engine refuses the {face.name} of {face.component!r}: {reason}",
        "look at what the template draws there",
    )


# From here on: what runs in the worker processes.


def _draw(task: _Task) -> list[_Fault]:
    """Write the targets of a task; or, if there is any fault, nothing."""
    with limits.at(task.place, limits.BEGINNING + limits.FACE * len(task.pages)):
        return _drawn(task)


def _drawn(task: _Task) -> list[_Fault]:
    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=list(task.font_folders),
    )
    with tempfile.TemporaryDirectory(prefix="faces-", dir=task.targets[0].parent) as root:
        faults = [*_stage(task, Path(root)), *_unknown_fonts(task.pages, fonts)]
        if faults:
            return faults
        engine = _Engine(task.pages, Path(root), fonts, task.dpi)
        try:
            drawings = engine.draw_all()
        except typst.TypstError as error:
            return list(engine.blame()) or [_Fault(0, error.message)]
        for target, drawing in zip(task.targets, drawings, strict=True):
            target.write_bytes(drawing)
    return []


def _stage(task: _Task, root: Path) -> Iterator[_Fault]:
    """Write all faces in one file (a file each takes as long as drawing it, on a slow disk) and
    copy the pictures beside it under the names that the SVGs use."""
    faces = [layers(page.svg) for page in task.pages]
    (root / _FACES).write_text(json.dumps(faces), encoding="utf-8")
    staged: set[str] = set()
    for number, page in enumerate(task.pages):
        for asset in page.assets:
            if asset.href in staged:
                continue
            staged.add(asset.href)
            copy = root / asset.href
            copy.parent.mkdir(parents=True, exist_ok=True)
            try:
                content = task.roots.read_again(asset.path, asset.sha256, MAX_FILE)
            except UnreadableError as error:
                yield _Fault(number, f"the picture {asset.path.name!r} {error.reason}")
            else:
                copy.write_bytes(content if task.dpi is None else _for_screen(content))


def _for_screen(content: bytes) -> bytes:
    """A CMYK picture in RGB: as pixels the engine draws it garbled (Typst 0.15), where a PDF has
    the file as it is."""
    from PIL import Image, UnidentifiedImageError  # noqa: PLC0415, only previews need it

    with suppress(UnidentifiedImageError), Image.open(io.BytesIO(content)) as picture:
        if picture.mode == "CMYK":
            screen = io.BytesIO()
            picture.convert("RGB").save(screen, "JPEG", quality=95)
            return screen.getvalue()
    return content


def _unknown_fonts(pages: Sequence[_Page], fonts: typst.Fonts) -> Iterator[_Fault]:
    """The engine leaves out in silence the text whose family it does not know."""
    known = {name.lower() for name in fonts.families()}
    for number, page in enumerate(pages):
        for listed in sorted({unescape(listed) for _, listed in _FAMILIES.findall(page.svg)}):
            names = [name.strip(" '\"") for name in listed.split(",")]
            if not any(name.lower() in known for name in names):
                yield _Fault(number, f"no font of the family {listed!r} is in the fonts folders")


class _Engine:
    """Typst at work on pages staged in a folder, with the fonts that it may use."""

    def __init__(
        self, pages: Sequence[_Page], root: Path, fonts: typst.Fonts, dpi: float | None
    ) -> None:
        self.sources = [_page_source(number, page) for number, page in enumerate(pages)]
        self.root = root
        self.fonts = fonts
        self.dpi = dpi

    def draw_all(self) -> list[bytes]:
        """One PDF of all the pages, or one PNG for each. A warning is an error, raised."""
        return self._draw(self.sources)

    def blame(self) -> Iterator[_Fault]:
        """Draw the pages one by one to find those that fail."""
        for number, source in enumerate(self.sources):
            try:
                self._draw([source])
            except typst.TypstError as error:
                yield _Fault(number, error.message)

    def _draw(self, sources: Sequence[str]) -> list[bytes]:
        document = self.root / "faces.typ"
        head = f'{SETTING}#let faces = json("{_FACES}")'
        document.write_text("\n".join([head, *sources]), encoding="utf-8")
        drawn, warnings = typst.compile_with_warnings(
            document,
            root=self.root,
            font_paths=self.fonts,
            ignore_system_fonts=True,
            format="pdf" if self.dpi is None else "png",
            ppi=self.dpi,
            timestamp=0,
        )
        if warnings:
            raise typst.TypstError(warnings[0].message, warnings[0].diagnostic)
        return [drawn] if isinstance(drawn, bytes) else drawn


def _page_source(number: int, page: _Page) -> str:
    """A Typst page without margins; `artifact` keeps the drawing out of the document's tags."""
    width, height, bleed = (
        f"{format_mm(value)}mm" for value in (page.width, page.height, page.bleed)
    )
    drawing = f"face({width}, {height}, {bleed}, faces.at({number}))"
    return f"#page(width: {width}, height: {height}, margin: 0pt, pdf.artifact({drawing}))"
