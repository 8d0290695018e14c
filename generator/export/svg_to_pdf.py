"""Has the engine draw each distinct drawing, on a PDF page of its own.

The only module that knows the SVG engine, Typst. It keeps about 1 MB for each page that it has
drawn, so they are compiled in chunks, each in a fresh process.

The engine draws each shape with an opacity in a group of its own, in a group of its own, and keeps
what a form names beside it: four objects for a line. Printers and preflight take as long over a
group as over a page, so that a shape alone is painted where it stands. What programs draw each in
its own way is written so that all draw it alike: what is filled and stroked at one go where one
sees through it is filled first, then stroked; and dashes begin at no place before their line.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, pairwise
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

import typst
from msgspec import Struct
from pikepdf import Dictionary, Name, Object, Pdf, Stream

from generator import limits, workers
from generator.assets import MAX_FILE
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic, GridpressError, Outcome, Span
from generator.files import Roots, UnreadableError
from generator.fonts import FontLibrary
from generator.geometry import format_mm, summed
from generator.model.face import Art, Face, Layer
from generator.workers import Progress

_WRAPPER: Final = re.compile(rb"\s*q\s*/(\w+) Do\s+Q\s*")
"""A form that only draws another."""
_NUMBERS: Final = rb"[-\d.]+(?:\s+[-\d.]+)*\s+"
_LONE_SHAPE: Final = re.compile(
    rb"\s*q\s*(?:%(n)scm\s*)?/(?P<space>\w+) (?P<how>cs|CS) %(n)s(?:scn|SCN)\s"
    rb"[-\d.\s\[\]wMJjdmlchre]*(?:f\*?|S)\s+Q\s*" % {b"n": _NUMBERS}
)
"""A shape filled or stroked, and nothing else: it overlaps with nothing in its group."""
_DRAWN: Final = re.compile(rb"/(\w+) gs\s*/(\w+) Do\b")
"""A form with an opacity."""
_STEP: Final = re.compile(
    rb"\((?:[^()\\]|\\.)*+\)?|(?<![^\s])(?P<stack>[qQ])(?![^\s/])|/(?P<state>\w+) gs\b"
    rb"|(?P<path>(?:(?:[-\d.]++\s++){1,6}+(?:[mlcvy]|re)\s++|h\s++)++)"
    rb"(?:(?P<close>[Bb])(?P<odd>\*?)(?=\s|$))?+"
    rb"|\[(?P<dashes>[\d.\s]++)\]\s*+(?P<before>-[\d.]++)\s++d(?=\s|$)",
    re.S,
)
"""Texts; what saves and restores a state, and sets one; a path, taken as a whole so that none is
gone through twice, and what fills and strokes it at once; dashes that begin before their line."""
_AT_ONCE: Final = re.compile(rb"(?<!\S)[Bb]\*?(?!\S)")
_EARLY: Final = re.compile(rb"\]\s*-")
"""What fills and strokes a path at once; dashes that begin before their line; words like them."""
_OPACITY: Final = frozenset(("/Type", "/CA", "/ca"))


def simplified(drawn: bytes) -> bytes:
    """The same pages as one PDF. Raises pikepdf.PdfError for what is no PDF."""
    with Pdf.open(io.BytesIO(drawn)) as pdf:
        known: dict[tuple[int, int], Stream] = {}
        for page in pdf.pages:
            _lift(page.obj, page.obj.Contents, known)
            _settle(page.obj.Contents, page.obj.get("/Resources", Dictionary()))
        for form in known.values():
            _settle(form, form.get("/Resources", Dictionary()))
        written = io.BytesIO()
        pdf.save(written, static_id=True)
    return written.getvalue()


def _lift(holder: Object, content: Object, known: dict[tuple[int, int], Stream]) -> None:
    """Draw the shapes of lone groups in the content that has them; `holder` has its resources."""
    if "/Resources" not in holder:
        return
    resources = holder.Resources = Dictionary(dict(holder.Resources))
    forms = {
        name: _form(form, known)
        for name, form in dict(resources.get("/XObject", {})).items()
        if isinstance(form, Stream) and form.get("/Subtype") == Name.Form
    }
    if not forms:
        return
    shapes = {name.encode()[1:]: _lone_shape(form, resources) for name, form in forms.items()}

    def drawn(found: re.Match[bytes]) -> bytes:
        state, shape = resources.ExtGState[f"/{found[1].decode()}"], shapes.get(found[2])
        if not shape or not _OPACITY.issuperset(state):
            return found[0]
        return b"/%s gs %s" % (found[1], shape)

    text = _DRAWN.sub(drawn, content.read_bytes())
    content.write(text)
    left = {f"/{name.decode()}" for name in re.findall(rb"/(\w+) Do\b", text)}
    for name, form in forms.items():
        if name in left:
            resources.XObject[name] = form
        else:
            del resources.XObject[name]


def _form(form: Stream, known: dict[tuple[int, int], Stream]) -> Stream:
    """A form with its own lone groups lifted; of one that only draws another, that other."""
    if form.objgen not in known:
        known[form.objgen] = form
        _lift(form, form, known)
        known[form.objgen] = _unwrapped(form)
    return known[form.objgen]


def _unwrapped(form: Stream) -> Stream:
    wrapper = _WRAPPER.fullmatch(form.read_bytes())
    if wrapper is None:
        return form
    inner = form.Resources.XObject[f"/{wrapper[1].decode()}"]
    alike = ("/BBox", "/Group", "/Matrix", "/Subtype")
    if isinstance(inner, Stream) and all(inner.get(key) == form.get(key) for key in alike):
        return inner
    return form


def _lone_shape(form: Stream, resources: Object) -> bytes:
    """The operators of a group's only shape, to be painted with these resources; empty for a group
    with anything else in it."""
    content = form.read_bytes()
    found = _LONE_SHAPE.fullmatch(content)
    if found is None or "/Matrix" in form:
        return b""
    start, end = found.span("space")
    space = form.Resources.ColorSpace[f"/{found['space'].decode()}"]
    return content[:start] + _named(space, resources) + content[end:]


def _named(space: Object, resources: Object) -> bytes:
    """The name of a colour space among resources, to which it is added."""
    if "/ColorSpace" not in resources:
        resources.ColorSpace = Dictionary()
    spaces = dict(resources.ColorSpace)
    name = next((name for name, known in spaces.items() if known.objgen == space.objgen), None)
    if name is None:
        name = next(name for name in map("/c{}".format, count()) if name not in spaces)
        resources.ColorSpace[name] = space
    return name[1:].encode()


def _settle(content: Object, resources: Object) -> None:
    """Fill, then stroke, what a state makes less than opaque; have dashes begin on their line."""
    states = {
        name.encode()[1:]: (float(state.get("/ca", -1)), float(state.get("/CA", -1)))
        for name, state in dict(resources.get("/ExtGState", {})).items()
    }
    before = content.read_bytes()
    is_opaque = _OPAQUE.issuperset(states.values())
    if not _EARLY.search(before) and (is_opaque or not _AT_ONCE.search(before)):
        return  # as nearly all, which a look at each step would take long to find
    now, saved = _PLAIN, list[tuple[float, float]]()

    def settled(found: re.Match[bytes]) -> bytes:
        nonlocal now
        if found["stack"] == b"q":
            saved.append(now)
        elif found["stack"]:
            now = saved.pop() if saved else now
        elif found["dashes"]:
            return _begun(list(map(float, found["dashes"].split())), float(found["before"]))
        elif found["state"]:
            fill, stroke = states.get(found["state"], now)
            now = now[0] if fill < 0 else fill, now[1] if stroke < 0 else stroke
        elif found["close"] and now != _PLAIN:
            line = b"S" if found["close"] == b"B" else b"s"
            return b"%sf%s\n%s%s" % (found["path"], found["odd"], found["path"], line)
        return bytes(found[0])

    after = _STEP.sub(settled, before)
    if after != before:
        content.write(after)


_PLAIN: Final = (1.0, 1.0)
"""How opaque all is filled and stroked until a state says otherwise."""
_OPAQUE: Final = frozenset((_PLAIN, (-1.0, -1.0)))
"""The same of states that say so, or nothing of it."""


def _begun(dashes: list[float], phase: float) -> bytes:
    """Dashes with their phase, which is negative, brought to what it is a round or more later."""
    round_ = 2 * summed(dashes)  # of an odd number of them, the second time dash and gap change
    begun = phase % round_ if round_ else 0.0
    return b"[%s] %.6g d" % (b" ".join(b"%.6g" % dash for dash in dashes), begun)


_ART: Final = "art.json"


class ArtPdfs(Struct, frozen=True):
    """Where each distinct drawing is: `pages` maps its sha256 to (index in `files`, page)."""

    files: tuple[Path, ...]
    pages: Mapping[str, tuple[int, int]]


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
    """Draw the art of faces, every distinct drawing on a page of exactly its box, into PDFs in
    `scratch`.

    Fonts, of which a map of a track has letters, come from `fonts` alone, never from the system,
    and pictures from below `roots` (without any: from their own folders), where they must be as
    they were. What was drawn before is in `cache`, by the drawings and the fonts. A drawing that
    the engine refuses is GP703. Raises OSError when `scratch` cannot be written, and GridpressError
    (GP703) when the engine breaks down.
    """
    wanted = _distinct(faces)
    chunks = even_chunks(wanted, chunk_count(len(wanted)))
    files = tuple(scratch / f"art-{number}.pdf" for number in range(len(chunks)))
    tasks = [
        _ArtTask(
            str(chunk[0].face.span),
            tuple(drawing.art for drawing in chunk),
            roots or _beside(faces),
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


def drawing_seconds(layers: Iterable[Layer]) -> float:
    """Of processor time that it honestly takes to draw these, beside what each face takes."""
    return summed(
        limits.DRAWN * len(layer.svg) / 1_000_000 + limits.PICTURE * len(layer.assets)
        for layer in layers
        if isinstance(layer, Art)
    )


class _FaceArt(NamedTuple):
    """A drawing, and the first face that shows it."""

    art: Art
    face: Face


def _distinct(faces: Sequence[Face]) -> list[_FaceArt]:
    """Each drawing once, in the order of first appearance."""
    first: dict[str, _FaceArt] = {}
    for face in faces:
        for layer in face.layers:
            if isinstance(layer, Art):
                first.setdefault(layer.sha256, _FaceArt(layer, face))
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


def _beside(faces: Sequence[Face]) -> Roots:
    return Roots(tuple({asset.path.parent: None for face in faces for asset in face.assets}))


def _run(
    tasks: Sequence[_ArtTask], chunks: Sequence[Sequence[_FaceArt]], jobs: int, progress: Progress
) -> tuple[Diagnostic, ...]:
    total = sum(map(len, chunks))
    done = 0
    faults: dict[int, list[Diagnostic]] = {}
    try:
        for number, found in workers.answers(_draw, tasks, jobs, fresh=True):
            faults[number] = [_diagnostic(chunks[number][f.page].face, f.reason) for f in found]
            done += len(chunks[number])
            progress(done, total)
    except workers.WorkerCrash as crash:
        raise GridpressError(
            Diagnostic(
                Span(chunks[0][0].face.span.file),
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


def _draw(task: _ArtTask) -> list[_PageFault]:
    """Write the target of a task; or, if there is any fault, nothing."""
    seconds = limits.BEGINNING + limits.FACE * len(task.art) + drawing_seconds(task.art)
    with limits.at(task.place, seconds):
        return _drawn(task)


def _drawn(task: _ArtTask) -> list[_PageFault]:
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
            task.target.write_bytes(simplified(engine.draw_all()))
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
                copy.write_bytes(content)


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
        for number, source in enumerate(self.sources):
            try:
                self._draw([source])
            except typst.TypstError as error:
                yield _PageFault(number, error.message)

    def _draw(self, sources: Sequence[str]) -> bytes:
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
