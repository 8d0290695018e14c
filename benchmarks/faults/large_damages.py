"""Damages to posters, folded sheets and nested tiles: windows, pages, names, cuts, edges."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import replace

from faults.damage import Damage, in_face, in_manifest, in_marks, in_page, in_pdf
from faults.face_damages import front, last
from faults.pdf_damages import MM, first_marks, moved
from generator.model.face import PdfLayer, TextMark

WALL, TILES = "wall-a4.pdf", "tiles-a4.pdf"
_WINDOW = re.compile(r"q (\S+) (\S+) (\S+) (\S+) re W n ")


def window(content: str, right: float, wider: float = 0) -> str:
    """The window of a page elsewhere, or of another width, mm."""
    found = _WINDOW.search(content)
    assert found
    x, width = float(found[1]) + right * MM, float(found[3]) + wider * MM
    new = f"q {x:.4f} {found[2]} {width:.4f} {found[4]} re W n "
    return content.replace(found[0], new, 1)


def die(content: str, by: float) -> str:
    """A corner of a line that two tiles share, moved, mm."""
    start = content.index("/CUT BDC")
    found = list(re.finditer(r"(\S+) (\S+) l", content[start:]))[8]
    corner = f"{float(found[1]) + by * MM:.4f} {found[2]} l"
    return content[: start + found.start()] + corner + content[start + found.end() :]


def unclipped(content: str) -> str:
    """The first tile over its neighbours."""
    return re.sub(r"q [^q]*? h W n ", "q ", content, count=1)


def without_a_page(_: dict[str, Any], file: dict[str, Any]) -> None:
    """A poster that should have one page fewer."""
    file["pages"].pop(1)
    for number, page in enumerate(file["pages"], 1):
        page["page"] = number


def hexagonal(svg: str) -> str:
    """A ground that ends at the cut."""
    corners = "12.7 0 38.1 0 50.8 22 38.1 44 12.7 44 0 22"
    old = '<rect x="-3" y="-3" width="56.8" height="50" '
    return svg.replace(old, f'<polygon points="{corners}" ')


def fold_moved(mark: Any) -> Any:
    """A fold 0.3 mm from where paper is folded."""
    if mark.layer is not PdfLayer.FOLD:
        return mark
    return replace(mark, start=mark.start.moved(0.3, 0.3), end=mark.end.moved(0.3, 0.3))


def renamed(mark: Any) -> Any:
    """The page A2 of a poster as B2."""
    return replace(mark, text="B2") if isinstance(mark, TextMark) and mark.text == "A2" else mark


INNOCENT: tuple[Damage, ...] = (
    in_page("a window that is 0.01 mm off", "", lambda s: window(s, 0.01), page=1, file=WALL),
    in_page("a shared die line that is 0.01 mm off", "", lambda s: die(s, 0.01), file=TILES),
)

DAMAGES: tuple[Damage, ...] = (
    # Posters
    in_page("a poster's window 0.1 mm off", "GP806", lambda s: window(s, 0.1), page=1, file=WALL),
    in_page("a poster's window 1 mm too narrow", "GP806", lambda s: window(s, 0, -1), file=WALL),
    in_page("a poster's window that is lost", "GP806",
            lambda s: _WINDOW.sub("q ", s, count=1), page=1, file=WALL, also="GP824"),
    in_page("a page of a poster whose face is 0.1 mm off", "GP806", lambda s: moved(s, 0.1),
            page=2, file=WALL),
    in_pdf("a poster without one of its pages", "GP806", lambda pdf: pdf.pages.__delitem__(1),
           file=WALL, also="GP801 GP802 GP805 GP814 GP815 GP861"),
    in_manifest("a poster that lacks a page", "GP854", without_a_page, file=WALL,
                also="GP806 GP861 GP814 GP815 GP805 GP802"),
    in_page("a poster's seam marked 0.1 mm off", "GP814", lambda s: first_marks(s, 0.1),
            file=WALL),
    in_face("a poster with words that are covered", "GP824", front(lambda s: last(
        s, '<rect x="40" y="90" width="60" height="14" fill="#f4ead2"/>'), "wall"), file=WALL),
    in_face("a poster without bleed", "GP811", front(lambda s: s.replace(
        'x="-3" y="-3" width="326" height="296"', 'x="0" y="0" width="320" height="290"'),
        "wall"), file=WALL),
    in_marks("a page of a poster with another's name", "GP815", renamed, file=WALL),
    in_marks("a fold drawn beside the middle of its sheet", "GP815", fold_moved,
             file="folded-a4.pdf", also="GP807"),
    # Nested tiles
    in_page("a shared die line 0.3 mm off", "GP814", lambda s: die(s, 0.3), file=TILES),
    in_page("a tile that is not cut to its edges", "GP806", unclipped, file=TILES),
    in_face("tiles whose art ends at the cut", "GP811", front(hexagonal, "tile"), file=TILES),
)  # fmt: skip
