"""Lets the SVG engine, Typst, draw what PDF operators cannot: masks, `<use>`, unusual gradients.

Only this module knows Typst. Typst keeps about 1 MB for each page, so drawings are compiled in
chunks, each in a fresh process.
"""

from __future__ import annotations

import json
import re
import tempfile
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from msgspec import Struct

from generator import limits, workers
from generator.assets import MAX_FILE, for_engine
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, Outcome
from generator.export.pdf_file import PdfFile, reference
from generator.files import Roots, UnreadableError
from generator.fonts import FontLibrary
from generator.geometry import PT_PER_MM, format_mm, summed
from generator.model.face import Art, Face
from generator.pdf_syntax import Entries, as_numbers
from generator.workers import Progress

if TYPE_CHECKING:
    import typst
    from pikepdf import Pdf

_ART: Final = "art.json"
_REFERENCE: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)|<[0-9A-Fa-f\s]*+>|(?<![\w.])(\d+) (\d+) R\b", re.S
)
"""Matches texts, which contain no references, and references."""


class ArtPdfs(Struct, frozen=True):
    """The places of drawings: `pages` maps a sha256 to (index in `files`, page)."""

    files: tuple[Path, ...] = ()
    pages: Mapping[str, tuple[int, int]] = {}


class EngineArt:
    """Drawings of the engine to copy into a file; a context manager."""

    def __init__(self, art: ArtPdfs) -> None:
        self._art = art
        self._opened = ExitStack()
        self._sources: dict[int, Pdf] = {}
        self._copies: dict[tuple[int, int, int], int] = {}

    def __enter__(self) -> EngineArt:
        return self

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    def copied(self, pdf: PdfFile, art: Art) -> tuple[int, bytes]:
        """Return the number of a form in `pdf` that shows a drawing in its box, mm, and its
        content."""
        from pikepdf import Pdf  # noqa: PLC0415, few builds need it

        file, number = self._art.pages[art.sha256]
        if file not in self._sources:
            self._sources[file] = self._opened.enter_context(Pdf.open(self._art.files[file]))
        page = self._sources[file].pages[number]
        page.contents_coalesce()
        box, scale = art.box, 1 / PT_PER_MM
        entries: Entries = {
            "Type": "/XObject",
            "Subtype": "/Form",
            "BBox": f"[{as_numbers(*map(float, page.obj.MediaBox))}]",
            "Matrix": f"[{as_numbers(scale, 0, 0, -scale, box.x, box.bottom)}]",
            "Resources": self._unparsed(pdf, file, page.obj.Resources),
            "Group": "<</S /Transparency /I true /CS /DeviceRGB>>",
        }
        if "/Group" in page.obj:
            entries["Group"] = self._unparsed(pdf, file, page.obj.Group)
        content = page.obj.Contents.read_bytes()
        return pdf.stream(entries, zlib.compress(content, 6)), content

    def _unparsed(self, pdf: PdfFile, file: int, thing: Any) -> bytes:
        """Return an object as bytes, after copying the objects it refers to."""
        written = thing.unparse(resolved=True)

        def copied(found: re.Match[bytes]) -> bytes:
            if not found[1]:
                return found[0]
            return reference(self._copy(pdf, file, int(found[1]), int(found[2])))

        return _REFERENCE.sub(copied, written)

    def _copy(self, pdf: PdfFile, file: int, number: int, generation: int) -> int:
        from pikepdf import Stream  # noqa: PLC0415, as above

        key = file, number, generation
        if key not in self._copies:
            copy = self._copies[key] = pdf.reserve()
            thing = self._sources[file].get_object((number, generation))
            if isinstance(thing, Stream):
                entries = {
                    str(name)[1:]: self._written(pdf, file, value)
                    for name, value in thing.items()
                    if name != "/Length"
                }
                pdf.stream(entries, thing.read_raw_bytes(), packed=False, number=copy)
            else:
                pdf.put(copy, self._unparsed(pdf, file, thing))
        return self._copies[key]

    def _written(self, pdf: PdfFile, file: int, value: Any) -> bytes:
        """Return a value of a dictionary as bytes."""
        if getattr(value, "is_indirect", False):
            return reference(self._copy(pdf, file, *value.objgen))
        if hasattr(value, "unparse"):
            return self._unparsed(pdf, file, value)
        if isinstance(value, bool):
            return b"true" if value else b"false"
        return as_numbers(float(value)).encode()


def compile_art(
    faces: Sequence[Face],
    fonts: FontLibrary,
    scratch: Path,
    *,
    roots: Roots | None = None,
    jobs: int = 1,
    progress: Progress = lambda done, total: None,
    cache: Cache = NOTHING_KEPT,
) -> Outcome[ArtPdfs]:
    """Draw the drawings that faces leave to the engine, each on a page of its box, into PDFs in
    `scratch`.

    Fonts come only from `fonts`, pictures only from `roots` (by default their own folders),
    unchanged. A drawing that the engine refuses is GP703. Raises OSError when `scratch` cannot be
    written, GridpressError (GP703) when the engine crashes.
    """
    wanted = _distinct(faces)
    if not wanted:
        return Outcome(ArtPdfs())
    chunks = even_chunks(wanted, chunk_count(len(wanted)))
    files = tuple(scratch / f"art-{number}.pdf" for number in range(len(chunks)))
    tasks = [
        _ArtTask(
            str(chunk[0].face.span),
            tuple(drawing.art for drawing in chunk),
            roots or beside(faces),
            fonts.folders,
            file,
        )
        for chunk, file in zip(chunks, files, strict=True)
    ]
    made = fonts.fingerprint()
    keys = [b"".join((made, *(d.art.sha256.encode() for d in chunk))) for chunk in chunks]
    fresh = []
    for number, (key, file) in enumerate(zip(keys, files, strict=True)):
        kept = cache.get(Sort.ART, key)
        if kept is None:
            fresh.append(number)
        else:
            file.write_bytes(kept)
    said = _run([tasks[n] for n in fresh], [chunks[n] for n in fresh], jobs, progress)
    for number in fresh if not said else ():
        cache.put(Sort.ART, files[number].read_bytes(), keys[number])
    pages = {
        drawing.art.sha256: (number, page)
        for number, chunk in enumerate(chunks)
        for page, drawing in enumerate(chunk)
    }
    return Outcome(ArtPdfs(files, pages), said)


def drawing_seconds(drawings: Iterable[Art]) -> float:
    """Return the processor time that drawings may take, s, beside what each face takes."""
    return summed(
        limits.DRAWN * len(art.svg) / 1_000_000 + limits.PICTURE * len(art.assets)
        for art in drawings
    )


class _FaceArt(NamedTuple):
    """A drawing, and the first face that shows it."""

    art: Art
    face: Face


def _distinct(faces: Sequence[Face]) -> list[_FaceArt]:
    """Return each drawing once, in order of first appearance."""
    first: dict[str, _FaceArt] = {}
    for face in faces:
        for art in face.drawing.engine:
            first.setdefault(art.sha256, _FaceArt(art, face))
    return list(first.values())


class _ArtTask(NamedTuple):
    """Drawings for one worker to write into one PDF; `place` is where the first is written."""

    place: str
    art: tuple[Art, ...]
    roots: Roots
    font_folders: tuple[Path, ...]
    target: Path


class _PageFault(NamedTuple):
    """The reason why the engine refuses a page."""

    page: int
    reason: str


def beside(faces: Sequence[Face]) -> Roots:
    """Return the folders of the pictures of faces."""
    return Roots(tuple({asset.path.parent: None for face in faces for asset in face.assets}))


def _run(
    tasks: Sequence[_ArtTask], chunks: Sequence[Sequence[_FaceArt]], jobs: int, progress: Progress
) -> tuple[Diagnostic, ...]:
    total = sum(map(len, chunks))
    done = 0
    faults: dict[int, list[Diagnostic]] = {}
    for number, found in workers.answers(_draw, tasks, jobs, fresh=True):
        faults[number] = [_diagnostic(chunks[number][f.page].face, f.reason) for f in found]
        done += len(chunks[number])
        progress(done, total)
    return tuple(fault for number in sorted(faults) for fault in faults[number])


def _diagnostic(face: Face, reason: str) -> Diagnostic:
    return Diagnostic(
        face.span,
        "GP703",
        f"Typst cannot draw the {face.name} of {face.component!r}: {reason}",
        "check what the template draws there",
    )


# From here on: what runs in the worker processes.


def _draw(task: _ArtTask) -> list[_PageFault]:
    """Write the target of a task, or nothing if there is any fault."""
    seconds = limits.FACE * len(task.art) + drawing_seconds(task.art)
    with limits.at(task.place, seconds, "drawing art with Typst"):
        return _drawn(task)


def _drawn(task: _ArtTask) -> list[_PageFault]:
    import typst  # noqa: PLC0415, few builds need it

    fonts = typst.Fonts(
        include_system_fonts=False,
        include_embedded_fonts=False,
        font_paths=list(task.font_folders),
    )
    with tempfile.TemporaryDirectory(prefix="art-", dir=task.target.parent) as root:
        faults = list(_stage(task, Path(root)))
        if faults:
            return faults
        engine = _Engine(task.art, Path(root), fonts)
        try:
            task.target.write_bytes(engine.draw_all())
        except typst.TypstError as error:
            return list(engine.blame()) or [_PageFault(0, error.message)]
    return []


def _stage(task: _ArtTask, root: Path) -> Iterator[_PageFault]:
    """Write all drawings into one file, and copy their pictures beside it. A file for each would be
    slow."""
    (root / _ART).write_text(json.dumps([art.svg for art in task.art]), encoding="utf-8")
    staged: set[str] = set()
    for number, art in enumerate(task.art):
        for asset in art.assets:
            if asset.href in staged:
                continue
            staged.add(asset.href)
            copy = root / asset.href
            copy.parent.mkdir(parents=True, exist_ok=True)
            try:
                content = task.roots.read_again(asset.path, asset.sha256, MAX_FILE)
            except UnreadableError as error:
                yield _PageFault(number, f"the picture {asset.path.name!r} {error.reason}")
            else:
                copy.write_bytes(for_engine(content))


class _Engine:
    """Typst with drawings staged in a folder."""

    def __init__(self, drawings: Sequence[Art], root: Path, fonts: typst.Fonts) -> None:
        self.sources = [_page_source(number, art) for number, art in enumerate(drawings)]
        self.root = root
        self.fonts = fonts

    def draw_all(self) -> bytes:
        """Return one PDF of all pages. A warning is raised as an error."""
        return self._draw(self.sources)

    def blame(self) -> Iterator[_PageFault]:
        """Draw the pages one by one; yield those that fail."""
        import typst  # noqa: PLC0415, as above

        for number, source in enumerate(self.sources):
            try:
                self._draw([source])
            except typst.TypstError as error:
                yield _PageFault(number, error.message)

    def _draw(self, sources: Sequence[str]) -> bytes:
        import typst  # noqa: PLC0415, as above

        document = self.root / "art.typ"
        document.write_text("\n".join([f'#let art = json("{_ART}")', *sources]), encoding="utf-8")
        drawn, warnings = typst.compile_with_warnings(
            document,
            root=self.root,
            font_paths=self.fonts,
            ignore_system_fonts=True,
            format="pdf",
            timestamp=0,
        )
        if warnings:
            raise typst.TypstError(warnings[0].message, warnings[0].diagnostic)
        assert isinstance(drawn, bytes), "a PDF is one file"
        return drawn


def _page_source(number: int, art: Art) -> str:
    """Return a Typst page without margins; `artifact` keeps the drawing out of the tags."""
    size = f"width: {format_mm(art.box.width)}mm, height: {format_mm(art.box.height)}mm"
    drawing = f'image(bytes(art.at({number})), format: "svg", {size})'
    return f"#page({size}, margin: 0pt, pdf.artifact({drawing}))"


T = TypeVar("T")

MOST_IN_A_CHUNK: Final = 300
ALONE_UP_TO: Final = 120


def chunk_count(drawings: int) -> int:
    """Return 1 for up to 120 drawings, else at least 2, of at most 300 each.

    It does not depend on the number of jobs, so that the bytes are the same on every machine.
    """
    if drawings <= ALONE_UP_TO:
        return min(drawings, 1)
    return max(2, -(-drawings // MOST_IN_A_CHUNK))


def even_chunks(drawings: list[T], count: int) -> list[list[T]]:
    """Split the drawings into `count` runs whose lengths differ by one at most."""
    ends = [len(drawings) * number // max(count, 1) for number in range(count + 1)]
    return [drawings[start:end] for start, end in pairwise(ends)]
