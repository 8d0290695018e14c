"""Holds preflight to knowing each mark: place, width, colour, dash, ends and words."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pikepdf
import pytest
from export.hand_made import duplex_sheets, write
from preflight.laid import Laid
from preflight.tampering import codes, messages, rewrite, tell

from generator.geometry import Size
from generator.model.catalogue import Stock
from generator.model.pack import Backs, Layout
from generator.preflight.checking import match_page
from generator.preflight.manifest_checks import by_themselves
from generator.preflight.manifest_reader import ManifestReader
from generator.preflight.page_reader import read_page

HAIR = "/OC /GUIDES BDC q .3 w 60 400 m 300 402 l S Q EMC\n"


@pytest.fixture
def duplex(tmp_path: Path) -> Path:
    return write(tmp_path, duplex_sheets(1), proven=True)


@pytest.mark.thorough(but=5)
@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (".425197 w", "2 w", "0.71 mm wide, not 0.15 mm"),
        ("0 G\n", ".9 G\n", "of another colour than it should be"),
        ("0 G\n", "1 0 0 RG\n", "of another colour than it should be"),
        ("[] 0 d", "[3 2] 0 d", "dashed otherwise, or not at all"),
        ("[] 0 d", "[] 0 d 2 J", "drawn with other ends"),
        (
            "EMC",
            f"EMC {HAIR}",
            "tick or diamond from (21.2, 155.9) mm to (105.8, 155.2) mm is drawn",
        ),
        ("EMC", "q 1 0 0 rg 60 400 9 9 re f Q EMC", "a shape is put on the page"),
        ("BT 0 Tr", "BT 1 Tr", "‘100 mm’, of slug or ruler, has another size, colour or place"),
        ("[<", "80 Tz [<", "‘100 mm’, of slug or ruler, has another size, colour or place"),
        ("[<0014", "[<0016", "says ‘300 mm’ in the place of ‘100 mm’"),
    ],
)
def test_a_mark_that_is_drawn_otherwise_is_told_of(
    duplex: Path, old: str, new: str, words: str
) -> None:
    rewrite(duplex, 0, lambda content: content.replace(old, new))
    assert {"GP805", "GP806"} & codes(duplex)
    assert words in messages(duplex)


def test_a_face_over_the_marks_is_told_of(duplex: Path) -> None:
    def change(content: str) -> str:
        face, rest = content.split("\n", 1)
        return f"{rest}\n{face}\n"

    rewrite(duplex, 0, change)
    assert "a face is painted over marks" in messages(duplex)


@pytest.mark.parametrize(
    ("old", "new", "words", "said", "instead"),
    [
        ("[<0014", "[<0016", "as long as the ruler says: 300 mm", ("text", "100 mm"), "300 mm"),
        ("", "", "", ("text", ""), ""),
    ],
)
def test_a_ruler_is_measured_whatever_the_manifest_says(
    duplex: Path, old: str, new: str, words: str, said: tuple[str, str], instead: str
) -> None:
    if old:
        rewrite(duplex, 0, lambda content: content.replace(old, new))

    def lie(file: dict[str, Any]) -> None:
        for mark in file["marks"][0]:
            if mark.get(said[0]) == said[1]:
                mark[said[0]] = instead

    tell(duplex, lie)
    assert words in messages(duplex)
    assert bool(words) == ("GP805" in codes(duplex))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda s: s, ""),
        (lambda s: re.sub(r"\S+ G\b", "1 G", s), "pale that nobody sees"),
        (lambda s: s.replace(".425197 w", "2.8 w"), "0.99 mm wide"),
        (lambda s: s.replace("[] 0 d", "[1 2] 0 d"), "the ruler is dashed"),
        (lambda s: s.replace("[] 0 d", "[] 0 d n 60 19.842 m 60 20.9 l S", 1), "mm apart"),
        (lambda s: re.sub(r"\[<0014[^]]*\] TJ", "[] TJ", s), "has no figures"),
    ],
)
def test_a_ruler_is_one_whatever_the_manifest_says(
    duplex: Path, change: Callable[[str], str], words: str
) -> None:
    with pikepdf.open(duplex) as pdf:
        page = read_page(1, pdf.pages[0])
        content = pdf.pages[0].Contents.read_bytes().decode("latin-1")
        at = content.index("/OC /GUIDES")
        pdf.pages[0].Contents.write((content[:at] + change(content[at:])).encode("latin-1"))
        odd = read_page(1, pdf.pages[0])
    assert page.words
    expected = ManifestReader(duplex.with_name("manifest.json")).file(duplex.name).value
    assert expected is not None
    told = [each.message for each in by_themselves(match_page(expected.pages[0], odd), None)]
    assert words in str(told)
    assert bool(words) == bool(told)


def test_ticks_of_labels_are_told_beside_the_ruler(tmp_path: Path) -> None:
    """On their layer both are lines: that the ruler is missing does not say it of the ticks."""
    (tmp_path / "laid").mkdir()
    laid = Laid(tmp_path / "laid", Layout.LABELS, Stock("dot", Size(12, 12), bleed=0), 1)
    path = write(tmp_path, laid.sheets, backs=Backs.NONE, proven=True)
    expected, _ = laid.matched(laid.sheets)
    tell(path, lambda file: file.update(rules=msgspec.to_builtins(expected.rules)))
    gone = re.compile(r"(/GUIDES BDC[^n]*n )[^S]*")
    rewrite(path, 0, lambda content: gone.sub(r"\1", content, count=1))
    said = messages(path)
    assert "the ruler is missing" in said
    assert "the ticks at the corners of the labels are missing" in said
