from functools import partial
from pathlib import Path

from export.hand_made import Rect, die, face, ruler, sheet, write
from export.hand_made import place as unmarked
from preflight.tampering import found, messages, rewrite, tell

from generator.geometry import Point, Size
from generator.model.catalogue import Shape, Stock
from generator.model.face import LineMark, Mark, PdfLayer
from generator.model.pack import Backs
from generator.preflight import preflight

place = partial(unmarked, marked=True)
ROUND = Stock("token", Size(20, 20), bleed=1.5, shape=Shape.CIRCLE)
CIRCLE = (
    "M50 40C50 45.5228 45.5228 50 40 50C34.4772 50 30 45.5228 30 40"
    "C30 34.4772 34.4772 30 40 30C45.5228 30 50 34.4772 50 40Z"
)


def crop_marks(box: Rect, layer: PdfLayer = PdfLayer.CUT) -> tuple[Mark, ...]:
    upright = (LineMark(layer, Point(x, 8), Point(x, 12)) for x in (box.x, box.right))
    level = (LineMark(layer, Point(8, y), Point(12, y)) for y in (box.y, box.bottom))
    return (*upright, *level)


def marked(folder: Path, box: Rect, layer: PdfLayer = PdfLayer.CUT) -> Path:
    marks = (*ruler(), *crop_marks(box, layer))
    return write(folder, [sheet([place(face("card-1"), 20, 20)], marks)], backs=Backs.NONE)


def codes(path: Path) -> list[str]:
    return [code for code, _ in found(path) if code in ("GP812", "GP814")]


def severities(path: Path) -> set[str]:
    told = preflight(path, own=True).findings
    return {str(f.severity) for f in told if f.code in ("GP812", "GP814")}


def test_marks_at_the_trim_are_fine(tmp_path: Path) -> None:
    assert codes(marked(tmp_path, Rect(20, 20, 63, 88))) == []


def test_a_mark_a_tenth_of_a_millimetre_off_is_told_of(tmp_path: Path) -> None:
    path = marked(tmp_path, Rect(20.1, 20, 62.9, 88))
    assert set(codes(path)) == {"GP814"}
    assert "is cut 0.10 mm beside its edge" in messages(path)


def test_a_missing_mark_is_told_of(tmp_path: Path) -> None:
    path = marked(tmp_path, Rect(20, 20, 63, 88))
    rewrite(path, 0, lambda content: content.replace("56.69291 819.2126 m", "100 819.2126 m"))
    assert "GP814" in codes(path)


def test_a_die_line_around_the_trim_is_measured(tmp_path: Path) -> None:
    token = place(face("token", stock=ROUND), 30, 30)
    fine = write(tmp_path / "fine", [sheet([token], (*ruler(), die(CIRCLE)))], backs=Backs.NONE)
    assert codes(fine) == []
    moved = CIRCLE.replace("M50", "M50.1").replace("50 40Z", "50.1 40Z")
    off = write(tmp_path / "off", [sheet([token], (*ruler(), die(moved)))], backs=Backs.NONE)
    assert codes(off) == ["GP814"]


ARROW = Stock("arrow", Size(30, 20), shape=Shape.PATH, path="M5 20L0 0L30 10Z")


def test_the_die_line_of_a_free_outline_is_measured(tmp_path: Path) -> None:
    arrow = place(face("arrow", stock=ARROW), 40, 50)
    level = LineMark(PdfLayer.CUT, Point(30, 50.4), Point(70, 50.4))  # no mark of the arrow's
    cases = {
        "fine": ("M45 70L40 50L70 60Z", []),
        "moved": ("M45.1 70L40.1 50L70.1 60Z", ["GP814"]),
        "elsewhere": ("M45 170L40 150L70 160Z", ["GP814"]),
    }
    for name, (path, expected) in cases.items():
        pdf = write(tmp_path / name, [sheet([arrow], (*ruler(), die(path)))], backs=Backs.NONE)
        assert codes(pdf) == expected
    assert "lies 0.10 mm beside its place" in messages(tmp_path / "moved" / pdf.name)
    assert "has no die line at its place" in messages(pdf)
    mixed = [sheet([arrow], (*ruler(), die("M45 70L40 50L70 60Z"), level))]
    assert codes(write(tmp_path / "mixed", mixed, backs=Backs.NONE)) == ["GP814"]


def test_a_free_outline_may_have_an_edge_near_a_neighbours(tmp_path: Path) -> None:
    """Its own edge, half a millimetre beside the card's, is no mark of the card."""
    card = Rect(20, 20, 63, 88)
    notched = Stock("notch", Size(30, 20), shape=Shape.PATH, path="M0 0H30V20H20V19.5H0Z")
    free = place(face("notch", stock=notched), 100, 88)
    marks = (*ruler(), *crop_marks(card), die("M100 88H130V108H120V107.5H100Z"))
    pdf = write(tmp_path, [sheet([place(face("card-1"), 20, 20), free], marks)], backs=Backs.NONE)
    assert codes(pdf) == []


def test_a_sticker_that_no_mark_may_stand_beside_is_not_measured(tmp_path: Path) -> None:
    token = place(face("token", stock=ROUND), 30, 30)
    stickers = [unmarked(face("label"), 120, 20), token]
    path = write(tmp_path, [sheet(stickers, (*ruler(), die(CIRCLE)))], backs=Backs.NONE)
    assert codes(path) == []


def test_a_page_that_lost_all_its_marks_is_told_of(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([place(face("card-1"), 20, 20)])], backs=Backs.NONE)
    assert codes(path) == ["GP814"]


WIDE = Stock("board", Size(200, 120))


def test_a_piece_that_leaves_no_room_for_some_of_its_marks_is_warned_of(tmp_path: Path) -> None:
    upright = [LineMark(PdfLayer.CUT, Point(x, 8), Point(x, 12)) for x in (5, 205)]
    page = sheet([place(face("board", stock=WIDE), 5, 20)], (*ruler(), *upright))
    path = write(tmp_path, [page], backs=Backs.NONE)
    assert codes(path) == ["GP814"]
    assert "leaves no room for some of its cut marks" in messages(path)
    assert severities(path) == {"warning"}


def test_a_fold_near_a_piece_is_no_cut_mark_of_it(tmp_path: Path) -> None:
    fold = LineMark(PdfLayer.FOLD, Point(83.5, 0), Point(83.5, 297))
    marks = (*ruler(), *crop_marks(Rect(20, 20, 63, 88)), fold)
    path = write(tmp_path, [sheet([place(face("card-1"), 20, 20)], marks)], backs=Backs.NONE)
    assert codes(path) == []


def test_a_piece_in_the_white_margin_is_told_of(tmp_path: Path) -> None:
    path = write(tmp_path, [sheet([unmarked(face("card-1"), 3, 20)])], backs=Backs.NONE)
    assert codes(path) == ["GP812"]
    assert "reaches into the 5 mm that stay white" in messages(path)
    tell(path, lambda file: file["pages"][0].update(margin_mm=3))
    assert codes(path) == []


def test_a_cut_mark_through_a_piece_is_told_of(tmp_path: Path) -> None:
    through = LineMark(PdfLayer.CUT, Point(50, 10), Point(50, 40))
    marks = (*ruler(), *crop_marks(Rect(20, 20, 63, 88)), through)
    path = write(tmp_path, [sheet([place(face("card-1"), 20, 20)], marks)], backs=Backs.NONE)
    assert codes(path) == ["GP814"]
    assert "a cut mark runs into the front of 'card-1'" in messages(path)
