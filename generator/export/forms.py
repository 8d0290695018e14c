"""Puts faces into a PDF: a Form XObject for each distinct face, with its resources."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from importlib.resources import files
from typing import Final

from generator.cache import NOTHING_KEPT, Cache
from generator.export.font_embedding import FontWriter
from generator.export.pdf_file import PdfFile, named_references, reference
from generator.export.pictures import ColourSpaces, PictureWriter
from generator.export.svg_to_pdf import EngineArt
from generator.fonts import FontLibrary
from generator.geometry import PT_PER_MM, Rect
from generator.model.face import Art, Asset, Drawing, Face
from generator.model.manifest import face_name
from generator.model.packed import digest_of
from generator.pdf_syntax import Entries, as_numbers, dictionary

_DIGITS: Final = 16
_PROFILES: Final = {"Grey": ("profiles/sGrey-v4.icc", 1), "RGB": ("profiles/sRGB-v4.icc", 3)}
"""Colour spaces with their ICC profiles and numbers of channels."""
_GROUP: Final = "<</S /Transparency /CS %s>>"


class FaceWriter:
    """Adds faces to a file, set in `fonts`. `read` returns the bytes of a picture, `engine` what
    the SVG engine drew.

    A form's space is in pt from the lower left corner of the bleed. `digests` are those of forms,
    pictures and drawings by name.
    """

    def __init__(
        self,
        pdf: PdfFile,
        fonts: FontLibrary,
        read: Callable[[Asset], bytes],
        engine: EngineArt,
        cache: Cache = NOTHING_KEPT,
    ) -> None:
        self._pdf = pdf
        self._library = fonts
        self._read = read
        self._engine = engine
        self.fonts = FontWriter(pdf, cache)
        self._spaces = {name: self._profile(*profile) for name, profile in _PROFILES.items()}
        spaces = ColourSpaces(self._spaces["Grey"], self._spaces["RGB"])
        self._pictures = PictureWriter(pdf, spaces)
        self._forms: dict[str, int] = {}
        self._named: dict[str, int] = {}
        self._states: dict[str, int] = {}
        self._shadings: dict[str, int] = {}
        self._patterns: dict[str, int] = {}
        # Written at the end, when all forms are known.
        self._shared = {
            name: pdf.reserve()
            for name in ("ColorSpace", "Font", "ExtGState", "Shading", "Pattern")
        }
        self.digests: dict[str, str] = {}

    @property
    def rgb(self) -> bytes:
        """Return the colour space for transparency."""
        return reference(self._spaces["RGB"])

    def form(self, face: Face) -> int:
        """Return the number of a face's form, made on first use."""
        name = face_name(face.sha256)
        if name not in self._forms:
            self._forms[name] = self._form(face)
            self.digests[name] = face.drawing.content.digest
        return self._forms[name]

    def finish(self) -> dict[str, int]:
        """Write what the forms share; return the fonts by name. Raises GridpressError for an
        unprintable font."""
        fonts = self.fonts.write()
        parts = {
            "ColorSpace": self._spaces,
            "Font": fonts,
            "ExtGState": self._states,
            "Shading": self._shadings,
            "Pattern": self._patterns,
        }
        for name, numbers_ in parts.items():
            self._pdf.put(self._shared[name], named_references(numbers_))
        return fonts

    def _form(self, face: Face) -> int:
        drawing, box = face.drawing, face.box
        self.fonts.use(self._library, drawing.fonts)
        for state in drawing.opacities:
            if state.name not in self._states:
                entries: Entries = {"Type": "/ExtGState", "ca": state.fill, "CA": state.line}
                self._states[state.name] = self._pdf.add(dictionary(entries))
        for name, shading in drawing.shadings:
            known = self._patterns if name.startswith("P") else self._shadings
            if name not in known:
                known[name] = self._pdf.add(shading.replace(b"%s", self.rgb))
        for group in drawing.groups:
            if group.name not in self._named:
                around = {**_entries(box), "Resources": self._resources(drawing)}
                around["Group"] = _GROUP % self.rgb.decode()
                self._named[group.name] = self._pdf.stream(around, group.content.packed)
                self.digests[group.name] = group.content.digest
        whole = {**_entries(box), "Resources": self._resources(drawing)}
        scale = PT_PER_MM
        whole["Matrix"] = f"[{as_numbers(scale, 0, 0, -scale, -scale * box.x, scale * box.bottom)}]"
        return self._pdf.stream(whole, drawing.content.packed)

    def _resources(self, drawing: Drawing) -> bytes:
        """Return the resources of a drawing. Only pictures and groups differ from face to face."""
        needed = {
            "ColorSpace": True,
            "Font": drawing.fonts,
            "ExtGState": drawing.opacities,
            "Shading": drawing.shadings,
            "Pattern": drawing.shadings,
        }
        entries: Entries = {name: reference(self._shared[name]) for name in needed if needed[name]}
        objects = {f"I{asset.sha256[:_DIGITS]}": self._picture(asset) for asset in drawing.assets}
        for art in drawing.engine:
            objects[f"E{art.sha256[:_DIGITS]}"] = self._art(art)
        for group in drawing.groups:
            if group.name in self._named:
                objects[group.name] = self._named[group.name]
        if objects:
            entries["XObject"] = named_references(objects)
        return dictionary(entries)

    def _picture(self, asset: Asset) -> int:
        name = f"I{asset.sha256[:_DIGITS]}"
        if name not in self._named:
            number, streams = self._pictures.add(self._read(asset))
            self._named[name] = number
            self.digests[name] = digest_of(*streams)
        return self._named[name]

    def _art(self, art: Art) -> int:
        name = f"E{art.sha256[:_DIGITS]}"
        if name not in self._named:
            self._named[name], content = self._engine.copied(self._pdf, art)
            self.digests[name] = digest_of(content)
        return self._named[name]

    def _profile(self, file: str, count: int) -> int:
        content = zlib.compress(files(__package__).joinpath(file).read_bytes(), 9)
        entries: Entries = {"N": count, "Range": f"[{' '.join(['0 1'] * count)}]"}
        return self._pdf.add(b"[/ICCBased %s]" % reference(self._pdf.stream(entries, content)))


def uses_opacity(face: Face) -> bool:
    """Return whether something on a face is translucent."""
    return bool(face.drawing.opacities or face.drawing.groups or face.drawing.engine)


def _entries(box: Rect) -> Entries:
    """Return the entries of a form in the space of a face, mm."""
    corners = as_numbers(box.x, box.y, box.right, box.bottom)
    return {"Type": "/XObject", "Subtype": "/Form", "BBox": f"[{corners}]"}
