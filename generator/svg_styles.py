"""Resolves CSS styles, units and colours of a drawing into plain attributes.

`style="fill:rgb(10%,20%,30%)"` becomes `fill="#1a334d"`, and `5mm` becomes `18.9`. Hidden parts go,
and a `<switch>` keeps the part for readers without extensions.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from xml.etree.ElementTree import Element

from generator.css_colours import css_hex
from generator.geometry import IDENTITY, Matrix, Rect, parse_transform
from generator.svg_shapes import SHAPES, UNREADABLE, shape_outline
from generator.svg_subset import as_hex

SVG: Final = "{http://www.w3.org/2000/svg}"
LINE: Final = "{line}"
"""The attribute that holds the line of an element."""
MAX_DEPTH: Final = 100

_PX: Final = {
    "": 1.0,
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "mm": 96 / 25.4,
    "cm": 96 / 2.54,
    "q": 24 / 25.4,
    "em": 16.0,
    "rem": 16.0,
    "ex": 8.0,
    "ch": 8.0,
}
"""CSS units in px (CSS Values 4, 6), with the default size of letters."""
_LENGTH: Final = re.compile(r"\s*([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)\s*(%|[a-z]*)\s*", re.I)
_ACROSS: Final = frozenset(("x", "width", "cx", "rx", "x1", "x2", "fx", "dx"))
_DOWN: Final = frozenset(("y", "height", "cy", "ry", "y1", "y2", "fy", "dy"))
_ALONG: Final = frozenset(("r", "stroke-width", "stroke-dashoffset"))
_LENGTHS: Final = _ACROSS | _DOWN | _ALONG
_COLOURS: Final = frozenset(("color", "stop-color", "flood-color", "lighting-color"))
_PAINTS: Final = frozenset(("fill", "stroke"))
_WORDS: Final = frozenset(("none", "transparent", "inherit", "context-fill", "context-stroke"))
_UNSAID: Final = frozenset(("unset", "initial", "revert", "revert-layer"))
_OWN_UNITS: Final = frozenset(
    ("linearGradient", "radialGradient", "pattern", "mask", "filter", "symbol", "marker", "svg")
)
"""Elements whose percentages do not refer to the drawing."""
_DROPPED: Final = frozenset(
    ("style", "title", "desc", "metadata", "animate", "animateTransform", "animateMotion",
     "animateColor", "set", "view", "cursor", "font", "font-face")
)  # fmt: skip
_URL: Final = re.compile(r"""url\(\s*(['"]?)#([^()'"\s]+)\1\s*\)\s*(.*)""", re.S)
_VAR: Final = re.compile(r"var\(\s*(--[\w-]+)\s*(?:,((?:[^()]|\([^()]*\))*))?\)")
_STEP: Final = re.compile(r"([a-zA-Z]+)\(([^)]*)\)")
_KEYWORDS: Final = {"left": 0.0, "top": 0.0, "center": 50.0, "right": 100.0, "bottom": 100.0}
_TURNS: Final = {"deg": 1.0, "": 1.0, "grad": 0.9, "rad": 180 / math.pi, "turn": 360.0}
_BY_STYLE: Final = ("mix-blend-mode", "isolation")
_UNKNOWN_EFFECTS: Final = ("rotate", "scale", "translate", "offset-path", "zoom")
_MOST_VARIABLES: Final = 20


class UnfitDrawingError(Exception):
    """Raised for a drawing that cannot be printed; the message continues "the icon x.svg …"."""

    def __init__(self, message: str, element: Element | None = None, hint: str = "") -> None:
        line = "" if element is None else element.get(LINE, "")
        super().__init__(f"{message} (its line {line})" if line else message)
        self.hint = hint


def length(value: str) -> float:
    """Return a length in px, or 0 for a percentage. Raises ValueError."""
    found = _LENGTH.fullmatch(value)
    if found is None:
        raise ValueError(value)
    return float(found[1]) * _PX.get(found[2].lower(), 0.0)


def name_of(element: Element) -> str:
    """Return the tag without the SVG namespace."""
    return str(element.tag).removeprefix(SVG)


def resolve_styles(
    root: Element, view: tuple[float, float, float, float], *, hidden: bool = False
) -> None:
    """Write the styles of a drawing's elements as attributes; `view` is its view box. Hidden parts
    stay with `hidden`. Raises UnfitDrawingError."""
    _Resolver(view, _by_rules(root), hidden).element(root, _Around({}, IDENTITY, True), 0)


class Declaration(NamedTuple):
    """A property, its value as written, and whether it is `!important`."""

    name: str
    value: str
    important: bool


_Rules = Mapping[Element, Sequence[Declaration]]


def _by_rules(root: Element) -> _Rules:
    """Return the declarations of all `<style>` elements for each element, in order of
    precedence."""
    texts = [
        each
        for each in root.iter()
        if name_of(each) == "style" and each.get("type", "text/css") in ("", "text/css")
    ]
    if not texts:
        return {}
    from cssselect2 import ElementWrapper, Matcher  # noqa: PLC0415, few drawings have rules

    matcher = Matcher()
    for element in texts:
        for selector, declarations in _rules("".join(element.itertext()), element):
            matcher.add_selector(selector, declarations)
    return {
        wrapped.etree_element: [
            each
            for _, _, pseudo, declarations in matcher.match(wrapped)
            if pseudo is None
            for each in declarations
        ]
        for wrapped in ElementWrapper.from_xml_root(root).iter_subtree()
    }


def _rules(text: str, element: Element) -> Iterator[tuple[Any, Sequence[Declaration]]]:
    import tinycss2  # noqa: PLC0415, as above
    from cssselect2 import SelectorError, compile_selector_list  # noqa: PLC0415, as above

    waiting = list(tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True))
    while waiting:
        rule = waiting.pop(0)
        if rule.type == "at-rule" and rule.lower_at_keyword == "import":
            raise UnfitDrawingError("has a style that is read from elsewhere (@import)", element)
        if rule.type == "at-rule" and rule.lower_at_keyword == "media" and rule.content:
            media = tinycss2.serialize(rule.prelude).strip().lower()
            if media in ("", "all", "screen", "print"):
                waiting[:0] = tinycss2.parse_rule_list(rule.content, True, True)
        elif rule.type == "at-rule" and rule.lower_at_keyword in ("layer", "supports"):
            what = f"has styles inside of @{rule.lower_at_keyword}, which are not understood"
            raise UnfitDrawingError(what, element, "write them without it")
        elif rule.type == "qualified-rule":
            try:
                selectors = compile_selector_list(rule.prelude)
            except SelectorError:
                continue  # as a browser does
            inner = tinycss2.parse_blocks_contents(rule.content)
            if any(part.type == "qualified-rule" for part in inner):
                what = "has styles inside of other styles, which are not understood"
                raise UnfitDrawingError(what, element, "write them one after the other")
            declarations = _declarations(rule.content)
            yield from ((selector, declarations) for selector in selectors)


def _declarations(content: Any) -> Sequence[Declaration]:
    import tinycss2  # noqa: PLC0415, as above

    return [
        Declaration(
            each.name if each.name.startswith("--") else each.lower_name,
            tinycss2.serialize(each.value).strip(),
            each.important,
        )
        for each in tinycss2.parse_blocks_contents(content)
        if each.type == "declaration"
    ]


def inline_style(style: str) -> Sequence[Declaration]:
    """Return the declarations of a `style` attribute."""
    if any(sign in style for sign in "\"'\\{}(!/"):
        return _declarations(style)
    pairs = (part.partition(":") for part in style.split(";") if ":" in part)
    return [Declaration(name.strip().lower(), value.strip(), False) for name, _, value in pairs]


class _Around(NamedTuple):
    """The context inside an element: CSS variables, the matrix onto the drawing, and whether
    percentages refer to the drawing."""

    variables: Mapping[str, str]
    matrix: Matrix
    relative: bool


class _Resolver:
    """Resolves the styles of one drawing."""

    def __init__(
        self, view: tuple[float, float, float, float], rules: _Rules, hidden: bool
    ) -> None:
        self._hidden = hidden
        self._view = Rect(0, 0, *view[2:])
        self._rules = rules

    def element(self, element: Element, around: _Around, depth: int) -> None:
        """Resolve an element and its content."""
        if depth > MAX_DEPTH:
            raise UnfitDrawingError(f"is nested deeper than {MAX_DEPTH} groups", element)
        inside = self._resolved(element, around, depth)
        shown = _shown_of_switch(element) if name_of(element) == "switch" else None
        for child in list(element):
            if _is_dropped(child) or (shown is not None and child is not shown):
                _leave_out(element, child)
                continue
            self.element(child, inside, depth + 1)
            if child.get("display") == "none" and not (self._hidden or _is_referred(child)):
                _leave_out(element, child)
        if name_of(element) in ("switch", "a"):
            element.tag = "g"
            for key in ("href", "{http://www.w3.org/1999/xlink}href", "target"):
                element.attrib.pop(key, None)

    def _resolved(self, element: Element, around: _Around, depth: int) -> _Around:
        """Write an element's styles as attributes; return the context of its content."""
        declared = self._declared(element)
        own = {each.name: each.value for each in declared if each.name.startswith("--")}
        variables = {**around.variables, **own}
        relative = around.relative and depth > 0 and name_of(element) not in _OWN_UNITS
        candidates: dict[str, list[str]] = {n: [value] for n, value in element.attrib.items()}
        for each in declared:
            if not each.name.startswith("-"):
                candidates.setdefault(each.name, []).append(each.value)
        element.attrib.clear()
        for name, values in candidates.items():
            known = [_without_variables(value, variables) for value in values]
            value = self._value(element, name, [v for v in known if v is not None], relative)
            if value is not None:
                element.attrib[name] = value
        self._place(element, any(each.name == "transform" for each in declared))
        matrix = around.matrix.then(_matrix(element)) if depth else around.matrix
        _keep_line_width(element, matrix)
        _blend_by_style(element)
        return _Around(variables, matrix, relative or depth == 0)

    def _declared(self, element: Element) -> list[Declaration]:
        """Remove an element's class and style; return its declarations in order of precedence."""
        element.attrib.pop("class", None)
        style = element.attrib.pop("style", "")
        declared = [*self._rules.get(element, ()), *(inline_style(style) if style else ())]
        return sorted(declared, key=lambda each: each.important)

    def _value(
        self, element: Element, name: str, values: Sequence[str], relative: bool
    ) -> str | None:
        """Return the last value of an attribute that is understood."""
        if not values or (values[-1] in _UNSAID and name not in _PAINTS):
            return None
        value = values[-1]
        if name in _PAINTS or name in _COLOURS:
            return _colour(element, name, values)
        if name in ("clip-path", "mask", "filter"):
            return _reference(element, name, value)
        if name in _UNKNOWN_EFFECTS and value != "none":
            raise UnfitDrawingError(f"is placed by the style {name}: {value}", element)
        if name in _LENGTHS and (relative or name == "stroke-width"):
            value = self._length(name, value)
        elif name == "stroke-dasharray" and relative and value != "none":
            parts = value.replace(",", " ").split()
            value = " ".join(self._length("stroke-width", part) for part in parts)
        elif name == "d" and value.startswith("path("):
            value = value[5:-1].strip(" '\"")
        return value

    def _length(self, name: str, value: str) -> str:
        """Return a length in the drawing's units."""
        return _length(value, self._whole(name))

    def _whole(self, name: str) -> float:
        """Return what 100 % of a length means (SVG 1.1, 7.10)."""
        width, height = self._view.width, self._view.height
        if name in _ACROSS:
            return width
        return height if name in _DOWN else math.hypot(width, height) / math.sqrt(2)

    def _place(self, element: Element, by_style: bool) -> None:
        """Write the transform of an element as an attribute, with its origin."""
        given = element.attrib
        origin, box = given.pop("transform-origin", None), given.pop("transform-box", "view-box")
        transform = given.get("transform", "none")
        if transform == "none":
            given.pop("transform", None)
            return
        if by_style or re.search(r"deg|rad|turn|px|[XY]\(", transform):
            given["transform"] = transform = self._css_transform(element, transform)
        if origin is None:
            return
        around = self._view if box == "view-box" else _own_box(element, box)
        x, y = _origin(element, origin, around)
        given["transform"] = f"translate({x} {y}) {transform} translate({-x} {-y})"

    def _css_transform(self, element: Element, value: str) -> str:
        """Return a CSS transform in SVG syntax."""
        steps = [self._css_step(name, numbers) for name, numbers in _STEP.findall(value)]
        if not steps or None in steps:
            raise UnfitDrawingError(f"has the transform {value!r}", element)
        return " ".join(filter(None, steps))

    def _css_step(self, name: str, given: str) -> str | None:
        parts = given.replace(",", " ").split()
        way = name[-1] if name[-1] in "XY" else ""
        plain = name.removesuffix(way)
        if plain in ("rotate", "skew") and parts:
            angles = [_degrees(part) for part in parts]
            if None in angles:
                return None
            return f"{name}({' '.join(map(str, angles))})"
        if plain == "translate":
            axes = way.lower() or "xy"
            moves = [self._length(axis, part) for axis, part in zip(axes, parts, strict=False)]
            return f"translate({f'0 {moves[0]}' if way == 'Y' else ' '.join(moves)})"
        if plain == "scale" and way:
            return f"scale({f'{parts[0]} 1' if way == 'X' else f'1 {parts[0]}'})"
        return f"{name}({' '.join(parts)})" if name in ("scale", "matrix") else None


def _length(value: str, whole: float) -> str:
    """Return a length or percentage in px; other values stay."""
    found = _LENGTH.fullmatch(value)
    if found is None:
        return value
    number, unit = float(found[1]), found[2].lower()
    if unit == "":
        return found[1]
    if unit == "%":
        return _plain(number / 100 * whole)
    return _plain(number * _PX[unit]) if unit in _PX else value


def _own_box(element: Element, box: str) -> Rect:
    """Return the box of a shape that turns about a point of its own box."""
    outline = None
    if name_of(element) in SHAPES:
        with suppress(*UNREADABLE):
            outline = shape_outline(name_of(element), element.attrib)
    if outline is None:
        hint = "ungroup it and apply its transform in the drawing program"
        raise UnfitDrawingError(
            f"is transformed about a point of its own box ({box})", element, hint
        )
    return outline.box


def _origin(element: Element, value: str, around: Rect) -> tuple[float, float]:
    """Return the point of `transform-origin` in a box."""
    words = value.lower().split()
    if len(words) == 1:
        words = ["center", words[0]] if words[0] in ("top", "bottom") else [words[0], "center"]
    if words[0] in ("top", "bottom") or words[1] in ("left", "right"):
        words[:2] = words[1::-1]
    shares = [f"{_KEYWORDS[word]}%" if word in _KEYWORDS else word for word in words[:2]]
    try:
        x, y = (
            float(_length(each, whole))
            for each, whole in zip(shares, (around.width, around.height), strict=True)
        )
    except ValueError as error:
        raise UnfitDrawingError(f"has the transform-origin {value!r}", element) from error
    return around.x + x, around.y + y


def _degrees(value: str) -> float | None:
    found = _LENGTH.fullmatch(value)
    turn = None if found is None else _TURNS.get(found[2].lower())
    return None if found is None or turn is None else float(found[1]) * turn


def _colour(element: Element, name: str, values: Sequence[str]) -> str | None:
    """Return a paint or colour. A fallback wins over its wide-gamut value, as it is nearer to
    print."""
    found: list[str] = []
    narrow: list[str] = []
    for value in values:
        plain = _plain_colour(value)
        if plain is not None:
            found.append(plain)
            narrow += [plain] if not re.match(r"(color|lab|lch|oklab|oklch)\(", value) else []
    if found:
        return narrow[-1] if narrow and found[-1] not in narrow else found[-1]
    value = values[-1]
    if value in _UNSAID:
        return None
    if "url(" in value.lower():
        raise UnfitDrawingError("refers to something outside", element)
    if "(" in value:
        hint = "write it as #rrggbb, or choose the colour in the drawing program"
        raise UnfitDrawingError(f"has the {name} {value!r}, which is not understood", element, hint)
    return None  # ignore it, as a browser does


def _plain_colour(value: str) -> str | None:
    """Return a value as `#rrggbb`, a link or a keyword; None if it is not understood."""
    text = value.strip()
    if text.lower() == "currentcolor":
        return "currentColor"
    if text in _WORDS:
        return text
    link = _URL.fullmatch(text)
    if link is not None:
        return f"url(#{link[2]})" if not link[3].strip() else f"url(#{link[2]}) {link[3].strip()}"
    return text if as_hex(text) else css_hex(text)


def _reference(element: Element, name: str, value: str) -> str | None:
    if value == "none":
        return None
    link = _URL.fullmatch(value)
    if link is not None and not link[3].strip():
        return f"url(#{link[2]})"
    if name == "filter" and "url(" not in value:  # such as blur(2px)
        return value
    if "url(" in value:
        raise UnfitDrawingError("refers to something outside", element)
    hint = "turn it into a shape in the drawing program"
    raise UnfitDrawingError(f"has the {name} {value!r}, which does not print", element, hint)


def _without_variables(value: str, variables: Mapping[str, str]) -> str | None:
    """Return a value with its variables replaced; None if one has no value."""
    for _ in range(_MOST_VARIABLES):
        found = _VAR.search(value)
        if found is None:
            return value
        instead = variables.get(found[1], found[2])
        if instead is None:
            return None
        value = f"{value[: found.start()]}{instead.strip()}{value[found.end() :]}"
    return None


def _keep_line_width(element: Element, matrix: Matrix) -> None:
    """Resolve `vector-effect: non-scaling-stroke` into the width of the line."""
    given = element.attrib
    is_fixed = given.pop("vector-effect", "none") == "non-scaling-stroke"
    if is_fixed and matrix.area:
        width = float(given.get("stroke-width", 1)) / abs(matrix.area) ** 0.5
        given["stroke-width"] = _plain(width)


def _matrix(element: Element) -> Matrix:
    try:
        return parse_transform(element.get("transform", ""))
    except ValueError as error:
        told = f"has the transform {element.get('transform')!r}"
        raise UnfitDrawingError(told, element) from error


def _blend_by_style(element: Element) -> None:
    """Write blend modes as a style, where the engine reads them."""
    given = element.attrib
    mode = given.get("mix-blend-mode", "normal")
    if mode.startswith("plus-"):
        hint = "choose Screen instead (for plus-darker: Multiply) in the drawing program"
        raise UnfitDrawingError(f"is blended with {mode}, which PDF does not have", element, hint)
    kept = [f"{name}:{given.pop(name)}" for name in _BY_STYLE if name in given]
    if kept:
        given["style"] = ";".join(kept)


def _is_dropped(element: Element) -> bool:
    name = name_of(element)
    return name in _DROPPED or name.startswith("{")


def _shown_of_switch(switch: Element) -> Element | None:
    """Return the child that is shown: the first without special requirements."""
    for child in switch:
        if name_of(child).startswith("{") or name_of(child) == "foreignObject":
            continue
        if not child.get("requiredExtensions") and child.get("systemLanguage", "en")[:2] == "en":
            return child
    return switch  # show nothing


def _is_referred(element: Element) -> bool:
    """Return whether a hidden element may be used by its id."""
    return any(each.get("id") for each in element.iter()) and name_of(element) in (
        "symbol", "clipPath", "mask", "marker", "pattern", "linearGradient", "radialGradient",
        "filter",
    )  # fmt: skip


def _leave_out(element: Element, child: Element) -> None:
    """Remove a child; the text after it stays."""
    if child.tail and name_of(element) in ("text", "tspan", "textPath"):
        before = list(element)[: list(element).index(child)]
        if before:
            before[-1].tail = (before[-1].tail or "") + child.tail
        else:
            element.text = (element.text or "") + child.tail
    element.remove(child)


def _plain(number: float) -> str:
    return f"{number:.6g}"
