"""From a project's files to finished PDFs and back: tests of the whole line."""

import errno
import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import pikepdf
import pypdfium2
import pytest

from generator import export
from generator.build import (
    OpenPack,
    Order,
    check_prints,
    lay_out,
    open_pack,
    press_into,
    press_pack,
)
from generator.cache import user_cache
from generator.cli import run
from generator.diagnostics import GridpressError
from generator.model.pack import Backs
from generator.preflight import preflight
from generator.project import Target, find_targets

BASE = Path(__file__).parent / "fixtures/faults/base"


@pytest.fixture
def mini(tmp_path: Path) -> Target:
    shutil.copytree(BASE, tmp_path / "project")
    return find_targets([str(tmp_path / "project")])[0]


def grown(target: Target, cards: int) -> None:
    """Give the pack many different cards, enough for several workers."""
    path = target.project.cards(target.pack) / "cards.yaml"
    card = "  - {{id: c{0}, name: Card {0}, text: Move {0}., speed: 1, suit: sun, {1}}}\n"
    lines = (card.format(n, "art: art/field.png, mark: dot") for n in range(cards))
    path.write_text("kind: card\ncomponents:\n" + "".join(lines), encoding="utf-8")


def files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_two_builds_are_the_same_bytes_whatever_the_number_of_workers(
    mini: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    grown(mini, 130)
    for jobs in (1, 2):
        # the second writes its file in a process of its own, as that of a large deck is
        monkeypatch.setattr("generator.build.printing._LARGE", 1_000 if jobs == 1 else 100)
        assert press_pack(mini, Order(jobs=jobs), tmp_path / str(jobs)).value
    one, two = (files(tmp_path / str(jobs) / "mini") for jobs in (1, 2))
    assert one.keys() == {"cards-a4.pdf", "manifest.json"}
    assert one == two


@pytest.fixture(scope="module")
def licence() -> OpenPack:
    """Return a shipped pack, opened for one vehicle."""
    (target,) = find_targets(["chariot-dash"])
    opened = open_pack(target, Order(only="gatecrasher")).value
    assert opened is not None
    return opened


@pytest.mark.parametrize("backs", Backs)
def test_a_shipped_pack_prints_on_every_paper_with_every_kind_of_backs(
    backs: Backs, licence: OpenPack, tmp_path: Path
) -> None:
    order = Order(backs=backs, only="gatecrasher", cache=user_cache())
    printed, scratch = tmp_path / "printed", tmp_path / "scratch"
    printed.mkdir()
    outcome = press_into(licence, order, printed, scratch)
    assert outcome.value
    # A licence is wider than half a sheet.
    assert {d.code for d in outcome.diagnostics} <= {"GP607"}
    pdfs = sorted(printed.glob("*.pdf"))
    assert {path.name.rpartition("-")[2] for path in pdfs} == {"a4.only.pdf", "letter.only.pdf"}
    for path in pdfs:
        assert preflight(path) == ()


def test_a_jpeg_is_stored_once_and_byte_for_byte(mini: Target, tmp_path: Path) -> None:
    from PIL import Image

    grown(mini, 3)
    art = mini.project.cards("mini") / "art"
    Image.effect_noise((300, 300), 60).convert("RGB").save(art / "noise.jpg", quality=80)
    cards = mini.project.cards("mini") / "cards.yaml"
    cards.write_text(cards.read_text().replace("field.png", "noise.jpg"), encoding="utf-8")
    (file,) = press_pack(mini, Order(), tmp_path / "out").value
    with pikepdf.open(file.path) as pdf:
        images = [
            thing
            for thing in pdf.objects
            if isinstance(thing, pikepdf.Stream) and thing.get("/Subtype") == "/Image"
        ]
        assert [image.read_raw_bytes() for image in images] == [(art / "noise.jpg").read_bytes()]


def test_copies_cost_next_to_nothing(mini: Target, tmp_path: Path) -> None:
    kind = mini.project.cards("mini") / "kinds/card.yaml"
    sizes = []
    for copies in (9, 180):
        text = (BASE / "cards/mini/kinds/card.yaml").read_text() + f"quantity: {copies}\n"
        kind.write_text(text, encoding="utf-8")
        (file,) = press_pack(mini, Order(), tmp_path / str(copies)).value
        assert file.pieces == copies
        sizes.append(file.path.stat().st_size)
    assert sizes[1] < sizes[0] + 171 * 160, "a placement is a few numbers"


def test_a_full_disk_leaves_the_last_good_build(
    mini: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "out"
    assert press_pack(mini, Order(), output).value
    before = files(output / "mini")
    grown(mini, 5)

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(export.sheets, "sheet_content", full)
    with pytest.raises(GridpressError) as caught:
        press_pack(mini, Order(), output)
    (told,) = caught.value.diagnostics
    assert (told.code, told.span.file) == ("GP701", tempfile.gettempdir())
    assert "no room in the temporary folder" in told.message
    assert files(output / "mini") == before
    assert [path.name for path in output.iterdir()] == ["mini"]


def test_with_errors_nothing_is_written(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = mini.project.cards("mini") / "cards.yaml"
    cards.write_text(cards.read_text().replace("speed: 3", "speed: 33"), encoding="utf-8")
    assert run(["build", str(mini.project.root), "-o", str(tmp_path / "out")]) == 1
    assert "cards.yaml:6:12: error[GP204]" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_strict_makes_a_warning_stop_the_build(mini: Target, tmp_path: Path) -> None:
    coarse = BASE.parent / "art/coarse-art.png"
    shutil.copy(coarse, mini.project.cards("mini") / "art/field.png")
    words = ["build", str(mini.project.root), "-o", str(tmp_path / "out")]
    assert run([*words, "--strict"]) == 1
    assert not (tmp_path / "out").exists()
    assert run(words) == 0
    assert (tmp_path / "out/mini/cards-a4.pdf").is_file()


def test_a_paper_that_nothing_is_printed_on(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["build", str(mini.project.root), "-o", str(tmp_path / "out"), "--paper", "a44"]
    assert run(words) == 1
    assert "error[GP603]" in capsys.readouterr().err


def test_an_order_that_leaves_nothing(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["build", str(mini.project.root), "-o", str(tmp_path / "out"), "--only", "nobody"]
    assert run(words) == 1
    said = capsys.readouterr().err
    assert "error[GP606]" in said
    assert "--only: no component is called 'nobody'" in said
    assert run([*words[:-1], "card"]) == 1
    assert "it is a kind: 'card/*' is all of it" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("only", "printed"),
    [
        (["c0"], {"c0"}),
        (["c0", "--only", "c2"], {"c0", "c2"}),
        (["c0, c2"], {"c0", "c2"}),
        (["card/c1"], {"c1"}),
        (["card/*1"], {"c1"}),
        (["card 2"], {"c2"}),
        (["C0,Card ?"], {"c0", "c1", "c2"}),
    ],
)
def test_components_are_asked_for_by_id_kind_or_name_and_several_at_once(
    only: list[str], printed: set[str], mini: Target, tmp_path: Path
) -> None:
    grown(mini, 3)
    assert run(["build", str(mini.project.root), "-o", str(tmp_path / "out"), "--only", *only]) == 0
    told = json.loads((tmp_path / "out/mini/manifest.only.json").read_text("utf-8"))
    assert told["kinds"]["card"]["quantities"].keys() == printed


@pytest.mark.parametrize(
    ("only", "near"),
    [
        ("c-0", "'c0'"),
        ("card/c11", "'card/c1'"),
        ("crad/c1", "'card/c1'"),
        ("Cart 1", "'Card 1'"),
    ],
)
def test_what_fits_nothing_is_told_with_the_nearest_and_the_syntax(
    only: str, near: str, mini: Target
) -> None:
    grown(mini, 2)
    (told,) = lay_out(mini, Order(only=f"c0, {only}")).diagnostics
    assert told.code == "GP606"
    assert repr(only) in told.message
    assert f"did you mean {near}?" in told.hint
    assert "id, kind/id or name" in told.hint


def test_a_part_goes_to_files_of_its_own_and_leaves_the_whole_alone(
    mini: Target, tmp_path: Path
) -> None:
    grown(mini, 3)
    pack = mini.project.cards("mini") / "pack.yaml"
    both = pack.read_text("utf-8").replace("[a4]", "[a4, letter]")
    pack.write_text(both, encoding="utf-8")
    folder = tmp_path / "out/mini"
    assert press_pack(mini, Order(), tmp_path / "out").value
    (folder / "notes.only.pdf").write_bytes(b"mine")
    whole = files(folder)
    assert press_pack(mini, Order(only="c1"), tmp_path / "out").value
    part = files(folder)
    assert {name: part[name] for name in whole} == whole
    listed = [file["file"] for file in json.loads(part["manifest.only.json"])["files"]]
    assert listed == ["cards-a4.only.pdf", "cards-letter.only.pdf"]
    assert preflight(folder / "cards-a4.only.pdf") == ()
    assert {*part} - {*whole} == {"manifest.only.json", *listed}
    assert press_pack(mini, Order(only="c2", papers=("a4",)), tmp_path / "out").value
    assert {*part} - {*files(folder)} == {"cards-letter.only.pdf"}, "a part clears its own"
    pack.write_text(both.replace("letter", "a3"), encoding="utf-8")
    assert press_pack(mini, Order(), tmp_path / "out").value
    now = files(folder)
    assert "cards-letter.pdf" not in now, "a full build clears what it no longer writes"
    assert {"cards-a4.only.pdf", "manifest.only.json", "notes.only.pdf"} < {*now}


def test_a_build_for_one_paper_leaves_those_for_others_until_all_are_built(
    mini: Target, tmp_path: Path
) -> None:
    pack = mini.project.cards("mini") / "pack.yaml"
    pack.write_text(pack.read_text("utf-8").replace("[a4]", "[a4, letter]"), encoding="utf-8")
    folder = tmp_path / "out/mini"
    assert press_pack(mini, Order(), tmp_path / "out").value
    whole = files(folder)
    for _ in range(2):
        assert press_pack(mini, Order(papers=("letter",), ink="low"), tmp_path / "out").value
        now = files(folder)
        assert now.keys() == whole.keys()
        assert now["cards-a4.pdf"] == whole["cards-a4.pdf"]
    pack.write_text(pack.read_text("utf-8").replace("[a4, letter]", "[letter]"), encoding="utf-8")
    assert press_pack(mini, Order(), tmp_path / "out").value
    assert "cards-a4.pdf" not in files(folder)


SMALL = '{{ text_line("Hard to read", 6, 70, "body", size=6) }}'


@pytest.fixture
def squinting(mini: Target) -> Target:
    """A pack of two cards with a text so small that a warning says so."""
    grown(mini, 2)
    template = mini.project.root / "templates/mini/card.svg.j2"
    template.write_text(template.read_text("utf-8") + SMALL, "utf-8")
    return mini


def waived(target: Target, component: str, code: str = "GP405") -> None:
    with (target.project.cards("mini") / "pack.yaml").open("a", encoding="utf-8") as file:
        file.write(f"waivers:\n  - {{code: {code}, component: '{component}', reason: seen}}\n")


@pytest.mark.parametrize(
    ("component", "codes"),
    [
        ("card/c11", {"GP871", "GP405"}),
        ("c11", {"GP871", "GP405"}),
        ("c[01]", set()),
        ("c1", {"GP405"}),
    ],
)
def test_a_waiver_accepts_what_is_found_of_its_components(
    component: str, codes: set[str], squinting: Target
) -> None:
    waived(squinting, component)
    said = check_prints(squinting, Order())
    assert {found.code for found in said} == codes
    idle = [found for found in said if found.code == "GP871"]
    assert all("pack.yaml" in found.span.file and "c1'" in found.hint for found in idle)


def test_a_warning_names_the_line_that_waives_it_once(squinting: Target) -> None:
    (told,) = check_prints(squinting, Order())
    line = "write in pack.yaml: waivers: [{code: GP405, component: card/*, reason: …}]"
    assert told.hint.count(line) == 1
    waived(squinting, "c1")
    (told,) = check_prints(squinting, Order())
    assert "component: card/c0" in told.hint


def test_a_waiver_lets_no_error_pass(mini: Target) -> None:
    template = mini.project.root / "templates/mini/card.svg.j2"
    lost = '{{ text_line("Half lost", 58, 40, "body") }}'
    template.write_text(template.read_text("utf-8") + lost, "utf-8")
    waived(mini, "*", "GP404")
    assert {found.code for found in check_prints(mini, Order())} == {"GP404"}


def test_a_pack_with_errors_is_drawn_with_the_places_in_red(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from PIL import Image

    grown(mini, 2)
    cards = mini.project.cards("mini") / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("Move 1.", "and go " * 90), "utf-8")
    assert run(["preview", str(mini.project.root), "-o", str(tmp_path), "--dpi", "72"]) == 1
    assert "error[GP401]" in capsys.readouterr().err
    red = {}
    for name in ("c0", "c1"):
        with Image.open(tmp_path / f"mini/preview/card.{name}.front.png") as picture:
            pixels = picture.convert("RGB").getcolors(1 << 20) or []
        red[name] = sum(count for count, colour in pixels if colour == (0xD6, 0, 0x1C))
    assert red["c0"] == 0
    assert red["c1"] > 100


def test_a_print_for_other_papers_is_told_of(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = mini.project.cards("mini")
    with (cards / "pack.yaml").open("a") as file:
        file.write("  marks: {title: Marks, kinds: [mark], papers: [letter]}\n")
    mark = "kind: mark\nstock: poker\nmade_from: suit\nfaces: {front: blank.svg.j2}\n"
    (cards / "kinds/mark.yaml").write_text(mark, encoding="utf-8")
    (mini.project.root / "templates/mini/blank.svg.j2").write_text("<g/>", encoding="utf-8")
    words = ["build", str(mini.project.root), "-o", str(tmp_path / "out"), "--paper"]
    assert run([*words, "A4"]) == 0
    said = capsys.readouterr().err
    assert "pack.yaml:6:10: warning[GP609]: Marks: not printed, because it is for letter" in said
    assert (tmp_path / "out/mini/cards-a4.pdf").is_file()
    assert run([*words, "Letter, a4"]) == 0
    assert "GP609" not in capsys.readouterr().err


def test_a_build_says_what_it_printed_and_why(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    grown(mini, 4)
    cards = mini.project.cards("mini")
    with (cards / "pack.yaml").open("a") as file:
        file.write("players: {min: 2, max: 4}\n")
    with (cards / "kinds/card.yaml").open("a") as file:
        file.write("quantity: \"2 if id in ['c0', 'c1', 'c2'][:players] else 0\"\n")
        file.write('why: "{{ players }} of {{ components.card | length }}"\n')
    words = ["build", str(mini.project.root), "-o", str(tmp_path), "--players", "2"]
    assert run(words) == 0
    first, row, file_ = capsys.readouterr().out.splitlines()
    assert first == "mini: printed for 2 players"
    assert row == "  Card  2 of 4 different  4 pieces  cards-a4 1  2 of 4"
    assert file_.endswith("cards-a4.pdf    1 page      4 pieces   61 % waste")


def test_check_and_preflight_speak_json(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = str(mini.project.root)
    assert run(["check", root, "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []
    assert run(["build", root, "-o", str(tmp_path)]) == 0
    capsys.readouterr()
    assert run(["preflight", str(tmp_path / "mini/cards-a4.pdf"), "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out) == []


def test_list_shows_what_there_is(mini: Target, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["list", str(mini.project.root)]) == 0
    said = capsys.readouterr().out
    assert "mini  Mini 1.0.0" in said
    assert "card" in said
    assert "1 to print" in said
    assert "first" in said


def test_list_draws_all_icons_on_a_page(mini: Target, tmp_path: Path) -> None:
    project = mini.project
    icons = project.root / "templates/mini/icons"
    icons.mkdir(parents=True, exist_ok=True)
    (icons / "my <sword>.svg").write_text("<svg viewBox='0 0 1 1'/>")
    (project.cards("mini") / "cards.yaml").write_text("kind: [")  # also of a pack with mistakes
    assert run(["list", str(project.root), "--icons", "-o", str(tmp_path)]) == 0
    page = (tmp_path / "mini/icons.html").read_text("utf-8")
    own, _, shared = page.partition("<h2>templates/shared/icons</h2>")
    assert "<code>{my &lt;sword&gt;}</code>" in own
    assert "data:image/svg+xml;base64,PHN2ZyB2aWV3Qm94" in own
    assert "<code>{star}</code></li>" in shared


def test_preview_draws_faces_and_a_contact_sheet(mini: Target, tmp_path: Path) -> None:
    assert run(["preview", str(mini.project.root), "-o", str(tmp_path), "--dpi", "72"]) == 0
    names = {path.name for path in (tmp_path / "mini/preview").iterdir()}
    assert names == {"card.first.front.png", "card.png"}


def test_preview_of_nothing_says_so(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cards = mini.project.cards(mini.pack) / "cards.yaml"
    cards.write_text("kind: card\ncomponents: []\n", "utf-8")
    assert run(["preview", str(mini.project.root), "-o", str(tmp_path)]) == 0
    assert "warning[GP606]: there is nothing to draw" in capsys.readouterr().err
    assert not (tmp_path / "mini").exists()


@pytest.mark.parametrize("ink", ["full", "low", "mono"])
def test_every_ink_builds(ink: str, mini: Target, tmp_path: Path) -> None:
    assert run(["build", str(mini.project.root), "-o", str(tmp_path), "--ink", ink]) == 0


def test_a_new_pack_builds_and_its_schema_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = tmp_path / "games"
    root.mkdir()
    assert run(["new", "pack", "my-game", "--in", str(root)]) == 0
    assert run(["build", str(root), "-o", str(tmp_path / "out"), "--strict"]) == 0
    assert run(["schema", str(root)]) == 0
    assert (root / "cards/my-game/kinds/card.schema.json").is_file()
    assert run(["new", "kind", "score-token", "--in", str(root)]) == 0
    assert run(["build", str(root), "-o", str(tmp_path / "out"), "--strict"]) == 0
    assert (tmp_path / "out/my-game/score-tokens-letter.pdf").is_file()
    assert run(["new", "pack", "my-game", "--in", str(root)]) == 1
    assert "error[GP704]" in capsys.readouterr().err


def test_a_new_kind_builds_in_a_pack_with_styles_and_without(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = mini.project.root
    pack = mini.project.cards("mini") / "pack.yaml"
    styles = root / "templates/mini/styles.yaml"
    assert run(["new", "kind", "score-token", "--in", str(root)]) == 0
    said = capsys.readouterr().out
    for name in (
        "kinds/score-token.yaml",
        "score-tokens.yaml",
        "score-token.face.yaml",
        "pack.yaml",
    ):
        assert name in said
    assert pack.read_text("utf-8").splitlines()[-1] == (
        "  score-tokens: {title: Score tokens, kinds: [score-token], papers: [a4], "
        'media: "card, 200-300 g/m²"}'
    )
    assert run(["build", str(root), "-o", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out/mini/score-tokens-a4.pdf").is_file()
    styles.write_text("fonts: {a: Noto Sans}\nstyles: {odd: {font: a, size: 30pt}}\n", "utf-8")
    assert run(["new", "kind", "tile", "--in", str(root), "--pack", "mini"]) == 0
    assert "style: odd" in (root / "templates/mini/tile.face.yaml").read_text("utf-8")
    styles.unlink()
    (root / "templates/mini/card.svg.j2").write_text("<g/>", "utf-8")
    (root / "templates/mini/score-token.face.yaml").write_text("face: poker\nboxes: {}\n", "utf-8")
    (root / "templates/mini/tile.face.yaml").write_text("face: poker\nboxes: {}\n", "utf-8")
    assert run(["new", "kind", "mat", "--in", str(root)]) == 0
    assert styles.is_file()
    assert run(["check", str(root)]) == 0


def test_a_new_kind_overwrites_nothing_and_asks_which_pack(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = mini.project.root
    before = (mini.project.cards("mini") / "pack.yaml").read_bytes()
    assert run(["new", "kind", "card", "--in", str(root)]) == 1
    assert "error[GP704]" in capsys.readouterr().err
    assert (mini.project.cards("mini") / "pack.yaml").read_bytes() == before
    assert run(["new", "pack", "other", "--in", str(root)]) == 0
    assert run(["new", "kind", "coin", "--in", str(root)]) == 1
    assert "which pack: mini, other?" in capsys.readouterr().err
    assert run(["new", "kind", "coin", "--in", str(root), "--pack", "none"]) == 1
    assert run(["new", "kind", "coin", "--in", str(tmp_path / "nowhere")]) == 1
    assert "gridpress new pack NAME starts one" in capsys.readouterr().err
    (mini.project.cards("mini") / "kinds/bad.yaml").write_text("kind: bad\nstok: poker\n", "utf-8")
    assert run(["new", "kind", "coin", "--in", str(root), "--pack", "mini"]) == 1
    assert "fix this first" in capsys.readouterr().err
    assert not (mini.project.cards("mini") / "coins.yaml").exists()


@pytest.mark.parametrize("strict", [[], ["--strict"]])
@pytest.mark.parametrize("fault", ["", "small.png", "waiver"])
def test_check_says_what_a_build_says_with_the_same_status(
    fault: str, strict: list[str], mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if fault == "small.png":
        coarse = BASE.parent / "art/coarse-art.png"
        shutil.copy(coarse, mini.project.cards("mini") / "art/field.png")
    if fault == "waiver":
        with (mini.project.cards("mini") / "pack.yaml").open("a", encoding="utf-8") as file:
            file.write("waivers:\n  - {code: GP825, component: card/no, reason: seen}\n")
    root, out = str(mini.project.root), tmp_path / "out"
    built = run(["build", root, "-o", str(out), *strict])
    told = [line for line in capsys.readouterr().err.splitlines() if "[GP" in line]
    assert bool(told) == bool(fault)
    shutil.rmtree(out, ignore_errors=True)
    assert run(["check", root, *strict]) == built
    said = [line for line in capsys.readouterr().err.splitlines() if "[GP" in line]
    assert sorted(map(_wording, said)) == sorted(map(_wording, told))
    assert not out.exists()


def _wording(line: str) -> str:
    """Return a finding without its place, which is the print for a finding in a removed file."""
    return line.split(": ", 1)[1].replace("cards-a4.pdf: ", "")


@pytest.mark.parametrize("waiver", ["", "code: GP505, ", "code: GP831, component: card/first, "])
def test_a_prototype_prints_with_coarse_pictures_as_a_draft(
    waiver: str, mini: Target, tmp_path: Path
) -> None:
    from PIL import Image

    cards = mini.project.cards("mini")
    Image.effect_noise((30, 30), 60).convert("RGB").save(cards / "art/field.png")
    if waiver:
        with (cards / "pack.yaml").open("a", encoding="utf-8") as file:
            file.write(f"waivers:\n  - {{{waiver}reason: sketches}}\n")
    outcome = press_pack(mini, Order(), tmp_path / "out")
    if not waiver:
        assert [found.code for found in outcome.diagnostics] == ["GP505"]
        return
    assert outcome.diagnostics == ()
    (printed,) = outcome.value
    page = pypdfium2.PdfDocument(printed.path)[0]
    assert "DRAFT · Mini 1.0.0" in page.get_textpage().get_text_range()


def test_a_build_is_told_to_other_programs(
    mini: Target, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["build", str(mini.project.root), "-o", str(tmp_path / "out"), "--format", "json"]
    for _ in range(2):  # the second time as it was kept
        assert run(words) == 0
        told = json.loads(capsys.readouterr().out)
        (pack,) = told["packs"]
        (file,) = pack["files"]
        assert file["file"] == (tmp_path / "out/mini/cards-a4.pdf").as_posix()
        assert (file["pages"], file["pieces"], told["findings"]) == (1, 1, [])
        assert [(kind["kind"], kind["pieces"]) for kind in pack["kinds"]] == [("card", 1)]
    cards = mini.project.cards("mini") / "cards.yaml"
    cards.write_text(cards.read_text("utf-8").replace("speed: 3", "speed: 33"), "utf-8")
    assert run(words) == 1
    told = json.loads(capsys.readouterr().out)
    assert [pack["files"] for pack in told["packs"]] == [[]]
    assert [found["code"] for found in told["findings"]] == ["GP204"]


def test_schemas_are_written_for_all_files_of_a_project(mini: Target) -> None:
    root = mini.project.root
    assert run(["schema", str(root)]) == 0
    names = {path.name for path in root.glob("cards/shared/schemas/*.schema.json")}
    assert {f"{n}.schema.json" for n in ("pack", "kind", "styles", "stocks", "printer")} <= names
    assert (mini.project.cards("mini") / "kinds/card.schema.json").is_file()


def test_collated_copies_are_drawn_and_listed_each_by_itself(mini: Target, tmp_path: Path) -> None:
    grown(mini, 2)
    kind = mini.project.cards("mini") / "kinds/card.yaml"
    kind.write_text(kind.read_text("utf-8") + "\nquantity: 2\ncollated: yes\n", "utf-8")
    template = mini.project.root / "templates/mini/card.svg.j2"
    white = '<rect x="10" y="10" width="20" height="12" fill="#ffffff"/>'
    mark = "{% if c.copy > 1 %}" + white + '{{ text_line("II", 20, 20, "body") }}{% endif %}'
    template.write_text(template.read_text("utf-8") + mark, "utf-8")
    outcome = press_pack(mini, Order(), tmp_path / "out")
    assert [d.code for d in outcome.diagnostics] == []
    assert outcome.value
    told = json.loads((tmp_path / "out/mini/manifest.json").read_text())
    fronts = [
        (p["component"], p["copy"])
        for p in told["files"][0]["pages"][0]["placements"]
        if p["kind"] == "card" and p["side"] == "front"
    ]
    assert fronts == [("c0", 1), ("c1", 1), ("c0~2", 1), ("c1~2", 1)]
    words = pypdfium2.PdfDocument(tmp_path / "out/mini/cards-a4.pdf")[0].get_textpage()
    assert words.get_text_range().count("II") == 2
