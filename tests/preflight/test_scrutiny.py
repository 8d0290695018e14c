"""Faces that look alike in, which of them are looked at, and for what, out."""

import json
from dataclasses import replace
from pathlib import Path

from export.hand_made import face, place, sheet, text, write

from generator.geometry import Rect
from generator.model.pack import Backs
from generator.preflight import preflight
from generator.preflight.keeping import KnownFaces

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
