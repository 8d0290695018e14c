"""Faces, their art drawn, in; a proof of each distinct one, for the manifest, out.

A proof is drawn from the face and not from the file that is printed, so that it says what should be
there whatever became of that."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import pypdfium2

from generator import limits, workers
from generator.cache import Cache, Sort
from generator.export.previews import one_a_page
from generator.export.svg_to_pdf import ArtPdfs, even_chunks
from generator.fonts import FontLibrary
from generator.model.face import Face
from generator.proofs import MOST_PIXELS, proof, proof_pixels
from generator.units import mm_to_pt

_IN_A_CHUNK: Final = 100
_KEPT_OPEN: Final = 8
"""Pages: what they share, such as fonts, PDFium keeps only as long as one has it."""


class _Task(NamedTuple):
    """Faces for one worker, a page each."""

    place: str
    pdf: bytes
    pages: int


def kept_proofs(faces: Sequence[Face], fonts: FontLibrary, cache: Cache) -> dict[str, str]:
    """The proofs that were drawn before, by the sha256 of their faces."""
    made = fonts.fingerprint()
    found = {face.sha256: cache.get(Sort.PROOFS, face.sha256, made) for face in faces}
    return {sha256: kept.decode() for sha256, kept in found.items() if kept is not None}


def draw_proofs(
    faces: Sequence[Face], art: ArtPdfs, fonts: FontLibrary, jobs: int, cache: Cache
) -> Mapping[str, str]:
    """A proof of each face by its sha256, put into the cache; none of a face larger than A0."""
    wanted = [face for face in {face.sha256: face for face in faces}.values() if _has_one(face)]
    tasks = [
        _Task(str(some[0].span), one_a_page(some, art, fonts, light=True), len(some))
        for some in even_chunks(wanted, -(-len(wanted) // _IN_A_CHUNK))
    ]
    drawn = (
        (proofs for _, proofs in sorted(workers.answers(_draw, tasks, jobs)))
        if workers.can_share(tasks, jobs)
        else map(_draw, tasks)
    )
    found = dict(
        zip((face.sha256 for face in wanted), (p for some in drawn for p in some), strict=True)
    )
    made = fonts.fingerprint()
    for sha256, each in found.items():
        cache.put(Sort.PROOFS, each.encode(), sha256, made)
    return found


def _has_one(face: Face) -> bool:
    trim, both = face.stock.trim, 2 * face.stock.bleed
    return proof_pixels(mm_to_pt(trim.width + both), mm_to_pt(trim.height + both)) <= MOST_PIXELS


def _draw(task: _Task) -> list[str]:
    """The proofs of a task's pages, in order."""
    kept: deque[pypdfium2.PdfPage] = deque(maxlen=_KEPT_OPEN)
    proofs = []
    with limits.at(task.place, limits.BEGINNING + limits.FACE * task.pages):
        document = pypdfium2.PdfDocument(task.pdf)
        try:
            for number in range(task.pages):
                kept.append(document[number])
                proofs.append(proof(kept[-1]))
        finally:
            document.close()
    return proofs
