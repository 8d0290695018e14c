"""Writes PDFs with a face on each page, to be drawn as pictures of what is printed."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import NamedTuple

from generator.cache import NOTHING_KEPT, Cache
from generator.export.forms import FaceWriter, uses_opacity
from generator.export.pdf_file import PdfFile, reference
from generator.export.svg_to_pdf import ArtPdfs, EngineArt
from generator.fonts import FontLibrary
from generator.geometry import mm_to_pt
from generator.model.face import Asset, Face
from generator.pdf_syntax import Entries, as_numbers, dictionary


class LoosePage(NamedTuple):
    """A face on a page, sizes in pt; `content` draws it by the name F."""

    face: Face
    width: float
    height: float
    content: bytes = b"/F Do"

    @classmethod
    def of(cls, face: Face) -> LoosePage:
        """Return the page that is as large as a face with its bleed."""
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
            form = reference(writer.form(page.face))
            stream = pdf.stream({}, page.content, packed=False)
            entries: Entries = {
                "Type": "/Page",
                "Parent": reference(tree),
                "MediaBox": f"[0 0 {as_numbers(page.width, page.height)}]",
                "Resources": b"<</XObject <</F %s>>>>" % form,
                "Contents": reference(stream),
            }
            if uses_opacity(page.face):
                entries["Group"] = b"<</S /Transparency /CS %s>>" % writer.rgb
            numbers_.append(pdf.add(dictionary(entries)))
        writer.finish()
    kids = b" ".join(map(reference, numbers_))
    pdf.put(tree, b"<</Type /Pages /Count %d /Kids [%s]>>" % (len(numbers_), kids))
    root = pdf.add(b"<</Type /Catalog /Pages %s>>" % reference(tree))
    written = io.BytesIO()
    pdf.write(written, root)
    return written.getvalue()
