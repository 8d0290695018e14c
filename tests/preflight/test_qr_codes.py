"""Holds preflight to reading every QR code that is drawn, and to finding none where none is."""

from __future__ import annotations

import functools
import random
from pathlib import Path
from typing import Any

import pytest
from export.hand_made import face, place, sheet, write
from preflight.strangers import card, told
from preflight.tampering import messages
from reportlab.graphics.barcode.qr import QrCodeWidget

from generator.model.pack import Backs

GROUND = '<rect x="-3" y="-3" width="69" height="94" fill="#d8d0b8"/>'
DARK = GROUND.replace("#d8d0b8", "#203040")
SIDE = 25


@functools.cache
def modules() -> tuple[tuple[bool, ...], ...]:
    widget: Any = QrCodeWidget("https://example.org/fair", barLevel="M")
    widget.qr.make()
    return tuple(tuple(map(bool, line)) for line in widget.qr.modules)


def code(x: float, y: float, module: float, quiet: float = 4, more: str = "") -> str:
    """A code in its quiet zone, with something more in its own modules."""
    path = "".join(
        f"M{column} {row}h1v1h-1z"
        for row, line in enumerate(modules())
        for column, dark in enumerate(line)
        if dark
    )
    wide = SIDE + 2 * quiet
    return (
        f'<g transform="translate({x} {y}) scale({module})"><rect x="{-quiet}" y="{-quiet}"'
        f' width="{wide}" height="{wide}" fill="#fff"/><path d="{path}"/>{more}</g>'
    )


def inked(dark: str, light: str, module: float = 0.8) -> str:
    """A code in other colours than black on white."""
    ground = code(20, 30, module).replace("#fff", light)
    return ground.replace("<path ", f'<path fill="{dark}" ')


def drawn_out(scale: str) -> str:
    """A code that is not as wide as high."""
    return code(20, 30, 1).replace("scale(1)", f"scale({scale})")


def said(folder: Path, body: str) -> str:
    """What is told of QR codes on a card of 63 × 88 mm."""
    lines = messages(write(folder, [sheet([place(face("card", body), 40, 40)])], backs=Backs.NONE))
    return "\n".join(line for line in lines.splitlines() if "QR" in line)


LINES = "".join(f'<path d="M2 {y}h50" stroke="#fff"/>' for y in range(60, 80, 2))
LOGO = '<rect x="8" y="8" width="13" height="13" fill="#c04020"/>'


@pytest.mark.thorough(but=4)
@pytest.mark.parametrize(
    ("body", "wanted"),
    [
        (code(20, 30, 0.3), "so small that one is 0.30 mm wide"),
        (code(20, 30, 0.36), "so small that one is 0.36 mm wide"),
        (code(20, 30, 0.25), "so small that one is 0.25 mm wide"),
        (f'<g transform="rotate(30 30 40)">{code(20, 30, 0.35)}</g>', "one is 0.35 mm wide"),
        (DARK + code(20, 30, 0.8, quiet=2), "has 2 modules of quiet zone"),
        (DARK + code(20, 30, 0.8, quiet=1), "has 1 modules of quiet zone"),
        (DARK + code(20, 30, 0.8, quiet=0), "has 0 modules of quiet zone"),
        (DARK + code(20, 30, 1.2, quiet=0), "has 0 modules of quiet zone"),
        (DARK + LINES + code(20, 30, 0.45, quiet=0), "has 0 modules of quiet zone"),
        (code(1, 30, 0.8), "has 1.2 modules of quiet zone"),
        (code(20, 30, 0.8, more=LOGO), "cannot be read"),
        (f'<g transform="translate(63 0) scale(-1 1)">{code(20, 30, 0.8)}</g>', "is mirrored"),
        (inked("#ffffff", "#000000", 1), "is light on dark"),
        (DARK + inked("#f4ead2", "#203040", 0.6), "is light on dark"),
        (inked("#d8d8d8", "#ffffff"), "too little contrast: 15 %"),
        (inked("#ffe000", "#ffffff"), "too little contrast: 12 %"),
        (inked("#d02020", "#20a030"), "too little contrast: 9 %"),
        (inked("#d08020", "#208030"), "too little contrast: 0 %"),
        (inked("#2030c0", "#000000"), "too little contrast: 19 %"),
        (inked("#1830b0", "#000000").replace(GROUND, ""), "too little contrast: 19 %"),
        (drawn_out("0.84 0.8"), "stretched: 5 % wider than it is high"),
        (drawn_out("0.6 1.1"), "stretched: 45 % narrower than it is high"),
        (f'<g transform="rotate(20 30 40)">{drawn_out("1 0.8")}</g>', "stretched: 25 % wider"),
        (
            code(20, 30, 0.8, more='<circle cx="3.5" cy="3.5" r="4" fill="#c04020"/>'),
            "cannot be read",
        ),
        (code(20, 30, 0.8, more='<path d="M27-2h-12l12 12z" fill="#c04020"/>'), "cannot be read"),
        (code(48, 30, 0.8), "cannot be read"),  # half of it is beyond the cut
        (inked("#e8d8e0", "#f8f0e8"), "too little contrast"),
        (
            DARK + f'<g transform="rotate(30 30 40)">{code(20, 30, 0.7, quiet=0)}</g>',
            "has 0 modules",
        ),
        (f'<g transform="skewX(10)">{code(20, 30, 0.8)}</g>', "is slanted"),
    ],
)
def test_a_code_that_will_not_be_read_is_told_of(tmp_path: Path, body: str, wanted: str) -> None:
    assert wanted in said(tmp_path, body)


def squares(seed: int) -> str:
    """A pattern of squares, as fine as a code, with three targets where a code has its finders."""
    dice = random.Random(seed)
    dots = "".join(f"M{x} {y}h1v1h-1z" for x in range(29) for y in range(29) if dice.random() < 0.5)
    targets = "".join(
        f'<rect x="{x}" y="{y}" width="7" height="7" fill="#fff"/>'
        f'<rect x="{x + 0.5}" y="{y + 0.5}" width="6" height="6" fill="none" stroke="#000"/>'
        f'<rect x="{x + 2}" y="{y + 2}" width="3" height="3"/>'
        for x, y in ((0, 0), (22, 0), (0, 22))
    )
    return f'<g transform="translate(12 20) scale(1.3)"><path d="{dots}"/>{targets}</g>'


@pytest.mark.thorough(but=6)
@pytest.mark.parametrize(
    "body",
    [
        code(20, 30, 0.45),
        GROUND + code(20, 30, 0.8),
        GROUND + code(20, 30, 0.8, quiet=2),
        code(20, 30, 0.8, more='<rect x="11" y="11" width="4" height="4" fill="#c04020"/>'),
        f'<g transform="rotate(17 30 40)">{code(20, 30, 0.8)}</g>',
        inked("#22384f", "#d9b45a"),
        inked("#ff0000", "#ffffff"),
        drawn_out("0.81 0.8"),
        f'<g transform="rotate(45 30 40)">{code(20, 30, 0.8)}</g>',
        squares(1),
        squares(2),
        squares(3),
    ],
)
def test_what_is_read_or_no_code_is_fine(tmp_path: Path, body: str) -> None:
    assert said(tmp_path, body) == ""


@pytest.mark.parametrize(("module", "wanted"), [(0.8, {"GP838"}), (1.3, set())])
def test_a_code_in_any_pdf(tmp_path: Path, module: float, wanted: set[str]) -> None:
    dark_ones = "".join(
        f"{column} {-row - 1} 1 1 re\n"
        for row, line in enumerate(modules())
        for column, dark in enumerate(line)
        if dark
    )
    content = f"1 g 40 60 120 120 re f 0 g {module} 0 0 {module} 60 150 cm {dark_ones} f"
    assert told(card(tmp_path / "card.pdf", content, pages=1)) == wanted
