"""Reads cells of tables. Spreadsheets and card programs write marks, signs and numbers in their own
ways. A cell is read as text, as rich text and as a number, since its field may be any of these."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Final

PICTURE_NAME: Final = re.compile(
    r"[^\n<>]+\.(png|jpe?g|jfif|webp|gif|bmp|tiff?|avif|svg)", re.IGNORECASE
)
_TAG: Final = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)((?:[\s=][^<>]*)?)/?>")
_ENTITY: Final = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_ESCAPE: Final = re.compile(r"\\\\|\\1[03]\\|\\[nqc]|_x000D_\n?|\r\n?|[\x0b\u2028\u2029]")
_ESCAPES: Final = {"\\q": '"', "\\c": ",", "\\\\": "\\\\"}
"""Escapes of CardMaker and nanDECK; all others end a line."""
_READ: Final = re.compile(r"[<&\\_\r\x0b\u2028\u2029]")
_BOLD: Final = ("b", "strong")
_ITALIC: Final = ("i", "em")
_BREAKS: Final = {
    **dict.fromkeys(("br", "hr"), "\n"),
    **dict.fromkeys("center div h1 h2 h3 h4 li ol table tr ul".split(), "\ufdd4"),
    "p": "\ufdd5",
}
"""Line ends. Ends of blocks and paragraphs that meet count once."""
_LEFT_OUT: Final = frozenset(
    "a abbr bgc big blockquote center code color del fc font fs ins kbd ls mark push s size small"
    " span strike sub sup table td th tr tt u".split()
)
"""Tags of HTML, Pango, CardMaker and others whose effect a style or template gives here."""
_IS_BOLD: Final = re.compile(r"weight\s*[=:]\s*[\"']?(?:bold|[6-9]00)", re.IGNORECASE)
_IS_ITALIC: Final = re.compile(r"style\s*[=:]\s*[\"']?(?:italic|oblique)", re.IGNORECASE)
_IS_MORE: Final = re.compile(r"(?<![\w-])(?!(?:font[-_])?(?:weight|style)\b)[\w-]+\s*[=:]")
_SOURCE: Final = re.compile(r"src\s*=\s*[\"']?([^\"'\s>]+)", re.IGNORECASE)
_UNDERLINED: Final = re.compile(r"(?<![\w\\])(_{1,2})(?=[^\s_])([^_\n]*[^\s_])\1(?!\w)")
_OTHER_MARKS: Final = re.compile(r"~~(?=\S)[^~\n]+~~|(?<!\w)`[^`\n]+`(?!\w)")
_NO_MARK: Final = re.compile(
    r"(?<![\w*\\])\*(?=/[0-9*])|(?<=[0-9*]/)\*(?![\w*])|(?<=[0-9][+-])\*(?![\w*])"
    r"|(?P<mark>(?<![\w*\\])\*(?=[^\s*])[^*\n]*[^\s*\\]\*(?!\*))"
    r"|(?<=[0-9])\*(?=[0-9A-Za-z{])|(?<=\})\*(?=[0-9])"
)
"""A star for a value, as in */* and 1+*, or between factors, as in 2*X: it does not end italics."""
_ONE_LINE_END: Final = re.compile(r"(?<!\n)[ \t]*\n(?!\n)")
_PARAGRAPH: Final = re.compile(r"\n(?:[ \t]*\n)+")
_BLOCK: Final = re.compile("[\\s\ufdd4\ufdd5]*[\ufdd4\ufdd5][\\s\ufdd4\ufdd5]*")
# While a cell is read, unused code points mark the beginnings and ends of marks.
_OPEN, _CLOSE = "\ufdd0\ufdd1", "\ufdd2\ufdd3"
_STARS: Final = {"\ufdd0": "**", "\ufdd1": "*", "\ufdd2": "**", "\ufdd3": "*"}
_MARK: Final = re.compile(f"[{_OPEN}{_CLOSE}]")
_MARK_OR_GAP: Final = re.compile(f"{_MARK.pattern}|{_PARAGRAPH.pattern}")
_BLANK_INSIDE: Final = re.compile(f"([{_OPEN}]+)(\\s+)|(\\s+)([{_CLOSE}]+)")
_EMPTY: Final = re.compile("\ufdd0\ufdd2|\ufdd2\ufdd0|\ufdd1\ufdd3|\ufdd3\ufdd1")


def rich_cell(cell: str) -> str:
    """Return a cell as rich text: tags become marks, lines stay lines."""
    if PICTURE_NAME.fullmatch(cell):
        return cell.replace("\\", "/")
    text = _read(cell, lambda char: f"\\{char}" if char in "*{}\\" else char)
    text = _with_stars(_NO_MARK.sub(lambda at: at["mark"] or "\\*", text))
    return with_lines(_UNDERLINED.sub(lambda at: "*" * len(at[1]) + at[2] + "*" * len(at[1]), text))


def plain_cell(cell: str) -> str:
    """Return a cell as text without marks."""
    if PICTURE_NAME.fullmatch(cell):
        return cell.replace("\\", "/")
    return _MARK.sub("", _read(cell, str))


def with_lines(text: str) -> str:
    """Return a text whose lines stay lines in rich text."""
    return _ONE_LINE_END.sub("  \n", text) if "\n" in text else text


def written_cell(text: str) -> str:
    """Return a text as a cell that reads back as the same text."""
    text = _ENTITY.sub(lambda found: f"&amp;{found[0][1:]}", text)
    return re.sub(r"<(?=/?[A-Za-z])", "&lt;", text)


def marks_left_out(cell: str) -> tuple[str, ...]:
    """Return the marks in a cell that have no effect here, each once."""
    if not any(sign in cell for sign in "<~`"):
        return ()
    tags = _TAG.findall(cell)
    closed = {name.lower() for end, name, _ in tags if end}
    found = (f"<{name}>" for end, name, more in tags if not end and _is_lost(name, more, closed))
    return tuple(dict.fromkeys((*found, *_OTHER_MARKS.findall(cell))))


def _is_lost(written: str, more: str, closed: set[str]) -> bool:
    """Return whether a tag has an effect that nothing replaces."""
    name = written.lower()
    if name in (*_BOLD, *_ITALIC, "img"):
        return False
    if name == "span" and (_IS_BOLD.search(more) or _IS_ITALIC.search(more)):
        return _IS_MORE.search(more) is not None
    is_known = name in _LEFT_OUT or name in _BREAKS
    return name in _LEFT_OUT or (not is_known and (name in closed or "=" in more))


def _read(cell: str, own: Callable[[str], str]) -> str:
    """Return a cell with signs for marks, and its entities and escapes resolved; `own` changes each
    letter of an entity."""
    if not _READ.search(cell):
        return cell

    def said(text: str) -> str:
        text = _ESCAPE.sub(lambda found: _ESCAPES.get(found[0], "\n"), text)
        return _ENTITY.sub(lambda found: "".join(map(own, html.unescape(found[0]))), text)

    parts: list[str] = []
    ends: list[tuple[str, str]] = []
    done = 0
    for found in _TAG.finditer(cell):
        parts += [said(cell[done : found.start()]), _said_by(found, ends)]
        done = found.end()
    parts += [said(cell[done:]), *(end for _, end in reversed(ends))]
    return _BLOCK.sub(_line_end, "".join(parts)).strip()


def _line_end(found: re.Match[str]) -> str:
    return "\n\n" if "\ufdd5" in found[0] or found[0].count("\n") > 1 else "\n"


def _said_by(found: re.Match[str], ends: list[tuple[str, str]]) -> str:
    """Return the sign for a tag; `ends` are the open tags with the signs that close them."""
    end, name, more = found[1], found[2].lower(), found[3]
    if name in _BREAKS:
        return _BREAKS[name] + "• " * (name == "li" and not end)
    if name == "img" and (source := _SOURCE.search(more)):
        return f"{{{source[1].rpartition('/')[2].partition('.')[0]}}}"
    if name not in (*_BOLD, *_ITALIC) and name not in _LEFT_OUT:
        return found[0]
    if not end:
        bold = name in _BOLD or _IS_BOLD.search(more) is not None
        italic = name in _ITALIC or _IS_ITALIC.search(more) is not None
        ends.append((name, _CLOSE[1] * italic + _CLOSE[0] * bold))
        return _OPEN[0] * bold + _OPEN[1] * italic
    at = next((n for n in range(len(ends) - 1, -1, -1) if ends[n][0] == name), None)
    return "" if at is None else ends.pop(at)[1]


def _with_stars(text: str) -> str:
    """Return a text with stars for signs; they touch words and end with their paragraph."""
    if not _MARK.search(text):
        return text
    opened: list[str] = []

    def parted(found: re.Match[str]) -> str:
        sign = found[0]
        if sign in _OPEN:
            opened.append(sign)
        elif sign in _CLOSE and (begun := _OPEN[_CLOSE.index(sign)]) in opened:
            opened.remove(begun)
        elif sign.isspace():
            ends = "".join(_CLOSE[_OPEN.index(begun)] for begun in reversed(opened))
            return ends + sign + "".join(opened)
        return sign

    text, before = _MARK_OR_GAP.sub(parted, text), ""
    while before != text:
        before = text
        text = _BLANK_INSIDE.sub(_swapped, text)
        text = _EMPTY.sub("", text)
    return _MARK.sub(lambda found: _STARS[found[0]], text)


def _swapped(found: re.Match[str]) -> str:
    """Move blanks inside marks to the outside."""
    first, second = (found[1], found[2]) if found[1] else (found[3], found[4])
    return second + first


_SPACES: Final = " '’\u00a0\u2009\u202f"
_NUMBER: Final = re.compile(
    rf"(?P<sign>[+-]?)(?P<whole>0|[1-9][0-9]{{0,2}}(?:(?P<by>[{_SPACES}.,])[0-9]{{3}}"
    rf"(?:(?P=by)[0-9]{{3}})*)?|[1-9][0-9]*)(?:(?P<point>[.,])(?P<parts>[0-9]+))?"
)


def _point(cell: str) -> str:
    """Return the decimal sign of a number: `.`, `,`, `?` if a sign may also separate thousands, or
    nothing."""
    found = _NUMBER.fullmatch(cell)
    if found is None or (found["by"] and found["by"] == found["point"]):
        return ""
    if found["point"]:
        return found["point"]
    if found["by"] not in (".", ","):
        return ""
    if len(found["whole"]) > len("123.456"):
        return "." if found["by"] == "," else ","
    return "?"


def points(columns: Iterable[Iterable[str]], usual: str) -> Iterator[str]:
    """Yield the decimal sign of each column: as its own cells say, else as the other columns, else
    the `usual` one."""
    said = [{_point(cell) for cell in column} & {".", ","} for column in columns]
    of_all = set[str]().union(*said)
    common = of_all.pop() if len(of_all) == 1 else usual
    yield from (own.pop() if len(own) == 1 else common for own in said)


def is_unsure(cell: str) -> bool:
    """Return whether a cell such as `1.000` may be one or a thousand."""
    return _point(cell) == "?" and "." in cell


def number_in(cell: str, point: str) -> str:
    """Return a cell's number as `1234.5`; nothing if it is not a number or is ambiguous."""
    found = _NUMBER.fullmatch(cell)
    if found is None or (found["by"] and found["by"] == found["point"]):
        return ""
    if not point and is_unsure(cell):
        return ""
    whole, parts = found["whole"], found["parts"]
    if found["by"] == (point or ".") and not parts and len(whole) <= len("123.456"):
        whole, _, parts = whole.partition(found["by"])
    sign = found["sign"].removeprefix("+")
    return f"{sign}{re.sub('[^0-9]', '', whole)}{'.' if parts else ''}{parts or ''}"


def csv_delimiter(text: str) -> tuple[str, bool]:
    """Return the separator of a CSV text, and whether its first line names it."""
    if said := _SEPARATOR.match(text):
        return said[1], True
    header = _QUOTED.sub("", text.lstrip().partition("\n")[0])
    return max(",;\t|", key=header.count), False


_SEPARATOR: Final = re.compile(r"\"?sep=([,;\t|])\"?\r?\n", re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"\n]*"')
