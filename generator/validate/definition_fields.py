"""The keys of all definition files, as trees of fields, read like a kind's own."""

from __future__ import annotations

from typing import Final

from generator.fonts import FEATURES
from generator.model.pack import Backs, Field, Layout
from generator.model.stock import Edge, Shape
from generator.tracks import DRAWN, GRIDS
from generator.validate.definition_types import shape
from generator.validate.text_types import ID_PATTERN, NAME_PATTERN, STYLE_PATTERN

Fields = dict[str, Field]

SEVERITY: Final = shape("choice", "A warning stops a build only with --strict",
                        choices=("error", "warning"), default="error")  # fmt: skip
POINT: Final = shape("list", "x and y, such as [4mm, 10mm]", needed=True, length=2,
                     of=shape("length", needed=True))  # fmt: skip
SIZE: Final = shape("list", "Width and height, such as [63.5mm, 88.9mm]", needed=True, length=2,
                    of=shape("length", needed=True, min=0.1, max=5000))  # fmt: skip

CHECK: Final[Fields] = {
    "that": shape("expression", "What must hold", needed=True),
    "at": shape("message", "The field to point at, such as moves[0]"),
    "message": shape(
        "message", "What is wrong; {{ expression }} parts are worked out", needed=True
    ),
    "hint": shape("message", "What to do"),
    "severity": SEVERITY,
}

_WHERE: Final = shape("expression", "Which components count; all when left out")
_OF: Final = shape("expression", "The value of each component", needed=True)
SET_CHECK: Final[Fields] = {
    "count": shape("map", "Count components", fields={"where": _WHERE}),
    "sum": shape("map", "Add up values", fields={"of": _OF, "where": _WHERE}),
    "unique": shape("map", "Values that must differ", fields={"of": _OF, "where": _WHERE}),
    "is": shape("expression", "What the count or sum must be"),
    "min": shape("expression", "The least that it may be"),
    "max": shape("expression", "The most that it may be"),
    "message": shape("message", "What is wrong; `value` is the count or sum"),
    "hint": shape("message", "What to do"),
    "severity": SEVERITY,
}

WORKED_STOCK: Final[Fields] = {
    "like": shape("name", "The stock that all else comes from", needed=True),
    "width": shape("expression", "Of each component's trim, mm"),
    "height": shape("expression", "Of each component's trim, mm"),
    "path": shape("expression", "SVG path data of each component's outline, mm from the trim's "
                  "top-left corner"),
}  # fmt: skip

TILE: Final[Fields] = {
    "grid": shape("choice", "Curves turn by 60°, 90° or 45°", needed=True, choices=tuple(GRIDS)),
    "pitch": shape("expression", "From cell to cell, mm", needed=True),
    "call": shape("expression", "What a course calls it; the id when left out"),
    "turn": shape("expression", "1 for a curve to the left, -1 to the right, 0 for none"),
    "length": shape("expression", "Cells along a straight; 1 when left out"),
    "width": shape("expression", "Lanes where it is entered; 1 when left out"),
    "leaves": shape("expression", "Lanes where it is left; the width when left out"),
    "side": shape("expression", "Where it widens or narrows: left or right, as a text"),
    "radius": shape("expression", "Rows from a bend's corner to its innermost lane"),
    "kerb": shape("expression", "Beside the lanes, mm"),
    "either_way": shape("expression", "It can also be entered by its exit; holds for one lane "
                        "when left out"),
    "owned": shape("expression", "How many there are to lay; as many as are printed when left "
                   "out"),
    "starts": shape("expression", "How many vehicles can start on it"),
    "finish": shape("expression", "A finish line is printed on it"),
    "marks": shape("expression", "How many marks on it take a marker"),
    "drawn": shape("choice", "Which way the face is driven as drawn", choices=tuple(DRAWN),
                   default="up"),
}  # fmt: skip
LAYOUT: Final[Fields] = {
    "tiles": shape("list", "The kinds of its tiles", needed=True, min_length=1,
                   of=shape("name", needed=True)),
    "course": shape("name", "The field that has the course", needed=True),
    "closed": shape("expression", "Its last tile must lead into its first; holds when left out"),
    "finish": shape("expression", "The calls of the tiles that a finish line stands on"),
    "one_finish": shape("expression", "There must be exactly one finish line; holds when left "
                        "out"),
    "removable": shape("expression", "The calls of the tiles that can leave it together"),
    "vehicles": shape("expression", "How many vehicles must be able to start"),
    "abreast": shape("expression", "How many vehicles are to race side by side"),
    "markers": shape("expression", "How many markers there are for the marks on its tiles"),
    "opposite": shape("expression", "There must be two starts, half a lap apart"),
    "heading": shape("expression", "Curves by which the map is turned to the left"),
    "margin": shape("expression", "Around the tiles on the map, mm"),
}  # fmt: skip

KIND: Final[Fields] = {
    "kind": shape("id", "The kind's name", needed=True),
    "title": shape("text", "What a reader calls it"),
    "description": shape("text", "What it is for"),
    "stock": shape("stock", "What it is printed on; without one it is only data",
                   fields=WORKED_STOCK),
    "faces": shape("map", "The template of each side", fields={
        "front": shape("text", "Template of the front", needed=True),
        "back": shape("text", "Template of the back"),
    }),
    "quantity": shape("quantity", "How many are printed; by number of players as {2: 1, 3: 2}"),
    "why": shape("message", "Why so many, for the table after a build; {{ expression }} parts "
                 "are worked out once"),
    "brings": shape("expression", "Components that `--only` prints along with each of this kind"),
    "made_from": shape("name", "One component is made for each of this kind"),
    "each": shape("name", "... or for each entry of this list of it"),
    "where": shape("expression", "... if this holds"),
    "fields": shape("map", "What a component has", pattern=NAME_PATTERN,
                    of=shape("field", needed=True)),
    "derived": shape("map", "Values worked out from others, in order", pattern=NAME_PATTERN,
                     of=shape("expression", needed=True)),
    "checks": shape("list", "What must hold for each component",
                    of=shape("map", fields=CHECK, needed=True)),
    "set_checks": shape("list", "What must hold for all components together",
                        of=shape("map", fields=SET_CHECK, needed=True)),
    "tile": shape("map", "Its components are tiles of tracks", fields=TILE),
    "layout": shape("map", "Its components are tracks, laid of tiles", fields=LAYOUT),
}  # fmt: skip

STOCK: Final[Fields] = {
    "size": SIZE,
    "description": shape("text", "What it is"),
    "bleed": shape("length", "Art beyond the cut", default=3.0, min=0, max=50),
    "edge": shape("choice", "What comes to the cut: ink that bleeds, or white paper on purpose",
                  choices=tuple(Edge), default="ink"),
    "safe": shape("length", "Margin inside the cut that text keeps clear", default=3.0, min=0,
                  max=500),
    "shape": shape("choice", "The outline that is cut", choices=tuple(map(str, Shape)),
                   default=str(Shape.RECTANGLE)),
    "corner_radius": shape("length", "Of a rounded shape", default=0.0, min=0),
    "path": shape("text", "SVG path data of shape `path`, in mm", max_length=20_000),
    "folds": shape("list", "Fold lines, each [[x, y], [x, y]]",
                   of=shape("list", needed=True, length=2, of=POINT)),
}  # fmt: skip
_STOCKS: Final = shape("map", "Stocks by name", pattern=ID_PATTERN,
                       of=shape("map", fields=STOCK, needed=True))  # fmt: skip
PAPER: Final[Fields] = {
    "title": shape("text", "What the shop calls it", needed=True),
    "size": SIZE,
    "margin": shape("length", "What a home printer leaves white", default=5.0, min=0, max=100),
}
LABEL_SHEET: Final[Fields] = {
    "title": shape("text", "What the shop calls it", needed=True),
    "paper": shape("name", "The paper it has the size of", needed=True),
    "label": SIZE,
    "columns": shape("int", "Labels side by side", needed=True, min=1, max=500),
    "rows": shape("int", "Labels one below the other", needed=True, min=1, max=500),
    "first": POINT,
    "pitch": SIZE,
    "corner_radius": shape("length", "Of the labels", default=0.0, min=0),
}
STOCKS: Final[Fields] = {"stocks": _STOCKS}
PAPERS: Final[Fields] = {
    "papers": shape("map", "Papers by name", pattern=ID_PATTERN,
                    of=shape("map", fields=PAPER, needed=True)),
}  # fmt: skip
LABEL_SHEETS: Final[Fields] = {
    "label_sheets": shape("map", "Label sheets by name", pattern=ID_PATTERN,
                          of=shape("map", fields=LABEL_SHEET, needed=True)),
}  # fmt: skip

PRINT: Final[Fields] = {
    "title": shape("text", "What the print is called"),
    "kinds": shape("list", "The kinds on it, in order", needed=True, min_length=1,
                   of=shape("name", needed=True)),
    "papers": shape("list", "The papers; one PDF each", of=shape("name", needed=True)),
    "media": shape("text", "What to put into the printer"),
    "layout": shape("choice", "How faces come onto the paper", choices=tuple(map(str, Layout)),
                    default=str(Layout.NUP)),
    "backs": shape("choice", "How backs come behind fronts", choices=tuple(map(str, Backs)),
                   default=str(Backs.DUPLEX_LONG)),
    "gutter": shape("length", "Room between two cards", min=0, max=200),
    "overlap": shape("length", "What neighbouring pages of a poster repeat", min=4, max=50),
    "labels": shape("map", "The label sheet of each paper", pattern=ID_PATTERN,
                    of=shape("name", needed=True)),
}  # fmt: skip
PACK: Final[Fields] = {
    "title": shape("text", "The pack's name on paper", needed=True),
    "version": shape("text", "The pack's version", needed=True),
    "description": shape("text", "What it is"),
    "language": shape("text", "Whose hyphenation is used, such as en or pt-BR",
                      default="en", max_length=35, pattern="[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*"),
    "players": shape("map", "How many can play", fields={
        "min": shape("int", needed=True, min=1, max=100),
        "max": shape("int", needed=True, min=1, max=100),
    }),
    "options": shape("map", "Anything that expressions and templates ask for",
                     pattern=NAME_PATTERN, of=shape("free", needed=True)),
    "requires": shape("map", "Other packs whose kinds and components are used, and which versions "
                      "of them will do", pattern=ID_PATTERN,
                      of=shape("text", 'Such as ">= 1.0.0" or ">= 1.2, < 2"', needed=True)),
    "guests": shape("list", "Games that it needs installed beside Gridpress: packages with types "
                    "of fields, template helpers, checks or reports",
                    of=shape("name", needed=True)),
    "stocks": _STOCKS,
    "prints": shape("map", "What is printed, in order", pattern=ID_PATTERN,
                    of=shape("map", fields=PRINT, needed=True)),
    "credits": shape("list", "Whom to thank, and for what", of=shape("text", needed=True)),
    "waivers": shape("list", "Findings of preflight that you have seen and accept", of=shape(
        "map", needed=True, fields={
            "code": shape("text", "Which finding, such as GP825", needed=True,
                          pattern="GP8[0-9]{2}"),
            "component": shape("text", "kind/id of what it may be about; * stands for anything",
                               default="*"),
            "reason": shape("text", "Why it is fine", needed=True),
        })),
}  # fmt: skip

_COLOURS: Final = shape("map", "Colours by name", pattern=NAME_PATTERN,
                        of=shape("colour", needed=True))  # fmt: skip
STYLE: Final[Fields] = {
    "font": shape("name", "One of `fonts`", needed=True),
    "weight": shape("int", "400 is regular, 700 bold", default=400, min=100, max=1000),
    "italic": shape("bool", "Slanted", default=False),
    "stretch": shape("int", "Width of the font, per cent", default=100, min=50, max=200),
    "size": shape("length", "Such as 8.5pt", needed=True, min=0.35, max=500),
    "min": shape("length", "The smallest that text may shrink to; the size when left out",
                 min=0.35, max=500),
    "leading": shape("number", "From line to line, in sizes", default=1.25, min=0.5, max=5),
    "paragraph_gap": shape("number", "Between paragraphs, in lines", default=0.5, min=0, max=5),
    "colour": shape("text", "A name of `colours`, or a colour", default="#000000"),
    "align": shape("choice", "How lines stand in their box", default="left",
                   choices=("start", "left", "center", "right", "justify")),
    "hyphenate": shape("bool", "Words may be broken", default=False),
    "features": shape("list", "What the font shall do, such as small-capitals",
                      of=shape("choice", needed=True, choices=tuple(FEATURES))),
}  # fmt: skip
STYLES: Final[Fields] = {
    "fonts": shape("map", "Font families by the names that styles use", pattern=STYLE_PATTERN,
                   of=shape("text", needed=True)),
    "fallback": shape("list", "Families asked for characters that a style's family lacks",
                      of=shape("text", needed=True)),
    "colours": _COLOURS,
    "ink": shape("map", "Other colours for --ink low and mono", fields={
        "low": _COLOURS, "mono": _COLOURS,
    }),
    "styles": shape("map", "Styles by name", pattern=STYLE_PATTERN,
                    of=shape("map", fields=STYLE, needed=True)),
}  # fmt: skip

PROFILE: Final[Fields] = {
    "name": shape("text", "Which printer"),
    "front": shape("list", "Right and down, as measured on fronts", length=2,
                   of=shape("length", needed=True, min=-20, max=20)),
    "back": shape("list", "Right and down, as measured on backs", length=2,
                  of=shape("length", needed=True, min=-20, max=20)),
    "tolerance": shape("length", "How far a sheet may be off from that", default=0.0, min=0, max=5),
}  # fmt: skip

# Load reads locale files while it puts them over the components; editors need the shape.
LOCALE: Final[Fields] = {
    "words": shape("map", "Words of texts and templates", of=shape("text", needed=True)),
    "components": shape(
        "map",
        "Fields of components, by kind and id",
        of=shape("map", needed=True, of=shape("map", needed=True, of=shape("free", needed=True))),
    ),
}
