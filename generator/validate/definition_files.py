"""Define the keys of all definition files, and read such files.

A definition file is read like a component: each of its keys is a `Field`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from generator.cache import Cache
from generator.diagnostics import Span
from generator.fonts import FEATURES
from generator.model.catalogue import Edge, Shape, TableObject
from generator.model.face_file import BOX_SHAPES
from generator.model.pack import WAIVABLE, Backs, Field, Layout
from generator.model.source import Document, Node, Scalar
from generator.model.source import Mapping as MappingNode
from generator.model.source import Sequence as SequenceNode
from generator.model.values import Items, Record, SourceText
from generator.sandbox import SandboxError
from generator.tracks import DRAWN, GRIDS
from generator.validate.field_types import (
    FIELD_TYPES,
    ID_PATTERN,
    NAME_PATTERN,
    SCALAR,
    STYLE_PATTERN,
    compile_pattern,
    fields_schema,
    parse_bool,
    parse_int,
    parse_number,
    read_map,
)
from generator.validate.reading import (
    INVALID,
    Assets,
    FieldType,
    Formula,
    Reading,
    Schema,
    is_sound,
    read_formula,
    read_message,
    struct_of,
)

_NOWHERE: Final = Span("")


def key(type_: str, description: str = "", *, needed: bool = False, **limits: Any) -> Field:
    """Return a field of a definition file, optional unless it is needed."""
    has_default = limits.get("default") is not None
    return Field(
        "",
        type_,
        _NOWHERE,
        optional=not needed and not has_default,
        description=description,
        **limits,
    )


Fields = dict[str, Field]

_SEVERITY: Final = key("choice", "A warning stops a build only with --strict",
                      choices=("error", "warning"), default="error")  # fmt: skip
_POINT: Final = key("list", "x and y, such as [4mm, 10mm]", needed=True, length=2,
                   of=key("length", needed=True))  # fmt: skip
_SIZE: Final = key("list", "Width and height, such as [63.5mm, 88.9mm]", needed=True, length=2,
                  of=key("length", needed=True, min=0.1, max=5000))  # fmt: skip

CHECK: Final[Fields] = {
    "each": key("expression", "A list: the check must hold for each `entry` of it, by `index`"),
    "that": key("expression", "Must be true", needed=True),
    "at": key("message", "The field to report, such as moves[0]"),
    "message": key("message", "What is wrong; {{ expression }} parts are worked out", needed=True),
    "hint": key("message", "What to do"),
    "severity": _SEVERITY,
}

_WHERE: Final = key("expression", "The components that count; all by default")
_OF: Final = key("expression", "The value of each component", needed=True)
SET_CHECK: Final[Fields] = {
    "count": key("map", "Count components", fields={"where": _WHERE}),
    "sum": key("map", "Add up values", fields={"of": _OF, "where": _WHERE}),
    "unique": key("map", "Values that must differ", fields={"of": _OF, "where": _WHERE}),
    "is": key("expression", "The required count or sum"),
    "min": key("expression", "The least count or sum"),
    "max": key("expression", "The greatest count or sum"),
    "message": key("message", "What is wrong; `value` is the count or sum"),
    "hint": key("message", "What to do"),
    "severity": _SEVERITY,
}

_WORKED_STOCK: Final[Fields] = {
    "like": key("name", "The stock that the rest is taken from", needed=True),
    "width": key("expression", "Of each component's trim, mm"),
    "height": key("expression", "Of each component's trim, mm"),
    "path": key("expression", "SVG path data of each component's outline, mm from the trim's "
                "top-left corner"),
    "folds": key("expression", "Fold lines of each component: a list of [[x, y], [x, y]], mm"),
}  # fmt: skip

TILE: Final[Fields] = {
    "grid": key("choice", "Curves turn by 60°, 90° or 45°", needed=True, choices=tuple(GRIDS)),
    "pitch": key("expression", "From cell to cell, mm", needed=True),
    "call": key("expression", "Its name in a course; the id by default"),
    "turn": key("expression", "1 for a curve to the left, -1 to the right, 0 for none"),
    "length": key("expression", "Cells along a straight; 1 by default"),
    "width": key("expression", "Lanes at its entry; 1 by default"),
    "leaves": key("expression", "Lanes at its exit; the width by default"),
    "side": key("expression", "The side on which it widens or narrows: left or right, as a text"),
    "radius": key("expression", "Rows from a bend's corner to its innermost lane"),
    "kerb": key("expression", "Beside the lanes, mm"),
    "slack": key("expression", "How far it may overlap another tile, mm; 0.1 by default"),
    "either_way": key("expression", "It can also be entered by its exit; by default only with "
                      "one lane"),
    "owned": key("expression", "How many can be laid; by default as many as are printed"),
    "starts": key("expression", "How many vehicles can start on it"),
    "finish": key("expression", "A finish line is printed on it"),
    "marks": key("expression", "How many marks on it take a marker"),
    "drawn": key("choice", "Direction of travel on the face as drawn", choices=tuple(DRAWN),
                 default="up"),
}  # fmt: skip
CIRCUIT: Final[Fields] = {
    "grids": key("int", "How many start grids a circuit has", min=0, max=1),
    "finish_lines": key("int", "How many finish lines a circuit has", min=0, max=1),
    "finish_after_grid": key("bool", "A finish line may come directly after the start grid",
                             default=True),
}  # fmt: skip
LAYOUT: Final[Fields] = {
    "tiles": key("list", "The kinds of its tiles", needed=True, min_length=1,
                 of=key("name", needed=True)),
    "course": key("name", "The field that has the course", needed=True),
    "closed": key("expression", "Its last tile must lead into its first; true by default"),
    "finish": key("expression", "The calls of the tiles with a finish line"),
    "one_finish": key("expression", "There must be exactly one finish line; true by default"),
    "removable": key("expression", "The calls of the tiles that can leave it together"),
    "vehicles": key("expression", "How many vehicles must be able to start"),
    "abreast": key("expression", "How many vehicles are to race side by side"),
    "markers": key("expression", "How many markers there are for the marks on its tiles"),
    "opposite": key("expression", "There must be two starts, half a lap apart"),
    "heading": key("expression", "Curves by which the map is turned to the left"),
    "margin": key("expression", "Around the tiles on the map, mm"),
}  # fmt: skip

KIND: Final[Fields] = {
    "kind": key("id", "The kind's name", needed=True),
    "title": key("text", "Its name for readers"),
    "description": key("text", "Its purpose"),
    "stock": key("stock", "The blank that it is printed on; without one it is only data",
                 fields=_WORKED_STOCK),
    "faces": key("map", "The template of each side", fields={
        "front": key("text", "Template of the front", needed=True),
        "back": key("text", "Template of the back"),
    }),
    "quantity": key("quantity", "How many are printed; by number of players as {2: 1, 3: 2}"),
    "collated": key("bool", "Print copies set by set; each has its number as `copy`",
                    default=False),
    "draft": key("bool", "Missing pictures and texts that do not fit are warnings",
                 default=False),
    "bleed": key("choice", "`mirror` continues pictures that end at the cut by their mirror images",
                 choices=("art", "mirror"), default="art"),
    "why": key("message", "The reason for the quantity, for the table after a build; may have "
               "{{ expression }} parts"),
    "brings": key("expression", "Components that `--only` prints along with each of this kind"),
    "made_from": key("name", "One component is made for each of this kind"),
    "each": key("name", "... or for each entry of this list of it"),
    "where": key("expression", "... if this holds"),
    "fields": key("map", "The fields of a component", pattern=NAME_PATTERN,
                  of=key("field", needed=True)),
    "derived": key("map", "Values worked out from others, in order", pattern=NAME_PATTERN,
                   of=key("expression", needed=True)),
    "checks": key("list", "Checks of each component",
                  of=key("map", fields=CHECK, needed=True)),
    "set_checks": key("list", "Checks of all components together",
                      of=key("map", fields=SET_CHECK, needed=True)),
    "tile": key("map", "Its components are tiles of tracks", fields=TILE),
    "circuit": key("map", "What every solved circuit of these tiles has", fields=CIRCUIT),
    "layout": key("map", "Its components are tracks, laid from tiles", fields=LAYOUT),
}  # fmt: skip

STOCK: Final[Fields] = {
    "size": _SIZE,
    "description": key("text", "A short description"),
    "bleed": key("length", "Art beyond the cut", default=3.0, min=0, max=50),
    "edge": key("choice", "At the cut: ink that bleeds, or white paper on purpose",
                choices=tuple(Edge), default="ink"),
    "safe": key("length", "Margin inside the cut that text keeps clear", default=3.0, min=0,
                max=500),
    "shape": key("choice", "The outline that is cut", choices=tuple(map(str, Shape)),
                 default=str(Shape.RECTANGLE)),
    "corner_radius": key("length", "Of a rounded shape", default=0.0, min=0),
    "path": key("text", "SVG path data of shape `path`, in mm", max_length=20_000),
    "folds": key("list", "Fold lines, each [[x, y], [x, y]]",
                 of=key("list", needed=True, length=2, of=_POINT)),
}  # fmt: skip
_STOCKS: Final = key("map", "Stocks by name", pattern=ID_PATTERN,
                     of=key("map", fields=STOCK, needed=True))  # fmt: skip
_PAPER: Final[Fields] = {
    "title": key("text", "Its name in the shop", needed=True, max_length=60),
    "size": _SIZE,
    "margin": key("length", "White margin of a home printer", default=5.0, min=0, max=100),
}
_LABEL_SHEET: Final[Fields] = {
    "title": key("text", "Its name in the shop", needed=True),
    "paper": key("name", "The paper it has the size of", needed=True),
    "label": _SIZE,
    "columns": key("int", "Labels side by side", needed=True, min=1, max=500),
    "rows": key("int", "Labels one below the other", needed=True, min=1, max=500),
    "first": _POINT,
    "pitch": _SIZE,
    "corner_radius": key("length", "Of the labels", default=0.0, min=0),
}
STOCKS: Final[Fields] = {"stocks": _STOCKS}
PAPERS: Final[Fields] = {
    "papers": key("map", "Papers by name", pattern=ID_PATTERN,
                  of=key("map", fields=_PAPER, needed=True)),
}  # fmt: skip
LABEL_SHEETS: Final[Fields] = {
    "label_sheets": key("map", "Label sheets by name", pattern=ID_PATTERN,
                        of=key("map", fields=_LABEL_SHEET, needed=True)),
}  # fmt: skip
_CUTTER: Final[Fields] = {
    "title": key("text", "Its maker's name for it", needed=True),
    "marks": key("map", "The marks that it reads on a printed sheet", fields={
        "inset": key("length", "From the edges of the paper", needed=True, min=0, max=50),
        "length": key("length", "Of the legs of the angles", needed=True, min=2, max=50),
        "thickness": key("length", "Of the lines", needed=True, min=0.1, max=5),
        "square": key("length", "Side of the square; without it, an angle in each of four corners",
                      min=1, max=20),
        "clear": key("length", "From a mark to the nearest cut", default=1.0, min=0, max=50),
    }),
    "area": key("list", "The largest picture that its program prints and cuts", length=2,
                of=key("length", needed=True, min=20, max=2000)),
}  # fmt: skip
CUTTERS: Final[Fields] = {
    "cutters": key("map", "Cutting machines by name", pattern=ID_PATTERN,
                   of=key("map", fields=_CUTTER, needed=True)),
}  # fmt: skip

_PRODUCT_PATTERN: Final = "[A-Za-z0-9][A-Za-z0-9-]{0,79}"
_PRODUCT: Final[Fields] = {
    "canvas": key("list", "Pixels, bleed included, such as [825, 1125]", needed=True, length=2,
                  of=key("int", needed=True, min=1, max=20_000)),
    "trim": _SIZE,
    "shape": key("choice", "The outline that is cut", needed=True,
                 choices=tuple(str(shape) for shape in Shape if shape is not Shape.PATH)),
    "sticker": key("bool", "It sticks: kinds on sticker paper go to it first", default=False),
}  # fmt: skip
_SHOP: Final[Fields] = {
    "title": key("text", "The shop's name", needed=True),
    "fronts": key("text", "The name of a front's file, such as {kind}/{id}-front", needed=True),
    "backs": key("text", "The name of a back's file", needed=True),
    "shared_back": key("text", "The name of the one file for backs that are all alike"),
    "dpi": key("int", "Resolution of its pictures", default=300, min=72, max=1200),
    "format": key("choice", "File format of its pictures", choices=("png", "jpeg"), default="png"),
    "repeats": key("bool", "It takes a picture for each copy", default=False),
    "safe": key("length", "Margin inside the trim that text keeps clear", needed=True, min=0,
                max=100),
    "most": key("int", "Pictures of a product; any number by default", min=1),
    "most_bytes": key("int", "Bytes of a picture's file; any number by default", min=1000),
    "products": key("map", "Its products by name", pattern=_PRODUCT_PATTERN,
                    of=key("map", fields=_PRODUCT, needed=True)),
    "any_size": key("map", "It cuts any size", fields={
        "bleed": key("length", "Bleed that it asks for", needed=True, min=0, max=50),
        "most_px": key("int", "Pixels of a side; any number by default", min=100),
    }),
}  # fmt: skip
SHOPS: Final[Fields] = {
    "shops": key("map", "Print shops by name", pattern=ID_PATTERN,
                 of=key("map", fields=_SHOP, needed=True)),
}  # fmt: skip

_PDF_PROFILE: Final[Fields] = {
    "title": key("text", "Who prints", needed=True),
    "shop": key("name", "The shop of shops.yaml whose products these are: a page is a picture of "
                "one"),
    "products": key("map", "Its products by name; any size by default",
                    pattern=_PRODUCT_PATTERN, of=_SIZE),
    "papers": key("list", "The papers of a printer at home", of=key("name", needed=True)),
    "bleed": key("length", "Bleed that it asks for", default=0.0, min=0, max=50),
    "safe": key("length", "Margin inside the trim that text keeps clear", default=0.0, min=0,
                max=100),
    "boxes": key("bool", "A page says where it is cut: TrimBox and BleedBox", default=False),
    "colours": key("list", "Kinds of colour that it takes; any by default",
                   of=key("choice", needed=True, choices=("grey", "cmyk", "rgb", "lab", "spot"))),
    "ink": key("int", "Most ink in one place, %; any by default", min=100, max=400),
    "transparency": key("bool", "It accepts transparency", default=True),
    "standards": key("list", "PDF standards that it accepts, such as PDF/X-4",
                     of=key("text", needed=True)),
    "conditions": key("list", "Output intents that it accepts, such as FOGRA39",
                      of=key("text", needed=True)),
    "dpi": key("int", "Least resolution of a picture, pixels per inch", min=36, max=1200),
    "most_pages": key("int", "Pages of a file; any number by default", min=1),
    "most_bytes": key("int", "Bytes of a file; any number by default", min=1000),
    "paired": key("bool", "Each two pages are the sides of a card", default=False),
}  # fmt: skip
PDF_PROFILES: Final[Fields] = {
    "profiles": key("map", "PDF profiles by name", pattern=ID_PATTERN,
                    of=key("map", fields=_PDF_PROFILE, needed=True)),
}  # fmt: skip

PRINT: Final[Fields] = {
    "title": key("text", "The name of the print"),
    "kinds": key("list", "The kinds on it, in order", needed=True, min_length=1,
                 of=key("name", needed=True)),
    "papers": key("list", "The papers; one PDF each", of=key("name", needed=True)),
    "media": key("text", "The paper to put into the printer"),
    "layout": key("choice", "Arrangement of faces on the paper", choices=tuple(map(str, Layout)),
                  default=str(Layout.NUP)),
    "backs": key("choice", "Where backs are printed", choices=tuple(map(str, Backs)),
                 default=str(Backs.DUPLEX_LONG)),
    "gutter": key("length", "Space between two cards", min=0, max=200),
    "overlap": key("length", "Overlap of neighbouring pages of a poster", min=4, max=50),
    "split": key("bool", "A piece larger than the paper is glued together from several pages",
                 default=False),
    "stickers": key("bool", "It is a full sheet of sticker paper: a machine cuts no deeper than "
                    "its backing", default=False),
    "labels": key("map", "The label sheet of each paper", pattern=ID_PATTERN,
                  of=key("name", needed=True)),
}  # fmt: skip
PACK: Final[Fields] = {
    "title": key("text", "The pack's name on paper", needed=True),
    "version": key("text", "The pack's version", needed=True),
    "description": key("text", "A short description"),
    "language": key("text", "The language of hyphenation, such as en or pt-BR",
                    default="en", max_length=35, pattern="[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*"),
    "players": key("map", "Number of players", fields={
        "min": key("int", needed=True, min=1, max=100),
        "max": key("int", needed=True, min=1, max=100),
    }),
    "options": key("map", "Values for expressions and templates",
                   pattern=NAME_PATTERN, of=key("free", needed=True)),
    "requires": key("map", "Other packs whose kinds and components are used, with their versions",
                    pattern=ID_PATTERN,
                    of=key("text", 'Such as ">= 1.0.0" or ">= 1.2, < 2"', needed=True)),
    "guests": key("list", "Installed packages that it needs, with field types, template helpers, "
                  "checks or reports",
                  of=key("name", needed=True)),
    "stocks": _STOCKS,
    "prints": key("map", "The prints, in order", pattern=ID_PATTERN,
                  of=key("map", fields=PRINT, needed=True)),
    "outlets": key("map", "Settings of `gridpress export`, by outlet", pattern=ID_PATTERN,
                   of=key("map", needed=True, fields={
                       "products": key("map", "The product of a shop, by kind",
                                       of=key("name", needed=True)),
                       "objects": key("map", "The object that a kind becomes on a virtual table",
                                      of=key("choice", needed=True,
                                             choices=tuple(map(str, TableObject)))),
                       "names": key("text", "The names of pictures, such as {kind}-{id}-{side}"),
                       "url": key("text", "Address of the pictures for a virtual table"),
                       "sheet_px": key("int", "Pixels of a side of a sheet of cards on a virtual "
                                       "table; 4096 by default", min=1024, max=4096),
                   })),
    "credits": key("list", "Who is thanked, and for what", of=key("text", needed=True)),
    "licence": key("text", "The licence under which it may be copied and changed"),
    "waivers": key("list", "Findings that you accept", of=key(
        "map", needed=True, fields={
            "code": key("text", "The code, such as GP825", needed=True,
                        pattern=WAIVABLE),
            "component": key("text", "kind/id of the component; * for any",
                             default="*"),
            "reason": key("text", "Why it is fine", needed=True),
        })),
}  # fmt: skip

_COLOURS: Final = key("map", "Colours by name", pattern=NAME_PATTERN,
                      of=key("colour", needed=True))  # fmt: skip
STYLE: Final[Fields] = {
    "font": key("name", "One of `fonts`", needed=True),
    "weight": key("int", "400 is regular, 700 bold", default=400, min=100, max=1000),
    "italic": key("bool", "Slanted", default=False),
    "stretch": key("int", "Width of the font, per cent", default=100, min=50, max=200),
    "size": key("length", "Such as 8.5pt", needed=True, min=0.35, max=500),
    "min": key("length", "The smallest size of shrunk text; the size by default",
               min=0.35, max=500),
    "leading": key("number", "From line to line, in sizes", default=1.25, min=0.5, max=5),
    "paragraph_gap": key("number", "Between paragraphs, in lines", default=0.5, min=0, max=5),
    "colour": key("text", "A name of `colours`, or a colour", default="#000000"),
    "align": key("choice", "Alignment of lines in their box", default="left",
                 choices=("start", "left", "center", "right", "justify")),
    "hyphenate": key("bool", "Words may be hyphenated", default=False),
    "decoration": key("bool", "The letters are decoration, not for reading", default=False),
    "features": key("list", "Font features, such as small-capitals",
                    of=key("choice", needed=True, choices=tuple(FEATURES))),
}  # fmt: skip
STYLES: Final[Fields] = {
    "fonts": key("map", "Font families by the names that styles use", pattern=STYLE_PATTERN,
                 of=key("text", needed=True)),
    "fallback": key("list", "Families for characters that a style's family does not have",
                    of=key("text", needed=True)),
    "colours": _COLOURS,
    "ink": key("map", "Other colours for --ink low and mono", fields={
        "low": _COLOURS, "mono": _COLOURS,
    }),
    "styles": key("map", "Styles by name", pattern=STYLE_PATTERN,
                  of=key("map", fields=STYLE, needed=True)),
}  # fmt: skip

PROFILE: Final[Fields] = {
    "name": key("text", "The printer", max_length=60),
    "front": key("list", "Offset of fronts, right and down", length=2,
                 of=key("length", needed=True, min=-20, max=20)),
    "back": key("list", "Offset of backs, right and down", length=2,
                of=key("length", needed=True, min=-20, max=20)),
    "tolerance": key("length", "How much sheets differ from that", default=0.0, min=0, max=5),
    "front_scale": key("list", "Scale of fronts along the paper's short and long side", length=2,
                       of=key("number", needed=True, min=0.9, max=1.1)),
    "front_skew": key("number", "Degrees by which fronts are turned clockwise", default=0.0,
                      min=-5, max=5),
    "back_scale": key("list", "Scale of backs", length=2,
                      of=key("number", needed=True, min=0.9, max=1.1)),
    "back_skew": key("number", "Degrees by which backs are turned clockwise", default=0.0,
                     min=-5, max=5),
}  # fmt: skip

# Load reads locale files; this is their shape for editors.
LOCALE: Final[Fields] = {
    "title": key("text", "The pack's name on paper"),
    "description": key("text", "A short description"),
    "words": key("map", "Words of texts and templates", of=key("text", needed=True)),
    "components": key(
        "map",
        "Fields of components, by kind and id",
        of=key("map", needed=True, of=key("map", needed=True, of=key("free", needed=True))),
    ),
}

_TEXT_KEYS: Final = "left", "center", "right", "justify"
_BOX_PARTS: Final[Fields] = {
    "text": key("name", "A field, or a sentence with {{ expressions }}; nothing if it is empty"),
    "words": key("name", "Fixed words, which locales translate"),
    "picture": key("name", "A field with a picture, or the name of one"),
    "icon": key("name", "A field with an icon, or the name of one"),
    "fill": key("name", "A colour that fills the box"),
    "frame": key("name", "The colour of a line around the box"),
    "line": key("name", "The colour of a line along the middle of the box"),
    "badge": key("name", "A field, or a sentence, on a coloured shape"),
    "part": key("name", "A macro of a template, such as parts.svg.j2 dial; it is called with "
                "x, y, w, h and the component"),
    "table": key("map", "Words, each with the field or the sentence that stands beside them",
                 of=key("name", needed=True)),
    "at": key("list", "Left, top, width and height, mm from the corner of the cut", length=4,
              of=key("length", needed=True, min=-500, max=2000)),
    "when": key("expression", "The box is drawn if this is true"),
    "style": key("name", "A style of styles.yaml; body by default"),
    "size": key("length", "The size of the letters, such as 8pt; the style's by default",
                min=0.35, max=500),
    "steps": key("list", "Smaller sizes: the first at which the text fits counts", min_length=1,
                 of=key("length", needed=True, min=0.35, max=500)),
    "align": key("choice", "Where lines, icons, or the boxes of a row stand across",
                 choices=_TEXT_KEYS),
    "valign": key("choice", "Where lines stand in the height of the box",
                  choices=("top", "middle", "bottom")),
    "colour": key("name", "The colour of letters or of an icon"),
    "ground": key("name", "The colour of a badge's shape"),
    "edge": key("name", "A line around it: a colour and a width, such as warm 1mm"),
    "fit": key("choice", "A picture fills the box, stands whole in it, or is stretched",
               choices=("cover", "contain", "stretch")),
    "focus": key("name", "A field [x, y, zoom]: the point of the picture, 0 to 1, that stands in "
                 "the middle, and how much larger it is shown"),
    "shape": key("choice", "The outline; a rectangle by default, a circle for badges",
                 choices=BOX_SHAPES),
    "radius": key("length", "Of rounded corners", min=0, max=200),
    "width": key("length", "Of a line or a frame", min=0.05, max=50),
    "opacity": key("number", "From 0, clear, to 1", min=0, max=1),
    "turn": key("number", "Degrees by which it is turned about its middle, clockwise",
                min=-360, max=360),
    "times": key("expression", "How many icons stand in a row"),
    "gap": key("length", "Between icons, the boxes of a row or column, or the entries of a "
               "table", min=0, max=200),
    "lines": key("name", "The colour of thin lines between those of a table"),
    "across": key("int", "How many entries of a table, or at most how many boxes of a row, stand "
                  "side by side", min=1, max=100),
}  # fmt: skip
_SHARED: Final = key("map", fields=_BOX_PARTS, needed=True)
BOX: Final[Fields] = {
    **_BOX_PARTS,
    "row": key("list", "Boxes that share the place from left to right", of=_SHARED),
    "column": key("list", "Boxes that share the place from top to bottom", of=_SHARED),
}
FACE_HEAD: Final[Fields] = {
    "face": key("name", "The stock that it is made for, such as poker", needed=True),
    "ground": key("name", "The colour of the whole face"),
    "fields": key("map", "Names that boxes use for fields of the component, each with a field or "
                  "an expression", pattern=NAME_PATTERN, of=key("expression", needed=True)),
    "let": key("map", "Names for expressions, which boxes and later names can use",
               pattern=NAME_PATTERN, of=key("expression", needed=True)),
}  # fmt: skip
FACE: Final[Fields] = {
    **FACE_HEAD,
    "face": replace(FACE_HEAD["face"], optional=True),
    "like": key("name", "Another face file, whose boxes this one takes over"),
    "boxes": key("map", "Boxes by name, from back to front", pattern=STYLE_PATTERN,
                 of=key("map", fields=BOX)),
    "variants": key("free", "by: an expression; then, by its values, what changes in which box. "
                    "Or a list of those"),
}  # fmt: skip


FIELD: Final[dict[str, Field]] = {
    "type": key("choice", "The type of its values", needed=True, choices=tuple(FIELD_TYPES)),
    "description": key("text", "Its purpose; shown in editors and in hints"),
    "optional": key("bool", "May be left out", default=False),
    "default": key("node", "The value if it is left out"),
    "min": key("node", "The least number or length"),
    "max": key("node", "The greatest number or length"),
    "length": key("int", "Exact number of characters, entries or rows", min=0),
    "min_length": key("int", "The fewest characters, entries or rows", min=0),
    "max_length": key("int", "The most characters, entries or rows", min=0),
    "pattern": key("pattern", "A regular expression for the whole text, or for a map's keys"),
    "unique": key("bool", "Values of no two components are equal", default=False),
    "choices": key("list", "The words of a choice", min_length=1, of=key("text", needed=True)),
    "of": key("field", "The field of each entry of a list or map"),
    "fields": key("map", "The fields of a map", pattern=NAME_PATTERN, of=key("field", needed=True)),
    "columns": key(
        "map", "The columns of a table", pattern=NAME_PATTERN, of=key("field", needed=True)
    ),
    "kind": key("name", "The kind that a ref names"),
}
_LIMITS: Final = tuple(
    "min max length min_length max_length pattern unique choices of fields columns kind".split()
)
# A type needs at least one of these.
_NEEDED: Final[dict[str, tuple[str, ...]]] = {
    "choice": ("choices",),
    "list": ("of",),
    "map": ("fields", "of"),
    "table": ("columns",),
    "ref": ("kind",),
}


def _field_rules(reading: Reading) -> Mapping[str, Field]:
    """Return the keys of a field, with the types of guests."""
    more = [name for name in reading.types if name not in DEFINITION_TYPES]
    if not more:
        return FIELD
    return {**FIELD, "type": replace(FIELD["type"], choices=(*FIELD_TYPES, *more))}


def _read_field(node: Node, rule: Field, reading: Reading, path: str) -> Field:
    """Read a `Field`. After a fault it accepts any value, so that one fault makes one finding."""
    name = path.rpartition(".")[2]
    before = len(reading.faults)
    if isinstance(node, MappingNode):
        values, spans = reading.read_fields(node, _field_rules(reading), path)
        if is_sound(values.values()):
            given = _ReadDefinition(path, Record(values, node.span, spans), reading)
            _check_limits(given)
            made = _field(name, given)
            if len(reading.faults) == before:
                made = _with_default(made, given)
            if len(reading.faults) == before:
                return made
    else:
        reading.wrong_type(node, rule, path)
    return Field(name, "node", node.span, optional=True)


class _ReadDefinition(Struct, frozen=True):
    """A field definition whose parts have been read."""

    path: str
    values: Record
    reading: Reading

    def fault(self, part: str, code: str, message: str, hint: str = "") -> None:
        """Note a fault of one part, or of the whole if the part is missing."""
        self.reading.fault(self.values.span_of(part), code, f"{self.path}{message}", hint)


def _field(name: str, given: _ReadDefinition) -> Field:
    values = given.values
    low, high = _bound("min", given), _bound("max", given)
    lengths = values["min_length"], values["max_length"]
    for least, most, end in ((low, high, "max"), (*lengths, "max_length")):
        if least is not None and most is not None and least > most:
            given.fault(end, "GP204", f".{end}: less than the minimum", "swap the two")
    return struct_of(
        Field,
        values,
        name=name,
        span=values.span,
        default=None,
        min=low,
        max=high,
        choices=tuple(map(str, values["choices"])),
        fields=dict(values["fields"] or values["columns"] or {}),
        kind=values["kind"],
    )


def _check_limits(given: _ReadDefinition) -> None:
    """Check that the type knows all limits given, and has those it needs."""
    type_ = str(given.values["type"])
    limits = [limit for limit in _LIMITS if given.values[limit] not in (None, (), False)]
    allowed = given.reading.types[type_].limits
    for limit in limits:
        if limit not in allowed:
            known = ", ".join(sorted(allowed)) or "none"
            message = f": {limit} has no effect on a field of type {type_}"
            given.fault(limit, "GP202", message, f"its limits are: {known}")
    wanted = _NEEDED.get(type_, ())
    if wanted and not any(limit in limits for limit in wanted):
        message = f": a field of type {type_} needs {' or '.join(wanted)}"
        given.fault("", "GP201", message, f"such as {_EXAMPLES[type_]}")
    if "fields" in limits and "of" in limits:
        hint = "fields: named keys; of: keys that are free"
        given.fault("of", "GP202", ": a map has either fields or of", hint)


_EXAMPLES: Final = {
    "choice": "{type: choice, choices: [red, green]}",
    "list": "{type: list, of: {type: int}}",
    "map": "{type: map, fields: {name: {type: text}}}",
    "table": "{type: table, columns: {name: {type: text}, value: {type: int}}}",
    "ref": "{type: ref, kind: card}",
}


def _bound(end: str, given: _ReadDefinition) -> float | None:
    """Read a least or greatest value as the field's own type."""
    node, kind = given.values[end], given.reading.types[str(given.values["type"])]
    if node is None or kind.bound is None:
        return None
    if isinstance(node, Scalar):
        with suppress(ValueError):
            return kind.bound(node.text)
    given.fault(end, "GP203", f".{end}: this is not {kind.says}", f"such as {kind.example}")
    return None


def _with_default(made: Field, given: _ReadDefinition) -> Field:
    node = given.values["default"]
    if node is None:
        return made
    value = given.reading.read(node, made, f"{given.path}.default", node.span)
    return made if value is INVALID else replace(made, default=value)


def _read_pattern(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    """Read a regular expression that is quick to try."""
    try:
        compile_pattern(node.text)
    except ValueError as error:
        message = f"{path}: {node.text!r} cannot be used as a pattern"
        return reading.fault(node.span, "GP203", message, str(error))
    return node.text


def _read_expression(
    node: Scalar,
    rule: Field,
    reading: Reading,
    path: str,
    compiled: Callable[[Scalar, Cache], Any] = read_formula,
) -> Any:
    try:
        return compiled(node, reading.cache)
    except SandboxError as error:
        hint = error.hint or "see expressions in docs/kinds.md"
        return reading.report(node.span, "GP211", f"{path}: {error.message}", hint)


def _read_message(node: Scalar, rule: Field, reading: Reading, path: str) -> Any:
    reading.check_cut(node, path)
    return _read_expression(node, rule, reading, path, read_message)


_FORMULA: Final = key("expression", needed=True)


def _read_quantity(node: Scalar | MappingNode, rule: Field, reading: Reading, path: str) -> Any:
    """Read one formula, or formulas by number of players."""
    if not isinstance(node, MappingNode):
        return _read_expression(node, rule, reading, path)
    formulas: dict[int, Formula] = {}
    for key, value in node.entries:
        try:
            players = parse_int(key.text)
        except ValueError:
            message = f"{path}: {key.text!r} is not a number of players"
            reading.fault(key.span, "GP203", message, "such as {2: 1, 3: 2}")
            continue
        formulas[players] = reading.read(value, _FORMULA, f"{path}.{key.text}", key.span)
    return formulas if formulas and is_sound(formulas.values()) else INVALID


def _read_name(node: Scalar, _rule: Field, _reading: Reading, _path: str) -> Any:
    """Read the name of something defined elsewhere."""
    return SourceText(node.text, node.span)


def _read_stock(node: Scalar | MappingNode, rule: Field, reading: Reading, path: str) -> Any:
    """Read the name of a stock, or formulas for each component's."""
    if isinstance(node, MappingNode):
        return read_map(node, rule, reading, path)
    return _read_name(node, rule, reading, path)


def _read_node(node: Node, _rule: Field, _reading: Reading, _path: str) -> Any:
    """Return the node itself, to be read later."""
    return node


def _read_free(node: Node, rule: Field, reading: Reading, path: str) -> Any:
    """Read any value: true and false, numbers, text, lists and maps."""
    if isinstance(node, SequenceNode):
        return Items(
            reading.read(item, rule, f"{path}[{i}]", node.span) for i, item in enumerate(node.items)
        )
    if isinstance(node, MappingNode):
        values = {
            key.text: reading.read(value, rule, f"{path}.{key.text}", key.span)
            for key, value in node.entries
        }
        return Record(values, node.span, {key.text: value.span for key, value in node.entries})
    return _free_scalar(node, reading, path)


def _free_scalar(node: Scalar, reading: Reading, path: str) -> Any:
    if node.plain and node.text in ("true", "false"):
        return parse_bool(node.text)
    if node.plain:
        try:
            return parse_number(node.text)
        except ValueError:
            pass
    if " " in node.text or not (node.cut and node.cut.text.startswith("# ")):
        reading.check_cut(node, path)  # behind a single word `# ` is a comment
    return SourceText(node.text, node.span)


def _stock_schema(rule: Field, describe: Callable[[Field], Schema]) -> Schema:
    return {"anyOf": [SCALAR, fields_schema(rule.fields, describe)]}


_QUANTITY: Final[Schema] = {
    "anyOf": [
        SCALAR,
        {
            "type": "object",
            "propertyNames": {"pattern": "^[0-9]+$"},
            "additionalProperties": SCALAR,
            "minProperties": 1,
        },
    ]
}
_BRACKETS: Final = "put quotes around an expression that begins with [ or {"
_ANY: Final = (Scalar, SequenceNode, MappingNode)


DEFINITION_TYPES: Final[Mapping[str, FieldType]] = {
    **FIELD_TYPES,
    "expression": FieldType(
        "an expression", "cost + 1", _read_expression, SCALAR, otherwise=_BRACKETS
    ),
    "message": FieldType(
        "text", '"{{ name }} is too fast"', _read_message, SCALAR, otherwise=_BRACKETS
    ),
    "quantity": FieldType(
        "an expression, or a map from players to expressions",
        "{2: 1, 3: 2}",
        _read_quantity,
        _QUANTITY,
        takes=(Scalar, MappingNode),
        otherwise=_BRACKETS,
    ),
    "stock": FieldType(
        "the name of a stock, or a map with like:",
        "poker",
        _read_stock,
        _stock_schema,
        takes=(Scalar, MappingNode),
    ),
    "field": FieldType(
        "a field",
        "{type: text, max_length: 30}",
        _read_field,
        {"$ref": "#/$defs/field"},
        takes=_ANY,
    ),
    "pattern": FieldType("a regular expression", "[A-Z][0-9]+", _read_pattern, SCALAR),
    "name": FieldType("a name", "poker", _read_name, SCALAR),
    "node": FieldType("a value", "12", _read_node, {}, takes=_ANY),
    "free": FieldType("a value", "12", _read_free, {}, takes=_ANY),
}
# "node" replaces the type of a field whose definition has a fault.
COMPONENT_TYPES: Final[Mapping[str, FieldType]] = {
    **FIELD_TYPES,
    "node": DEFINITION_TYPES["node"],
}


DEFINITION: Final = "GP213"


def definition_reading(
    palette: Mapping[str, str] | None = None, assets: Assets | None = None
) -> Reading:
    """Return a `Reading` of definition files, where all faults of structure are GP213."""
    return Reading(DEFINITION_TYPES, palette or {}, assets, code=DEFINITION)


class Root(Struct, frozen=True):
    """The values of a file's root. `bad` keys have the value of a missing one."""

    values: Record
    bad: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]


def read_root(document: Document, rules: Mapping[str, Field], reading: Reading) -> Root:
    """Return the root of a definition file as far as it can be used."""
    root = document.root
    values: dict[str, Any] = dict.fromkeys(rules, INVALID)
    spans: dict[str, Span] = {}
    if isinstance(root, MappingNode):
        values, spans = reading.read_fields(root, rules)
    else:
        hint = f"its keys are {', '.join(rules)}"
        reading.fault(root.span, DEFINITION, "this file must be a map, key: value", hint)
    bad = frozenset(name for name, value in values.items() if value is INVALID)
    usable = {name: _left_out(rules[name], reading) for name in bad}
    return Root(Record({**values, **usable}, root.span, spans), bad)


def _left_out(rule: Field, reading: Reading) -> object:
    """Return the value of a field that is not given."""
    return reading.types[rule.type].empty if rule.default is None else rule.default
