"""The docs cannot lie: commands parse, samples build, links lead somewhere, tables are whole."""

import re
import shlex
from pathlib import Path

import click
import pytest
import yaml
from PIL import Image

from generator.build import Order, open_pack
from generator.cli import COMMANDS, gridpress, run
from generator.model.catalogue import OUTLETS
from generator.outlets import outlet_named
from generator.project import find_targets
from generator.validate.definition_files import BOX, KIND
from generator.validate.field_types import FIELD_TYPES

ROOT = Path(__file__).parent.parent
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)


def blocks(page: Path, language: str) -> list[str]:
    return [body for lang, body in FENCE.findall(page.read_text("utf-8")) if lang == language]


def command_lines() -> list[str]:
    pages = (page for page in PAGES if page.name != "commands.md")  # it is made from them
    lines = (line for page in pages for block in blocks(page, "") for line in block.splitlines())
    return sorted(
        {line.partition("#")[0].strip() for line in lines if line.startswith("gridpress")}
    )


def test_there_are_commands_to_test() -> None:
    assert len(command_lines()) > 8


@pytest.mark.parametrize("line", command_lines())
def test_every_command_in_the_docs_parses(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "my-games").mkdir()
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line)[1:]
    context = click.Context(gridpress)
    command = gridpress.get_command(context, words[0])
    assert command is not None, line
    if isinstance(command, click.Group):
        words = words[1:]
        found = command.get_command(context, words[0])
        assert found is not None, line
        command = found
    command.make_context(words[0], words[1:], parent=context)


def test_every_command_is_on_the_page_on_commands() -> None:
    text = (ROOT / "docs/commands.md").read_text("utf-8")
    assert [name for name in COMMANDS if f"\n## gridpress {name}\n" not in text] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    targets = re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text("utf-8"))
    local = [target for target in targets if not target.startswith("http")]
    assert [target for target in local if not (page.parent / target).exists()] == []


def test_every_type_of_field_is_in_the_table() -> None:
    page = (ROOT / "docs/kinds.md").read_text("utf-8")
    text = page.partition("## Types of fields\n")[2].partition("\n## ")[0]
    assert set(re.findall(r"^\| `(\w+)` \|", text, re.M)) == set(FIELD_TYPES)


def test_every_key_of_a_kind_is_in_the_table() -> None:
    page = (ROOT / "docs/kinds.md").read_text("utf-8")
    table = page.partition("| key | meaning |\n")[2].partition("\n\n")[0]
    heads = " ".join(row.split(" | ")[0] for row in table.splitlines())
    assert set(re.findall(r"`(\w+)", heads)) == set(KIND)


def test_every_outlet_is_in_the_list_and_in_the_table() -> None:
    text = (ROOT / "docs/outlets.md").read_text("utf-8")
    rows = re.findall(r"^\| (`[a-z0-9`, -]+`) \|", text.partition("An installed package")[0], re.M)
    shops = yaml.safe_load((ROOT / "cards/shared/shops.yaml").read_text("utf-8"))["shops"]
    assert re.findall(r"`([\w-]+)`", " ".join(rows)) == [*OUTLETS, *shops]
    assert [outlet_named(name, {}).name for name in OUTLETS] == [*OUTLETS]
    readme = (ROOT / "README.md").read_text("utf-8")
    assert f"[{len(OUTLETS) + len(shops)} outlets]" in readme


def test_the_sample_kinds_are_right(tmp_path: Path) -> None:
    kind, dragons, recipe, made, worked = blocks(ROOT / "docs/kinds.md", "yaml")
    game = ROOT / "tests/fixtures/games/cards/lantern/kinds/flame.yaml"
    assert recipe in game.read_text("utf-8"), "tests/test_games.py builds it"
    cards, templates = tmp_path / "cards/sample", tmp_path / "templates/sample"
    (cards / "kinds").mkdir(parents=True)
    templates.mkdir(parents=True)
    for name in ("dragon", "back", "counter", "board"):
        (templates / f"{name}.svg.j2").write_text("<g/>")
    prints = "{cards: {title: Cards, kinds: [dragon, counter, board], papers: [a4]}}"
    (cards / "pack.yaml").write_text(f"title: Sample\nversion: 1.0.0\nprints: {prints}\n")
    (cards / "kinds/dragon.yaml").write_text(kind)
    (cards / "kinds/board.yaml").write_text(worked)
    (cards / "kinds/counter.yaml").write_text(made.replace("vehicle", "dragon"))
    (cards / "dragons.yaml").write_text(dragons)
    boards = "kind: board\ncomponents: [{id: hall, columns: 3, rows: 4}]\n"
    (cards / "boards.yaml").write_text(boards)
    opened = open_pack(find_targets([str(tmp_path)])[0], Order())
    assert opened.diagnostics == ()
    assert opened.value is not None
    assert {k: len(c) for k, c in opened.value.pack.components.items()} == {
        "dragon": 2,
        "counter": 2,
        "board": 1,
    }
    hall = opened.value.pack.components["board"][0].stock
    assert hall is not None
    assert (hall.trim.width, hall.trim.height, hall.bleed) == (60, 80, 3)


def test_the_sample_face_files_draw_a_card(tmp_path: Path) -> None:
    whole, stats, focus, long, like, other, _ = blocks(ROOT / "docs/face-files.md", "yaml")
    assert run(["new", "pack", "duel", "--in", str(tmp_path)]) == 0
    templates, kind = tmp_path / "templates/duel", tmp_path / "cards/duel/kinds/card.yaml"
    fields = "attack: {type: int, default: 3}\n  defence: {type: int, optional: true}\n"
    fields += "  flavour: {type: text, optional: true}\n"
    fields += "  crop: {type: list, of: {type: number}, optional: true}\n"
    fields += "  price: {type: int, default: 3}\n"
    for name in ("title", "effect"):
        fields += f"  {name}: {{type: text, default: Two}}\n"
    plain = kind.read_text("utf-8").replace("fields:\n", f"fields:\n  {fields}")
    styles = templates / "styles.yaml"
    styles.write_text(styles.read_text("utf-8") + "  flavour: {font: body, size: 9pt}\n", "utf-8")
    (templates / "card.face.yaml").write_text(whole, "utf-8")
    for number, text in enumerate((stats, focus, long, like, other)):
        head = "face: poker\nground: paper\n" if "boxes:\n" in text and text is not like else ""
        head = "like: card.face.yaml\n" if text is long else head
        (templates / f"other{number}.face.yaml").write_text(head + text, "utf-8")
    for name in ("card", *(f"other{number}" for number in range(5))):
        assert "front: card.face.yaml" in plain
        text = plain.replace("front: card.face.yaml", f"front: {name}.face.yaml")
        kind.write_text(text, "utf-8")
        assert run(["check", str(tmp_path)]) == 0


def test_every_word_of_a_box_is_in_the_table() -> None:
    table = (ROOT / "docs/face-files.md").read_text("utf-8").partition("| box |")[2]
    words = re.findall(r"^\| `(\w+):", table, re.M)
    assert set(words) | set(re.findall(r"\w+", table.partition("## ")[0])) >= set(BOX)


def test_the_sample_box_grows_with_its_deck(tmp_path: Path) -> None:
    *_, kind = blocks(ROOT / "docs/face-files.md", "yaml")
    assert run(["new", "pack", "sample", "--in", str(tmp_path)]) == 0
    assert run(["new", "kind", "box", "--like", "tuck-box", "--in", str(tmp_path)]) == 0
    cards = tmp_path / "cards/sample"
    (cards / "kinds/box.yaml").write_text(kind)
    (cards / "boxes.yaml").write_text("kind: box\ncomponents: [{id: deck, art: wood.png}]\n")
    Image.new("RGB", (24, 14)).save(cards / "wood.png")
    opened = open_pack(find_targets([str(tmp_path)])[0], Order())
    assert opened.diagnostics == ()
    assert opened.value is not None
    pack = opened.value.pack
    deck = sum(int(card.values["copies"]) for card in pack.components["card"])
    box, card = pack.components["box"][0].stock, pack.kinds["card"].stock
    assert box is not None
    assert card is not None
    depth, width = deck * 0.32 + 1 + 0.8, card.trim.width + 1.5 + 0.8
    assert box.trim.width == pytest.approx(12 + 2 * depth + 2 * width)


def test_the_way_to_a_card_of_ones_own_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = ROOT / "docs/make-a-deck.md"
    text = page.read_text("utf-8").partition("\n## Without a table\n")[2]
    plain = [body for lang, body in FENCE.findall(text) if not lang]
    samples = [body for lang, body in FENCE.findall(text) if lang == "yaml"]
    monkeypatch.chdir(tmp_path)
    for line in plain[0].splitlines():
        program, *words = shlex.split(line)
        if program == "mkdir":
            Path(words[0]).mkdir()
        else:
            assert program == "gridpress"
            assert run(words) == 0
    assert Path("my-games/output/my-game/cards-a4.pdf").is_file()
    card, field, whole, requiring = samples
    assert whole == Path("my-games/cards/my-game/pack.yaml").read_text("utf-8")
    pack = Path("my-games/cards/my-game")
    cards, kind = pack / "cards.yaml", pack / "kinds/card.yaml"
    cards.write_text(cards.read_text() + card)
    text = kind.read_text()
    kind.write_text(text.replace("checks:", f"{field}checks:"))
    assert run(["check", "my-games", "--strict"]) == 0
    capsys.readouterr()
    wrong = cards.read_text().replace("    cost: 3\n", "    cots: 3\n")
    cards.write_text(wrong)
    assert run(["check", "my-games"]) == 1
    shown = plain[1].strip().splitlines()
    said = capsys.readouterr().err
    assert [line for line in shown if line not in said.splitlines()] == []
    Path("cars/cards/my-cars").mkdir(parents=True)
    Path("cars/cards/my-cars/pack.yaml").write_text(requiring)
    assert run(["build", "cars", "-o", "cars/out", "--paper", "a4", "--only", "basic"]) == 0


def test_every_promise_on_the_page_on_security_has_its_tests() -> None:
    page = " ".join((ROOT / "SECURITY.md").read_text("utf-8").split())
    named = yaml.safe_load((ROOT / "tests/security_promises.yaml").read_text("utf-8"))
    assert [words for words in named if page.count(words) != 1] == []
    promises = page.partition("## Limits of a pack")[2].partition(" ## ")[0].split(" - ")[1:]
    assert len(promises) > 10
    assert [one for one in promises if not any(words in one for words in named)] == []
    missing = [
        test
        for path, _, test in (one.partition("::") for tests in named.values() for one in tests)
        if f"def {test}(" not in (ROOT / path).read_text("utf-8")
    ]
    assert missing == []
