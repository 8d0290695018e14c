"""Finished PDFs, made once; each test has copies of its own to spoil."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from export.hand_made import cut, duplex_sheets, face, place, ruler, sheet, text, write

from generator.geometry import Point, Size
from generator.model.face import LineMark, PdfLayer, Sheet, Side
from generator.model.pack import Backs
from generator.preflight import manifest_reader

FOLD = LineMark(PdfLayer.FOLD, Point(105, 10), Point(105, 280), dash=(1.0, 0.6))


@pytest.fixture(scope="package", autouse=True)
def _manifests_by_hand() -> Iterator[None]:
    """Manifests made by hand leave out what they do not need: that is told only of a build's."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_reader, "untold", lambda *_: ())
        yield


def folded_sheets() -> list[Sheet]:
    """One page of fronts left of a fold and backs right of it."""
    fronts = [place(face(f"card-{i}", text(f"Front {i}")), 20, y) for i, y in enumerate((20, 130))]
    backs = [
        place(face(f"card-{i}", text(f"Back {i}"), name="back"), 127, y)
        for i, y in enumerate((20, 130))
    ]
    marks = (cut(y) for y in (20, 108, 130, 218))
    sides = (LineMark(PdfLayer.CUT, Point(x, 5), Point(x, 9)) for x in (20, 83))
    return [sheet([*fronts, *backs], (*ruler(), FOLD, *marks, *sides))]


def turned_sheets() -> list[Sheet]:
    """Landscape sheets whose long edge turns them endways, with faces lying on their sides."""
    front = place(face("lying"), 20, 20, rotation=90)
    back = place(face("lying", name="back"), 20, 210 - 20 - 63, rotation=90)
    size = Size(297, 210)
    return [
        sheet([front], ruler(200), size=size),
        sheet([back], ruler(200), size=size, side=Side.BACK),
    ]


@pytest.fixture(scope="session")
def press(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with good files of every kind."""
    root = tmp_path_factory.mktemp("press")
    write(root / "duplex", duplex_sheets())
    write(root / "folded", folded_sheets(), backs=Backs.GUTTERFOLD)
    write(root / "turned", turned_sheets())
    write(root / "fronts", duplex_sheets()[:1], backs=Backs.NONE)
    return root


def copy_of(press: Path, kind: str, folder: Path) -> Path:
    target = folder / kind
    target.mkdir()
    for name in ("cards-a4.pdf", "manifest.json"):
        shutil.copy(press / kind / name, target / name)
    return target / "cards-a4.pdf"


@pytest.fixture
def duplex(press: Path, tmp_path: Path) -> Path:
    """Two pages of A4, four fronts and their backs, turned on the long edge."""
    return copy_of(press, "duplex", tmp_path)


@pytest.fixture
def folded(press: Path, tmp_path: Path) -> Path:
    """A page of two fronts and two backs with a fold between."""
    return copy_of(press, "folded", tmp_path)


@pytest.fixture
def turned(press: Path, tmp_path: Path) -> Path:
    """Two pages of landscape A4."""
    return copy_of(press, "turned", tmp_path)


@pytest.fixture
def fronts(press: Path, tmp_path: Path) -> Path:
    """A page of fronts without backs."""
    return copy_of(press, "fronts", tmp_path)
