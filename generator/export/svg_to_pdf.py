"""Has the SVG engine draw what plain operators cannot: masks, `<use>`, odd gradients.

The only module that knows the engine, Typst. It keeps about 1 MB for each page that it has drawn,
so drawings are compiled in chunks, each in a fresh process.
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
"""Matches texts, which have no references in them, and references."""


class ArtPdfs(Struct, frozen=True):
    """The places of drawings: `pages` maps a sha256 to (index in `files`, page)."""

    files: tuple[Path, ...] = ()
    pages: Mapping[str, tuple[int, int]] = {}


class EngineArt:
    """Drawings of the engine, to be copied into a file; used as a context manager."""

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
        """Return an object as bytes, what it refers to copied first."""
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
    """Draw what faces leave to the engine, if anything: every distinct drawing on a page of exactly
    its box, into PDFs in `scratch`.

    Fonts, of which a map of a track has letters, come from `fonts` alone, never from the system,
    and pictures from below `roots` (without any: from their own folders), where they must be as
    they were. What was drawn before is in `cache`, by the drawings and the fonts. A drawing that
    the engine refuses is GP703. Raises OSError when `scratch` cannot be written, and GridpressError
    (GP703) when the engine breaks down.
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
    """Each drawing once, in the order of first appearance."""
    first: dict[str, _FaceArt] = {}
    for face in faces:
        for art in face.drawing.engine:
            first.setdefault(art.sha256, _FaceArt(art, face))
    return list(first.values())


class _ArtTask(NamedTuple):
    """Drawings for one worker, the first of them written at `place`: into one PDF. Pictures are
    below one of the roots."""

    place: str
    art: tuple[Art, ...]
    roots: Roots
    font_folders: tuple[Path, ...]
    target: Path


class _PageFault(NamedTuple):
    """Why the engine refuses a page of its task."""

    page: int
    reason: str


def beside(faces: Sequence[Face]) -> Roots:
    """Return the folders that the pictures of faces lie in."""
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
    """Write the target of a task; or, if there is any fault, nothing."""
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
    """Write all drawings in one file (a file each takes as long as drawing it, on a slow disk) and
    copy the pictures beside it under the names that the SVGs use."""
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
    """Typst at work on drawings staged in a folder, with the fonts that it may use."""

    def __init__(self, drawings: Sequence[Art], root: Path, fonts: typst.Fonts) -> None:
        self.sources = [_page_source(number, art) for number, art in enumerate(drawings)]
        self.root = root
        self.fonts = fonts

    def draw_all(self) -> bytes:
        """One PDF of all the pages. A warning is an error, raised."""
        return self._draw(self.sources)

    def blame(self) -> Iterator[_PageFault]:
        """Draw the pages one by one to find those that fail."""
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
    """A Typst page without margins; `artifact` keeps the drawing out of the document's tags."""
    size = f"width: {format_mm(art.box.width)}mm, height: {format_mm(art.box.height)}mm"
    drawing = f'image(bytes(art.at({number})), format: "svg", {size})'
    return f"#page({size}, margin: 0pt, pdf.artifact({drawing}))"


T = TypeVar("T")

MOST_IN_A_CHUNK: Final = 300
ALONE_UP_TO: Final = 120


def chunk_count(drawings: int) -> int:
    """One up to 120 drawings; beyond, at least two (they run side by side), of at most 300.

    The number of jobs has no say, so that the bytes are the same on every machine.
    """
    if drawings <= ALONE_UP_TO:
        return min(drawings, 1)
    return max(2, -(-drawings // MOST_IN_A_CHUNK))


def even_chunks(drawings: list[T], count: int) -> list[list[T]]:
    """The drawings, in order, in `count` runs whose lengths differ by one at most."""
    ends = [len(drawings) * number // max(count, 1) for number in range(count + 1)]
    return [drawings[start:end] for start, end in pairwise(ends)]
