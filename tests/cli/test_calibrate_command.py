"""A target is printed and read: printer.yaml holds the measures, and the next target prints with
them."""

from __future__ import annotations

import shutil
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
import yaml
from PIL import Image

from generator.build import printer_of
from generator.cli import run
from generator.geometry import Matrix, Point, Size
from generator.model.catalogue import PrinterStretch
from generator.preflight import preflight
from generator.project import Project, Target, find_targets, shipped_root

A4 = Size(210, 297)
TARGET = Path("output/calibrate/target-a4.pdf")
PER_MM = 5


@pytest.fixture(autouse=True)
def _in_a_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="module")
def _target(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder made by `gridpress calibrate`."""
    folder = tmp_path_factory.mktemp("target")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        assert run(["calibrate"]) == 0
    return folder


@pytest.fixture
def _a_target(_target: Path) -> None:
    """Copy the target to the current folder."""
    shutil.copytree(_target / "output", "output")


def printed(page: int, by: Point, stretch: PrinterStretch) -> str:
    """Return a scan of the target as a printer with these errors prints it."""
    document = pypdfium2.PdfDocument(TARGET)
    size = (round(A4.width * PER_MM), round(A4.height * PER_MM))
    told = document[page].render(scale=PER_MM * 25.4 / 72).to_pil().convert("L").resize(size)
    document.close()
    lands = Matrix(e=by.x, f=by.y).then(stretch.lands(A4))
    a, b, c, d, e, f = lands.inverse
    ways = (a, c, e * PER_MM, b, d, f * PER_MM)
    scan = told.transform(
        size, Image.Transform.AFFINE, ways, Image.Resampling.BICUBIC, fillcolor=255
    )
    scan.save(f"{page}.png")
    return f"{page}.png"


def test_the_loop_is_closed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Path("printer.yaml").write_text("tolerance: 0.3mm  # seen\n", encoding="utf-8")
    front, back = (
        (Point(0.6, -0.4), PrinterStretch(1.003, 0.996, 0.3)),
        (Point(-1, 0.8), PrinterStretch(0.998)),
    )
    assert run(["calibrate", "--printer", "Küche"]) == 0
    assert preflight(TARGET) == ()
    first = [printed(0, *front), printed(1, *back)]
    assert run(["calibrate", "--picture", first[0], "--picture", first[1]]) == 0
    text = Path("printer.yaml").read_text(encoding="utf-8")
    assert "# seen" in text
    found = yaml.safe_load(text)
    assert found["name"] == "Küche"
    assert found["front_scale"] == pytest.approx([1.003, 0.996], abs=6e-4)
    assert found["front_skew"] == pytest.approx(0.3, abs=0.02)
    assert float(found["back"][0].removesuffix("mm")) == pytest.approx(-1, abs=0.08)

    assert run(["calibrate"]) == 0
    assert preflight(TARGET) == ()
    capsys.readouterr()
    assert run(["calibrate", "--picture", first[0]]) == 1  # a sheet from before
    assert "an older sheet" in capsys.readouterr().err
    again = [printed(0, *front), printed(1, *back)]
    assert run(["calibrate", "--picture", again[0], "--picture", again[1]]) == 0
    for line in capsys.readouterr().out.splitlines()[:2]:
        right, below = (abs(float(line.split()[at])) for at in (1, 6))
        assert max(right, below) < 0.08, line


def test_a_printer_that_turns_over_the_short_edge() -> None:
    """Every back is printed upside down on the page, except that of the target."""
    back = Point(-1, 0.75), PrinterStretch(0.998)
    assert run(["calibrate", "--backs", "duplex-short"]) == 0
    assert preflight(TARGET) == ()
    assert run(["calibrate", "--picture", printed(1, *back)]) == 0
    told = yaml.safe_load(Path("printer.yaml").read_text(encoding="utf-8"))
    assert [float(by.removesuffix("mm")) for by in told["back"]] == pytest.approx(
        [-1, 0.75], abs=0.04
    )


def test_a_folder_with_no_more_than_that_file_counts_for_shipped_packs(tmp_path: Path) -> None:
    Path("printer.yaml").write_text("front: [1mm, 0mm]\n", encoding="utf-8")
    around = Project(tmp_path, shipped_root())
    assert find_targets(["road-joust"]) == (Target(around, "road-joust"),)
    assert Target(around, "road-joust") in find_targets([])
    printer = printer_of(around).value
    assert printer is not None
    assert printer[1].front == Point(1, 0)


def test_what_is_read_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "--paper", "Letter"]) == 0
    words = ("--front=0.25,−0.5", "--back=-1 , 0.75,171.9,235.4")
    assert run(["calibrate", *words, "--printer", "attic"]) == 0
    assert yaml.safe_load(Path("printer.yaml").read_text(encoding="utf-8")) == {
        "name": "attic",
        "front": ["0.25mm", "-0.5mm"],
        "back": ["-1mm", "0.75mm"],
    }
    assert "gridpress calibrate --paper letter" in capsys.readouterr().out


def test_a_build_says_that_it_is_shifted(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["build", "dragon-draft", "--only", "sootling", "--paper", "a4"]
    assert run(asked) == 0
    assert "shifted" not in capsys.readouterr().out
    Path("printer.yaml").write_text("name: attic\nfront: [1mm, 0mm]\n", encoding="utf-8")
    assert run(asked) == 0
    assert "shifted for attic, as printer.yaml says" in capsys.readouterr().out


@pytest.mark.parametrize("paper", ["tabloid", "photo-4x6"])
def test_on_every_paper(paper: str) -> None:
    assert run(["calibrate", "--paper", paper, "--backs", "duplex-short"]) == 0
    path = TARGET.with_name(f"target-{paper}.pdf")
    assert preflight(path) == ()
    with pikepdf.open(path) as pdf:
        assert len(pdf.pages) == 2
        assert pdf.Root.ViewerPreferences.Duplex == "/DuplexFlipShortEdge"


@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--front", "0,1"), 1, "GP611"),
        (("--picture", "x.png"), 1, "GP611"),
        (("--paper", "b9"), 1, "GP603"),
        (("--front", "1"), 2, "two numbers"),
        (("--front", "a,b"), 2, "two numbers"),
        (("--back", "25,0"), 2, "20 mm"),
        (("--printer", "x" * 80), 2, "60 printable letters"),
        (("--printer", "one\ntwo"), 2, "60 printable letters"),
    ],
)
def test_what_cannot_be(
    capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, told: str
) -> None:
    """Nothing was printed yet."""
    assert run(["calibrate", *words]) == status
    assert told in capsys.readouterr().err
    assert not Path("printer.yaml").exists()


@pytest.mark.usefixtures("_a_target")
def test_what_no_printer_does(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["calibrate", "--front", "0,0,100,253"]) == 1
    assert "100 %" in capsys.readouterr().err
    assert run(["calibrate", "--picture", "none.png"]) == 1
    assert "does not exist" in capsys.readouterr().err
    assert not Path("printer.yaml").exists()


def test_a_broken_printer_yaml_is_told_and_stays(capsys: pytest.CaptureFixture[str]) -> None:
    Path("printer.yaml").write_text("front: [1mm]\n", encoding="utf-8")
    assert run(["calibrate"]) == 1
    assert "printer.yaml:1" in capsys.readouterr().err
    assert Path("printer.yaml").read_text(encoding="utf-8") == "front: [1mm]\n"
