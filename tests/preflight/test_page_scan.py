"""Faces that look alike in, which of them are looked at, and for what, out."""

import json
import shutil
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from export.hand_made import cut, face, place, ruler, sheet, text, write
from msgspec.structs import replace
from preflight.tampering import tell

from generator.cache import NOTHING_KEPT, Cache, Sort
from generator.diagnostics import Diagnostic
from generator.geometry import Point, Rect
from generator.model.face import LineMark, Mark, PdfLayer, Sheet
from generator.model.pack import Backs
from generator.preflight import (
    CHECKS,
    diagnostics,
    inspection,
    page_scan,
    preflight,
    preflight_build,
    report_texts,
)
from generator.preflight.page_scan import KnownFaces
from generator.preflight.scan_workers import Batch, FaceAlone, PageMarks, ScanItem

CARD = face("card-1", text("Same", y=40))
TILE = replace(CARD, kind="tile", component="tile-1")
SAFE = {"card": 3, "tile": 8}


def told(path: Path, known: KnownFaces | None = None) -> list[tuple[str, str]]:
    """Code and component of what is said of faces, where text must be further from a tile's cut."""
    manifest = path.parent / "manifest.json"
    listed = json.loads(manifest.read_text(encoding="utf-8"))
    listed["kinds"] = {
        kind: {
            "title": "",
            "why": "",
            "safe_mm": safe,
            "edge": "ink",
            "quantities": {},
            "components": {},
        }
        for kind, safe in SAFE.items()
    }
    manifest.write_text(json.dumps(listed), encoding="utf-8")
    findings = preflight(path, known=known).findings
    return [(f.code, f.component) for f in findings if f.code in ("GP821", "GP823")]


def test_a_face_that_two_kinds_share_keeps_to_what_each_asks(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([place(CARD, 20, 20), place(TILE, 110, 20)])], backs=Backs.NONE)
    assert told(path) == [("GP823", "tile/tile-1")]


def test_what_was_seen_in_another_file_is_told_of_the_component_in_this_one(
    tmp_path: Path,
) -> None:
    known: KnownFaces = {}
    small = face("card-1", text("Small").replace('font-size="6"', 'font-size="1"'))
    other = replace(small, component="card-2")
    files = [
        write(tmp_path / drawn.component, [sheet([place(drawn, 20, 20)])], backs=Backs.NONE)
        for drawn in (small, other)
    ]
    assert [told(path, known) for path in files] == [
        [("GP821", "card/card-1")],
        [("GP821", "card/card-2")],
    ]
    assert told(files[0], known) == [("GP821", "card/card-1")]
    assert len(known) == 1


def test_a_fault_that_shows_in_every_view_of_a_face_is_one_with_all_its_copies(
    tmp_path: Path,
) -> None:
    small = face("card-1", text("Small").replace('font-size="6"', 'font-size="1"'))
    clips = [Rect(17, 17, 66, 94), Rect(83, 17, 66, 94)]
    copies = [place(small, 20 + 63 * n, 20, copy=n + 1, clip=clip) for n, clip in enumerate(clips)]
    path = write(tmp_path, [sheet(copies)], backs=Backs.NONE)
    assert [f.copies for f in preflight(path).findings if f.code == "GP821"] == [2]


SMALL = text("Small print").replace('font-size="6"', 'font-size="1"')
"""GP821."""


def sheets(word: str = "print", *more: Mark) -> list[Sheet]:
    """Two pages: some cards with text that is too small, of which one is in three places."""
    cards = [face(f"card-{n}", text(f"Card {n}") + SMALL) for n in range(3)]
    other = face("other", text(word))
    spots = [(20.0, 20.0), (110.0, 20.0), (20.0, 130.0), (110.0, 130.0)]
    first = [place(card, *at) for card, at in zip((*cards, other), spots, strict=True)]
    second = [place(cards[0], *at, copy=2 + n) for n, at in enumerate(spots[1:3])]
    return [sheet(first), sheet(second, (*ruler(), cut(20), *more), number=2)]


@pytest.fixture(scope="module")
def press(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders with the same build, one word of it changed, and with a mark over a text."""
    root = tmp_path_factory.mktemp("builds")
    write(root / "one", sheets())
    write(root / "changed", sheets("pint"))
    write(root / "covered", sheets("print", LineMark(PdfLayer.CUT, Point(115, 39), Point(130, 39))))
    return root


def said(
    folder: Path, cache: Cache = NOTHING_KEPT, jobs: int = 1, known: KnownFaces | None = None
) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """The texts of the report, and what a terminal shows, but for where the files are."""
    build = preflight_build(folder, jobs, known=known, cache=cache)
    return dict(report_texts(build, "a pack")), diagnostics(build, Path("output"))


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[ScanItem]:
    """All that is looked at from now on."""
    items: list[ScanItem] = []

    class Watched(Batch):
        def observations(self) -> list[object]:  # type: ignore[override]
            items.extend(self.items)
            return list(super().observations())

    monkeypatch.setattr(page_scan, "Batch", Watched)
    return items


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("build", ["one", "covered"])
def test_a_build_that_was_checked_before_is_not_looked_at_and_the_same_is_said(
    press: Path, tmp_path: Path, build: str, jobs: int, looked_at: list[ScanItem]
) -> None:
    cold = said(press / build)
    assert "GP821" in cold[0]["preflight.txt"]
    assert said(press / build, Cache(tmp_path), jobs) == cold
    looked_at.clear()
    assert said(press / build, Cache(tmp_path), 3 - jobs) == cold
    assert looked_at == []


def test_where_a_build_lies_does_not_matter(
    press: Path, tmp_path: Path, looked_at: list[ScanItem]
) -> None:
    said(press / "one", Cache(tmp_path / "cache"))
    shutil.copytree(press / "one", tmp_path / "elsewhere")
    looked_at.clear()
    build = preflight_build(tmp_path / "elsewhere", cache=Cache(tmp_path / "cache"))
    assert looked_at == []
    assert [report.file for report in build.reports] == [tmp_path / "elsewhere/cards-a4.pdf"]


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("sorts", [(), (Sort.FINDINGS,), (Sort.SEEN,), (Sort.FINDINGS, Sort.SEEN)])
@pytest.mark.parametrize("build", ["one", "covered"])
def test_entries_that_are_damaged_or_gone_cost_time_alone(
    press: Path, tmp_path: Path, build: str, sorts: tuple[Sort, ...]
) -> None:
    cold = said(press / build, Cache(tmp_path))
    for path in (path for sort in sorts for path in (tmp_path / "v1" / sort).iterdir()):
        path.write_bytes(path.read_bytes()[:-1] + b"?")
    assert said(press / build, Cache(tmp_path)) == cold


def test_of_a_build_with_one_word_changed_only_that_face_is_looked_at(
    press: Path, tmp_path: Path, looked_at: list[ScanItem]
) -> None:
    cold = said(press / "changed")
    said(press / "one", Cache(tmp_path))
    looked_at.clear()
    assert said(press / "changed", Cache(tmp_path)) == cold
    assert [type(item) for item in looked_at if not isinstance(item, PageMarks)] == [FaceAlone]


def test_a_file_that_was_changed_after_it_was_built_is_found_out(
    press: Path, tmp_path: Path
) -> None:
    folder, cache = tmp_path / "build", Cache(tmp_path / "cache")
    shutil.copytree(press / "one", folder)
    before = said(folder, cache)
    with pikepdf.open(folder / "cards-a4.pdf", allow_overwriting_input=True) as pdf:
        stream = next(o for o in pdf.objects if b"BT" in _operators(o))
        stream.write(_operators(stream).replace(b"BT", b"BT 3 Tr", 1))
        pdf.save(folder / "cards-a4.pdf")
    after = said(folder, cache)
    assert after != before
    assert after == said(folder)


def _operators(item: pikepdf.Object) -> bytes:
    is_form = isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"
    return item.read_bytes() if is_form else b""


def test_what_the_manifest_says_of_the_file_counts_as_the_file_does(
    press: Path, tmp_path: Path
) -> None:
    folder, cache = tmp_path / "build", Cache(tmp_path / "cache")
    shutil.copytree(press / "one", folder)
    before = said(folder, cache)
    tell(folder / "cards-a4.pdf", lambda file: file["pages"][0]["placements"].pop())
    after = said(folder, cache)
    assert after != before
    assert after == said(folder)


def test_a_strangers_file_is_found_again_as_a_whole(
    press: Path, tmp_path: Path, looked_at: list[ScanItem]
) -> None:
    path, cache = press / "one/cards-a4.pdf", Cache(tmp_path)
    cold = preflight(path, cache=cache)
    assert cold == preflight(path)
    looked_at.clear()
    assert preflight(path, cache=cache) == cold
    assert looked_at == []
    assert not (tmp_path / "v1" / Sort.SEEN).exists()


@pytest.mark.thorough(but=1)
@pytest.mark.parametrize("own", [True, False])
def test_what_could_not_be_looked_at_is_tried_again(
    press: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: bool
) -> None:
    def broken(*_: Any) -> list[Any]:
        raise RuntimeError("too little memory today")

    path, cache = press / "one/cards-a4.pdf", Cache(tmp_path)
    with monkeypatch.context() as patched:
        check = replace(CHECKS[0], run=broken)
        patched.setattr(inspection, "CHECKS", (check, *CHECKS[1:]))
        assert "GP010" in {f.code for f in preflight(path, cache=cache, own=own).findings}
    assert preflight(path, cache=cache, own=own) == preflight(path)


def test_faces_that_are_known_in_memory_are_kept_too(press: Path, tmp_path: Path) -> None:
    known: KnownFaces = {}
    said(press / "one", Cache(tmp_path), known=known)
    assert len(known) == 4
    shutil.rmtree(tmp_path / "v1")
    assert said(press / "one", known=known) == said(press / "one")
