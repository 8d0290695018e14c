"""Findings of a file that was built here, untouched and after each kind of change."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from export.hand_made import face, place, sheet, text, write
from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream

from generator.build import Order, press_pack
from generator.cli import run
from generator.diagnostics import GridpressError, Severity
from generator.model.manifest import MANIFEST, face_name
from generator.preflight import preflight
from generator.project import find_targets

CARDS = [face(f"card-{n}", text(f"Word {n}")) for n in range(3)]
BASE = Path(__file__).parents[1] / "fixtures/faults/base"


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("built")
    first = sheet([place(CARDS[0], 20, 20), place(CARDS[1], 110, 20)])
    second = sheet([place(CARDS[0], 20, 20), place(CARDS[2], 110, 20)], number=2)
    return write(folder, [first, second])


@pytest.fixture
def copy(built: Path, tmp_path: Path) -> Path:
    shutil.copy(built.with_name(MANIFEST), tmp_path)
    return Path(shutil.copy(built, tmp_path))


def changed(path: Path, change: Callable[[Pdf], object]) -> None:
    with Pdf.open(path, allow_overwriting_input=True) as pdf:
        change(pdf)
        pdf.save(path)


def form(pdf: Pdf, number: int) -> Object:
    name = face_name(CARDS[number].sha256)
    return next(
        p.Resources.XObject[f"/{name}"] for p in pdf.pages if f"/{name}" in p.Resources.XObject
    )


def said(path: Path) -> list[tuple[str, str]]:
    return [(found.code, found.diagnostic("x").message) for found in preflight(path)]


def test_a_file_as_built_is_fine(copy: Path) -> None:
    assert preflight(copy) == ()


def test_a_file_that_was_saved_again_is_as_good(copy: Path) -> None:
    changed(copy, lambda pdf: pdf.docinfo.update({"/Author": pikepdf.String("Ann")}))
    (found,) = preflight(copy)
    assert (found.code, found.severity) == ("GP806", Severity.WARNING)
    assert "did not change" in found.message


def test_a_face_that_changed_is_named_once_with_its_pages(copy: Path) -> None:
    changed(copy, lambda pdf: form(pdf, 0).write(form(pdf, 0).read_bytes() + b" 0 0 9 9 re f"))
    assert said(copy) == [("GP806", "pages 1–2: front of card/card-0 changed after the build")]


def test_a_face_that_is_gone_is_named(copy: Path) -> None:
    name = face_name(CARDS[2].sha256).encode()

    def take_away(pdf: Pdf) -> None:
        page = pdf.pages[1]
        content = b"\n".join(
            line for line in page.Contents.read_bytes().splitlines() if name not in line
        )
        page.Contents = pdf.make_stream(content)

    changed(copy, take_away)
    assert said(copy) == [("GP806", "page 2: front of card/card-2 is missing")]


def blackened(pdf: Pdf) -> None:
    for thing in pdf.objects:
        if isinstance(thing, Stream) and thing.get("/Subtype") == Name.Image:
            thing.write(bytes(len(thing.read_bytes())))


def spoilt(pdf: Pdf) -> None:
    for thing in pdf.objects:
        if isinstance(thing, Dictionary) and "/FontFile2" in thing:
            thing.FontFile2 = pdf.make_stream(thing.FontFile2.read_bytes() + b"\0")


@pytest.mark.parametrize("change", [blackened, spoilt])
def test_a_picture_or_font_that_changed_is_told_at_the_face_that_shows_it(
    change: Callable[[Pdf], object], tmp_path: Path
) -> None:
    shutil.copytree(BASE, tmp_path / "project")
    (target,) = find_targets([str(tmp_path / "project")])
    (file,) = press_pack(target, Order(), tmp_path / "out").value
    assert preflight(file.path) == ()
    changed(file.path, change)
    assert ("GP806", "page 1: front of card/first changed after the build") in said(file.path)


def move(pdf: Pdf) -> None:
    page = pdf.pages[0]
    page.Contents = pdf.make_stream(b"q 1 0 0 1 9 0 cm " + page.Contents.read_bytes() + b" Q")


def shrink(pdf: Pdf) -> None:
    pdf.pages[1].MediaBox = Array([0, 0, 500, 700])


def unembed(pdf: Pdf) -> None:
    for thing in pdf.objects:
        if isinstance(thing, Dictionary) and "/FontFile2" in thing:
            del thing["/FontFile2"]


@pytest.mark.parametrize(
    ("change", "code", "message"),
    [
        (move, "GP806", "page 1: the page changed after the build"),
        (shrink, "GP801", "page 2: the page is 176.4 × 246.9 mm; the build made it 210 × 297 mm"),
        (lambda pdf: pdf.pages[0].__delitem__("/TrimBox"), "GP802", "page 1: the page lost its"),
        (lambda pdf: pdf.pages.__delitem__(1), "GP801", "the file has 1 pages; the build wrote 2"),
        (unembed, "GP804", "is not embedded"),
    ],
)
def test_what_changed_on_a_page_is_named(
    change: Callable[[Pdf], object], code: str, message: str, copy: Path
) -> None:
    changed(copy, change)
    assert any(found[0] == code and message in found[1] for found in said(copy))


def test_a_damaged_file_is_damaged(copy: Path) -> None:
    copy.write_bytes(copy.read_bytes()[:3000])
    (found,) = preflight(copy)
    assert found.code == "GP808"


def test_a_locked_file_says_so(copy: Path) -> None:
    with Pdf.open(copy, allow_overwriting_input=True) as pdf:
        pdf.save(copy, encryption=pikepdf.Encryption(owner="a", user="b"))
    (found,) = preflight(copy)
    assert "password" in found.message


@pytest.mark.parametrize("name", ["nothing.pdf", "."])
def test_what_cannot_be_read_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(GridpressError, match="GP002"):
        preflight(tmp_path / name)


def test_a_manifest_that_cannot_be_read_is_told(copy: Path) -> None:
    copy.with_name(MANIFEST).write_text("{", encoding="utf-8")
    with pytest.raises(GridpressError, match="GP002"):
        preflight(copy)


def test_findings_are_told_as_json_and_as_a_page(
    copy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["preflight", str(copy), "--report", str(tmp_path / "report"), "--format", "json"]
    assert run(words) == 0
    assert json.loads(capsys.readouterr().out) == []
    changed(copy, move)
    assert run(words) == 1
    (told,) = json.loads(capsys.readouterr().out)
    assert (told["code"], told["page"], told["severity"]) == ("GP806", 1, "error")
    page = (tmp_path / "report/preflight.html").read_text("utf-8")
    assert "the page changed after the build" in page
