from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from msgspec.structs import replace
from pikepdf import Array, Name
from preflight.strangers import GROUND, as_x, card, changed, findings, told

from generator.cli import run
from generator.model.catalogue import PdfProfile
from generator.outlets import pdf_profiles_of
from generator.project import project_here

PROFILES = pdf_profiles_of(project_here())
DRIVETHRU, PRESS, HOME = (PROFILES.value[name] for name in ("drivethru", "press-eu", "home"))
TGC, MPC = PROFILES.value["tgc"], PROFILES.value["mpc"]
RGB = "0.2 0.4 0.3 rg 0 0 400 400 re f"
WORDS = "BT /F1 9 Tf 1 g 13 120 Td (some words) Tj ET"


def test_the_shipped_profiles_have_no_fault() -> None:
    assert PROFILES.diagnostics == ()
    assert list(PROFILES.value) == ["drivethru", "tgc", "mpc", "press-eu", "home"]


@pytest.mark.parametrize("profile", [DRIVETHRU, replace(PRESS, standards=())])
def test_what_a_press_wants_is_taken(tmp_path: Path, profile: PdfProfile) -> None:
    assert findings(as_x(card(tmp_path / "card.pdf")), profile) == []


def make(content: str = "", ground: str = GROUND) -> Callable[[Path], Path]:
    return lambda path: as_x(card(path, content, ground=ground))


@pytest.mark.thorough(but=5)
@pytest.mark.parametrize(
    ("made", "profile", "wanted"),
    [
        (lambda p: as_x(changed(card(p), TrimBox=Array([40, 40, 90, 90]))), DRIVETHRU, {"GP881"}),
        (lambda p: as_x(changed(card(p), TrimBox=None)), DRIVETHRU, {"GP882"}),
        (lambda p: as_x(changed(card(p), BleedBox=Array([5, 5, 193, 265]))), PRESS, {"GP882"}),
        (make(ground=RGB), DRIVETHRU, {"GP883"}),
        (make("/Gold cs 1 scn 60 60 40 40 re f"), DRIVETHRU, {"GP883"}),
        (make("/Gold cs 1 scn 60 60 40 40 re f"), PRESS, set()),
        (make(ground="0.7 0.7 0.7 0.4 k 0 0 400 400 re f"), DRIVETHRU, {"GP842"}),
        (make(ground="0.7 0.7 0.7 0.4 k 0 0 400 400 re f"), PRESS, set()),
        (make(ground="0.9 0.9 0.9 0.4 k 0 0 400 400 re f"), PRESS, {"GP842"}),
        (make("/Half gs 0 0 0 1 k 60 60 40 40 re f"), DRIVETHRU, {"GP885"}),
        (lambda p: as_x(card(p, pages=3)), DRIVETHRU, {"GP886"}),
        (make(WORDS), DRIVETHRU, {"GP804", "GP823"}),
        (card, DRIVETHRU, {"GP884"}),
        (lambda p: as_x(card(p), "PDF/X-4"), DRIVETHRU, {"GP884"}),
        (lambda p: as_x(card(p), condition="CGATS TR 001"), PRESS, {"GP884"}),
        (lambda p: card(p, ground=RGB), TGC, {"GP887"}),
        (lambda p: card(p, ground=RGB), MPC, {"GP887"}),
        (card, TGC, {"GP883", "GP887"}),
        (lambda p: changed(card(p, ground=RGB), TrimBox=None), TGC, {"GP887"}),
        (
            lambda p: changed(card(p, ground=RGB), MediaBox=Array([-20, -20, 220, 290])),
            TGC,
            {"GP881", "GP887"},
        ),
        (card, HOME, {"GP881"}),
    ],
)
def test_what_is_refused(
    tmp_path: Path, made: Callable[[Path], Path], profile: PdfProfile, wanted: set[str]
) -> None:
    assert told(made(tmp_path / "card.pdf"), profile) == wanted


def in_jpx(path: Path, said: str) -> Path:
    with pikepdf.open(as_x(card(path), said), allow_overwriting_input=True) as pdf:
        pdf.pages[0].Resources.XObject.Im.write(b"", filter=Name.JPXDecode)
        pdf.save(path)
    return path


def test_what_a_standard_has_not_is_told(tmp_path: Path) -> None:
    """An ArtBox beside a TrimBox (ISO 15930-1, 6.8), and JPEG 2000 before PDF 1.5."""
    for said, times in ("PDF/X-1a:2003", 1), ("PDF/X-4", 0):
        told = [f.message for f in findings(in_jpx(tmp_path / "card.pdf", said), PRESS)]
        assert sum("JPEG 2000" in message for message in told) == times
    both = changed(as_x(card(tmp_path / "both.pdf")), ArtBox=Array([10, 10, 100, 100]))
    told = [f.message for f in findings(both, PRESS) if f.code == "GP884"]
    assert ["an ArtBox" in message for message in told] == [True]


def test_too_many_pages_and_bytes(tmp_path: Path) -> None:
    path = card(tmp_path / "card.pdf", ground=RGB)
    few = replace(TGC, most_pages=1, most_bytes=100)
    assert [f.code for f in findings(path, few)] == ["GP886", "GP886", "GP887"]


def test_a_printer_at_home_has_margins(tmp_path: Path) -> None:
    paper = Array([0, 0, 595.28, 841.89])
    whole = {"MediaBox": paper, "TrimBox": None, "BleedBox": None}
    near = changed(card(tmp_path / "near.pdf", ground="0.5 g 5 5 300 300 re f", pages=1), **whole)
    [found] = findings(near, HOME)
    assert (found.code, found.message) == (
        "GP812",
        "something lies in the 5 mm that stay white, at the left and lower edge",
    )
    clear = changed(card(tmp_path / "far.pdf", ground="0.5 g 20 20 300 300 re f", pages=1), **whole)
    assert findings(clear, HOME) == []


def test_a_profile_that_there_is_not_is_wrong_usage_and_lists_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(card(tmp_path / "card.pdf"))
    assert run(["preflight", path, "--profile", "moon"]) == 2
    said = capsys.readouterr().err
    assert all(name in said for name in PROFILES.value)
    assert run(["preflight", path, "--profile", "home", "--format", "json", "--no-cache"]) == 1
    assert "GP881" in capsys.readouterr().out


def test_a_folder_with_no_more_than_profiles_has_them_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "cards/shared/pdf_profiles.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("profiles: {own: {title: Own, dpi: many}}", "utf-8")
    path = str(card(tmp_path / "card.pdf"))
    assert run(["preflight", path, "--profile", "own"]) == 1
    assert "cards/shared/pdf_profiles.yaml:1:35: error" in capsys.readouterr().err


@pytest.mark.parametrize(("profile", "is_told"), [(TGC, True), (DRIVETHRU, False)])
def test_a_side_of_a_card_may_be_blank_where_there_must_be_two(
    tmp_path: Path, profile: PdfProfile, is_told: bool
) -> None:
    path = card(tmp_path / "card.pdf", ground="1 g 0 0 9 9 re f")
    assert ("GP875" in told(path, profile)) == is_told


def test_intents_that_are_none_are_no_bug_of_ours(tmp_path: Path) -> None:
    path = as_x(card(tmp_path / "card.pdf"))
    with pikepdf.open(path, allow_overwriting_input=True) as pdf:
        pdf.Root.OutputIntents = Name.Foo
        pdf.save(path)
    [found] = findings(path, PRESS)
    assert (found.code, "it has no output intent" in found.message) == ("GP884", True)
