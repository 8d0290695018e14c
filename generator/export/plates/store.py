"""Plates in; Form XObjects in one PDF, which share what they have in common, out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from pikepdf import Array, Dictionary, Name, Object, Pdf

from generator.export.plates import profiles
from generator.export.plates.founts import embed
from generator.export.plates.lettering import Fount
from generator.export.plates.operators import GREY, RGB, numbers
from generator.export.plates.pictures import Picture
from generator.export.plates.plate import Plate
from generator.geometry import Rect

_GROUP: Final = Dictionary(S=Name.Transparency, I=True)


class _Case(NamedTuple):
    """A font in the making: the glyphs that the plates of a file use of it."""

    place: Object
    glyphs: set[int]


class PlateStore:
    """What one PDF has of plates so far. `finish` must be called before it is saved."""

    def __init__(self, pdf: Pdf) -> None:
        self._pdf = pdf
        self._cases: dict[Fount, _Case] = {}
        self._opacities: dict[tuple[float, float], Object] = {}
        self._pictures: dict[Path, Object] = {}
        self._spaces: dict[str, Object] = {}
        self._named: Object | None = None

    def form(self, plate: Plate) -> Object:
        """A plate as a Form XObject. Raises OSError when a picture cannot be read."""
        pictures = {f"p{i}": self._picture(one) for i, one in enumerate(plate.pictures)}
        shared = Dictionary(ColorSpace=self._colour_spaces())
        if plate.founts:
            fonts = (self._font(*used) for used in plate.founts)
            shared.Font = Dictionary({f"/f{i}": font for i, font in enumerate(fonts)})
        if plate.opacities:
            states = (self._opacity(of_both) for of_both in plate.opacities)
            shared.ExtGState = Dictionary({f"/g{i}": state for i, state in enumerate(states)})
        drawn: dict[str, Object] = dict(pictures)
        for i, group in enumerate(plate.groups):
            drawn[f"x{i}"] = self._form(group.content, group.box, shared, group.names, drawn)
            drawn[f"x{i}"].Group = _GROUP
        return self._form(plate.content, plate.box, shared, plate.names, drawn)

    @property
    def pictures(self) -> Iterable[Object]:
        """The pictures so far, as Image XObjects."""
        return self._pictures.values()

    def finish(self) -> None:
        """Write the fonts, now that all glyphs are known."""
        for fount, case in self._cases.items():
            embed(self._pdf, case.place, fount, case.glyphs)

    def _form(
        self,
        content: str,
        box: Rect,
        shared: Dictionary,
        names: Iterable[str],
        drawn: Mapping[str, Object],
    ) -> Object:
        form = self._pdf.make_stream(content.encode("ascii"))
        form.Type = Name.XObject
        form.Subtype = Name.Form
        form.BBox = Object.parse(f"[{numbers(box.x, box.y, box.right, box.bottom)}]".encode())
        resources = Dictionary(dict(shared))
        objects = {f"/{name}": drawn[name] for name in names}
        if objects:
            resources.XObject = Dictionary(objects)
        form.Resources = resources
        return form

    def _font(self, fount: Fount, glyphs: frozenset[int]) -> Object:
        if fount not in self._cases:
            self._cases[fount] = _Case(self._pdf.make_indirect(Dictionary()), set())
        case = self._cases[fount]
        case.glyphs.update(glyphs)
        return case.place

    def _opacity(self, of_both: tuple[float, float]) -> Object:
        if of_both not in self._opacities:
            fill, stroke = of_both
            state = Dictionary(Type=Name.ExtGState, ca=fill, CA=stroke)
            self._opacities[of_both] = self._pdf.make_indirect(state)
        return self._opacities[of_both]

    def _colour_spaces(self) -> Object:
        if self._named is None:
            named = Dictionary({f"/{name}": self._space(name) for name in (RGB, GREY)})
            self._named = self._pdf.make_indirect(named)
        return self._named

    def _space(self, name: str) -> Object:
        if name not in self._spaces:
            profile = self._pdf.make_stream(profiles.grey() if name == GREY else profiles.srgb())
            profile.N = 1 if name == GREY else 3
            self._spaces[name] = self._pdf.make_indirect(Array([Name.ICCBased, profile]))
        return self._spaces[name]

    def _picture(self, picture: Picture) -> Object:
        if picture.path not in self._pictures:
            image = self._pdf.make_stream(picture.path.read_bytes())
            image.Type = Name.XObject
            image.Subtype = Name.Image
            image.Width, image.Height = picture.width, picture.height
            image.BitsPerComponent = 8
            image.ColorSpace = self._space(GREY if picture.grey else RGB)
            image.Filter = Name.DCTDecode
            self._pictures[picture.path] = image
        return self._pictures[picture.path]
