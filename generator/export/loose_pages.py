"""Writes PDFs with a face on each page, to be drawn as pictures of what is printed."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from generator.cache import NOTHING_KEPT, Cache
from generator.diagnostics import Outcome
from generator.export.forms import FaceWriter, uses_opacity
from generator.export.pdf_file import PdfFile, reference
from generator.export.pictures import picture_reader
from generator.export.svg_to_pdf import ArtPdfs, EngineArt, beside, compile_art
from generator.fonts import FontLibrary
from generator.geometry import mm_to_pt
from generator.model.face import Asset, Face
from generator.pdf_syntax import Entries, as_numbers, dictionary


class LoosePage(NamedTuple):
    """A face on a page, sizes in pt; `content` draws it by the name F. `cut` is a path: only the
    inside is drawn, on white."""

    face: Face
    width: float
    height: float
    content: bytes = b"/F Do"
    cut: bytes = b""

    @classmethod
    def of(cls, face: Face) -> LoosePage:
        """Return the page of a face with its bleed."""
        return cls(face, round(mm_to_pt(face.box.width), 4), round(mm_to_pt(face.box.height), 4))


def loose_pages(
    pages: Sequence[LoosePage],
    art: ArtPdfs,
    fonts: FontLibrary,
    read: Callable[[Asset], bytes],
    cache: Cache = NOTHING_KEPT,
) -> bytes:
    """Return a PDF of these pages; `read` gives the bytes of a picture."""
    pdf = PdfFile()
    numbers_: list[int] = []
    with EngineArt(art) as engine:
        writer, tree = FaceWriter(pdf, fonts, read, engine, cache), pdf.reserve()
        for page in pages:
            box = f"[0 0 {as_numbers(page.width, page.height)}]"
            resources = b"<</XObject <</F %s>>>>" % reference(writer.form(page.face))
            group = b"<</S /Transparency /CS %s>>" % writer.rgb
            content = page.content
            if page.cut:
                # As a group, whose edge is smoothed as a whole: without it, white paper would show
                # along dark art. PDFium needs a blend mode to treat it as one; on an empty page
                # Multiply changes nothing.
                piece: Entries = {"Type": "/XObject", "Subtype": "/Form", "BBox": box}
                piece |= {"Resources": resources, "Group": group}
                on_paper = f"1 g 0 0 {as_numbers(page.width, page.height)} re f ".encode() + content
                drawn = reference(pdf.stream(piece, on_paper, packed=False))
                resources = b"<</XObject <</F %s>> /ExtGState <</M <</BM /Multiply>>>>>>" % drawn
                content = b"%s W n /M gs /F Do" % page.cut
            entries: Entries = {
                "Type": "/Page",
                "Parent": reference(tree),
                "MediaBox": box,
                "Resources": resources,
                "Contents": reference(pdf.stream({}, content, packed=False)),
            }
            if uses_opacity(page.face):
                entries["Group"] = group
            numbers_.append(pdf.add(dictionary(entries)))
        writer.finish()
    kids = b" ".join(map(reference, numbers_))
    pdf.put(tree, b"<</Type /Pages /Count %d /Kids [%s]>>" % (len(numbers_), kids))
    root = pdf.add(b"<</Type /Catalog /Pages %s>>" % reference(tree))
    written = io.BytesIO()
    pdf.write(written, root)
    return written.getvalue()


def face_pages(faces: Sequence[Face], fonts: FontLibrary, folder: Path) -> Outcome[bytes]:
    """Return a PDF with a page for each face. Errors are those of `compile_art`."""
    art = compile_art(faces, fonts, folder)
    if not art.ok:
        return Outcome(b"", art.diagnostics)
    pages = [LoosePage.of(face) for face in faces]
    return Outcome(loose_pages(pages, art.value, fonts, picture_reader(faces, beside(faces))))
