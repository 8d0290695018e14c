"""`pack-up` takes only files that a pack uses; zips that could do harm are not unpacked."""

import io
import os
import stat
import sys
import tempfile
import zipfile
from functools import partial
from pathlib import Path

import pytest
from PIL import Image

from generator import bundle
from generator.bundle import unpacked_archives
from generator.cli import run
from generator.diagnostics import GridpressError

PACK = {
    "cards/mini/pack.yaml": b"title: M\nversion: 1.0.0\nprints: {a: {kinds: [k], papers: [a4]}}\n",
    "cards/mini/kinds/k.yaml": b"kind: k\nstock: poker\nfaces: {front: shared/blank-back.svg.j2}\n",
    "cards/mini/ks.yaml": b"kind: k\ncomponents: [{id: a}]\n",
}


@pytest.fixture(autouse=True)
def workplace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A current folder, and one for temporary files that must be empty in the end."""
    (tmp_path / "temporary").mkdir()
    (tmp_path / "here").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path / "here"


def left_behind() -> list[Path]:
    return list(Path(tempfile.gettempdir()).rglob("gridpress-*/*"))


def refused(content: bytes) -> str:
    Path("bad.zip").write_bytes(content)
    before = {path for path in Path("..").rglob("*") if "temporary" not in path.parts}
    with pytest.raises(GridpressError) as caught, unpacked_archives(["bad.zip"]):
        pass
    (told,) = caught.value.diagnostics
    assert told.span.file == "bad.zip"
    assert told.hint
    assert {path for path in Path("..").rglob("*") if "temporary" not in path.parts} == before
    assert left_behind() == []
    return told.code


def zipped(files: dict[str, bytes]) -> bytes:
    made = io.BytesIO()
    bundle.zipped({name: partial(bytes, content) for name, content in files.items()}, made)
    return made.getvalue()


def raw(*names: str | zipfile.ZipInfo) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name in names:
            archive.writestr(name, b"x")
    return made.getvalue()


def a_link() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("cards/link.yaml")
    entry.external_attr = (stat.S_IFLNK | 0o777) << 16
    return entry


def a_pipe() -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo("cards/pipe.yaml")
    entry.external_attr = (stat.S_IFIFO | 0o666) << 16
    return entry


def test_a_project_comes_out_as_it_was_packed_up(
    workplace: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["new", "pack", "My Game", "--in", "game"]) == 0
    for name in ("shown.png", "unused.png"):
        Image.linear_gradient("L").resize((900, 700)).convert("RGB").save(
            f"game/cards/my-game/{name}"
        )
    cards = Path("game/cards/my-game/cards.yaml")
    cards.write_text(cards.read_text("utf-8").replace("scene: ship", "art: shown.png"), "utf-8")
    for name in (".git/config", "output/x.pdf", "diary.txt", "cards/my-game/x.psd"):
        Path("game", name).parent.mkdir(parents=True, exist_ok=True)
        Path("game", name).write_text("mine", "utf-8")
    assert run(["build", "game", "--paper", "a4", "-o", "one", "--no-cache"]) == 0
    assert run(["pack-up", "game"]) == 0
    with zipfile.ZipFile("game.zip") as archive:
        names = archive.namelist()
    assert "cards/my-game/shown.png" in names
    assert [n for n in names if any(w in n for w in ("unused", "git", "pdf", "diary", "psd"))] == []
    first = Path("game.zip").read_bytes()
    assert f"files, {len(first) / 1000:.0f} kB\n" in capsys.readouterr().out
    assert run(["pack-up", "game", "-o", "other.zip"]) == 0
    assert Path("other.zip").read_bytes() == first
    assert run(["build", "game.zip", "--paper", "a4", "-o", "two", "--no-cache"]) == 0
    same = [Path(out, "my-game/cards-a4.pdf").read_bytes() for out in ("one", "two")]
    assert same[0] == same[1]
    assert run(["check", "game.zip", "--strict"]) == 0
    assert left_behind() == []
    capsys.readouterr()


def test_only_what_is_used_is_packed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "pack", "My Game", "--in", "game"]) == 0
    cards, drawn = Path("game/cards/my-game"), Path("game/templates/my-game")
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">'
    icon = svg + '<path d="M0 0h9v9z" fill="{}"/></svg>'
    (drawn / "icons").mkdir()
    (drawn / "parts").mkdir()
    for name in ("star-{}", "seahorse", "crossbow"):
        for colour in ("red", "blue") if "{" in name else ("red",):
            icon_file = drawn / "icons" / f"{name.format(colour)}.svg"
            icon_file.write_text(icon.format(colour), "utf-8")
    (drawn / "parts/used.svg.j2").write_text("{{ icon('star-' ~ 'red', 9, 70, 5) }}")
    (drawn / "parts/spare.svg.j2").write_text("{{ icon('crossbow', 9, 70, 5) }}")
    front = drawn / "card.svg.j2"
    kind = cards / "kinds/card.yaml"
    kind.write_text(kind.read_text("utf-8").replace("card.face.yaml", "card.svg.j2"), "utf-8")
    add = "{% include 'my-game/parts/used.svg.j2' %}{{ icon('star-blue', 20, 70, 5) }}"
    front.write_text('{{ boxes("card.face.yaml") }}' + add, "utf-8")
    table = (cards / "cards.yaml").read_text("utf-8").splitlines()[0]
    (cards / "cards.yaml").write_text(f"{table}\nkind: card\nrows: deck.csv\n")
    (cards / "deck.csv").write_text(
        "name,cost,copies,art,text\nOne,1,2,a.png,Go.\nTwo,2,0,b.png,Stop.\n"
    )
    for name in ("a", "b", "c"):
        Image.linear_gradient("L").resize((900, 700)).convert("RGB").save(cards / f"{name}.png")
    for name in ("notes.md", "unused.csv", "LICENSE", "Credits.txt"):
        (cards / name).write_text("mine")
    (cards / "locales").mkdir()
    (cards / "locales/de.yaml").write_text("components: {card: {one: {name: Eins}}}\n")
    assert run(["build", "game", "--paper", "a4", "-o", "one", "--no-cache"]) == 0
    assert run(["pack-up", "game"]) == 0
    with zipfile.ZipFile("game.zip") as archive:
        names = archive.namelist()
    of_cards = {name.removeprefix("cards/my-game/") for name in names if name.startswith("cards")}
    assert of_cards == {
        *("pack.yaml", "cards.yaml", "kinds/card.yaml", "deck.csv", "a.png", "b.png"),
        *("locales/de.yaml", "LICENSE", "Credits.txt"),
    }
    of_templates = {Path(name).name for name in names if name.startswith("templates")}
    assert of_templates == {
        *("card.svg.j2", "card.face.yaml", "card-back.svg.j2", "styles.yaml", "used.svg.j2"),
        *("star-red.svg", "star-blue.svg"),
    }
    assert run(["build", "game.zip", "--paper", "a4", "-o", "two", "--no-cache"]) == 0
    same = [Path(out, "my-game/cards-a4.pdf").read_bytes() for out in ("one", "two")]
    assert same[0] == same[1]
    asked = "{{ icon('sea horse' | replace(' ', ''), 30, 70, 5) }}"
    more = f"{{% if c.name == 'Eins' %}}{asked}{{% endif %}}"  # of the German cards alone
    front.write_text(front.read_text("utf-8") + more, "utf-8")
    assert run(["pack-up", "game"]) == 0
    with zipfile.ZipFile("game.zip") as archive:
        assert "templates/my-game/icons/seahorse.svg" in archive.namelist(), "all, to be sure"
    capsys.readouterr()


@pytest.mark.skipif(sys.platform != "linux", reason="other systems refuse such names at once")
@pytest.mark.parametrize("name", [b"c\xff.yaml", b"a:b.yaml", b"aux.yaml", b"a .yaml ./b.yaml"])
def test_a_name_that_not_every_system_has_is_not_packed_up(
    name: bytes, capsys: pytest.CaptureFixture[str]
) -> None:
    for path, content in PACK.items():
        Path("p", path).parent.mkdir(parents=True, exist_ok=True)
        Path("p", path).write_bytes(content)
    target = b"p/cards/mini/" + name
    os.makedirs(os.path.dirname(target), exist_ok=True)
    os.rename("p/cards/mini/ks.yaml", target)
    assert run(["pack-up", "p"]) == 1
    assert "error[GP004]" in capsys.readouterr().err
    assert not Path("p.zip").exists()


def test_fonts_go_with_their_licences(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "pack", "game", "--in", "p"]) == 0
    shipped = Path(bundle.__file__).parents[1] / "fonts"
    for family in ("germania-one", "russo-one"):
        folder = Path("p/fonts", family)
        folder.mkdir()
        for file in (shipped / family).iterdir():
            (folder / file.name).write_bytes(file.read_bytes())
    styles = Path("p/templates/game/styles.yaml")
    styles.write_text(styles.read_text("utf-8").replace("Cinzel", "Germania One"), "utf-8")
    assert run(["pack-up", "p", "-o", "p.zip"]) == 0
    with zipfile.ZipFile("p.zip") as archive:
        fonts = [name for name in archive.namelist() if name.startswith("fonts/")]
    assert {Path(name).parent.name for name in fonts} == {"germania-one"}
    assert [name for name in fonts if not name.endswith(".ttf")] != []
    assert "have no licence" not in capsys.readouterr().err
    for path in Path("p/fonts/germania-one").iterdir():
        if path.suffix != ".ttf":
            path.unlink()
    assert run(["pack-up", "p", "-o", "p.zip"]) == 0
    assert "fonts/germania-one: these fonts have no licence" in capsys.readouterr().err


def test_a_pack_with_faults_is_not_packed_up(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["new", "pack", "game", "--in", "p"]) == 0
    Path("p/cards/game/cards.yaml").write_text("kind: card\ncomponents: [{id: a}]\n", "utf-8")
    assert run(["pack-up", "p"]) == 1
    assert "fix this first" in capsys.readouterr().err
    assert not Path("p.zip").exists()


def test_a_folder_around_the_project_is_no_matter(capsys: pytest.CaptureFixture[str]) -> None:
    files = {f"my-games-main/{name}": text for name, text in PACK.items()}
    Path("G.ZIP").write_bytes(zipped({**files, "my-games-main/README.md": b"hello"}))
    assert run(["build", "G.ZIP", "-o", "out"]) == 0, capsys.readouterr().err
    assert Path("out/mini/a-a4.pdf").is_file()


@pytest.mark.parametrize(
    "names",
    [
        ["../x.yaml"],
        ["cards/../../x.yaml"],
        ["cards/a/..\\..\\x.yaml"],
        ["/etc/x.yaml"],
        ["C:/x.yaml"],
        ["cards/C:x.yaml"],
        ["\\\\host\\x.yaml"],
        ["cards/mini/aux.yaml"],
        ["cards/mini/a.yaml."],
        ["cards/mini /a.yaml"],
        ["cards//a.yaml"],
        ["cards/./a.yaml"],
        ["cards/a\nb.yaml"],
        ["cards/a?.yaml"],
        ["cards/" + "x" * 300],
        ["cards/A.yaml", "cards/a.yaml"],
        ["cards/Mini/a.yaml", "cards/mini/b.yaml"],
        ["cards/\u00e9.yaml", "cards/e\u0301.yaml"],
        ["cards/a", "cards/a/b.yaml"],
        ["cards/a/b.yaml", "cards/a"],
        ["~/x.yaml"],
    ],
)
def test_names_that_lead_out_or_clash_are_refused(names: list[str]) -> None:
    assert refused(raw(*names)) == "GP004"


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused() -> None:
    assert refused(raw("cards/a.yaml", "cards/a.yaml")) == "GP004"


def test_a_name_behind_a_zero_byte_is_seen() -> None:
    content = raw("cards/aXb.yaml").replace(b"aXb", b"a\0b")
    assert refused(content) in ("GP004", "GP105")


@pytest.mark.parametrize("entry", [a_link(), a_pipe()], ids=["link", "pipe"])
def test_links_and_devices_are_refused(entry: zipfile.ZipInfo) -> None:
    assert refused(raw(entry)) == "GP004"


def test_what_swells_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    several = {f"cards/{n}.yaml": bytes(1_000_000) for n in range(4)}
    content = zipped(several)
    monkeypatch.setattr(bundle, "MAX_TOTAL", 3_000_000)
    monkeypatch.setattr(bundle, "MAX_FILE", 2_000_000)
    assert refused(zipped({"cards/a.yaml": bytes(2_500_000)})) == "GP110"
    assert refused(content) == "GP110"
    with pytest.raises(GridpressError, match=r"cards/3\.yaml.*GP110"):
        zipped(several)  # nor is it packed up


def test_folders_count_as_files_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundle, "MAX_FILES", 40)
    made = zipped({f"cards/{n}/a/b/c/d/a.png": b"" for n in range(7)})  # 7 files in 36 folders
    assert refused(made) == "GP110"
    monkeypatch.setattr(bundle, "MAX_FILES", 43)
    assert refused(made) != "GP110"


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04", b"no zip at all" * 100])
def test_what_is_no_zip_is_refused(content: bytes) -> None:
    assert refused(content) == "GP105"


def test_damage_and_secrets_are_refused() -> None:
    content = bytearray(zipped({"cards/a.yaml": b"some words that are pressed " * 40}))
    content[45:60] = bytes(15)
    assert refused(bytes(content)) == "GP105"
    locked = bytearray(raw("cards/a.yaml"))
    locked[6] |= 1
    locked[locked.index(b"PK\x01\x02") + 8] |= 1
    assert refused(bytes(locked)) == "GP105"


def test_a_zip_without_a_pack_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("none.zip").write_bytes(zipped({"cards/readme.txt": b"x", "x.exe": b"x"}))
    assert run(["build", "none.zip"]) == 1
    said = capsys.readouterr().err
    assert said.startswith("none.zip:1:1: error[GP003]: there is no pack in this zip")
    assert left_behind() == []


def test_what_is_too_much_to_pack_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(zipfile.ZipFile, "writestr", refuse)
    with pytest.raises(GridpressError) as caught:
        zipped({"cards/mini/big.png": b""})
    [told] = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP009", "cards/mini/big.png")
