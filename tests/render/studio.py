"""A small project in a folder: tests draw faces in it with their own templates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from PIL import Image

from generator.assets import AssetFinder
from generator.diagnostics import Diagnostic, Outcome, Span
from generator.export.face_pixels import face_pictures
from generator.fonts import FontLibrary, own_fonts
from generator.geometry import Size, pt_to_mm
from generator.model.catalogue import Stock
from generator.model.face import Face
from generator.model.pack import Component, Kind, Pack
from generator.model.values import Record, SourceText
from generator.project import Project
from generator.render import Deck, Setting, faces_to_draw
from generator.waivers import Waiving

SHIPPED = Path(__file__).parents[2]
YAML = "cards.yaml"
POKER = Stock("poker", Size(63, 88), corner_radius=3)
COLOURS = {"ink": "#1d1a17", "bronze": "#a8743a", "sand": "#e6cb98"}


def source(text: str, line: int = 3, column: int = 11, rich: bool = False) -> SourceText:
    return SourceText(text, Span(YAML, line, column), rich)


def style(font: str, size_pt: float, min_pt: float, **more: Any) -> Record:
    values = {"font": font, "weight": 400, "italic": False, "leading": 1.25, "colour": "ink"}
    values |= {"align": "left", "hyphenate": False, "paragraph_gap": 0.5}
    values |= {"size": pt_to_mm(size_pt), "min": pt_to_mm(min_pt)} | more
    return Record(values, Span("styles.yaml"))


def styles(**more: Any) -> Record:
    values: dict[str, Any] = {
        "fonts": Record(
            {"body": "Alegreya Sans", "display": "Cinzel"},
            Span("styles.yaml"),
            {"body": Span("styles.yaml", 1, 15)},
        ),
        "fallback": (),
        "colours": Record(COLOURS, Span("styles.yaml")),
        "ink": Record({"low": Record({"bronze": "#e8dccb"}, Span("")), "mono": {}}, Span("")),
        "styles": Record(
            {
                "body": style("body", 9, 7),
                "title": style("display", 15, 11, weight=700, colour="bronze"),
                "tiny": style("body", 6, 4),
                "dust": style("body", 4, 4),
            },
            Span("styles.yaml"),
        ),
    }
    return Record(values | more, Span("styles.yaml"))


@dataclass
class Studio:
    """Return a project in `root`; `values` are those of each component."""

    root: Path
    fonts: FontLibrary
    values: dict[str, Any] = field(default_factory=dict)
    stock: Stock = POKER
    ids: tuple[str, ...] = ("first",)
    quantity: int = 1
    styles: Record = field(default_factory=styles)
    more: dict[str, Any] = field(default_factory=dict)
    kind: dict[str, Any] = field(default_factory=dict)

    @property
    def project(self) -> Project:
        return Project(self.root, SHIPPED)

    def write(self, name: str, content: str | bytes) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    def template(self, content: str, name: str = "face.svg.j2") -> Path:
        return self.write(f"templates/mini/{name}", content)

    def icon(self, name: str, body: str, view_box: str = "0 0 10 10") -> Path:
        svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="{view_box}">{body}</svg>'
        return self.write(f"templates/mini/icons/{name}.svg", svg)

    def picture(self, name: str, width: int, height: int, **options: Any) -> Path:
        path = self.root / "cards/mini" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.new("RGB", (width, height), "#804020").save(path, **options)
        return path

    def pack(self, faces: Mapping[str, str] | None = None) -> Pack:
        span = Span("kinds/card.yaml", 4, 16)
        faces = faces or {"front": SourceText("face.svg.j2", span)}
        kind = Kind("card", "Card", span, {}, faces, self.stock, **self.kind)
        components = tuple(
            Component(
                name,
                "card",
                Record({"id": name, **self.values}, span_),
                self.quantity,
                span_,
                stock=self.stock,
            )
            for line, name in enumerate(self.ids, 3)
            for span_ in (Span(YAML, line, 5),)
        )
        pack = Pack(
            "mini",
            "Mini",
            "1.0.0",
            Span("pack.yaml"),
            {"card": kind},
            {"card": components},
            (),
            Record({"fog": True}, Span("pack.yaml")),
            styles=self.styles,
        )
        return replace(pack, **self.more)

    @property
    def assets(self) -> AssetFinder:
        cards, templates = self.root / "cards/mini", self.root / "templates/mini/icons"
        return AssetFinder([cards], [templates], art_folders=[self.root / "templates/mini/art"])

    def draw(
        self, template: str | None = None, faces: Mapping[str, str] | None = None, **options: Any
    ) -> Outcome[tuple[Face, ...]]:
        """Draw all faces of the pack; `template` is that of the front."""
        if template is not None:
            self.template(template)
        wanted, given = options.pop("wanted", None), {"for_export": True} | options
        pack = self.pack(faces)
        deck = Deck(Setting(pack, self.project, self.fonts, self.assets, **given))
        tasks = faces_to_draw(pack, wanted)
        drawn = deck.draw_all(tasks)
        found = deck.findings(zip(tasks, drawn, strict=True), Waiving(()))
        return Outcome(tuple(one.face for one in drawn if one.face is not None), found)

    def face(self, template: str, **options: Any) -> Face:
        """Return the first face, drawn without any finding."""
        outcome = self.draw(template, **options)
        assert outcome.diagnostics == ()
        return outcome.value[0]

    def inside(self, template: str, **options: Any) -> str:
        """Return the content of the `<svg>` of the first face."""
        svg = self.face(template, **options).svg
        return svg[svg.index(">") + 1 : -len("</svg>")]

    def findings(self, template: str, **options: Any) -> tuple[Diagnostic, ...]:
        return self.draw(template, **options).diagnostics


def operators(face: Face) -> str:
    """Return the face's drawing as PDF operators."""
    return face.drawing.content.plain.decode()


def png(
    face: Face, folder: Path, dpi: float = 127, fonts: FontLibrary | None = None
) -> Image.Image:
    """Return the face as it is printed; 127 dpi are 5 pixels a millimetre."""
    outcome = face_pictures([face], fonts or own_fonts(), folder, dpi=dpi)
    assert outcome.ok, outcome.diagnostics
    with Image.open(outcome.value[face.sha256]) as drawn:
        return drawn.convert("RGB")
