"""`gridpress new pack` and `new kind --like`: every new pack and kind prints without a finding."""

import re
import shutil
from pathlib import Path

import pytest
import yaml

from generator.cli import run
from generator.project import shipped_root
from generator.starters import likes

LIMITS = yaml.safe_load(
    (Path(__file__).parents[1] / "fixtures/starters-at-their-limits.yaml").read_text("utf-8")
)

OTHER_STOCKS = {
    "dice-stickers": "die-sticker-19",
    "score-pad": "reference",
}


@pytest.fixture(scope="module")
def all_of_them(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Start a pack with one kind like each that Gridpress offers."""
    folder = tmp_path_factory.mktemp("started")
    assert run(["new", "pack", "The Whispering Woods", "--in", str(folder)]) == 0
    for like in likes():
        words = ["new", "kind", f"my-{like}", "--like", like]
        assert run([*words, "--plural", f"my-{like}s", "--in", str(folder)]) == 0
    return folder


@pytest.mark.parametrize(
    ("bleed", "ink", "most"),
    [
        (None, "full", 1),
        pytest.param(
            "0mm",
            "low",
            0.2,
            marks=pytest.mark.xfail(reason="GP813 sees a border where art ends at the cut"),
        ),
        ("6mm", "mono", 0.6),
    ],
)
def test_all_that_is_started_prints_without_a_finding_at_any_bleed_in_any_ink(
    bleed: str | None,
    ink: str,
    most: float,
    all_of_them: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The shipped bleed is tried on all papers. Without bleed the faces have other sizes; at the
    widest bleed the most demanding components are drawn."""
    folder = Path(shutil.copytree(all_of_them, tmp_path, dirs_exist_ok=True))
    if bleed is not None:
        stocks = yaml.safe_load((shipped_root() / "cards/shared/stocks.yaml").read_text("utf-8"))
        for stock in stocks["stocks"].values():
            stock["bleed"] = bleed
        (folder / "cards/shared").mkdir()
        (folder / "cards/shared/stocks.yaml").write_text(yaml.safe_dump(stocks), "utf-8")
    for like, stock in OTHER_STOCKS.items() if bleed == "0mm" else ():
        path = folder / f"cards/the-whispering-woods/kinds/my-{like}.yaml"
        text = path.read_text("utf-8")
        changed = re.sub(r"(?m)^stock: [\w-]+", f"stock: {stock}", text)
        assert changed != text
        path.write_text(changed, "utf-8")
    for like, listed in LIMITS.items() if bleed == "6mm" else ():
        data = {"kind": f"my-{like}", "components": listed}
        path = folder / f"cards/the-whispering-woods/my-{like}s.yaml"
        path.write_text(yaml.safe_dump(data, allow_unicode=True), "utf-8")
    words = ["build", str(folder), "-o", str(tmp_path / "out"), "--strict", "--ink", ink]
    words += [] if bleed is None else ["--paper", "a4"]
    assert run(words) == 0, capsys.readouterr().err


def test_what_shows_the_game_has_its_title(all_of_them: Path) -> None:
    cards = all_of_them / "cards/the-whispering-woods"
    shown = ("board", "lid-and-base", "score-pad", "sleeve", "tuck-box")
    for file in (*(f"my-{like}s.yaml" for like in shown), "my-ruless.md"):
        assert "The Whispering Woods" in (cards / file).read_text("utf-8"), file


def test_a_pack_is_called_as_it_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "pack", 'The König\u2019s "Way": #1', "--in", str(tmp_path)]) == 0
    pack = yaml.safe_load((tmp_path / "cards/the-koenigs-way-1/pack.yaml").read_text("utf-8"))
    assert pack["title"] == 'The König\u2019s "Way": #1'
    assert (tmp_path / ".gitignore").read_text("utf-8") == "output/\n"
    assert run(["check", str(tmp_path), "--strict"]) == 0
    assert run(["new", "pack", "★", "--in", str(tmp_path)]) == 2
    assert run(["new", "pack", "a\nb", "--in", str(tmp_path)]) == 2
    capsys.readouterr()


def test_a_title_that_names_no_folder_is_told_what_to_do(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "pack", "★★★", "--in", str(tmp_path)]) == 2
    assert "'★★★'" in (said := capsys.readouterr().err)
    assert "title:" in said
    assert not list(tmp_path.iterdir())
    assert run(["new", "pack", "Моя игра", "--in", str(tmp_path)]) == 0
    assert "Моя игра" in (tmp_path / "cards/moya-igra/pack.yaml").read_text("utf-8")


def test_stocks_and_papers_are_listed_with_the_project_s_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = tmp_path / "cards/shared"
    shared.mkdir(parents=True)
    (shared / "stocks.yaml").write_text("stocks: {slab: {size: [1in, 40mm], description: A slab}}")
    (tmp_path / "printer.yaml").write_text("name: Here")
    monkeypatch.chdir(tmp_path)
    assert run(["list", "--stocks", "--papers"]) == 0
    listed = [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]
    assert "slab 25.4 × 40 rectangle A slab" in listed
    assert "a4 210 × 297 paper A4" in listed
    assert "l7651 38.1 × 21.2 labels on a4 Avery L7651 (65 labels)" in listed


def test_umlauts_are_kept_in_titles_and_written_out_in_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "pack", "game", "--in", str(tmp_path)]) == 0
    for typed in ("Würfel", "Wu\u0308rfel"):
        assert run(["new", "kind", f"große {typed}", "--in", str(tmp_path)]) in (0, 1)
    kind = tmp_path / "cards/game/kinds/grosse-wuerfel.yaml"
    assert yaml.safe_load(kind.read_text("utf-8"))["title"] == "Große Würfel"
    prints = yaml.safe_load((tmp_path / "cards/game/pack.yaml").read_text("utf-8"))["prints"]
    assert prints["grosse-wuerfel"]["title"] == "Große Würfel"
    assert "GP704" in capsys.readouterr().err


def test_face_files_start_in_a_pack_with_colours_of_its_own(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "pack", "game", "--in", str(tmp_path)]) == 0
    styles = tmp_path / "templates/game/styles.yaml"
    text = styles.read_text("utf-8").replace("warm", "gold").replace("mark", "rust")
    styles.write_text(text, "utf-8")
    (tmp_path / "templates/game/card.face.yaml").write_text("face: poker\nboxes: {}\n", "utf-8")
    (tmp_path / "templates/game/card-back.svg.j2").write_text("<g/>", "utf-8")
    assert run(["new", "kind", "token", "--like", "token", "--in", str(tmp_path)]) == 0
    started = (tmp_path / "templates/game/token.face.yaml").read_text("utf-8")
    assert 'edge: "#d9a441 0.75mm"' in started
    assert run(["check", str(tmp_path)]) == 0, capsys.readouterr().err
