"""Looks at all pages of a finished PDF, each face once, and keeps what was seen for the next time.

Each distinct face is drawn once, in several processes when there are jobs for them, and of a page
only what is its own. A page that is not made of faces and marks side by side, or on which one may
cover the words of another, is drawn as a whole, with all of its faces on it.

What was found before in a file or on a face is found again where the bytes that were read back, and
what they are compared with, are the same. No name and no date counts, nor what wrote the file."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Generic, NamedTuple, TypeVar

import msgspec
import pikepdf
from msgspec import Struct
from msgspec.structs import replace

from generator import workers
from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.geometry import Rect
from generator.pdf_forms import Fingerprints, Form
from generator.preflight import checks
from generator.preflight.checking import Finding, PageMatch, Subject, distance
from generator.preflight.faces import FaceFinding, FaceTrace, Look, Sample, SeenFace, look_at
from generator.preflight.file_checks import unprinted_layers
from generator.preflight.image_checks import SeenPage
from generator.preflight.manifest_reader import Expected, ExpectedPage
from generator.preflight.page_parts import (
    SeenMarks,
    is_covered,
    is_odd,
    share_inked,
    take_apart,
)
from generator.preflight.pdf_limits import DrawingLoad
from generator.preflight.profile_checks import any_page
from generator.preflight.raster import write_light_copy
from generator.preflight.scan_workers import (
    Batch,
    Counted,
    FaceAlone,
    Observation,
    PageAlone,
    PageMarks,
    Patience,
    ScanItem,
    ScanTask,
    SeenPageAlone,
    SeenWhole,
    WholePage,
)
from generator.workers import Progress

_OFF: Final = 0.5
"""mm by which a page or face may be off and still be looked at: that it is off is told of."""


class ScanResult(Struct, frozen=True):
    """What was found on the pages of a file, traces of the faces that were looked at, in order, and
    which part of each page that was seen solid ink would cover."""

    findings: tuple[Finding, ...] = ()
    traces: tuple[FaceTrace, ...] = ()
    ink: tuple[float, ...] = ()


class _FaceInPlace(NamedTuple):
    """A face that is in its place on a page, and what is asked of it; `number` counts the drawings
    of the page."""

    expected: Expected
    number: int
    form: Form
    key: FaceKey


class _FaceFault(NamedTuple):
    """A fault of a face, where it is first, and how often."""

    finding: FaceFinding
    expected: Expected
    page: int
    copies: int


class PageScan:
    """Looks at every face, and at every page. While other processes do so there is time for other
    checks: `begin` starts them, `end` has the outcome."""

    def __init__(
        self, jobs: int, known: KnownFaces | None, drawing: DrawingLoad, *, own: bool
    ) -> None:
        """What is `known` is not looked at again, and what is seen is put there. A file that is not
        our `own` is drawn in other processes only. `drawing` is how much there is to draw."""
        self._jobs = jobs
        self._drawing = drawing
        self._own = own
        self._known: KnownFaces = {} if known is None else known
        self._scratch = tempfile.TemporaryDirectory(prefix="gridpress-")
        self._batches: list[Batch] = []
        self._patience = Patience()

    def begin(self, subject: Subject, progress: Progress) -> None:
        """Send others to look at the faces, and at the pages that are odd."""
        self._subject, self._progress = subject, progress
        prints = subject.prints
        coded = subject.expected.coded if subject.expected else frozenset()
        proofs = subject.expected.proofs if subject.expected else {}
        self._pages = list(filter(_as_expected, subject.matched))
        self._here = {p.read.number: list(_all_here(p, prints, coded, proofs)) for p in self._pages}
        self._odd = [page for page in self._pages if is_odd(page, self._source(page), prints)]
        odd = {page.read.number for page in self._odd}
        self._apart = [page for page in self._pages if page.read.number not in odd]
        self._parts = self._look_at_parts()
        self._wholes: Batch | None = None
        if self._own or not self._parts.items:
            self._wholes = self._look_at_wholes(self._odd)

    def end(self) -> ScanResult:
        """Everything that was seen. Of what could not be looked at there is a finding."""
        found = _ScanFindings()
        # first these, in this process: the parts may be at work in others
        wholes = _observed(self._wholes) if self._wholes else []
        marks = self._seen_parts(found)
        covered = []
        for page in self._apart:
            number, here = page.read.number, self._here[page.read.number]
            faces = [self._known[face.key] for face in here if face.key in self._known]
            seen = marks.get(number)
            if seen is None or len(faces) < len(here):
                found.faces += [
                    (number, h, self._known[h.key]) for h in here if h.key in self._known
                ]
            elif is_covered(page, faces, seen):
                covered.append(page)
            else:
                found.faces += [(number, *both) for both in zip(here, faces, strict=True)]
                found.page(page.expected, share_inked(page, faces, seen))
        self._seen_wholes(wholes or _observed(self._look_at_wholes(self._odd)), found)
        self._seen_wholes(_observed(self._look_at_wholes(covered)), found)
        return found.result()

    def look_at_pages(self, subject: Subject, progress: Progress) -> list[Finding]:
        """What is found on the pages of a file without a manifest, each as one face, and in the
        margins of sheets for a profile's printer. Raises TooMuchError."""
        self._drawing.check_whole(page.number for page in subject.pages)
        self._subject, self._progress = subject, progress
        names = (layer.get("/Name") for layer in unprinted_layers(subject.pdf.Root))
        unprinted = frozenset(bytes(n) for n in names if isinstance(n, pikepdf.String))
        items = []
        for read, page in zip(subject.pages, subject.pdf.pages, strict=True):
            left, _, _, top = (float(value) for value in page.mediabox)
            unit = float(page.obj.get("/UserUnit", 1))
            faces = subject.expected is None
            how = any_page(read, (left, top), unit, subject.profile, faces=faces)
            how = replace(how, unprinted=unprinted)
            items.append(PageAlone(how, self._drawing.pages[read.number - 1].drawn))
        path = self._new_file()
        write_light_copy(subject.pdf, path, upright=True)
        found: list[Finding] = []
        for _, observation in _observed(self._batch(path, items)):
            if isinstance(observation, Finding):
                found.append(observation)
            elif isinstance(observation, SeenPageAlone):
                found += observation.findings
        return found

    def close(self) -> None:
        """End what is still at work, and clear up."""
        for each in self._batches:
            each.close()
        self._scratch.cleanup()

    def _source(self, page: PageMatch) -> pikepdf.Page:
        return self._subject.pdf.pages[page.read.number - 1]

    def _look_at_parts(self) -> Batch:
        """Each face that is not known yet and is on a page that can be taken apart, or has a proof
        to be held against; and what else is on these pages."""
        pdf = self._subject.pdf
        looks: dict[tuple[str, Rect], dict[Look, None]] = defaultdict(dict)
        first: dict[tuple[str, Rect], tuple[int, Form]] = {}
        apart = {page.read.number for page in self._apart}
        for page in self._pages:
            for face in self._here[page.read.number]:
                asked = page.read.number in apart or face.key.look.proof
                if asked and face.key not in self._known:
                    size = face.key.digest, face.key.look.box
                    first.setdefault(size, (page.read.number, face.form))
                    looks[size][face.key.look] = None
        forms = list(dict.fromkeys(form for _, form in first.values()))
        path = self._new_file()
        parts = take_apart(pdf, forms, [page.read.number for page in self._apart], path)
        workers.give_back()  # before others are copies of this process
        self._alone: list[tuple[str, FaceAlone]] = []
        for size, (number, form) in first.items():
            box = tuple(float(value) for value in pdf.get_object(form).BBox)
            drawn = self._drawing.forms.get(form, 0)
            alone = FaceAlone(parts.faces[form], box, tuple(looks[size]), number, drawn)
            self._alone.append((size[0], alone))
        self._marks = [
            PageMarks(parts.pages[number], number, self._drawing.pages[number - 1].own)
            for number in sorted(apart)
        ]
        return self._batch(path, [*(alone for _, alone in self._alone), *self._marks])

    def _seen_parts(self, found: _ScanFindings) -> dict[int, SeenMarks]:
        """Keep what was seen of faces; the marks of each page."""
        observations = iter(self._parts.observations())
        for digest, alone in self._alone:
            observation = next(observations)
            if isinstance(observation, tuple):
                keys = (FaceKey(digest, look) for look in alone.looks)
                self._known.update(zip(keys, observation, strict=True))
            elif isinstance(observation, Finding):
                found.findings.append(observation)
        marks: dict[int, SeenMarks] = {}
        for item, observation in zip(self._marks, observations, strict=True):
            if isinstance(observation, SeenMarks):
                marks[item.page] = observation
            elif isinstance(observation, Finding):
                found.findings.append(observation)
        return marks

    def _look_at_wholes(self, pages: Sequence[PageMatch]) -> Batch:
        """Pages as they are, and on each every face that looks another way. Raises TooMuchError
        where those of a stranger draw too much."""
        if not self._own:
            self._drawing.check_whole(page.read.number for page in pages)
        path = self._new_file()
        if pages:
            write_light_copy(self._subject.pdf, path)
        items = []
        for page in pages:
            here = {face.key: face for face in reversed(self._here[page.read.number])}
            samples = (Sample(f.number, f.expected, f.key.look) for f in reversed(here.values()))
            drawn = self._drawing.pages[page.read.number - 1].drawn
            items.append(WholePage(page.expected, tuple(samples), drawn))
        return self._batch(path, items)

    def _seen_wholes(
        self, looked: Iterable[tuple[ScanItem, Observation]], found: _ScanFindings
    ) -> None:
        for item, observation in looked:
            if isinstance(observation, Finding):
                found.findings.append(observation)
            elif isinstance(observation, SeenWhole) and isinstance(item, WholePage):
                looks = [sample.look for sample in item.samples]
                here = self._here[item.page]
                keys = dict.fromkeys(face.key for face in here)
                seen = dict(zip(keys, observation.faces, strict=True))
                assert len(looks) == len(keys)
                alone = {key: self._known[key].changed for key in keys if key in self._known}
                found.faces += [
                    (item.page, h, replace(seen[h.key], changed=alone.get(h.key, b"")))
                    for h in here
                ]
                found.page(item.expected, observation.ink)

    def _new_file(self) -> Path:
        return Path(self._scratch.name) / f"{len(self._batches)}.pdf"

    def _batch(self, path: Path, items: Sequence[ScanItem]) -> Batch:
        subject = self._subject
        task = ScanTask(path, subject.shown, self._own, tuple(items), subject.place)
        pages = len(subject.pages)
        told = Counted(self._progress, pages, len(items))
        self._batches.append(Batch(task, self._jobs, told, self._patience))
        return self._batches[-1]


def _observed(batch: Batch) -> list[tuple[ScanItem, Observation]]:
    """Each item, and what was seen of it."""
    return list(zip(batch.items, batch.observations(), strict=True))


class _ScanFindings:
    """Gathers what is found on pages and faces."""

    def __init__(self) -> None:
        self.findings: list[Finding] = []
        self.faces: list[tuple[int, _FaceInPlace, SeenFace]] = []
        self._ink: dict[int, float] = {}

    def page(self, expected: ExpectedPage, ink: float) -> None:
        """What the checks of pages say of one that was seen."""
        seen = SeenPage(expected, ink)
        self._ink[expected.number] = ink
        for check in checks.of(checks.Scope.PAGE):
            self.findings += check.run(seen)

    def result(self) -> ScanResult:
        """All of it; of each face in one look once, where it is first."""
        traces: dict[tuple[Form, FaceKey], FaceTrace] = {}
        told: dict[tuple[Form, FaceKey, str, str], _FaceFault] = {}
        for page, here, seen in sorted(self.faces, key=lambda face: face[0]):
            for f in seen.findings:
                case = here.form, here.key, f.code, f.message
                first = told.get(case, _FaceFault(f, here.expected, page, 0))
                told[case] = first._replace(copies=first.copies + 1)
            which = here.form, here.key
            trace = traces.get(which)
            traces[which] = (
                replace(trace, copies=trace.copies + 1)
                if trace
                else FaceTrace(
                    *(here.expected, page, 1, seen.size, seen.thumbnail, seen.words, seen.marks),
                    *(here.form, seen.changed, seen.texts),
                )
            )
        findings = [*self.findings, *(first.finding.told(*first[1:]) for first in told.values())]
        inks = tuple(self._ink[number] for number in sorted(self._ink))
        return ScanResult(tuple(_once_a_page(findings)), tuple(traces.values()), inks)


def _once_a_page(findings: Iterable[Finding]) -> Iterable[Finding]:
    """A fault of a face itself is seen in each of its views on a page, but is one fault; that
    something could not be looked at is told once of a page."""
    told: dict[tuple[int, str, str, str], Finding] = {}
    for finding in findings:
        key = finding.page, finding.component, finding.code, finding.message
        before = told[key].copies if key in told and finding.component else 0
        told[key] = replace(told.get(key, finding), copies=max(before + finding.copies, 1))
    return told.values()


def _all_here(
    page: PageMatch, prints: Fingerprints, coded: frozenset[str], proofs: Mapping[str, str]
) -> Iterator[_FaceInPlace]:
    """The faces of a page that are in their places: elsewhere one would see something else."""
    index = {id(draw): number for number, draw in enumerate(page.read.draws)}
    for match in page.matches:
        draw, told = match.draw, match.expected
        if draw is not None and distance(match.centre, told.box.centre) < _OFF:
            proof = proofs.get(told.sha256, "")
            look = look_at(told, page.expected.tolerance, told.sha256 in coded, proof)
            yield _FaceInPlace(
                told, index[id(draw)], draw.form, FaceKey(prints.of(draw.form), look)
            )


def _as_expected(page: PageMatch) -> bool:
    """False for a page of another size, cropped or turned: no place on it is where it should be."""
    crop, want = page.read.crop, page.expected
    off = (crop.x, crop.y, crop.width - want.width, crop.height - want.height)
    return not page.read.turned and max(map(abs, off)) < _OFF


T = TypeVar("T")


def _plain(value: Any) -> str:
    """A path as text."""
    if isinstance(value, Path):
        return str(value)
    raise NotImplementedError


_ENCODER: Final = msgspec.msgpack.Encoder(enc_hook=_plain)


class CacheShelf(Generic[T]):
    """Values of one type in a cache. What each was made from, which is any frozen values, is its
    name."""

    def __init__(self, cache: Cache, sort: Sort, kind: Any) -> None:
        self.cache = cache
        self._sort = sort
        self._name = kind.__name__
        self._decoder = msgspec.msgpack.Decoder(kind, dec_hook=lambda to, value: to(value))

    def get(self, *made_from: object) -> T | None:
        """What was put there; None where nothing was."""
        key = _ENCODER.encode(made_from)
        found: T | None = self.cache.read(self._decoder.decode, self._sort, self._name, key)
        return found

    def put(self, value: T, *made_from: object) -> None:
        """Keep a value; not one with half a letter in it, of some odd font, which is no text."""
        with suppress(UnicodeEncodeError):
            content, key = _ENCODER.encode(value), _ENCODER.encode(made_from)
            self.cache.put(self._sort, content, self._name, key)


class FaceKey(NamedTuple):
    """All that hangs on what is seen of a face: a digest of all that is in its form, and the look
    at it."""

    digest: str
    look: Look

    def __hash__(self) -> int:
        # a face has few looks, and each has many texts
        return hash(self.digest)


KnownFaces = MutableMapping[FaceKey, SeenFace]
"""Faces that were looked at before, in other files of a build or in other builds."""


class KeptFaces(KnownFaces):
    """Faces that are known, and those that are kept in a cache."""

    def __init__(self, known: KnownFaces, cache: Cache = NOTHING_KEPT) -> None:
        self._known = known
        self._absent = set[FaceKey]()
        self._shelf: CacheShelf[SeenFace] = CacheShelf(cache, Sort.SEEN, SeenFace)

    def __getitem__(self, key: FaceKey) -> SeenFace:
        known = self._known.get(key)
        if known is not None:
            return known
        kept = None if key in self._absent else self._shelf.get(*key)
        if kept is None:
            self._absent.add(key)
            raise KeyError(key)
        self._known[key] = kept
        return kept

    def __setitem__(self, key: FaceKey, seen: SeenFace) -> None:
        self._known[key] = seen
        if not any(finding.trace for finding in seen.findings):  # with a bug mended it is found
            self._shelf.put(seen, *key)

    def __delitem__(self, key: FaceKey) -> None:
        del self._known[key]

    def __iter__(self) -> Iterator[FaceKey]:
        return iter(self._known)

    def __len__(self) -> int:
        return len(self._known)
