"""A manifest in, what it says must be on the paper out."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from generator.diagnostics import Diagnostic, Outcome, Span, did_you_mean
from generator.geometry import Point, Rect
from generator.model.pack import Backs
from generator.model.sheet import PosterPage, Side
from generator.model.stock import Edge, Shape

_AGAIN = "build the pack again; do not edit the manifest by hand"


@dataclass(frozen=True, slots=True)
class ExpectedText:
    """A text that a face must show: its style, size (pt), box in trim coordinates (mm), and the
    place where its words were written."""

    style: str
    size_pt: float
    box: Rect
    source: Span


@dataclass(frozen=True, slots=True)
class Expected:
    """A face that must be drawn; `box` is that of the turned trim, `rotation` clockwise. Where
    `outline` has corners it is drawn inside that convex polygon only; `die` is the box around the
    corners of a free outline; `marked` tells whether marks show where to cut it; `words` are all
    that it shows, None where they are not known."""

    component: str
    copy: int
    kind: str
    face: str
    side: Side
    box: Rect
    rotation: int
    bleed: float
    clip: Rect | None
    shape: Shape
    sha256: str
    source: Span | None = None
    safe: float = 0.0
    edge: Edge = Edge.INK
    texts: tuple[ExpectedText, ...] = ()
    outline: tuple[Point, ...] = ()
    poster: PosterPage | None = None
    die: Rect | None = None
    marked: bool = True
    words: str | None = None

    def __str__(self) -> str:
        return f"{self.face} of {self.component!r}, copy {self.copy}"

    @property
    def art(self) -> Rect:
        """What of the page it covers with its bleed."""
        return self.clip or self.box.grown(self.bleed)

    @property
    def finished(self) -> Rect:
        """What of the trim is left of this page when it is cut."""
        return self.box if self.poster is None else self.box.cut_to(self.poster.shown)

    @property
    def piece(self) -> tuple[str, str, int]:
        """What tells a card from all others of its file, whichever side is up."""
        return (self.kind, self.component, self.copy)


@dataclass(frozen=True, slots=True)
class ExpectedPage:
    """A page that must be there, mm; `ruler` is the two ends of its scale, `margin` what a printer
    leaves white around it, `tolerance` how far the printer drifts."""

    number: int
    side: Side
    width: float
    height: float
    ruler: tuple[Point, Point] | None
    placements: tuple[Expected, ...]
    margin: float = 0.0
    tolerance: float = 0.0
    label: str = ""


@dataclass(frozen=True, slots=True)
class ExpectedComponent:
    """A component of the pack: how many of it are printed, a digest of its values (those with the
    same one should look alike), those of its values that are one of some choices, and whether it is
    made from another component."""

    kind: str
    id: str
    quantity: int
    content: str
    choices: Mapping[str, str]
    source: Span
    made: bool = False


@dataclass(frozen=True, slots=True)
class ExpectedWaiver:
    """A finding that the author accepts; `component` is a pattern of `kind/id`."""

    code: str
    component: str
    reason: str
    source: Span


@dataclass(frozen=True, slots=True)
class ExpectedFile:
    """A PDF that must be there; `offsets` is where the printer's ink lands, by side, mm.
    `components` are those of the kinds
    that are in the file, by kind and id."""

    backs: Backs
    sha256: str
    offsets: Mapping[Side, Point]
    pages: tuple[ExpectedPage, ...]
    components: Mapping[tuple[str, str], ExpectedComponent] = field(default_factory=dict)
    waivers: tuple[ExpectedWaiver, ...] = ()

    @property
    def coded(self) -> frozenset[str]:
        """The faces, by sha256, of components with a value that is one of some choices, which may
        be told by its colour."""
        chosen = {key for key, component in self.components.items() if component.choices}
        return frozenset(
            placement.sha256
            for page in self.pages
            for placement in page.placements
            if (placement.kind, placement.component) in chosen
        )


def read_manifest(manifest: Path, pdf: str) -> Outcome[ExpectedFile | None]:
    """What the manifest says of the PDF of that name.

    Errors: GP002 when it cannot be read; GP806 when it is not a manifest or has no such PDF.
    """
    shown = str(manifest)
    try:
        listed = json.loads(manifest.read_text(encoding="utf-8"))
        files = {str(file["file"]): file for file in listed["files"]}
        if pdf not in files:
            message = f"the manifest does not list {pdf!r}"
            fault = Diagnostic(Span(shown), "GP806", message, did_you_mean(pdf, files))
            return Outcome(None, (fault,))
        return Outcome(_file(files[pdf], listed))
    except OSError as error:
        message = f"the manifest cannot be read: {error.strerror}"
        return Outcome(None, (Diagnostic(Span(shown), "GP002", message),))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"this is not a manifest of Gridpress: {type(error).__name__}: {error}"
        return Outcome(None, (Diagnostic(Span(shown), "GP806", message, _AGAIN),))


def files_listed(manifest: Path) -> dict[str, int]:
    """The PDFs of a manifest that was just written, each with the number of its pages."""
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    return {str(file["file"]): len(file["pages"]) for file in listed["files"]}


def waivers_listed(manifest: Path) -> tuple[ExpectedWaiver, ...]:
    """The waivers of a manifest that was just written."""
    return tuple(map(_waiver, json.loads(manifest.read_text(encoding="utf-8"))["waivers"]))


def _file(told: Any, manifest: Any) -> ExpectedFile:
    printer = told["printer"]
    definitions = manifest.get("kinds", {})
    reader = _Placements(definitions, manifest.get("texts", {}), manifest.get("words", {}))
    tolerance = float(printer.get("tolerance_mm", 0))
    pages = tuple(_page(page, reader, tolerance) for page in told["pages"])
    kinds = {placement.kind for page in pages for placement in page.placements}
    return ExpectedFile(
        Backs(told["backs"]),
        str(told["sha256"]),
        {Side.FRONT: _point(printer["front_mm"]), Side.BACK: _point(printer["back_mm"])},
        pages,
        {
            (kind, id_): _component(kind, id_, component, definitions[kind])
            for kind in sorted(kinds & definitions.keys())
            for id_, component in definitions[kind].get("components", {}).items()
        },
        tuple(_waiver(waiver) for waiver in manifest.get("waivers", ())),
    )


def _component(kind: str, id_: str, told: Any, definition: Any) -> ExpectedComponent:
    return ExpectedComponent(
        kind,
        id_,
        int(definition["quantities"][id_]),
        str(told["content"]),
        {str(name): str(value) for name, value in told["choices"].items()},
        _span(told["source"]),
        "made_from" in definition,
    )


def _waiver(told: Any) -> ExpectedWaiver:
    code, component, reason = (str(told[key]) for key in ("code", "component", "reason"))
    return ExpectedWaiver(code, component, reason, _span(told["source"]))


def _page(told: Any, placements: _Placements, tolerance: float) -> ExpectedPage:
    ruler = told["ruler_mm"]
    return ExpectedPage(
        int(told["page"]),
        Side(told["side"]),
        float(told["width_mm"]),
        float(told["height_mm"]),
        (_point(ruler[:2]), _point(ruler[2:])) if ruler else None,
        tuple(placements.read(placement) for placement in told["placements"]),
        float(told.get("margin_mm", 0)),
        tolerance,
        str(told.get("label", "")),
    )


class _Placements:
    """Reads placements with what the manifest says of their kinds, components and texts."""

    def __init__(self, kinds: Any, texts: Any, words: Any) -> None:
        self._kinds = kinds
        self._words = {str(sha256): str(shown) for sha256, shown in words.items()}
        self._texts = {sha256: tuple(map(_text, told)) for sha256, told in texts.items()}

    def read(self, told: Any) -> Expected:
        """One placement."""
        kind = self._kinds.get(told["kind"], {})
        component = kind.get("components", {}).get(told["component"])
        return Expected(
            str(told["component"]),
            int(told["copy"]),
            str(told["kind"]),
            str(told["face"]),
            Side(told["side"]),
            _rect([told[key] for key in ("x_mm", "y_mm", "w_mm", "h_mm")]),
            int(told["rotation"]),
            float(told["bleed_mm"]),
            _rect(told["clip_mm"]) if told["clip_mm"] else None,
            Shape(told["shape"]),
            str(told["sha256"]),
            _span(component["source"]) if component else None,
            float(kind.get("safe_mm", 0)),
            Edge(kind.get("edge", Edge.INK)),
            self._texts.get(told["sha256"], ()),
            tuple(map(_point, told.get("edge_mm", ()))),
            _poster(told.get("poster")),
            _rect(told["die_mm"]) if "die_mm" in told else None,
            bool(told.get("marked", True)),
            self._words.get(str(told["sha256"])),
        )


def _poster(told: Any) -> PosterPage | None:
    if told is None:
        return None
    row, column, rows, columns = (int(told[key]) for key in ("row", "column", "rows", "columns"))
    return PosterPage(row, column, rows, columns, _rect(told["shown_mm"]))


def _text(told: Any) -> ExpectedText:
    box, size = _rect(told["box_mm"]), float(told["size_pt"])
    return ExpectedText(str(told["style"]), size, box, _span(told["source"]))


def _span(told: Any) -> Span:
    file, line, column = str(told).rsplit(":", 2)
    return Span(file, int(line), int(column))


def _point(told: Any) -> Point:
    x, y = told
    return Point(float(x), float(y))


def _rect(told: Any) -> Rect:
    x, y, w, h = told
    return Rect(float(x), float(y), float(w), float(h))
